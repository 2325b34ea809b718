//! A run: steps, rows, events, and the certificate.

use crate::certificate::{Certificate, StopReason};
use crate::defect::Defect;
use crate::film::Camera;
use crate::freedom::freedom;
use crate::motion::Motion;
use crate::recorder::Recorder;
use crate::remarks::{loose_tolerance, stiffness, uncorrected, undefined};
use crate::remedy::remedy;
use crate::short_features::StepOutcome;
use crate::singular_pose::singular_pose;
use crate::stiff::StiffnessSwitch;
use crate::table::Table;
use crate::{
    Assembly, AssemblyError, Equilibrium, EquilibriumError, FindingKind, Host, Prepared,
    RunOptions, Start, Verdict, equilibrium,
};
use catena_integrator::{
    Breakdown, FirstOrderSystem, IntegrationError, Integrator, Options, Statistics,
};
use catena_model::{Film, System};

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// A row at the start, after every `every`, and at the end.
    pub table: Table,
    /// A row for every event, with its name in the model in the column `event`.
    pub events: Table,
    /// Errors, statistics and remarks, written when the run is over.
    pub certificate: Certificate,
    /// The start that was used.
    pub start: Assembly,
    /// What it looked like, if that was asked for.
    pub film: Option<Film>,
    /// States besides the rows, at which its error was estimated, if there were any.
    pub samples: Option<Table>,
    /// How far each coordinate, velocity and first-order state went, from its least to its greatest value on rows and at the ends
    /// of steps.
    pub covered: Vec<f64>,
}

/// Why there is no run at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The formulation cannot take this model.
    #[error("the formulation `{formulation}` does not fit: {reason}")]
    Unfit {
        /// Name of the formulation in the catalogue.
        formulation: &'static str,
        /// What the model has that the formulation cannot take, as the end of a sentence.
        reason: String,
        /// Names of the formulations that can take it.
        others: Vec<&'static str>,
    },
    /// There is no start.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// A column that is not there.
    #[error("there is no column `{name}`")]
    UnknownColumn {
        /// What was asked for.
        name: String,
        /// Names of all columns that there are.
        known: Vec<String>,
    },
    /// A pattern that no column matches.
    #[error("no column matches `{pattern}`")]
    NoMatchingColumn {
        /// What was asked for.
        pattern: String,
        /// Names of all columns that there are.
        known: Vec<String>,
    },
    /// A column that needs accelerations or forces of constraints.
    #[error(
        "the linear model has no column `{column}`: it knows neither accelerations nor forces of constraints"
    )]
    NotInLinearModel {
        /// What was asked for.
        column: String,
    },
    /// The equations cannot be evaluated at the start.
    #[error("the motion cannot begin: {0}")]
    Broken(Breakdown),
    /// Some motion has negative kinetic energy at the start.
    #[error("{}", FindingKind::NotPositiveMass { coordinate: coordinate.clone() }.message())]
    NegativeMass {
        /// A coordinate of that motion.
        coordinate: String,
    },
    /// There is nothing to linearise about.
    #[error(transparent)]
    Equilibrium(#[from] EquilibriumError),
    /// The integrator refuses the system.
    #[error("the integrator `{integrator}` cannot begin: {reason}")]
    CannotBegin {
        /// Name of the integrator in the catalogue.
        integrator: &'static str,
        /// What the integrator requires, as the end of a sentence.
        reason: String,
    },
}

/// A motion under way.
struct Underway<'a> {
    options: &'a RunOptions,
    start: Assembly,
    /// The equilibrium about which the model is linear, if it is.
    rest: Option<Equilibrium>,
    integrator: Box<dyn Integrator>,
    /// Who moves it, and whether it is to be another one.
    switch: StiffnessSwitch,
    /// Tolerances and steps, the longest of which sees everything that is harmonic in time.
    integration: Options,
    /// What earlier stretches cost, before the integrator began anew.
    past: Statistics,
}

