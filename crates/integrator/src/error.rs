//! Why an integration stopped before its end.

use crate::system::Breakdown;

/// Why an integration stopped before its end. Times are those of the last state that was accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IntegrationError {
    /// The right-hand side could not be evaluated, however short the step.
    #[error("the motion cannot be continued at t = {time} s: {source}")]
    Breakdown {
        /// In s.
        time: f64,
        /// What broke.
        source: Breakdown,
    },
    /// The tolerance asks for steps that t cannot resolve.
    #[error(
        "the step shrank to {step:e} s at t = {time} s; the motion is singular there, or stiff: try radau5"
    )]
    StepTooSmall {
        /// In s.
        time: f64,
        /// In s.
        step: f64,
    },
    /// As many steps as were allowed.
    #[error("{steps} steps led only to t = {time} s")]
    StepLimit {
        /// In s.
        time: f64,
        /// Accepted and rejected.
        steps: u64,
    },
    /// Newton's method did not converge, or its matrix was singular.
    #[error(
        "Newton's method found no solution after {iterations} iterations at t = {time} s \
         (last change {change:e}); try a shorter step"
    )]
    NewtonFailed {
        /// In s.
        time: f64,
        /// How many were tried.
        iterations: u32,
        /// The norm of the last change relative to the solution; NaN if there was none.
        change: f64,
    },
    /// The method cannot integrate this system.
    #[error("`{method}` cannot integrate this system: {reason}")]
    Unsuitable {
        /// The method's name.
        method: &'static str,
        /// What it needs.
        reason: &'static str,
    },
    /// An option has a value no method could work with.
    #[error("option `{option}`: {reason}")]
    InvalidOption {
        /// The option's name.
        option: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The state does not fit the system.
    #[error("the state has {found} components, the system {expected}")]
    StateLength {
        /// Components of the system.
        expected: usize,
        /// Components of the state.
        found: usize,
    },
}
