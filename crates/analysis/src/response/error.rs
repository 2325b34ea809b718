//! Why there is no response.

use catena_ensemble::SweepError;

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// Nothing shakes the system.
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
        /// Which parameter.
        name: String,
    },
    /// No parameter is the frequency of the drive.
    #[error("no parameter of this model is the frequency of its drive")]
    NoFrequency {
        /// The parameters there are.
        known: Vec<String>,
    },
    /// No frequencies, or some that are not positive numbers in rising order.
    #[error("frequencies have to be positive numbers in rising order, and there has to be one")]
    BadFrequencies,
    /// A curve for each value of the frequency itself.
    #[error("`{name}` is the frequency of the drive already")]
    Twice {
        /// Which parameter.
        name: String,
    },
    /// A setting of the settling that makes no sense.
    #[error("{what} must be {must}")]
    BadSetting {
        /// Which.
        what: &'static str,
        /// What it has to be.
        must: &'static str,
    },
    /// The trajectories cannot be run.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// Somebody stopped it.
    #[error("the response was stopped before it was known")]
    Stopped,
}
