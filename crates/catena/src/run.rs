//! A run as it is asked for: names and numbers from the user, defaults from the model.

use crate::method_options::{self, OptionFailure};
use catena_formulation::OptionValues;
use catena_model::Model;
use catena_simulation::{
    EquilibriumError, Estimate, Run, RunError, RunOptions, StopReason, Surroundings, with_time,
};
use catena_symbolic::nearest;
use std::time::Instant;

/// What the user asks for; what is left out comes from the model, then from Catena.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the options carry the names people know")]
pub struct RunRequest {
    pub formulation: Option<String>,
    pub integrator: Option<String>,
    pub rtol: Option<f64>,
    pub atol: Option<f64>,
    pub step: Option<f64>,
    pub first_step: Option<f64>,
    pub max_step: Option<f64>,
    pub max_steps: Option<f64>,
    pub t_end: Option<f64>,
    pub every: Option<f64>,
    /// Options of the formulation or integrator, each as NAME=VALUE.
    pub with: Vec<String>,
    /// Only the time and these columns; all of them if none is named.
    pub columns: Vec<String>,
    /// Whether the error is estimated with a second run.
    pub certify: bool,
    /// Whether the model is linearised about the equilibrium nearest its start.
    pub linear: bool,
}

/// The most rows of a run.
const MOST_ROWS: f64 = 1e8;

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// A method that does not exist.
    #[error("there is no {kind} `{name}`")]
    UnknownMethod {
        /// Formulation or integrator.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A number that must be greater than 0.
    #[error("`{name}` must be greater than 0, not {value}")]
    NotPositive {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// More rows than can be kept.
    #[error("a row every {every:e} s makes {rows:.1e} rows up to {t_end} s")]
    TooManyRows {
        /// The end of the run, s.
        t_end: f64,
        /// The distance of rows, s.
        every: f64,
        /// How many that would be.
        rows: f64,
    },
    /// An option of a method that cannot be.
    #[error(transparent)]
    Option(#[from] OptionFailure),
    /// A formulation beside an integrator that needs none.
    #[error(
        "`{integrator}` advances the constrained system itself, so that no formulation stands beside it"
    )]
    NoFormulation {
        /// Which.
        integrator: &'static str,
    },
    /// There is no such model.
    #[error("{reason}")]
    NoModel {
        /// Why.
        reason: String,
    },
    /// The run could not begin.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl RunFailure {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            RunFailure::UnknownMethod { name, known, .. } => {
                Some(match nearest(name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known: {}", known.join(", ")),
                })
            }
            RunFailure::NotPositive { .. } => Some("write a positive number".into()),
            RunFailure::TooManyRows { t_end, .. } => {
                let least = t_end / MOST_ROWS;
                Some(format!("{MOST_ROWS:e} can be kept: take --every {least:e} or more"))
            }
            RunFailure::Option(failure) => failure.help(),
            RunFailure::NoModel { .. } => None,
            RunFailure::NoFormulation { .. } => {
                Some("leave --formulation out, or take an integrator such as `dopri5`".into())
            }
            RunFailure::Run(RunError::Unfit { others, .. }) => match others.as_slice() {
                [] => None,
                others => Some(format!("these do: {}", others.join(", "))),
            },
            RunFailure::Run(RunError::UnknownColumn { name, known }) => {
                Some(match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("columns: {}", known.join(", ")),
                })
            }
            RunFailure::Run(RunError::CannotBegin { .. }) => {
                Some("`catena list integrators` shows all methods".into())
            }
            RunFailure::Run(RunError::Assembly(_) | RunError::Broken(_)) => {
                Some("`catena check` says more about the start".into())
            }
            RunFailure::Run(RunError::Equilibrium(error)) => Some(equilibrium_help(error)),
            RunFailure::Run(_) => None,
        }
    }

    /// Whether the request is to blame, not the model.
    pub fn is_usage(&self) -> bool {
        let model = |error: &RunError| {
            matches!(error, RunError::Assembly(_) | RunError::Broken(_) | RunError::Equilibrium(_))
        };
        !matches!(self, RunFailure::Run(error) if model(error))
    }
}

fn equilibrium_help(error: &EquilibriumError) -> String {
    what_is_left(error) + "a linear model needs a state of rest, and none was found from this start"
}

/// The force, rate or constraint that keeps a system from resting, as the beginning of a sentence.
pub(crate) fn what_is_left(error: &EquilibriumError) -> String {
    match error {
        EquilibriumError::Unbalanced { residual, .. }
        | EquilibriumError::Restless { residual, .. }
        | EquilibriumError::Unsatisfied { residual, .. } => {
            let digits = format!("{residual:.3e}").parse().unwrap_or(*residual);
            format!("{digits} is left; ")
        }
        _ => String::new(),
    }
}

/// Moves a model in time.
pub fn run(model: &Model, request: &RunRequest) -> Result<Run, RunFailure> {
    run_watched(model, request, &mut |_| false)
}

