//! Gustafsson's predictive step control, for implicit methods.
//!
//! # Equations
//! With the error $e_n$ relative to the tolerance, an estimate that behaves as $h^4$ and $k$ of at most $k_{\max}$ Newton
//! iterations, $\varphi=0.9\,(2k_{\max}+1)/(2k_{\max}+k)$ and
//! $$h_{n+1}=h_n\cdot\min\left(\varphi\,e_n^{-1/4},\ 0.9\,\frac{h_n}{h_{n-1}}\left(\frac{e_{n-1}}{e_n^2}\right)^{1/4}\right)
//! \in[h_n/5,\,8h_n].$$
//! The second entry predicts the growth of the error from the last two steps. A step that would grow by less than a
//! fifth is kept where the matrices can be kept with it.
//!
//! # Reference
//! Gustafsson 1994; Hairer, Wanner, *Solving Ordinary Differential Equations II*, 1996, IV.8.

use super::first_step::first_step;
use super::{IntegrationStart, StepControl};
use crate::error::IntegrationError;
use crate::method::{Failure, Trial};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::span::{Proposal, TimeSpan};

/// Steps are this part of what the estimate allows.
const SAFETY: f64 = 0.9;
/// A step shrinks at most to a fifth ...
const MIN_FACTOR: f64 = 0.2;
/// ... and grows at most eightfold.
const MAX_FACTOR: f64 = 8.0;
/// The estimate behaves as h to this power.
const ESTIMATE_ORDER: f64 = 4.0;

/// The last accepted step.
#[derive(Clone, Copy, Debug)]
struct Memory {
    h: f64,
    error: f64,
}

/// Gustafsson's predictive step control.
#[derive(Debug)]
pub(crate) struct Predictive {
    norm: ErrorNorm,
    max_iterations: u32,
    wanted_first: Option<f64>,
    wanted_longest: Option<f64>,
    resolving: Option<f64>,
    longest: f64,
    step: f64,
    last: Option<Memory>,
    after_rejection: bool,
}

impl Predictive {
    /// With its own tolerances, for the error estimate may be of lower order than the method.
    pub(crate) fn boxed(
        options: &Options,
        norm: ErrorNorm,
        max_iterations: u32,
    ) -> Box<dyn StepControl> {
        Box::new(Self {
            norm,
            max_iterations,
            wanted_first: options.first_step,
            wanted_longest: options.max_step,
            resolving: options.resolving_step,
            longest: f64::INFINITY,
            step: 0.0,
            last: None,
            after_rejection: false,
        })
    }
}

impl StepControl for Predictive {
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError> {
        self.norm.begin(start.work.system);
        self.last = None;
        self.after_rejection = false;
        let length = start.span.length();
        let wanted = self.wanted_longest.unwrap_or(length);
        self.longest = Options::longest_step(self.resolving, wanted, length);
        self.step = match self.wanted_first {
            Some(h) => h.min(self.longest),
            None if length == 0.0 => 0.0,
            None => first_step(start, &self.norm, ESTIMATE_ORDER, self.longest)?,
        };
        Ok(())
    }

    fn norm(&self) -> Option<&ErrorNorm> {
        Some(&self.norm)
    }

    fn propose(&self, span: &TimeSpan) -> Proposal {
        span.propose(self.step, 1.0001)
    }

    fn accepted(&mut self, h: f64, trial: &Trial) {
        let error = trial.error.max(1e-10);
        let effort = f64::from(trial.iterations + 2 * self.max_iterations);
        let patience = SAFETY * f64::from(1 + 2 * self.max_iterations) / effort;
        let mut factor = error.powf(1.0 / ESTIMATE_ORDER) / patience.min(SAFETY);
        if let Some(last) = self.last {
            let predicted =
                last.h / h * (error * error / last.error).powf(1.0 / ESTIMATE_ORDER) / SAFETY;
            factor = factor.max(predicted);
        }
        let mut next = h / factor.clamp(1.0 / MAX_FACTOR, 1.0 / MIN_FACTOR);
        if self.after_rejection {
            next = next.min(h);
        }
        if trial.keep_matrices && (1.0..=1.2).contains(&(next / h)) {
            next = h;
        }
        self.step = next.min(self.longest);
        self.last = Some(Memory { h, error: error.max(1e-2) });
        self.after_rejection = false;
    }

    fn retracted(&mut self, h: f64) {
        self.step = h;
        self.last = None;
        self.after_rejection = true;
    }

    fn rejected(&mut self, h: f64, failure: &Failure) -> bool {
        self.step = failure.shortened(h, |error| match self.last {
            None => 0.1 * h,
            Some(_) => h / (error.powf(1.0 / ESTIMATE_ORDER) / SAFETY).min(1.0 / MIN_FACTOR),
        });
        self.after_rejection = true;
        true
    }
}
