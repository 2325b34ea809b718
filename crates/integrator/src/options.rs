//! What a user may ask of an integrator.

use crate::error::IntegrationError;
use crate::integrator_option::{IntegratorOption, NumberRange};
use crate::tangent::Tangent;

/// How the errors of the components become one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// The root of their mean square.
    #[default]
    Rms,
    /// The largest.
    Max,
}

/// The number of steps that a fixed-step method takes where no step is given.
pub const DEFAULT_STEPS: f64 = 1000.0;

/// What a user may ask; each method's catalogue row lists those that it reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Relative tolerance per step.
    pub rtol: f64,
    /// Absolute tolerance per step, in the unit of each component.
    pub atol: f64,
    /// A fixed step in s. Adaptive methods then control nothing; fixed-step methods without it take a thousandth of
    /// the interval.
    pub step: Option<f64>,
    /// The first step in s; chosen by the method if absent.
    pub first_step: Option<f64>,
    /// The longest step in s; the interval if absent (`ode45`: a tenth of it).
    pub max_step: Option<f64>,
    /// The longest step that misses nothing of what drives the system, in s: not the user's wish, but what is known of the
    /// system by who drives it.
    pub resolving_step: Option<f64>,
    /// Bound on accepted and rejected steps together.
    pub max_steps: u64,
    /// The norm of error control (`ode45` always uses the largest).
    pub norm: Norm,
    /// The tangent of implicit methods.
    pub tangent: Tangent,
    /// Where Newton's method stops: the change relative to the solution.
    pub newton_tol: f64,
    /// Numbers that one method alone reads, by the key of their option.
    pub own: Vec<(&'static str, f64)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rtol: 1e-6,
            atol: 1e-9,
            step: None,
            first_step: None,
            max_step: None,
            resolving_step: None,
            max_steps: 10_000_000,
            norm: Norm::Rms,
            tangent: Tangent::Full,
            newton_tol: 1e-10,
            own: Vec::new(),
        }
    }
}

impl Options {
    /// A number that one method alone reads.
    pub(crate) fn own_number(&self, option: &IntegratorOption) -> f64 {
        let given = self.own.iter().find(|(key, _)| *key == option.key).map(|(_, number)| *number);
        given.or(option.default).unwrap_or(f64::NAN)
    }

    /// The longest step in an interval, where `wanted` is the user's or the method's own.
    pub(crate) fn longest_step(resolving: Option<f64>, wanted: f64, length: f64) -> f64 {
        wanted.min(length).min(resolving.unwrap_or(f64::INFINITY))
    }

    /// Refuses numbers no method could work with.
    pub fn check(&self) -> Result<(), IntegrationError> {
        let refuse = |option, reason| Err(IntegrationError::InvalidOption { option, reason });
        for (option, tolerance) in [("rtol", self.rtol), ("atol", self.atol)] {
            if !NumberRange::NotNegative.contains(tolerance) {
                return refuse(option, "it must be a number ≥ 0");
            }
        }
        if self.rtol == 0.0 && self.atol == 0.0 {
            return refuse("rtol", "it and atol cannot both be 0");
        }
        let newton_tol = Some(self.newton_tol);
        for (option, value) in [
            ("step", self.step),
            ("first_step", self.first_step),
            ("max_step", self.max_step),
            ("newton_tol", newton_tol),
        ] {
            if value.is_some_and(|value| !NumberRange::Positive.contains(value)) {
                return refuse(option, "it must be a number > 0");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_cannot_work_are_refused_by_name() {
        let refused = |options: Options| match options.check() {
            Err(IntegrationError::InvalidOption { option, .. }) => option,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(Options { rtol: f64::NAN, ..Options::default() }), "rtol");
        assert_eq!(refused(Options { rtol: 0.0, atol: 0.0, ..Options::default() }), "rtol");
        assert_eq!(refused(Options { step: Some(0.0), ..Options::default() }), "step");
        assert_eq!(refused(Options { max_step: Some(-1.0), ..Options::default() }), "max_step");
        assert!(Options::default().check().is_ok());
    }
}
