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

use super::IntegrationStart;
use super::rule::Memory;
use crate::error::IntegrationError;
use crate::norm::{ErrorNorm, Scale};
use crate::options::{Norm, Options};

/// One over the order of the method.
const POWER: f64 = 1.0 / 5.0;

/// How it measures errors.
pub(super) fn norm(options: &Options) -> ErrorNorm {
    ErrorNorm { kind: Norm::Max, scale: Scale::Larger, ..ErrorNorm::new(options) }
}

/// A first step, or a shorter one.
pub(super) fn first_step(
    start: &IntegrationStart<'_>,
    norm: &ErrorNorm,
    first: f64,
) -> Result<f64, IntegrationError> {
    if norm.rtol == 0.0 {
        let reason = "`ode45` needs a relative tolerance > 0";
        return Err(IntegrationError::InvalidOption { option: "rtol", reason });
    }
    // The norm divides by the tolerance too; here it is multiplied back.
    let swiftness = norm.rtol * norm.measure(start.rate, start.y, start.y);
    let per_second = swiftness / (0.8 * norm.rtol.powf(POWER));
    Ok(if first * per_second > 1.0 { 1.0 / per_second } else { first })
}

#[inline(always)]
pub(super) fn accepted<const W: usize>(
    h: [f64; W],
    errors: [f64; W],
    memory: Memory<W>,
) -> Memory<W> {
    let mut next = h;
    for i in 0..W {
        let free = h[i] / (1.25 * errors[i].powf(POWER)).max(0.2);
        next[i] = if memory.rejected[i] == 0.0 { free } else { h[i] };
    }
    memory.with_steps(next, memory.own)
}

pub(super) fn after_error(h: f64, error: f64, again: bool) -> f64 {
    if again { h / 2.0 } else { h * (0.8 * error.powf(-POWER)).max(0.1) }
}
