//! Why there is no run, and what can be done about it.

use crate::{EquilibriumError, FindingKind, MAX_ROWS, MethodOptionError, RunError};
use catena_model::{plain, plain_above, plain_to};
use catena_symbolic::nearest;

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// A method that does not exist.
    #[error("there is no {kind} `{name}`")]
    UnknownMethod {
        /// `formulation` or `integrator`.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The names of all methods of the kind.
        known: Vec<&'static str>,
    },
    /// A number that must be greater than 0.
    #[error("`{key}` must be greater than 0, not {}", plain(*.value))]
    NotPositive {
        /// The key of the option.
        key: &'static str,
        /// The value that was given, in the unit of the option.
        value: f64,
    },
    /// A run that would end before it begins.
    #[error("the end at {} s is not after the start at {} s", plain(*.t_end), plain(*.t_start))]
    EndBeforeStart {
        /// The start of the run, s.
        t_start: f64,
        /// The end of the run, s.
        t_end: f64,
    },
    /// A relative tolerance that asks for no digit at all.
    #[error("a relative tolerance of {} lets errors pass that are as large as the motion", plain(*.rtol))]
    NoDigits {
        /// The tolerance that was given.
        rtol: f64,
    },
    /// Single precision where no device computes.
    #[error("the processor computes in double precision")]
    PrecisionOfProcessor,
    /// More rows than can be kept.
    #[error("a row every {} s makes {rows:.1e} rows up to {} s", plain(*.every), plain(*.t_end))]
    TooManyRows {
        /// The end of the run, s.
        t_end: f64,
        /// How long it is, s.
        duration: f64,
        /// The distance of rows, s.
        every: f64,
        /// How many that would be.
        rows: f64,
    },
    /// An option of a method that cannot be.
    #[error(transparent)]
    Option(#[from] MethodOptionError),
    /// A formulation named together with an integrator that needs none.
    #[error("`{integrator}` advances the constrained system itself and takes no formulation")]
    NoFormulation {
        /// Name of the integrator in the catalogue.
        integrator: &'static str,
    },
    /// The run could not begin.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl RunFailure {
    /// What can be done about it.
    pub fn help(&self) -> Option<String> {
        match self {
            RunFailure::UnknownMethod { name, known, .. } => {
                Some(nearest_or_all(name, known.iter().copied(), "known:"))
            }
            RunFailure::NotPositive { .. } => Some("write a positive number".into()),
            RunFailure::NoDigits { .. } => {
                let usual = catena_integrator::Options::default().rtol;
                Some(format!("take one below 1, such as {usual:e}"))
            }
            RunFailure::PrecisionOfProcessor => Some(
                "only a GPU computes in single precision: take `device` gpu, or leave it out"
                    .into(),
            ),
            RunFailure::EndBeforeStart { .. } => {
                Some("take a later end, or an earlier start".into())
            }
            RunFailure::TooManyRows { duration, .. } => {
                let least = duration / MAX_ROWS;
                Some(format!(
                    "{MAX_ROWS:e} can be kept: a row every {} s or fewer",
                    plain_above(least)
                ))
            }
            RunFailure::Option(error) => Some(error.help()),
            RunFailure::NoFormulation { .. } => {
                Some("leave the formulation out, or take an integrator such as `dopri5`".into())
            }
            RunFailure::Run(error) => error.help(),
        }
    }

    /// Whether the request is to blame, not the model.
    pub fn is_usage(&self) -> bool {
        match self {
            RunFailure::Run(error) => !error.blames_model(),
            _ => true,
        }
    }
}

impl RunError {
    /// What can be done about it.
    pub fn help(&self) -> Option<String> {
        match self {
            RunError::Unfit { others, .. } if others.is_empty() => None,
            RunError::Unfit { others, .. } => Some(format!("these do: {}", others.join(", "))),
            RunError::UnknownColumn { name, known } => {
                Some(nearest_or_all(name, known.iter().map(String::as_str), "columns:"))
            }
            RunError::NoMatchingColumn { pattern, known } => Some(near_names(pattern, known)),
            RunError::NotInLinearModel { .. } => Some("run the model itself".into()),
            RunError::NegativeMass { coordinate } => {
                Some(FindingKind::NotPositiveMass { coordinate: coordinate.clone() }.help())
            }
            RunError::CannotBegin { .. } => Some("take another integrator".into()),
            RunError::Assembly(_) | RunError::Broken(_) => {
                Some("a check of the model says more about the start".into())
            }
            RunError::Equilibrium(error) => Some(format!(
                "{}a linear model needs a state of rest, and none was found from this start",
                error.remainder()
            )),
        }
    }

    /// Whether the model is to blame, not what was asked of it.
    pub fn blames_model(&self) -> bool {
        matches!(
            self,
            RunError::Assembly(_)
                | RunError::Broken(_)
                | RunError::NegativeMass { .. }
                | RunError::Equilibrium(_)
        )
    }
}

impl EquilibriumError {
    /// The force, rate or constraint that keeps a system from resting, as the beginning of a sentence.
    pub fn remainder(&self) -> String {
        match self {
            EquilibriumError::Unbalanced { residual, .. }
            | EquilibriumError::Restless { residual, .. }
            | EquilibriumError::Unsatisfied { residual, .. } => {
                format!("{} is left; ", plain_to(*residual, 4))
            }
            _ => String::new(),
        }
    }
}

/// A name that was meant, or all of them.
pub(crate) fn nearest_or_all<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    what: &str,
) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{what} {}", listed(known.collect())),
    }
}

/// Names, the first of many.
fn listed(mut names: Vec<&str>) -> String {
    /// More names than this are counted.
    const MAX_LISTED_NAMES: usize = 40;
    let more = names.len().saturating_sub(MAX_LISTED_NAMES);
    names.truncate(MAX_LISTED_NAMES);
    match more {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// The names that a pattern without a match may have meant: those with a part most like its own.
fn near_names(pattern: &str, known: &[String]) -> String {
    let own = pattern.split('*').max_by_key(|part| part.chars().count()).unwrap_or_default();
    let length = own.chars().count();
    let parts = |name: &String| -> Vec<String> {
        let letters: Vec<char> = name.chars().collect();
        letters.windows(length.max(1)).map(|part| part.iter().collect()).collect()
    };
    let all: Vec<String> = known.iter().flat_map(parts).collect();
    let Some(near) = nearest(own, all.iter().map(String::as_str)) else {
        return format!("columns: {}", listed(known.iter().map(String::as_str).collect()));
    };
    let meant = known.iter().filter(|name| name.contains(near)).map(String::as_str).collect();
    format!("names like it: {}", listed(meant))
}