impl Underway<'_> {
    /// What the motion cost so far.
    fn statistics(&self) -> Statistics {
        self.past + self.integrator.statistics()
    }

    /// Begins anew where the motion stands, with this integrator: where another one fits better from here on, or
    /// behind a place where the motion is not smooth.
    fn restart(
        &mut self,
        motion: &mut Motion,
        entry: &'static catena_integrator::Entry,
    ) -> Result<(), IntegrationError> {
        let past = self.statistics();
        let max_steps = self.integration.max_steps.saturating_sub(past.steps + past.rejected);
        let options = Options { max_steps, first_step: None, ..self.integration.clone() };
        let mut integrator = entry.build(&options);
        let (t, y) = (self.integrator.time(), self.integrator.state());
        integrator.begin(motion, t, y, self.options.t_end)?;
        (self.integrator, self.past) = (integrator, past);
        Ok(())
    }

    /// Goes on with another integrator where stability limits the steps.
    fn change_if_stiff(&mut self, motion: &mut Motion) {
        if let Some(entry) = self.switch.after_step(self.integrator.as_ref(), self.options.t_end)
            && self.restart(motion, entry).is_err()
        {
            // the one at work is as it was
            self.switch.after_failure(self.integrator.time());
        }
    }

    /// Whether the motion can go on with the integrator that was at work before the one that failed.
    fn go_back(&mut self, motion: &mut Motion) -> bool {
        let earlier = self.switch.after_failure(self.integrator.time());
        earlier.is_some_and(|entry| self.restart(motion, entry).is_ok())
    }
}

impl Prepared {
    /// Moves the model in time.
    pub fn run(&mut self, options: &RunOptions, host: &mut Host<'_>) -> Result<Run, RunError> {
        let began = (host.clock)();
        let options = &*self.with_named_columns(options)?;
        let (given, start) = self.begin(options)?;
        if self.may_have_negative_mass() {
            self.check_mass(&start)?;
        }
        let columns = self.columns(options)?;
        let rest = self.linearise(options, &start)?;
        let revised = self.revised_for_springs(options, &start);
        let options = revised.as_ref().unwrap_or(options);
        let parameters = self.model.parameter_values();
        let integration =
            self.bounded(&options.integration, &parameters, [options.t_start, options.t_end]);
        let (integrator, y) = self.integrator(options, &integration, &start, &given)?;
        let switch = StiffnessSwitch::new(options);
        let ready = (host.clock)();
        let model = self.model.clone();
        let system = model.system(self.entry.coordinates);
        let mut recorder = Recorder::new(system, options, columns, &start, y, host.rows.is_none());
        recorder.defect = Defect::new(self.has_short_features(), self.motion.len());
        recorder.camera = self.camera(options);
        recorder.record_start(&mut self.motion, &mut host.rows);
        if rest.is_none() && !recorder.figures.first_energy.is_finite() {
            self.blame(&given)?;
        }
        let mut underway = Underway {
            options,
            start,
            rest,
            integrator,
            switch,
            integration,
            past: Statistics::default(),
        };
        let stop = self.advance(&mut underway, &mut recorder, host);
        if matches!(stop, StopReason::Cancelled | StopReason::Failed { .. }) {
            let integrator = underway.integrator.as_ref();
            recorder.record_stop(&mut self.motion, integrator, &mut host.rows);
        }
        let seconds = (host.clock)() - ready;
        let mut certificate = self.certificate(&underway, &recorder, stop);
        (certificate.preparation_seconds, certificate.seconds) = (ready - began, seconds);
        let Recorder { table, events, camera, samples, extent, .. } = recorder;
        let covered = extent.sizes();
        let film = camera.map(|camera| camera.film);
        let samples = samples.map(|samples| samples.table);
        Ok(Run { table, events, certificate, start: underway.start, film, samples, covered })
    }

    /// Who takes the frames, if there are to be some.
    fn camera(&self, options: &RunOptions) -> Option<Camera> {
        let (set, evaluator) = (self.entry.coordinates, &self.input.evaluator);
        let system = self.model.system(set);
        let times = || options.film.clone();
        (!options.film.is_empty())
            .then(|| Camera::new(&self.model, system, set, evaluator, times()))
    }

