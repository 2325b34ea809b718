//! The step control of MATLAB's `ode45`, to repeat studies step for step.
//!
//! # Equations
//! The error is the largest of $|e_i|/\max(|y_i|,|y_{new,i}|,\mathrm{AbsTol}/\mathrm{RelTol})$ and must not exceed
//! $tol=\mathrm{RelTol}$; with $\epsilon=err/tol$:
//! - first step $\min(\text{grid},\,h_{\max})$, where the grid is the distance to the first output (`first_step` here; the
//!   interval if absent), cut to $0.8\,tol^{1/5}/\max_i\left(|f_i|/\max(|y_i|,\mathrm{AbsTol}/\mathrm{RelTol})\right)$;
//! - first failure of a step: $h\cdot\max(0.1,\,0.8\,\epsilon^{-1/5})$; further ones: $h/2$;
//! - success without failure: $h/\max(0.2,\,1.25\,\epsilon^{1/5})$; success after a failure: $h$ unchanged;
//! - $16\,\mathrm{eps}(t)\le h\le h_{\max}=(t_{end}-t_0)/10$; a step within 10 % of the end ends there.
//!
//! One thing differs: MATLAB accepts a NaN (it is not larger than the tolerance), here it is rejected.
//!
//! # When to choose it
//! To repeat what was computed with MATLAB. Otherwise [`super::pi`] varies its steps more smoothly.
//!
//! # Reference
//! Shampine, Reichelt, *The MATLAB ODE Suite*, 1997.

use super::{IntegrationStart, StepControl};
use crate::error::IntegrationError;
use crate::method::{Failure, Trial};
use crate::norm::{ErrorNorm, Scale};
use crate::options::{Norm, Options};
use crate::span::{Proposal, TimeSpan};

/// One over the order of the method.
const POWER: f64 = 1.0 / 5.0;

/// The step control of MATLAB's `ode45`.
#[derive(Debug)]
pub(crate) struct Matlab {
    norm: ErrorNorm,
    grid: Option<f64>,
    wanted_longest: Option<f64>,
    resolving: Option<f64>,
    longest: f64,
    step: f64,
    failed: bool,
}

impl Matlab {
    pub(crate) fn boxed(options: &Options) -> Box<dyn StepControl> {
        let norm = ErrorNorm { kind: Norm::Max, scale: Scale::Larger, ..ErrorNorm::new(options) };
        Box::new(Self {
            norm,
            grid: options.first_step,
            wanted_longest: options.max_step,
            resolving: options.resolving_step,
            longest: f64::INFINITY,
            step: 0.0,
            failed: false,
        })
    }
}

impl StepControl for Matlab {
    fn begin(&mut self, start: &mut IntegrationStart<'_>) -> Result<(), IntegrationError> {
        if self.norm.rtol == 0.0 {
            let reason = "`ode45` needs a relative tolerance > 0";
            return Err(IntegrationError::InvalidOption { option: "rtol", reason });
        }
        self.norm.begin(start.work.system);
        self.norm.carried = None;
        self.failed = false;
        let length = start.span.length();
        let wanted = self.wanted_longest.unwrap_or(0.1 * length);
        self.longest = Options::longest_step(self.resolving, wanted, length);
        // The norm divides by the tolerance too; here it is multiplied back.
        let swiftness = self.norm.rtol * self.norm.measure(start.rate, start.y, start.y);
        let per_second = swiftness / (0.8 * self.norm.rtol.powf(POWER));
        let first = self.grid.unwrap_or(length).min(self.longest);
        self.step = if first * per_second > 1.0 { 1.0 / per_second } else { first };
        Ok(())
    }

    fn norm(&self) -> Option<&ErrorNorm> {
        Some(&self.norm)
    }

    fn propose(&self, span: &TimeSpan) -> Proposal {
        span.propose(self.step.min(self.longest), 1.1)
    }

    fn accepted(&mut self, h: f64, trial: &Trial) {
        self.step = if self.failed { h } else { h / (1.25 * trial.error.powf(POWER)).max(0.2) };
        self.failed = false;
    }

    fn retracted(&mut self, h: f64) {
        self.step = h;
        self.failed = true;
    }

    fn rejected(&mut self, h: f64, failure: &Failure) -> bool {
        self.step = match failure {
            Failure::Inaccurate { error } if !self.failed => {
                h * (0.8 * error.powf(-POWER)).max(0.1)
            }
            Failure::Inaccurate { .. } => h / 2.0,
            Failure::Newton { .. } | Failure::Breakdown(_) | Failure::NotFinite { .. } => h / 4.0,
        };
        self.failed = true;
        true
    }
}
