//! What every method has in common: it tries one step of a given length.

use crate::breakdown::Breakdown;
use crate::dense::{ALTERNATING, Dense, Factor};
use crate::error::IntegrationError;
use crate::integrator::Statistics;
use crate::norm::ErrorNorm;
use crate::system::FirstOrderSystem;

/// The system, and the count of what is asked of it.
pub(crate) struct Work<'a> {
    pub(crate) system: &'a mut dyn FirstOrderSystem,
    pub(crate) statistics: &'a mut Statistics,
}

impl Work<'_> {
    /// f(t, y), counted.
    pub(crate) fn derivative(
        &mut self,
        t: f64,
        y: &[f64],
        rate: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.statistics.evaluations += 1;
        self.system.derivative(t, y, rate)
    }
}

/// The step to be tried.
#[derive(Clone, Copy)]
pub(crate) struct TrialStep<'a> {
    pub(crate) t: f64,
    pub(crate) t_new: f64,
    /// Signed; t + h may miss `t_new` by rounding.
    pub(crate) h: f64,
    pub(crate) y: &'a [f64],
    /// f(t, y)
    pub(crate) rate: &'a [f64],
    /// How errors are measured; `None` if the step is not controlled.
    pub(crate) norm: Option<&'a ErrorNorm>,
}

impl TrialStep<'_> {
    /// The time at a fraction of the step.
    pub(crate) fn at(&self, fraction: f64) -> f64 {
        if fraction == 1.0 { self.t_new } else { self.t + fraction * self.h }
    }
}

/// What a trial found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trial {
    /// The estimate relative to the tolerance; at most 1 is accepted. 0 if nothing is controlled.
    pub(crate) error: f64,
    /// Whether the method has written f(t_new, y_new) too.
    pub(crate) rate_known: bool,
    /// Iterations of Newton's method.
    pub(crate) iterations: u32,
    /// Whether Newton's method converged so fast that its matrices should be kept.
    pub(crate) keep_matrices: bool,
}

/// Why a trial led to no state.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The estimated error is too large.
    Inaccurate { error: f64 },
    /// The right-hand side could not be evaluated.
    Breakdown(Breakdown),
    /// Something became infinite or undefined.
    NotFinite { what: &'static str, component: usize },
    /// Newton's method; the step should shrink by `factor`.
    Newton { iterations: u32, change: f64, factor: f64 },
}

impl Failure {
    /// The length to try instead of h: what a step control makes of an error, a shorter one after any other failure.
    pub(crate) fn shortened(&self, h: f64, after_error: impl FnOnce(f64) -> f64) -> f64 {
        match self {
            Failure::Inaccurate { error } => after_error(*error),
            Failure::Newton { factor, .. } => h * factor,
            Failure::Breakdown(_) | Failure::NotFinite { .. } => h / 4.0,
        }
    }
}

impl From<Breakdown> for Failure {
    fn from(breakdown: Breakdown) -> Self {
        Self::Breakdown(breakdown)
    }
}

impl Failure {
    /// The error to report if the step cannot be shortened any more.
    pub(crate) fn into_error(self, system: &dyn FirstOrderSystem, at: Stop) -> IntegrationError {
        let Stop { time, step, .. } = at;
        match self {
            Self::Inaccurate { .. } => {
                let quantity = system.component_name(at.fastest);
                IntegrationError::StepTooSmall { time, step, quantity, stiff: at.stiff }
            }
            Self::NotFinite { what, component } => {
                let name = system.component_name(component);
                not_finite(format!("{what}{name}"), system, at)
            }
            Self::Breakdown(Breakdown::NotFinite { quantity }) => not_finite(quantity, system, at),
            Self::Breakdown(source) => IntegrationError::Breakdown { time, source },
            Self::Newton { iterations, change, .. } => {
                IntegrationError::NewtonFailed { time, iterations, change, fixed: at.fixed }
            }
        }
    }
}

/// Where an integration stops, and what is known about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stop {
    pub(crate) time: f64,
    /// Positive.
    pub(crate) step: f64,
    /// The component that changes most in a step relative to its tolerance.
    pub(crate) fastest: usize,
    /// Whether the steps were limited by stability.
    pub(crate) stiff: bool,
    /// Whether nothing controls the step.
    pub(crate) fixed: bool,
    /// Whether a fixed step is too long for what happens there: the largest component and its value.
    pub(crate) too_long: Option<(usize, f64)>,
}

fn not_finite(quantity: String, system: &dyn FirstOrderSystem, at: Stop) -> IntegrationError {
    let Stop { time, step, too_long, .. } = at;
    match too_long {
        Some((component, value)) => {
            let largest = system.component_name(component);
            IntegrationError::StepTooLong { time, step, quantity, largest, value }
        }
        None => IntegrationError::Breakdown { time, source: Breakdown::NotFinite { quantity } },
    }
}

/// A failure if any component is infinite or undefined.
pub(crate) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Failure> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(component) => Err(Failure::NotFinite { what, component }),
        None => Ok(()),
    }
}

/// A one-step method: it tries a step, and draws a polynomial across it.
pub(crate) trait Method: Send {
    /// Makes room for the system; fails where it cannot integrate it.
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError>;

    /// Whether no equation is solved, so that long steps explode.
    fn is_explicit(&self) -> bool {
        false
    }

    /// The longest step from an accepted state that the method promises to be accurate, where it knows: positive.
    fn longest_step(
        &mut self,
        _work: &mut Work<'_>,
        _t: f64,
        _y: &[f64],
        _norm: &ErrorNorm,
    ) -> Option<f64> {
        None
    }

    /// Tries a step: writes y_new, and f(t_new, y_new) where it has it anyway.
    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure>;

    /// The factors of its dense output.
    fn factors(&self) -> &'static [Factor] {
        &ALTERNATING[..3]
    }

    /// The polynomial across an accepted step. `y_new` may have been corrected since the attempt. What can fail comes
    /// before the first write.
    fn interpolant(
        &mut self,
        _work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &[f64],
        rate_new: &[f64],
        dense: &mut Dense,
    ) {
        dense.set_hermite(step.h, [step.y, step.rate], [y_new, rate_new]);
    }

    /// Multipliers of the method's own at both ends of the last step.
    fn multipliers(&self) -> Option<[&[f64]; 2]> {
        None
    }

    /// The attempt became a step of signed length h from y to y_new.
    fn accepted(&mut self, _h: f64, _y: &[f64], _y_new: &[f64]) {}

    /// How far its region of stability reaches, with another state at the end of the attempt and its slope; explicit
    /// methods only.
    fn stability(&self) -> Option<([f64; 2], [&[f64]; 2])> {
        None
    }

    /// The attempt was in vain.
    fn rejected(&mut self) {}
}
