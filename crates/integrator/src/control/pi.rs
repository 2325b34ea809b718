//! Proportional–integral step control: the next step remembers two errors.
//!
//! # Equations
//! With the error $e_n$ relative to the tolerance and an estimate that behaves as $h^p$,
//! $$h_{n+1}=h_n\cdot\min\left(f_{\max},\max\left(f_{\min},\ 0.9\,e_n^{-\alpha}e_{n-1}^{\beta}\right)\right),\qquad
//! \alpha=\tfrac1p-0.75\,\beta.$$
//! After a rejection $h\cdot\max(f_{\min},0.9\,e^{-\alpha})$, and the step does not grow at once; where the right-hand
//! side fails or gives NaN, $h/4$.
//!
//! # When to choose it
//! The default: steps vary smoothly, few are rejected, mildly stiff stretches do not make them jump.
//!
//! # Reference
//! Gustafsson 1991; Hairer, Wanner, *Solving Ordinary Differential Equations II*, 1996, IV.2.

use super::first_step::first_step;
use super::{IntegrationStart, StepControl};
use crate::error::IntegrationError;
use crate::method::{Failure, Trial};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::span::{Proposal, TimeSpan};

/// Steps are this part of what the estimate allows.
const SAFETY: f64 = 0.9;

/// The constants of a method's control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gains {
    /// The estimate behaves as h to this power.
    pub(crate) p: f64,
    pub(crate) beta: f64,
    /// A step shrinks at most to this fraction ...
    pub(crate) shrink: f64,
    /// ... and grows at most by this factor.
    pub(crate) grow: f64,
}

/// Proportional–integral step control.
#[derive(Debug)]
pub(crate) struct Pi {
    gains: Gains,
    norm: ErrorNorm,
    wanted_first: Option<f64>,
    wanted_longest: Option<f64>,
    resolving: Option<f64>,
    longest: f64,
    step: f64,
    last_error: f64,
    after_rejection: bool,
}

impl Pi {
    pub(crate) fn boxed(options: &Options, gains: Gains) -> Box<dyn StepControl> {
        Box::new(Self {
            gains,
            norm: ErrorNorm::new(options),
            wanted_first: options.first_step,
            wanted_longest: options.max_step,
            resolving: options.resolving_step,
            longest: f64::INFINITY,
            step: 0.0,
            last_error: 1e-4,
            after_rejection: false,
        })
    }

    fn alpha(&self) -> f64 {
        1.0 / self.gains.p - 0.75 * self.gains.beta
    }
}

/// x to a power; square roots where they do, for they cost little compared with the general power.
fn power(x: f64, exponent: f64) -> f64 {
    match exponent {
        0.0 => 1.0,
        0.125 => x.sqrt().sqrt().sqrt(),
        exponent => x.powf(exponent),
    }
}

impl StepControl for Pi {
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError> {
        self.norm.begin(start.work.system);
        self.last_error = 1e-4;
        self.after_rejection = false;
        let length = start.span.length();
        let wanted = self.wanted_longest.unwrap_or(length);
        self.longest = Options::longest_step(self.resolving, wanted, length);
        self.step = match self.wanted_first {
            Some(h) => h.min(self.longest),
            None if length == 0.0 => 0.0,
            None => first_step(start, &self.norm, self.gains.p, self.longest)?,
        };
        Ok(())
    }

    fn norm(&self) -> Option<&ErrorNorm> {
        Some(&self.norm)
    }

    fn propose(&self, span: &TimeSpan) -> Proposal {
        span.propose(self.step, 1.01)
    }

    fn accepted(&mut self, h: f64, trial: &Trial) {
        let alpha = self.alpha();
        let error = match trial.eighth_root {
            Some(root) if alpha == 0.125 => root,
            _ => power(trial.error, alpha),
        };
        let change = error / power(self.last_error, self.gains.beta);
        // The quotient is turned round, so that an error of exactly zero asks for the largest growth.
        let factor = (change / SAFETY).clamp(1.0 / self.gains.grow, 1.0 / self.gains.shrink);
        let next = if self.after_rejection { (h / factor).min(h) } else { h / factor };
        self.step = next.min(self.longest);
        self.last_error = trial.error.max(1e-4);
        self.after_rejection = false;
    }

    fn retracted(&mut self, h: f64) {
        self.step = h;
        self.after_rejection = true;
    }

    fn rejected(&mut self, h: f64, failure: &Failure) -> bool {
        self.after_rejection = true;
        self.step = failure.shortened(h, |error| {
            h / (power(error, self.alpha()) / SAFETY).min(1.0 / self.gains.shrink)
        });
        true
    }
}