    /// Puts the linear model in the place of the model, if the run asks for it.
    fn linearise(
        &mut self,
        options: &RunOptions,
        start: &Assembly,
    ) -> Result<Option<Equilibrium>, RunError> {
        if !options.linear {
            return Ok(None);
        }
        let system = self.model.system(self.entry.coordinates);
        let equations = self.input.evaluator.equations();
        let rest = equilibrium(&self.model, system, equations, start)?;
        self.motion.linearise(&rest.q, &rest.states);
        Ok(Some(rest))
    }

    /// The integrator at the start, and the state there.
    fn integrator(
        &mut self,
        options: &RunOptions,
        integration: &Options,
        start: &Assembly,
        given: &Start,
    ) -> Result<(Box<dyn Integrator>, Vec<f64>), RunError> {
        let mut integrator = options.integrator.build(integration);
        let motion = &mut self.motion;
        let mut y = vec![0.0; motion.len()];
        let end = motion.formulation.state_len();
        motion.formulation.pack(&start.q, &start.v, &start.states, &mut y[..end]);
        motion.measure_energy(start.t, &start.q, &start.v, &start.states);
        match integrator.begin(motion, start.t, &y, options.t_end) {
            Ok(()) => Ok((integrator, y)),
            Err(IntegrationError::Breakdown { source, .. }) => {
                self.blame(given)?;
                self.check_mass(start)?;
                Err(RunError::Broken(source))
            }
            Err(error) => {
                let reason = match error {
                    IntegrationError::Unsuitable { reason, .. } => reason.to_owned(),
                    error => error.to_string(),
                };
                Err(RunError::CannotBegin { integrator: options.integrator.name, reason })
            }
        }
    }

    /// Steps until the end, an event, a failure or the host's word.
    fn advance(
        &mut self,
        underway: &mut Underway<'_>,
        recorder: &mut Recorder<'_>,
        host: &mut Host<'_>,
    ) -> StopReason {
        if let Some(message) = self.held(underway) {
            return StopReason::Failed { message };
        }
        loop {
            let integrator = underway.integrator.as_mut();
            if integrator.time() >= underway.options.t_end {
                return StopReason::Finished;
            }
            let motion = &mut self.motion;
            let made = match &mut self.short_features {
                Some(features) => features.step(motion, integrator),
                None => integrator.step(motion).map(|()| StepOutcome::Accepted),
            };
            let outcome = match made {
                Ok(outcome) => outcome,
                Err(error) => {
                    if underway.go_back(&mut self.motion) {
                        continue;
                    }
                    let held = self.held(underway);
                    let message = held.unwrap_or_else(|| self.explain(underway, &error));
                    return StopReason::Failed { message };
                }
            };
            if let Some(stop) = recorder.after_step(&mut self.motion, integrator, host) {
                return stop;
            }
            let begun = match outcome {
                StepOutcome::Held(message) => return StopReason::Failed { message },
                StepOutcome::Crossed => integrator.forget(&mut self.motion),
                _ => Ok(()),
            };
            if let Err(error) = begun {
                return StopReason::Failed { message: self.explain(underway, &error) };
            }
            let options = underway.options;
            if (host.cancelled)((integrator.time() - options.t_start) / options.duration()) {
                return StopReason::Cancelled;
            }
            underway.change_if_stiff(&mut self.motion);
        }
    }

    /// Why a motion cannot leave where it is, if a switch holds it there.
    fn held(&mut self, underway: &Underway<'_>) -> Option<String> {
        let integrator = &underway.integrator;
        if underway.options.has_fixed_steps() || underway.rest.is_some() {
            return None;
        }
        self.short_features.as_mut()?.at_rest(
            &mut self.motion,
            integrator.time(),
            integrator.state(),
        )
    }

