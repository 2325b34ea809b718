//! The same step throughout.
//!
//! # Equations
//! $t_k=t_0+kh$ with $k$ counted, so that rounding does not add up; the last step ends at the end of the interval and
//! may be shorter.
//!
//! # When to choose it
//! For comparisons at equal cost, for symplectic methods (changing the step spoils them), for measuring orders. A step
//! that fails is not shortened, for that would silently be another method: the error is reported.

use super::{IntegrationStart, StepControl};
use crate::error::IntegrationError;
use crate::method::{Failure, Trial};
use crate::norm::ErrorNorm;
use crate::options::{DEFAULT_STEPS, Options};
use crate::span::{Proposal, TimeSpan};

/// The same step throughout.
#[derive(Debug)]
pub(crate) struct Fixed {
    wanted: Option<f64>,
    step: f64,
    /// Steps in the whole interval.
    count: u64,
    done: u64,
}

impl Fixed {
    pub(crate) fn boxed(options: &Options) -> Box<dyn StepControl> {
        Box::new(Self { wanted: options.step, step: 0.0, count: 0, done: 0 })
    }
}

impl StepControl for Fixed {
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError> {
        let length = start.span.length();
        self.step = self.wanted.unwrap_or(length / DEFAULT_STEPS);
        // Division may miss a whole number by rounding; no step shorter than that is made.
        self.count = if length == 0.0 { 0 } else { (length / self.step - 1e-9).ceil() as u64 };
        self.done = 0;
        Ok(())
    }

    fn norm(&self) -> Option<&ErrorNorm> {
        None
    }

    fn fixed(&self) -> Option<(f64, u64)> {
        Some((self.step, self.count))
    }

    fn propose(&self, span: &TimeSpan) -> Proposal {
        if self.done + 1 >= self.count {
            return Proposal { h: span.end - span.time, t_new: span.end };
        }
        let h = span.direction() * self.step;
        Proposal { h, t_new: span.start + (self.done + 1) as f64 * h }
    }

    fn accepted(&mut self, _h: f64, _trial: &Trial) {
        self.done += 1;
    }

    fn rejected(&mut self, _h: f64, _failure: &Failure) -> bool {
        false
    }
}