/// Moves a model in time. After every step `stop` is told which part of the work is done, from 0 to 1;
/// if it answers `true`, the run ends there and keeps what it has.
pub fn run_watched(
    model: &Model,
    request: &RunRequest,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Run, RunFailure> {
    let mut options = options(model, request)?;
    let columns = options.columns.clone().filter(|_| request.certify);
    if let Some(columns) = &columns {
        // what is compared comes first, whatever else is asked for
        let mut needed = state_columns(model, &options);
        needed.extend(
            columns.iter().filter(|column| !needed.contains(column)).cloned().collect::<Vec<_>>(),
        );
        options.columns = Some(needed);
    }
    // the second run of a certified one takes several times as long as the first
    let share = if request.certify { 0.3 } else { 1.0 };
    let mut run = watched(model, &options, &mut |part| stop(share * part))?;
    if request.certify && run.certificate.stop != StopReason::Cancelled {
        let exact =
            watched(model, &tightened(&options), &mut |part| stop(share + (1.0 - share) * part))?;
        let fixed = !options.integrator.adaptive || options.integration.step.is_some();
        let order = fixed.then_some(options.integrator.order);
        let compared = 2 * run.start.q.len() + run.start.states.len();
        run.certificate.estimate = Some(Estimate::new(&run.table, &exact.table, compared, order));
        if exact.certificate.stop == StopReason::Cancelled {
            let reached = exact.certificate.time;
            run.certificate.remarks.push(format!("the second run was interrupted at {reached} s"));
            run.certificate.stop = StopReason::Cancelled;
        }
    }
    if let Some(columns) = columns {
        run.table = run.table.select(&columns).map_err(|name| {
            let known = run.table.names().map(str::to_owned).collect();
            RunError::UnknownColumn { name, known }
        })?;
    }
    Ok(run)
}

/// The time and the columns of a motion's state.
fn state_columns(model: &Model, options: &RunOptions) -> Vec<String> {
    let system = model.system(options.formulation.coordinates);
    let coordinates = || system.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let velocities = coordinates().map(|name| format!("{name}'"));
    let states = system.states.iter().map(|state| state.name.clone());
    std::iter::once("t".to_owned()).chain(coordinates()).chain(velocities).chain(states).collect()
}

fn watched(
    model: &Model,
    options: &RunOptions,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Run, RunError> {
    let began = Instant::now();
    let mut surroundings = Surroundings {
        clock: &mut || began.elapsed().as_secs_f64(),
        cancelled: &mut |time| stop(time / options.t_end),
    };
    catena_simulation::run(model, options, &mut surroundings)
}

/// The same run, more exact: a hundredth of the tolerance, or half the step.
fn tightened(options: &RunOptions) -> RunOptions {
    let mut tight = options.clone();
    let integration = &mut tight.integration;
    if options.integrator.adaptive && integration.step.is_none() {
        for tolerance in [&mut integration.rtol, &mut integration.atol] {
            *tolerance = (*tolerance / 100.0).max(1e-14);
        }
    } else {
        let step = integration.step.unwrap_or(options.t_end / catena_integrator::DEFAULT_STEPS);
        integration.step = Some(step / 2.0);
    }
    integration.newton_tol = (integration.newton_tol / 100.0).max(1e-15);
    tight
}

/// The request with everything that it leaves open filled in.
pub(crate) fn options(model: &Model, request: &RunRequest) -> Result<RunOptions, RunFailure> {
    let defaults = &model.run;
    let formulation = match request.formulation.as_ref().or(defaults.formulation.as_ref()) {
        None => catena_formulation::default_for(model),
        Some(name) => catena_formulation::find(name).ok_or_else(|| RunFailure::UnknownMethod {
            kind: "formulation",
            name: name.clone(),
            known: catena_formulation::FORMULATIONS.iter().map(|entry| entry.name).collect(),
        })?,
    };
    let integrator = request.integrator.as_ref().or(defaults.integrator.as_ref());
    let integrator = integrator.map_or("dopri5", String::as_str);
    let integrator =
        catena_integrator::find(integrator).ok_or_else(|| RunFailure::UnknownMethod {
            kind: "integrator",
            name: integrator.to_owned(),
            known: catena_integrator::INTEGRATORS.iter().map(|entry| entry.name).collect(),
        })?;
    let formulation = match (integrator.structural, &request.formulation) {
        (true, Some(_)) => {
            return Err(RunFailure::NoFormulation { integrator: integrator.name });
        }
        (true, None) => catena_formulation::default_for(model),
        (false, _) => formulation,
    };
    let positive = |name: &'static str, value: Option<f64>| match value {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            Err(RunFailure::NotPositive { name, value })
        }
        value => Ok(value),
    };
    let t_end = positive("to", request.t_end.or(defaults.t_end))?.unwrap_or(10.0);
    let every = positive("every", request.every.or(defaults.every))?.unwrap_or(t_end / 200.0);
    if t_end / every > MOST_ROWS {
        return Err(RunFailure::TooManyRows { t_end, every, rows: t_end / every });
    }
    let standard = catena_integrator::Options::default();
    let integration = catena_integrator::Options {
        rtol: positive("rtol", request.rtol.or(defaults.rtol))?.unwrap_or(standard.rtol),
        atol: positive("atol", request.atol.or(defaults.atol))?.unwrap_or(standard.atol),
        step: positive("step", request.step.or(defaults.step))?,
        first_step: positive("first_step", request.first_step.or(defaults.first_step))?,
        max_step: positive("max_step", request.max_step.or(defaults.max_step))?,
        max_steps: positive("max_steps", request.max_steps.or(defaults.max_steps))?
            .map_or(standard.max_steps, |steps| steps.max(1.0) as u64),
        ..standard
    };
    let mut options = RunOptions {
        formulation,
        formulation_options: OptionValues::default(),
        integrator,
        integration,
        t_end,
        every,
        columns: (!request.columns.is_empty()).then(|| with_time(&request.columns)),
        linear: request.linear,
    };
    for text in &request.with {
        method_options::apply(text, &mut options)?;
    }
    Ok(options)
}
