//! Simplified Newton for the three increments, in transformed variables.
//!
//! # Equations
//! With $w=T^{-1}z$ and $F_i=f(t+c_ih,y+z_i)$,
//! $$\left(\tfrac\gamma hI-J\right)\Delta_1=r_1-\tfrac\gamma hw_1,\qquad
//! \left(\tfrac{\alpha+i\beta}hI-J\right)(\Delta_2+i\Delta_3)=(r_2+ir_3)-\tfrac{\alpha+i\beta}h(w_2+iw_3),\qquad r=T^{-1}F.$$
//! With the contraction $\theta=\|\Delta_k\|/\|\Delta_{k-1}\|$ what is still missing after $\Delta_k$ is about
//! $\tfrac\theta{1-\theta}\|\Delta_k\|$; it must be small relative to the tolerance of the step.

use super::coefficients::{ALPHA, BETA, C, GAMMA, T, T_INVERSE, transform};
use super::matrices::Matrices;
use crate::dense::Dense;
use crate::implicit::newton::{MAX_ITERATIONS, failed};
use crate::method::{Failure, TrialStep, Work};
use crate::norm::{ErrorNorm, Scale};
use crate::options::Norm;
use catena_linear::{Complex, max_abs};
use std::sync::Arc;

/// Iterations worth making before a shorter step is cheaper.
pub(super) const MAX_CONTROLLED_ITERATIONS: u32 = 7;
/// The Jacobian is kept while the contraction is at most this.
pub(super) const MAX_KEPT_CONTRACTION: f64 = 1e-3;

/// The increments and what is needed to find them; vectors hold three blocks, one for each stage.
#[derive(Debug)]
pub(super) struct Iteration {
    newton_tol: f64,
    len: usize,
    /// z
    pub(super) increments: Vec<f64>,
    /// w
    transformed: Vec<f64>,
    /// F, then Δ
    slopes: Vec<f64>,
    stage: Vec<f64>,
    pair: Vec<Complex>,
    /// θ of the last iteration; [`MAX_KEPT_CONTRACTION`] where there was only one.
    pub(super) contraction: f64,
    /// θ/(1 − θ), remembered from step to step.
    missing: f64,
}

impl Iteration {
    pub(super) fn new(newton_tol: f64) -> Self {
        Self {
            newton_tol,
            len: 0,
            increments: Vec::new(),
            transformed: Vec::new(),
            slopes: Vec::new(),
            stage: Vec::new(),
            pair: Vec::new(),
            contraction: MAX_KEPT_CONTRACTION,
            missing: 1.0,
        }
    }

    /// Room for n components.
    pub(super) fn resize(&mut self, n: usize) {
        self.len = n;
        for (buffer, size) in [
            (&mut self.increments, 3 * n),
            (&mut self.transformed, 3 * n),
            (&mut self.slopes, 3 * n),
            (&mut self.stage, n),
        ] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
        self.pair.clear();
        self.pair.resize(n, Complex::default());
        self.contraction = MAX_KEPT_CONTRACTION;
        self.missing = 1.0;
    }

    /// Starts from nothing.
    pub(super) fn start_from_zero(&mut self) {
        self.increments.fill(0.0);
        self.transformed.fill(0.0);
    }

    /// Starts from the last step's polynomial, continued over `ratio` times its length.
    pub(super) fn start_from(&mut self, last: &Dense, ratio: f64) {
        let n = self.len;
        // The polynomial starts at the previous state; its value at the present one is subtracted.
        let zero = &mut self.slopes[..n];
        zero.fill(0.0);
        last.evaluate(1.0, zero, &mut self.stage);
        for (c, block) in C.iter().zip(self.increments.chunks_exact_mut(n)) {
            last.evaluate(1.0 + c * ratio, zero, block);
            for (increment, present) in block.iter_mut().zip(&self.stage) {
                *increment -= present;
            }
        }
        for k in 0..n {
            let z = [0, 1, 2].map(|i| self.increments[i * n + k]);
            for (i, w) in transform(&T_INVERSE, z).into_iter().enumerate() {
                self.transformed[i * n + k] = w;
            }
        }
    }

