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

use super::rule::Memory;

/// Behind a rejected attempt a step is at most this many times as long as the one that was accepted.
const GROWTH_AFTER_REJECTION: f64 = 4.0;

/// What is remembered is a bound on the next step; how long that is will be foreseen.
#[inline(always)]
pub(super) fn accepted<const W: usize>(h: [f64; W], memory: Memory<W>) -> Memory<W> {
    let mut bound = [f64::INFINITY; W];
    for i in 0..W {
        let grown = GROWTH_AFTER_REJECTION * h[i];
        bound[i] = if memory.rejected[i] == 0.0 { f64::INFINITY } else { grown };
    }
    memory.with_steps(memory.step, bound)
}

pub(super) fn after_error(h: f64, error: f64, order: usize) -> f64 {
    h * (0.9 * error.powf(-1.0 / (order + 1) as f64)).clamp(0.1, 0.8)
}
