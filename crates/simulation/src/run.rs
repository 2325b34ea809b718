//! A run: steps, rows, events, and the certificate.

use crate::certificate::{Certificate, StopReason};
use crate::columns::Columns;
use crate::freedom::freedom;
use crate::motion::Motion;
use crate::pose_words::PoseWords;
use crate::recorder::Recorder;
use crate::singular_pose::singular_pose;
use crate::table::{Column, Table};
use crate::{Assembly, AssemblyError, Equilibrium, EquilibriumError, Start, assemble, equilibrium};
use catena_compile::Dynamics;
use catena_formulation::{FORMULATIONS, OptionValues, Subject};
use catena_integrator::{
    Breakdown, FirstOrderSystem, IntegrationError, Options, Statistics, for_stiff_systems,
};
use catena_model::{Model, System};

/// How a model is to be moved.
#[derive(Clone)]
pub struct RunOptions {
    /// The formulation.
    pub formulation: &'static catena_formulation::Entry,
    /// The integrator.
    pub integrator: &'static catena_integrator::Entry,
    /// Options of the formulation.
    pub formulation_options: OptionValues,
    /// Tolerances and steps.
    pub integration: Options,
    /// The end of the run, s.
    pub t_end: f64,
    /// Rows stand at multiples of this, s.
    pub every: f64,
    /// The columns of the table, besides the time, which is always the first; all of them if nothing is said.
    pub columns: Option<Vec<String>>,
    /// Whether the model is replaced by its linearisation about the equilibrium nearest the start.
    pub linear: bool,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// A row at every multiple of `every`, and at the end.
    pub table: Table,
    /// A row for every event, with its name in the model in the column `event`.
    pub events: Table,
    /// How good it is.
    pub certificate: Certificate,
    /// The start that was used.
    pub start: Assembly,
}

/// Why there is no run at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The formulation cannot take this model.
    #[error("the formulation `{formulation}` does not fit: {reason}")]
    Unfit {
        /// Which.
        formulation: &'static str,
        /// Why.
        reason: String,
        /// Formulations that can.
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
        /// What there is.
        known: Vec<String>,
    },
    /// The equations cannot be evaluated at the start.
    #[error("the motion cannot begin: {0}")]
    Broken(Breakdown),
    /// There is nothing to linearise about.
    #[error(transparent)]
    Equilibrium(#[from] EquilibriumError),
    /// The integrator refuses the system.
    #[error("the integrator `{integrator}` cannot begin: {reason}")]
    CannotBegin {
        /// Which.
        integrator: &'static str,
        /// Why.
        reason: String,
    },
}

/// What a run is given of the world outside.
pub struct Surroundings<'a> {
    /// Seconds since whenever.
    pub clock: &'a mut dyn FnMut() -> f64,
    /// Told the time that was reached after every step; `true` ends the run.
    pub cancelled: &'a mut dyn FnMut(f64) -> bool,
}

