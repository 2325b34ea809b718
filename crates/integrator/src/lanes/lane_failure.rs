//! Why a lane stopped before its end.

use crate::error::rounded;

/// Why a lane stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaneFailure {
    /// The state or its rate is infinite or undefined.
    #[error("the motion is not finite after t = {} s", rounded(*.time))]
    NotFinite {
        /// The last time with a state.
        time: f64,
    },
    /// The tolerance asks for steps that floating-point numbers do not have.
    #[error("the step became too small at t = {} s", rounded(*.time))]
    StepTooSmall {
        /// The last time with a state.
        time: f64,
    },
    /// The bound on the number of steps.
    #[error("{steps} steps were not enough: t = {} s was reached", rounded(*.time))]
    StepLimit {
        /// The last time with a state.
        time: f64,
        /// Accepted and rejected ones.
        steps: u64,
    },
    /// It could not begin.
    #[error("{reason}")]
    CannotBegin {
        /// The message of the step control.
        reason: String,
    },
}
