//! The engine of all explicit Runge–Kutta methods.

use super::tableau::{Estimate, Tableau};
use crate::dense::{ALTERNATING, Dense, Factor};
use crate::error::IntegrationError;
use crate::method::{Failure, Method, Step, Trial, Work};
use crate::system::FirstOrderSystem;

/// An explicit Runge–Kutta method with room for its slopes.
#[derive(Debug)]
pub(super) struct RungeKutta {
    tableau: &'static Tableau,
    len: usize,
    /// k₁ … k_s, the slope at the new state, and those of dense output, one after the other.
    slopes: Vec<f64>,
    stage: Vec<f64>,
    combination: Vec<f64>,
}

impl RungeKutta {
    pub(super) fn new(tableau: &'static Tableau) -> Self {
        let (slopes, stage, combination) = (Vec::new(), Vec::new(), Vec::new());
        Self { tableau, len: 0, slopes, stage, combination }
    }

    /// $\sum w_jk_j$ into `combination`.
    fn combine(&mut self, weights: &[f64]) {
        // a few components at a time, so that their sums stay in registers
        const WIDTH: usize = 8;
        let whole = self.len - self.len % WIDTH;
        let (blocks, rest) = self.combination.split_at_mut(whole);
        for (at, sums) in blocks.chunks_exact_mut(WIDTH).enumerate() {
            let mut block = [0.0; WIDTH];
            for (j, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                let slope = &self.slopes[j * self.len + at * WIDTH..][..WIDTH];
                for (sum, k) in block.iter_mut().zip(slope) {
                    *sum += weight * k;
                }
            }
            sums.copy_from_slice(&block);
        }
        for (at, sum) in rest.iter_mut().enumerate() {
            *sum = 0.0;
            for (j, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                *sum += weight * self.slopes[j * self.len + whole + at];
            }
        }
    }

    /// Evaluates slope `i` at $y+h\sum a_jk_j$.
    fn evaluate(
        &mut self,
        work: &mut Work<'_>,
        step: Step<'_>,
        i: usize,
        c: f64,
        a: &[f64],
    ) -> Result<(), Failure> {
        self.combine(a);
        for ((stage, y), sum) in self.stage.iter_mut().zip(step.y).zip(&self.combination) {
            *stage = y + step.h * sum;
        }
        let slope = &mut self.slopes[i * self.len..(i + 1) * self.len];
        Ok(work.derivative(step.at(c), &self.stage, slope)?)
    }

    /// The size of the estimated error, beside the tolerance.
    fn error(&mut self, step: Step<'_>, y_new: &[f64]) -> f64 {
        let Some(norm) = step.norm else { return 0.0 };
        let estimate = &self.tableau.estimate;
        let mut size = |weights: &[f64]| {
            self.combine(weights);
            step.h.abs() * norm.measure(&self.combination, step.y, y_new)
        };
        match estimate {
            Estimate::None => 0.0,
            Estimate::Embedded(weights) => size(weights),
            Estimate::Pair { fifth, third } => {
                let (fifth, third) = (size(fifth), size(third));
                let root = (fifth * fifth + 0.01 * third * third).sqrt();
                if root == 0.0 { 0.0 } else { fifth * (fifth / root) }
            }
        }
    }
}

impl Method for RungeKutta {
    fn begin(&mut self, system: &dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        self.len = system.len();
        let count = self.tableau.stages() + 1 + self.tableau.extra.len();
        self.slopes.clear();
        self.slopes.resize(count * self.len, 0.0);
        for buffer in [&mut self.stage, &mut self.combination] {
            buffer.clear();
            buffer.resize(self.len, 0.0);
        }
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: Step<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        let tableau = self.tableau;
        let stages = tableau.stages();
        self.slopes[..self.len].copy_from_slice(step.rate);
        for i in 1..stages {
            self.evaluate(work, step, i, tableau.c[i], tableau.a[i])?;
        }
        self.combine(tableau.b);
        for ((new, y), sum) in y_new.iter_mut().zip(step.y).zip(&self.combination) {
            *new = y + step.h * sum;
        }
        // The new slope is needed now only if the estimate weighs it; otherwise it waits until the state is final.
        let rate_known = step.norm.is_some()
            && matches!(tableau.estimate, Estimate::Embedded(weights) if weights.len() > stages);
        if rate_known {
            work.derivative(step.t_new, y_new, rate_new)?;
            self.slopes[stages * self.len..(stages + 1) * self.len].copy_from_slice(rate_new);
        }
        Ok(Trial { error: self.error(step, y_new), rate_known, ..Trial::default() })
    }

    fn factors(&self) -> &'static [Factor] {
        &ALTERNATING[..3 + self.tableau.dense.len()]
    }

    fn interpolant(
        &mut self,
        work: &mut Work<'_>,
        step: Step<'_>,
        y_new: &[f64],
        rate_new: &[f64],
        dense: &mut Dense,
    ) {
        dense.set_hermite(step.h, [step.y, step.rate], [y_new, rate_new]);
        let tableau = self.tableau;
        let stages = tableau.stages();
        self.slopes[stages * self.len..(stages + 1) * self.len].copy_from_slice(rate_new);
        for (i, extra) in tableau.extra.iter().enumerate() {
            // where a stage of its own cannot be evaluated, cubic polynomials have to do
            if self.evaluate(work, step, stages + 1 + i, extra.c, extra.a).is_err() {
                return;
            }
        }
        for (i, weights) in tableau.dense.iter().enumerate() {
            self.combine(weights);
            for (row, sum) in dense.row_mut(3 + i).iter_mut().zip(&self.combination) {
                *row = step.h * sum;
            }
        }
        dense.set_used(3 + tableau.dense.len());
    }
}