    /// What stopped the motion, with the tolerance or the pose if that may be to blame.
    fn explain(&mut self, underway: &Underway<'_>, error: &IntegrationError) -> String {
        let mut message = error.to_string();
        message.extend(loose_tolerance(error, underway.options));
        if underway.rest.is_none() && may_be_singular(error) {
            let integrator = &underway.integrator;
            let (t, q, v, states) = self.motion.parts(integrator.time(), integrator.state());
            let now = (t, q.as_slice(), v.as_slice(), states.as_slice());
            let system = self.model.system(self.entry.coordinates);
            let evaluator = &mut self.input.evaluator;
            let pose = singular_pose(system, &self.words, evaluator, &underway.start, now);
            message.extend(pose.map(|pose| format!("; {pose}")));
        }
        message
    }

    /// The certificate of the run; the times are the caller's to fill in.
    fn certificate(
        &mut self,
        underway: &Underway<'_>,
        recorder: &Recorder<'_>,
        stop: StopReason,
    ) -> Certificate {
        let Underway { options, start, rest, .. } = underway;
        let mut statistics = underway.statistics();
        statistics.evaluations -= recorder.film_evaluations;
        let mut remarks = self.motion.formulation.remarks();
        if let Some(features) = &self.short_features {
            statistics.evaluations += features.evaluations + recorder.defect.evaluations;
            remarks.extend(features.remark());
        }
        if !matches!(stop, StopReason::Failed { .. }) {
            remarks.extend(stiffness(&statistics));
        }
        remarks.extend(undefined(&recorder.table));
        remarks.extend(uncorrected(recorder.uncorrected_rows));
        let model = self.model.clone();
        let system = model.system(self.entry.coordinates);
        let freedom = match options.examine_rank && rest.is_none() {
            true => {
                let words = self.words.clone();
                let seen = (&recorder.poses, recorder.figures.constraint_error);
                freedom(&model, system, &words, self.evaluator(), &start.states, seen)
            }
            false => None,
        };
        let figures = &recorder.figures;
        let kept = |error: f64| if rest.is_some() { f64::NAN } else { error };
        let mut certificate = Certificate {
            formulation: match options.integrator.structural {
                true => "index 3",
                false => self.entry.name,
            },
            integrator: options.integrator.name,
            chosen: options.automatic.reasons(underway.switch.words()),
            switched: underway.switch.words(),
            energy: figures.first_energy,
            linear_about: rest.as_ref().map(|rest| by_name(system, rest)),
            energy_residual: kept(figures.energy_residual),
            constraint_error: kept(figures.constraint_error),
            constraint_rate_error: kept(figures.constraint_rate_error),
            constraint_distance: figures.constraint_distance,
            defect: recorder.defect.largest(),
            exchanged_energy: figures.exchanged_energy(),
            size: figures.size(&self.words.is_angle),
            freedom,
            statistics,
            time: recorder.time,
            stop,
            model_hash: model.hash(),
            preparation_seconds: 0.0,
            seconds: 0.0,
            estimate: None,
            predictability: None,
            remarks,
            unconfirmed: None,
            remedy: remedy(self.entry, options, None),
            verdict: Verdict::default(),
        };
        certificate.verdict = Verdict::of(&certificate);
        certificate
    }
}

/// Whether the pose may be to blame, and the message does not name it yet.
fn may_be_singular(error: &IntegrationError) -> bool {
    match error {
        IntegrationError::StepTooSmall { stiff, .. } => !stiff,
        IntegrationError::Breakdown { source, .. } => {
            matches!(source, Breakdown::NotFinite { .. } | Breakdown::OffConstraints { .. })
        }
        IntegrationError::NewtonFailed { .. } => true,
        _ => false,
    }
}

/// Three digits, for numbers in words.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

fn by_name(system: &System, rest: &Equilibrium) -> Vec<(String, f64)> {
    let coordinates = system.coordinates.iter().map(|coordinate| &coordinate.name);
    let names = coordinates.chain(system.states.iter().map(|state| &state.name));
    names.cloned().zip(rest.q.iter().chain(&rest.states).copied()).collect()
}
