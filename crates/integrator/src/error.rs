//! Why an integration stopped before its end.

use crate::breakdown::Breakdown;
use crate::catalogue::for_stiff_systems;

/// Why an integration stopped before its end. Times are those of the last state that was accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IntegrationError {
    /// The right-hand side could not be evaluated, however short the step.
    #[error("the motion cannot be continued at t = {} s: {source}{}", rounded(*time), likely_cause(source))]
    Breakdown {
        /// In s.
        time: f64,
        /// What broke.
        source: Breakdown,
    },
    /// The tolerance asks for steps that t cannot resolve.
    #[error(
        "the step shrank to {step:.1e} s at t = {} s, where {quantity} changes fastest: {}",
        rounded(*time),
        if *stiff { stiff_cause() } else { "the motion is singular there".to_owned() }
    )]
    StepTooSmall {
        /// In s.
        time: f64,
        /// In s.
        step: f64,
        /// What changes fastest.
        quantity: String,
        /// Whether stability limited the steps.
        stiff: bool,
    },
    /// At a fixed step of an explicit method the state grew beyond all bounds.
    #[error(
        "{quantity} is not finite after t = {} s, where {largest} is {value:.1e}: steps of {step} s are too long there \
         for an explicit method; try shorter ones, or {}. If those stop there too, the motion itself runs away",
        rounded(*time), for_stiff_systems(false)
    )]
    StepTooLong {
        /// In s.
        time: f64,
        /// In s.
        step: f64,
        /// What is infinite or undefined.
        quantity: String,
        /// The largest component of the last state.
        largest: String,
        /// Its value.
        value: f64,
    },
    /// As many steps as were allowed.
    #[error(
        "{steps} steps led only to t = {} s: {}a larger `max_steps` goes on",
        rounded(*time),
        if *stiff { format!("{}; ", stiff_cause()) } else { String::new() }
    )]
    StepLimit {
        /// In s.
        time: f64,
        /// Accepted and rejected.
        steps: u64,
        /// Whether stability limited the steps.
        stiff: bool,
    },
    /// Newton's method did not converge, or its matrix was singular.
    #[error("Newton's method finds no solution at t = {} s: {}", rounded(*time), newton_cause(*iterations, *change, *fixed))]
    NewtonFailed {
        /// In s.
        time: f64,
        /// How many were tried.
        iterations: u32,
        /// The norm of the last change relative to the solution; NaN if there was none.
        change: f64,
        /// Whether the step is fixed; otherwise it was shortened in vain.
        fixed: bool,
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

fn stiff_cause() -> String {
    format!("the system is stiff, and {} would take longer steps", for_stiff_systems(true))
}

fn likely_cause(source: &Breakdown) -> &'static str {
    match source {
        Breakdown::NotFinite { .. } => "; a formula has no value there, or the motion runs away",
        _ => "",
    }
}

fn newton_cause(iterations: u32, change: f64, fixed: bool) -> String {
    let tried = match (iterations, change.is_finite()) {
        (0, _) => "its matrix is singular".to_owned(),
        (_, false) => "what it solves is not finite".to_owned(),
        (1, true) => format!("1 iteration, last change {change:.1e}"),
        (_, true) => format!("{iterations} iterations, last change {change:.1e}"),
    };
    let cure = match fixed {
        true => "try a shorter step",
        false => "no step is short enough, for the motion is singular there or runs away",
    };
    format!("{tried}; {cure}")
}

/// Seven digits: enough to find the place.
pub(crate) fn rounded(time: f64) -> f64 {
    format!("{time:.6e}").parse().unwrap_or(time)
}
