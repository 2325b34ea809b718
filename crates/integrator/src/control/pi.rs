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

use super::rule::{Memory, smaller};

/// The constants of proportional–integral step control.
#[derive(Clone, Copy, Debug)]
pub struct PiGains {
    /// The estimate behaves as h to this power.
    pub p: f64,
    /// The exponent of the error before.
    pub beta: f64,
    /// A step shrinks at most to this fraction ...
    pub shrink: f64,
    /// ... and grows at most by this factor.
    pub grow: f64,
}

impl PiGains {
    /// Steps are this part of what the estimate allows.
    pub const SAFETY: f64 = 0.9;
    /// No error is remembered as smaller, and before the first step it is this one.
    pub const LEAST_ERROR: f64 = 1e-4;

    /// The exponent of the error.
    pub fn alpha(self) -> f64 {
        1.0 / self.p - 0.75 * self.beta
    }

    /// The error of the last step is what is remembered.
    #[inline(always)]
    pub(super) fn accepted<const W: usize>(
        self,
        h: [f64; W],
        errors: [f64; W],
        memory: Memory<W>,
    ) -> Memory<W> {
        let [now, before] = [powers(errors, self.alpha()), powers(memory.own, self.beta)];
        let (mut next, mut remembered) = ([0.0; W], [0.0; W]);
        for i in 0..W {
            // the quotient is turned round, so that an error of exactly zero asks for the largest growth
            let change = now[i] / before[i] / Self::SAFETY;
            let factor = change.clamp(1.0 / self.grow, 1.0 / self.shrink);
            let free = h[i] / factor;
            let held = smaller(free, h[i]);
            next[i] = if memory.rejected[i] == 0.0 { free } else { held };
            let error = errors[i];
            remembered[i] = if error > Self::LEAST_ERROR { error } else { Self::LEAST_ERROR };
        }
        memory.with_steps(next, remembered)
    }

    pub(super) fn after_error(self, h: f64, error: f64) -> f64 {
        let [power] = powers([error], self.alpha());
        h / (power / Self::SAFETY).min(1.0 / self.shrink)
    }
}

/// Numbers to a power; square roots where they do, for they cost little compared with the general power.
#[inline(always)]
fn powers<const W: usize>(mut numbers: [f64; W], exponent: f64) -> [f64; W] {
    for x in &mut numbers {
        *x = match exponent {
            0.0 => 1.0,
            0.125 => x.sqrt().sqrt().sqrt(),
            exponent => x.powf(exponent),
        };
    }
    numbers
}