/// Moves a model in time.
pub fn run(
    model: &Model,
    options: &RunOptions,
    surroundings: &mut Surroundings<'_>,
) -> Result<Run, RunError> {
    let began = (surroundings.clock)();
    if let Some(reason) = (options.formulation.refuses)(model) {
        let fit = FORMULATIONS.iter().filter(|entry| (entry.refuses)(model).is_none());
        let others = fit.map(|entry| entry.name).collect();
        return Err(RunError::Unfit { formulation: options.formulation.name, reason, others });
    }
    let system = model.system(options.formulation.coordinates);
    let subject = Subject::new(options.formulation, model, options.formulation_options.clone());
    let parameters: Vec<f64> = model.parameter_values();
    let mut dynamics = Dynamics::new(&subject.evaluator.functions().equations, &parameters);
    let functions = subject.evaluator.functions();
    let words = PoseWords::new(system, &functions.equations);
    let wanted = options.columns.as_deref();
    let columns = Columns::new(system, functions, &words.is_angle, wanted, options.linear)?;
    let start = assemble(system, &mut dynamics, &Start::new(model, system))?;
    let rest = match options.linear {
        true => {
            let equations = &subject.evaluator.functions().equations;
            Some(equilibrium(model, system, equations, &start)?)
        }
        false => None,
    };
    let mut motion = Motion::new((options.formulation.build)(subject), system);
    if let Some(rest) = &rest {
        motion = motion.linearised(&rest.q, &rest.states);
    }
    let mut integrator = (options.integrator.build)(&options.integration);
    let mut y = vec![0.0; motion.len()];
    let end = motion.formulation.state_len();
    motion.formulation.pack(&start.q, &start.v, &start.states, &mut y[..end]);
    let begun = integrator.begin(&mut motion, 0.0, &y, options.t_end);
    begun.map_err(|error| match error {
        IntegrationError::Breakdown { source, .. } => RunError::Broken(source),
        error => {
            let reason = match error {
                IntegrationError::Unsuitable { reason, .. } => reason.to_owned(),
                error => error.to_string(),
            };
            RunError::CannotBegin { integrator: options.integrator.name, reason }
        }
    })?;
    let prepared = (surroundings.clock)();
    let mut recorder = Recorder::new(system, options, columns, &start, y);
    recorder.record_start(&mut motion);
    let stop = loop {
        if integrator.time() >= options.t_end {
            break StopReason::Finished;
        }
        if let Err(error) = integrator.step(&mut motion) {
            let mut message = error.to_string();
            if rest.is_none() && may_be_singular(&error) {
                let (t, q, v, states) = motion.parts(integrator.time(), integrator.state());
                let pose =
                    singular_pose(system, &words, &mut dynamics, &start, (t, &q, &v, &states));
                message.extend(pose.map(|pose| format!("; {pose}")));
            }
            break StopReason::Failed { message };
        }
        if let Some(stop) = recorder.after_step(&mut motion, integrator.as_mut()) {
            break stop;
        }
        if (surroundings.cancelled)(integrator.time()) {
            break StopReason::Cancelled;
        }
    };
    let mut remarks = motion.formulation.remarks();
    if !matches!(stop, StopReason::Failed { .. }) {
        remarks.extend(stiffness(&integrator.statistics()));
    }
    remarks.extend(undefined(&recorder.table));
    let seconds = (surroundings.clock)() - prepared;
    let states = &start.states;
    let freedom = match rest {
        Some(_) => None,
        None => {
            let seen = (&recorder.poses, recorder.constraint_error);
            freedom(model, system, &words, &mut dynamics, states, seen)
        }
    };
    let kept = |error: f64| if rest.is_some() { f64::NAN } else { error };
    let certificate = Certificate {
        formulation: match options.integrator.structural {
            true => "index 3",
            false => options.formulation.name,
        },
        integrator: options.integrator.name,
        energy: recorder.first_energy,
        linear_about: rest.as_ref().map(|rest| by_name(system, rest)),
        energy_residual: kept(recorder.energy_residual),
        constraint_error: kept(recorder.constraint_error),
        constraint_rate_error: kept(recorder.constraint_rate_error),
        freedom,
        statistics: integrator.statistics(),
        time: recorder.time,
        stop,
        model_hash: model.hash(),
        preparation_seconds: prepared - began,
        seconds,
        estimate: None,
        remarks,
    };
    Ok(Run { table: recorder.table, events: recorder.events, certificate, start })
}

/// Whether the pose may be to blame, and the message does not name it yet.
fn may_be_singular(error: &IntegrationError) -> bool {
    match error {
        IntegrationError::StepTooSmall { stiff, .. } => !stiff,
        IntegrationError::Breakdown { source, .. } => matches!(source, Breakdown::NotFinite { .. }),
        IntegrationError::NewtonFailed { .. } => true,
        _ => false,
    }
}

/// A remark on columns that have no value in some rows.
fn undefined(table: &Table) -> Option<String> {
    let gaps = |column: &Column| column.numbers().iter().filter(|value| !value.is_finite()).count();
    let columns = table.columns.iter().map(|column| (format!("`{}`", column.name), gaps(column)));
    let (names, gaps): (Vec<String>, Vec<usize>) = columns.filter(|(_, gaps)| *gaps > 0).unzip();
    let (most, rows) = (gaps.iter().max()?, table.len());
    let verb = if names.len() == 1 { "is" } else { "are" };
    Some(format!("{} {verb} not finite in {most} of {rows} rows", names.join(", ")))
}

/// The remark of a run that stability made long.
fn stiffness(statistics: &Statistics) -> Option<String> {
    let Statistics { steps, stiff_steps, .. } = statistics;
    statistics.mostly_stiff().then(|| {
        let better = for_stiff_systems(true);
        format!(
            "stiff: stability, not accuracy, limited {stiff_steps} of {steps} steps; {better} takes longer ones"
        )
    })
}

fn by_name(system: &System, rest: &Equilibrium) -> Vec<(String, f64)> {
    let coordinates = system.coordinates.iter().map(|coordinate| &coordinate.name);
    let names = coordinates.chain(system.states.iter().map(|state| &state.name));
    names.cloned().zip(rest.q.iter().chain(&rest.states).copied()).collect()
}
