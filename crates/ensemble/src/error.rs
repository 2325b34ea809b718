//! Why there is no sweep.

use crate::{BadSection, DeviceError, Grid, Measure, SweepOptions};
use catena_integrator::IntegrationError;
use catena_model::{Model, System};
use catena_simulation::{FlowError, RunError};
use catena_symbolic::{Formula, nearest};

/// Why there is no sweep.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// An axis over something that cannot be varied.
    #[error(
        "`{name}` is neither a parameter nor an initial value of this model, so it cannot be varied"
    )]
    UnknownAxis {
        /// The name that was asked for.
        name: String,
        /// The nearest known name, if one is near.
        meant: Option<String>,
        /// All names that can be varied.
        known: Vec<String>,
    },
    /// An axis without values.
    #[error("there are no values of `{name}` to run through")]
    NoValues {
        /// Name of the axis.
        name: String,
    },
    /// An axis with a value that is not a number.
    #[error("a value of `{name}` is not a finite number")]
    NotFinite {
        /// Name of the axis.
        name: String,
    },
    /// Two axes over the same thing.
    #[error("`{name}` is varied twice")]
    Twice {
        /// Name of both axes.
        name: String,
    },
    /// More cells than can be counted.
    #[error("the grid has more cells than can be counted")]
    TooManyCells,
    /// Nothing to keep.
    #[error("nothing is to be kept of the trajectories")]
    NoMeasures,
    /// A time is a formula of something that is no parameter.
    #[error("`{name}` is not a parameter, so no time can be a formula of it")]
    UnknownName {
        /// What is not known.
        name: String,
    },
    /// What a trajectory is to cross cannot be read.
    #[error(transparent)]
    Section(#[from] BadSection),
    /// The model, the formulation or a column is refused.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The model or the formulation has no tangent vectors.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// What it was to run on does not run it.
    #[error(transparent)]
    Device(DeviceError),
    /// The integrator refuses its options.
    #[error(transparent)]
    Integration(#[from] IntegrationError),
}

impl SweepError {
    pub(crate) fn unknown_axis(model: &Model, system: &System, name: &str) -> SweepError {
        let parameters = model.parameters.iter().map(|parameter| parameter.entry.name.clone());
        let coordinates = system.coordinates.iter().map(|coordinate| &coordinate.name);
        let starts = coordinates.flat_map(|name| [name.clone(), format!("{name}'")]);
        let states = system.states.iter().map(|state| state.name.clone());
        let known: Vec<String> = parameters.chain(starts).chain(states).collect();
        let meant = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        SweepError::UnknownAxis { name: name.to_owned(), meant, known }
    }
}

/// Finds what is wrong with a grid and its measures.
pub(crate) fn check(grid: &Grid, measures: &[Measure]) -> Result<(), SweepError> {
    for (i, axis) in grid.axes.iter().enumerate() {
        let name = axis.name.clone();
        if grid.axes[..i].iter().any(|other| other.name == name) {
            return Err(SweepError::Twice { name });
        }
        if axis.values.is_empty() {
            return Err(SweepError::NoValues { name });
        }
        if axis.values.iter().any(|value| !value.is_finite()) {
            return Err(SweepError::NotFinite { name });
        }
    }
    if measures.is_empty() { Err(SweepError::NoMeasures) } else { Ok(()) }
}

/// Finds times that are formulas of something unknown.
pub(crate) fn check_times(model: &Model, options: &SweepOptions) -> Result<(), SweepError> {
    let schedule = &options.schedule;
    let others = [&schedule.t_start, &schedule.every, &schedule.after, &schedule.step];
    let others = others.into_iter().flatten();
    for formula in std::iter::once(&schedule.t_end).chain(others) {
        known_names(model, formula)?;
    }
    Ok(())
}

fn known_names(model: &Model, formula: &Formula) -> Result<(), SweepError> {
    let unknown = formula.names().find(|(name, ..)| model.parameter(name).is_none());
    unknown.map_or(Ok(()), |(name, ..)| Err(SweepError::UnknownName { name: name.to_owned() }))
}
