//! Why there is no response.

use catena_ensemble::SweepError;

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// Time does not enter the equations.
    #[error("the model has no drive: time changes nothing in its equations")]
    NoDrive,
    /// A name that is no parameter.
    #[error(
        "`{name}` is not a parameter of this model, so it cannot be the frequency of its drive"
    )]
    UnknownFrequency {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        meant: Option<String>,
    },
    /// The drive does not repeat itself as this parameter says.
    #[error(
        "`{name}` is not the frequency of the drive: the equations are not the same again after \
         1/{name} nor after 2*pi/{name}"
    )]
    NotPeriodic {
        /// The parameter that was named.
        name: String,
    },
    /// No parameter is the frequency of the drive.
    #[error("no parameter of this model is the frequency of its drive")]
    NoFrequency {
        /// The parameters there are.
        known: Vec<String>,
    },
    /// No frequencies, or some that are not positive numbers in rising order.
    #[error("frequencies must be positive numbers in rising order, and there must be at least one")]
    BadFrequencies,
    /// A curve for each value of the frequency itself.
    #[error("`{name}` is the frequency of the drive already")]
    Twice {
        /// The parameter that was named twice.
        name: String,
    },
    /// A setting outside of its range.
    #[error("{what} must be {must}")]
    BadSetting {
        /// The setting, in words.
        what: &'static str,
        /// Its range, in words.
        must: &'static str,
    },
    /// The trajectories cannot be run.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}
