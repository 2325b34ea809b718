//! One model moved in several ways: what each costs and how wrong it is.
//!
//! Errors are measured against a motion of the comparison's own, whose error is known: see `reference.rs`.
//!
//! # Equations
//! The error of a candidate is the largest $|y_j - \hat y_j|/\max(1, |\hat y_j|)$ over the rows, of coordinates and velocities y against
//! those $\hat y$ of the reference; until motions part, where they do.
//!
//! # When to choose it
//! Before a long series of runs: which method is fast enough and right enough on this very model. The figures are measured, on the
//! machine that will run it.
//!
//! # Reference
//! E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 1993, II.10 (work–precision diagrams)

use super::candidates::{CompareRequest, candidates};
use super::preparations::Preparations;
use super::reference::{Reference, ReferenceMotion, References};
use crate::live::Show;
use crate::question::Watch;
use catena_formulation::{Approximation, Entry};
use catena_integrator::Statistics;
use catena_model::{Model, power_of_ten};
use catena_simulation::{
    Asked, ErrorEstimate, FormulationChoice, Grade, Host, Prepared, RunError, RunFailure,
    RunOptions, StopReason, Table, Verdict, formulation_of_model, integrator_of_run,
};
use std::cell::Cell;

/// A candidate that needs more steps is no choice.
const MAX_STEPS: u64 = 2_000_000;
/// A candidate is timed again until this many seconds were spent on it, or this many runs.
const MAX_TIMED_SECONDS: f64 = 0.05;
const MAX_TIMED_RUNS: usize = 3;

/// A way to move the model.
#[derive(Clone)]
pub(crate) struct Candidate {
    /// How constraints enter.
    pub formulation: FormulationChoice,
    /// How time advances, and how far.
    pub options: RunOptions,
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Name of the formulation.
    pub formulation: &'static str,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// rtol, or the step in s of methods that control nothing.
    pub tolerance: f64,
    /// Whether `tolerance` is a step.
    pub fixed_step: bool,
    /// Rows stand at multiples of this, s.
    pub every: f64,
    /// Median time of a run without its preparation, s.
    pub seconds: f64,
    /// Steps and evaluations.
    pub statistics: Statistics,
    /// Largest |Φ|.
    pub constraint_error: f64,
    /// Largest |Φ̇|.
    pub constraint_rate_error: f64,
    /// Largest residual of the energy balance, J.
    pub energy_residual: f64,
    /// Largest error of a coordinate or velocity, and how long it stays small; at least that of the reference.
    pub error: ErrorEstimate,
    /// Whether the error is only known to be at most that of the reference.
    pub within_reference: bool,
    /// Largest error of a constraint or joint force while the motions stay together, relative to the largest
    /// force; none if there are no such forces to compare.
    pub force_error: Option<f64>,
    /// Whether it is what `auto` takes for the model at this tolerance.
    pub automatic: bool,
    /// Why it stopped early, if it did.
    pub failure: Option<String>,
    /// What the formulation met on the way.
    pub remarks: Vec<String>,
    /// Whether another integrator went on where stability limited the steps, as `auto` does and the name of its first one
    /// does not.
    pub switched: bool,
}

impl Outcome {
    /// Whether the run reached its end and stayed with the reference.
    pub fn is_whole(&self) -> bool {
        self.failure.is_none() && !self.error.diverged
    }
}

/// All candidates, the fastest first; and what did not take part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The fastest first; those that failed last.
    pub outcomes: Vec<Outcome>,
    /// Formulations, alone or with an integrator, that cannot take the model, with the reason.
    pub refused: Vec<(String, String)>,
    /// What errors are measured against; none where nobody takes part.
    pub reference: Option<Reference>,
    /// Which one to take, and why.
    pub recommendation: String,
    /// Candidates that were not compared because the caller ended the work, as formulation and integrator.
    pub uncompared: Vec<[&'static str; 2]>,
}