    /// Iterates until the error is small relative to the tolerance; returns the number of iterations.
    pub(super) fn solve(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        matrices: &Matrices,
    ) -> Result<u32, Failure> {
        let controlled = step.norm.is_some();
        let (norm, enough, most) = match step.norm {
            Some(norm) if norm.rtol == 0.0 => (norm.clone(), 0.03, MAX_CONTROLLED_ITERATIONS),
            Some(norm) => {
                let enough = (10.0 * f64::EPSILON / norm.rtol).max(norm.rtol.sqrt().min(0.03));
                (norm.clone(), enough, MAX_CONTROLLED_ITERATIONS)
            }
            None => (self.fixed_norm(step), 1.0, MAX_ITERATIONS),
        };
        // A contraction is known only from the second iteration on; the last step's is a guess for the first.
        let mut missing = self.missing.max(f64::EPSILON).powf(0.8);
        self.contraction = MAX_KEPT_CONTRACTION;
        let (mut last, mut last_quotient) = (0.0, 0.0);
        for iteration in 1..=most {
            let change = self.improve(work, step, &norm, matrices)?;
            if !change.is_finite() {
                return Err(failed(iteration, change));
            }
            if last > 0.0 {
                let quotient = change / last;
                let theta =
                    if iteration == 2 { quotient } else { f64::sqrt(quotient * last_quotient) };
                last_quotient = quotient;
                self.contraction = theta;
                missing = theta / (1.0 - theta.min(0.99));
                if controlled {
                    give_up_early(theta, missing * change / enough, iteration, change)?;
                }
            }
            if missing * change <= enough {
                self.missing = missing;
                return Ok(iteration);
            }
            last = change;
        }
        Err(failed(most, last))
    }

    /// One iteration; returns the size of its change.
    fn improve(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        norm: &ErrorNorm,
        matrices: &Matrices,
    ) -> Result<f64, Failure> {
        let n = self.len;
        for (i, &c) in C.iter().enumerate() {
            for k in 0..n {
                self.stage[k] = step.y[k] + self.increments[i * n + k];
            }
            let slope = &mut self.slopes[i * n..(i + 1) * n];
            work.derivative(step.at(c), &self.stage, slope)?;
        }
        work.statistics.newton_iterations += 1;
        for k in 0..n {
            let slopes = [0, 1, 2].map(|i| self.slopes[i * n + k]);
            let w = [0, 1, 2].map(|i| self.transformed[i * n + k] / step.h);
            let [r1, r2, r3] = transform(&T_INVERSE, slopes);
            self.slopes[k] = r1 - GAMMA * w[0];
            self.pair[k].re = r2 - ALPHA * w[1] + BETA * w[2];
            self.pair[k].im = r3 - ALPHA * w[2] - BETA * w[1];
        }
        matrices.real.solve(&mut self.slopes[..n]);
        matrices.complex.solve(&mut self.pair);
        for k in 0..n {
            let change = [self.slopes[k], self.pair[k].re, self.pair[k].im];
            for i in 0..3 {
                self.slopes[i * n + k] = change[i];
                self.transformed[i * n + k] += change[i];
            }
            let w = [0, 1, 2].map(|i| self.transformed[i * n + k]);
            for (i, z) in transform(&T, w).into_iter().enumerate() {
                self.increments[i * n + k] = z;
            }
        }
        let size = |i: usize| norm.measure(&self.slopes[i * n..(i + 1) * n], step.y, step.y);
        Ok(((size(0).powi(2) + size(1).powi(2) + size(2).powi(2)) / 3.0).sqrt())
    }

    /// The norm at a fixed step: changes relative to Newton's tolerance times the largest component.
    fn fixed_norm(&self, step: TrialStep<'_>) -> ErrorNorm {
        let largest = max_abs(step.y);
        let moving = step.rate.iter().fold(0.0_f64, |most, f| most.max((step.h * f).abs()));
        let atol = self.newton_tol * largest.max(moving).max(f64::MIN_POSITIVE);
        ErrorNorm {
            kind: Norm::Rms,
            scale: Scale::Sum,
            rtol: 0.0,
            atol,
            controlled: self.len,
            carried: None,
            bounds: Arc::default(),
        }
    }
}

/// Fails where the iterations left would not do: `left` is what is missing now relative to what may be.
fn give_up_early(theta: f64, left: f64, iteration: u32, change: f64) -> Result<(), Failure> {
    if theta >= 0.99 {
        return Err(failed(iteration, change));
    }
    let remaining = MAX_CONTROLLED_ITERATIONS - iteration;
    let at_the_end = theta.powi(remaining as i32) * left;
    if at_the_end >= 1.0 {
        // Shorten the step by as much as is missing.
        let power = -1.0 / f64::from(4 + remaining);
        let factor = 0.8 * at_the_end.min(20.0).powf(power);
        return Err(Failure::Newton { iterations: iteration, change, factor });
    }
    Ok(())
}
