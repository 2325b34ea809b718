//! Steps that the method itself foresees, from what it knows of the motion at their beginning.
//!
//! # Equations
//! The next step is the longest one that the method promises. Where its result proves worse than it should be, with the error
//! $e>1$ relative to the tolerance, $h\cdot\max(0.1,\min(0.8,\,0.9\,e^{-1/(p+1)}))$ is tried; where the right-hand side fails or
//! gives NaN, $h/4$. Behind such a step the next one is at most four times as long. A first step from rest, where
//! nothing moves at all, is at most a thousandth of the interval.
//!
//! # When to choose it
//! With Taylor series, whose coefficients show how far they reach.

use super::{IntegrationStart, StepControl};
use crate::error::IntegrationError;
use crate::method::{Failure, Trial};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::span::{Proposal, TimeSpan};

/// Behind a rejected attempt a step is at most this many times as long as the one that was accepted.
const GROWTH_AFTER_REJECTION: f64 = 4.0;

/// Steps that the method foresees.
#[derive(Debug)]
pub(crate) struct Foreseen {
    /// p, where the estimate behaves as the power p + 1 of the step.
    order: usize,
    norm: ErrorNorm,
    wanted_first: Option<f64>,
    wanted_longest: Option<f64>,
    resolving: Option<f64>,
    longest: f64,
    step: f64,
    /// The next step is no longer than this.
    bound: f64,
    after_rejection: bool,
}

impl Foreseen {
    pub(crate) fn boxed(options: &Options, order: usize) -> Box<dyn StepControl> {
        Box::new(Foreseen {
            order,
            norm: ErrorNorm::new(options),
            wanted_first: options.first_step,
            wanted_longest: options.max_step,
            resolving: options.resolving_step,
            longest: f64::INFINITY,
            step: 0.0,
            bound: f64::INFINITY,
            after_rejection: false,
        })
    }
}

impl StepControl for Foreseen {
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError> {
        self.norm.begin(start.work.system);
        let length = start.span.length();
        let wanted = self.wanted_longest.unwrap_or(length);
        self.longest = Options::longest_step(self.resolving, wanted, length);
        let at_rest = start.rate[..self.norm.controlled].iter().all(|&rate| rate == 0.0);
        self.bound = match self.wanted_first {
            Some(first) => first,
            None if at_rest => 1e-3 * length,
            None => f64::INFINITY,
        };
        self.after_rejection = false;
        self.step = self.longest.min(self.bound);
        Ok(())
    }

    fn norm(&self) -> Option<&ErrorNorm> {
        Some(&self.norm)
    }

    fn foresee(&mut self, longest: f64) {
        self.step = longest.min(self.bound).min(self.longest);
    }

    fn propose(&self, span: &TimeSpan) -> Proposal {
        span.propose(self.step, 1.01)
    }

    fn accepted(&mut self, h: f64, _trial: &Trial) {
        self.bound = match self.after_rejection {
            true => GROWTH_AFTER_REJECTION * h,
            false => f64::INFINITY,
        };
        self.after_rejection = false;
    }

    fn retracted(&mut self, h: f64) {
        self.step = h;
        self.after_rejection = true;
    }

    fn rejected(&mut self, h: f64, failure: &Failure) -> bool {
        self.after_rejection = true;
        self.step = failure.shortened(h, |error| {
            h * (0.9 * error.powf(-1.0 / (self.order + 1) as f64)).clamp(0.1, 0.8)
        });
        true
    }
}