/// Moves the model in every way that is asked for.
pub fn compare(
    model: &Model,
    request: &CompareRequest,
    watch: &Watch<'_>,
) -> Result<Comparison, RunFailure> {
    compare_shown(model, request, watch, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn compare_shown(
    model: &Model,
    request: &CompareRequest,
    watch: &Watch<'_>,
    show: Option<&Show<'_, Comparison>>,
) -> Result<Comparison, RunFailure> {
    let candidates = candidates(model, request)?;
    let mut clock = || (watch.clock)();
    let stopped = Cell::new(false);
    let stop = |part: f64| {
        stopped.set(stopped.get() || (watch.stop)(part));
        stopped.get()
    };
    let mut comparison = Comparison::default();
    let (mut fit, mut refused): (Vec<&Candidate>, Vec<(String, String)>) = Default::default();
    for candidate in &candidates {
        let formulation = candidate.formulation.entry;
        match (formulation.refuses)(model) {
            None => fit.push(candidate),
            Some(reason) if refused.iter().all(|(name, _)| *name != formulation.name) => {
                refused.push((formulation.name.to_owned(), reason));
            }
            Some(_) => {}
        }
    }
    if fit.is_empty() {
        comparison.refused = refused;
        return Ok(comparison);
    }
    let shared = SharedColumns::new(model, fit.iter().map(|candidate| candidate.formulation.entry));
    let references = References { model, candidates: &fit, columns: &shared };
    let mut prepared = Preparations::new(model);
    let mut cancelled = |_| stop(0.0);
    let mut host = Host::new(&mut clock, &mut cancelled);
    let exact = references.compute(&mut prepared, &mut host)?;
    for (at, candidate) in fit.iter().enumerate() {
        let pair = [candidate.formulation.entry.name, candidate.options.integrator.name];
        let done = (at as f64 + 1.0) / (fit.len() as f64 + 1.0);
        if stop(done) {
            comparison.uncompared.push(pair);
            continue;
        }
        let mut cancelled = |_| stop(done);
        let mut host = Host::new(&mut clock, &mut cancelled);
        let found = prepared
            .of(&candidate.formulation)
            .and_then(|prepared| outcome(prepared, candidate, &shared, &exact, &mut host));
        match found {
            // half a motion says nothing about its cost or its error
            Ok(_) if stopped.get() => comparison.uncompared.push(pair),
            Ok(outcome) => {
                let automatic = is_automatic(model, candidate);
                comparison.outcomes.push(Outcome { automatic, ..outcome });
                if let Some(show) = show {
                    show(&|| comparison.clone());
                }
            }
            Err(error) => {
                refused.push((format!("{} with {}", pair[0], pair[1]), error.to_string()));
            }
        }
    }
    comparison.outcomes.sort_by(|a, b| {
        let failed = |outcome: &Outcome| outcome.failure.is_some();
        failed(a).cmp(&failed(b)).then(a.seconds.total_cmp(&b.seconds))
    });
    comparison.refused = refused;
    // one that would follow the motion may be among those that were not compared
    if comparison.uncompared.is_empty() || comparison.outcomes.iter().any(Outcome::is_whole) {
        comparison.recommendation = recommend(&comparison.outcomes);
    }
    comparison.reference = Some(exact.reference);
    Ok(comparison)
}

/// The columns that all candidates have.
pub(super) struct SharedColumns {
    /// Time, coordinates and velocities.
    pub(super) motion: Vec<String>,
    /// Multipliers or forces in joints.
    forces: Vec<String>,
}

impl SharedColumns {
    fn new(model: &Model, formulations: impl Iterator<Item = &'static Entry>) -> SharedColumns {
        let names: Vec<&String> = model.own.coordinates.iter().map(|c| &c.name).collect();
        let mut motion = vec!["t".to_owned()];
        motion.extend(names.iter().map(|name| (*name).clone()));
        motion.extend(names.iter().map(|name| format!("{name}'")));
        motion.extend(model.own.states.iter().map(|state| state.name.clone()));
        let forces = match &model.chain {
            Some(chain) => (1..=chain.links)
                .flat_map(|i| [format!("joint{i}_fx"), format!("joint{i}_fy")])
                .collect(),
            // only where everybody has multipliers
            None if formulations.into_iter().all(|entry| (entry.refuses)(model).is_none()) => {
                model.own.constraints.iter().map(|c| format!("lambda_{}", c.name)).collect()
            }
            None => Vec::new(),
        };
        SharedColumns { motion, forces }
    }

    /// All of them.
    pub(super) fn names(&self) -> Vec<String> {
        [self.motion.as_slice(), &self.forces].concat()
    }
}

fn outcome(
    prepared: &mut Prepared,
    candidate: &Candidate,
    shared: &SharedColumns,
    exact: &ReferenceMotion,
    host: &mut Host<'_>,
) -> Result<Outcome, RunError> {
    let mut options = candidate.options.clone();
    options.columns = Some(shared.names());
    (options.examine_rank, options.record_events) = (false, false);
    options.integration.max_steps = options.integration.max_steps.min(MAX_STEPS);
    let mut times = Vec::new();
    let run = loop {
        let run = prepared.run(&options, host)?;
        times.push(run.certificate.seconds);
        if times.len() >= MAX_TIMED_RUNS || times.iter().sum::<f64>() > MAX_TIMED_SECONDS {
            break run;
        }
    };
    times.sort_by(f64::total_cmp);
    let c = &run.certificate;
    let ReferenceMotion { reference, table } = exact;
    let mut error = ErrorEstimate::new(&run.table, table, shared.motion.len() - 1, None);
    let within_reference = error.error <= reference.error.error;
    error.error = error.error.max(reference.error.error);
    error.diverged |= reference.error.diverged;
    let fixed_step = options.has_fixed_steps();
    let mut remarks = c.remarks.clone();
    remarks.extend(c.switched.clone());
    let lost = error.diverged || c.stop != StopReason::Finished;
    let stiff = candidate.formulation.entry.approximation == Approximation::StiffSprings;
    if fixed_step && lost && stiff {
        remarks.push(
            "the springs are too stiff for the step: take a smaller `alpha` or a shorter step \
             (`catena check --penalty` maps both)"
                .to_owned(),
        );
    }
    Ok(Outcome {
        formulation: c.formulation,
        integrator: c.integrator,
        tolerance: match fixed_step {
            true => options.fixed_step(),
            false => options.integration.rtol,
        },
        fixed_step,
        every: options.every,
        seconds: times[times.len() / 2],
        statistics: c.statistics,
        constraint_error: c.constraint_error,
        constraint_rate_error: c.constraint_rate_error,
        energy_residual: c.energy_residual,
        force_error: force_error(&run.table, table, shared, error.valid_until),
        error,
        within_reference,
        automatic: false,
        failure: match (&c.stop, &c.verdict) {
            (StopReason::Failed { message }, _) => Some(message.clone()),
            (_, Verdict { grade: Grade::Wrong, reason, .. }) => Some(format!("wrong: {reason}")),
            _ => None,
        },
        remarks,
        switched: c.switched.is_some(),
    })
}

/// Whether the rules would take this candidate.
fn is_automatic(model: &Model, candidate: &Candidate) -> bool {
    let Candidate { formulation, options } = candidate;
    let integrator = integrator_of_run(&Asked::new(&options.integration)).entry;
    formulation.entry.name == formulation_of_model(model).entry.name
        && (options.automatic.integrator.is_some() || options.integrator.name == integrator.name)
}

/// The largest difference of a force up to a time, relative to the largest force of all.
fn force_error(
    table: &Table,
    reference: &Table,
    shared: &SharedColumns,
    until: f64,
) -> Option<f64> {
    let (mut error, mut largest) = (0.0_f64, f64::MIN_POSITIVE);
    let times = reference.column("t")?;
    for name in &shared.forces {
        let (found, exact) = (table.column(name)?, reference.column(name)?);
        let rows = found.iter().zip(exact).zip(times);
        for ((found, exact), _) in rows.filter(|(_, time)| **time <= until) {
            error = error.max((found - exact).abs());
            largest = largest.max(exact.abs());
        }
    }
    (!shared.forces.is_empty()).then(|| error / largest)
}

/// The fastest of those that are about as exact as the best.
fn recommend(outcomes: &[Outcome]) -> String {
    let whole: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.is_whole()).collect();
    let Some(best) = whole.iter().min_by(|a, b| a.error.error.total_cmp(&b.error.error)) else {
        return "none of them follows the motion to its end: ask for tighter tolerances, or for a \
                shorter time"
            .to_owned();
    };
    let near = |outcome: &&&Outcome| outcome.error.error <= 10.0 * best.error.error.max(1e-12);
    let Some(choice) = whole.iter().find(near) else { return String::new() };
    let what = if choice.fixed_step { "step" } else { "tolerance" };
    // the name of the first integrator alone would ask for that one throughout
    let integrator = match choice.switched {
        true => "the integrators that `auto` takes in turn".to_owned(),
        false => format!("`{}`", choice.integrator),
    };
    let mut text = format!(
        "take `{}` with {integrator} at {what} {}: the fastest of those within a factor of ten of the smallest \
         error ({:.1e})",
        choice.formulation,
        power_of_ten(choice.tolerance),
        best.error.error
    );
    let kept = whole
        .iter()
        .filter(|outcome| outcome.constraint_error < 1e-3 * choice.constraint_error)
        .min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    if let Some(kept) = kept {
        text += &format!(
            "; for long runs `{}`, which keeps the constraints to {:.0e} where this one leaves {:.0e}",
            kept.formulation, kept.constraint_error, choice.constraint_error
        );
    }
    text
}
