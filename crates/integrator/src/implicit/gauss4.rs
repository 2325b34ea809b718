//! Gauss's method with two stages, of order four.
//!
//! # Equations
//! $$z_i=h\sum_ja_{ij}f(t+c_jh,\,y+z_j),\quad c=\tfrac12\mp\tfrac{\sqrt3}6,\quad
//! A=\begin{bmatrix}\tfrac14&\tfrac14-\tfrac{\sqrt3}6\\\tfrac14+\tfrac{\sqrt3}6&\tfrac14\end{bmatrix},\qquad
//! y_{new}=y+\sqrt3\,(z_2-z_1).$$
//! Simplified Newton: $J$ is taken once, at the start of the step, and $I-hA\otimes J$ of size $2n$ is factored once; the
//! iteration stops when $\|\Delta\|\le\varepsilon\max(\|y\|,\|z\|)$.
//!
//! # When to choose it
//! Long conservative motions with any mass matrix at higher accuracy than `implicit-midpoint`; symplectic and reversible.
//! Symplecticity is only as good as Newton's tolerance.
//!
//! # Reference
//! Hammer, Hollingsworth 1955; Hairer, Lubich, Wanner, *Geometric Numerical Integration*, 2006, II.1.3 and VIII.6.

use super::newton::{MAX_ITERATIONS, failed, jacobian, ratio};
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::error::IntegrationError;
use crate::integrator_option::NEWTON_OPTIONS;
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::options::Options;
use crate::stepper::Stepper;
use crate::system::FirstOrderSystem;
use crate::tangent::Tangent;
use catena_linear::{Lu, norm};

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "gauss4",
    aliases: &["hammer-hollingsworth"],
    summary: "fixed step, order 4, symplectic, for any system",
    reference: "Hammer, Hollingsworth 1955",
    order: 4,
    dense_order: 3,
    ..Entry::implicit(NEWTON_OPTIONS, |options| {
        Stepper::build(options, Gauss4::new(options), Fixed::boxed(options))
    })
};

const SQRT_3: f64 = 1.7320508075688772;
const C: [f64; 2] = [0.5 - SQRT_3 / 6.0, 0.5 + SQRT_3 / 6.0];
const A: [[f64; 2]; 2] = [[0.25, 0.25 - SQRT_3 / 6.0], [0.25 + SQRT_3 / 6.0, 0.25]];

/// Gauss's method with two stages.
#[derive(Debug)]
struct Gauss4 {
    tangent: Tangent,
    tolerance: f64,
    /// z₁ and z₂, one after the other.
    increments: Vec<f64>,
    slopes: Vec<f64>,
    change: Vec<f64>,
    stage: Vec<f64>,
    jacobian: Vec<f64>,
    lu: Lu<f64>,
}

impl Gauss4 {
    fn new(options: &Options) -> Self {
        Self {
            tangent: options.tangent,
            tolerance: options.newton_tol,
            increments: Vec::new(),
            slopes: Vec::new(),
            change: Vec::new(),
            stage: Vec::new(),
            jacobian: Vec::new(),
            lu: Lu::default(),
        }
    }

    /// Factors $I-hA\otimes J$.
    fn factor(&mut self, work: &mut Work<'_>, step: TrialStep<'_>) -> Result<(), Failure> {
        let n = step.y.len();
        jacobian(work, step.t, step.y, self.tangent, &mut self.jacobian)?;
        let matrix = self.lu.entries_mut();
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for row in 0..n {
                for column in 0..n {
                    let entry = -step.h * A[i][j] * self.jacobian[row * n + column];
                    matrix[(i * n + row) * 2 * n + j * n + column] = entry;
                }
            }
        }
        for row in 0..2 * n {
            matrix[row * 2 * n + row] += 1.0;
        }
        work.statistics.factorisations += 1;
        self.lu.factor().map_err(|_| failed(0, f64::NAN))
    }

    /// One iteration of Newton's method; returns the size of its change.
    fn improve(&mut self, work: &mut Work<'_>, step: TrialStep<'_>) -> Result<f64, Failure> {
        let n = step.y.len();
        for i in 0..2 {
            for k in 0..n {
                self.stage[k] = step.y[k] + self.increments[i * n + k];
            }
            let slope = &mut self.slopes[i * n..(i + 1) * n];
            work.derivative(step.at(C[i]), &self.stage, slope)?;
        }
        for i in 0..2 {
            for k in 0..n {
                let sum = A[i][0] * self.slopes[k] + A[i][1] * self.slopes[n + k];
                self.change[i * n + k] = step.h * sum - self.increments[i * n + k];
            }
        }
        self.lu.solve(&mut self.change);
        for (increment, change) in self.increments.iter_mut().zip(&self.change) {
            *increment += change;
        }
        work.statistics.newton_iterations += 1;
        let size = norm(step.y).max(norm(&self.increments));
        Ok(ratio(norm(&self.change), size))
    }
}

impl Method for Gauss4 {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let n = system.len();
        for (buffer, size) in [
            (&mut self.increments, 2 * n),
            (&mut self.slopes, 2 * n),
            (&mut self.change, 2 * n),
            (&mut self.stage, n),
            (&mut self.jacobian, n * n),
        ] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
        self.lu.resize(2 * n);
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        _rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        let n = step.y.len();
        self.factor(work, step)?;
        self.increments.fill(0.0);
        let mut change = f64::NAN;
        for iterations in 1..=MAX_ITERATIONS {
            change = self.improve(work, step)?;
            if !change.is_finite() {
                return Err(failed(iterations, change));
            }
            if change <= self.tolerance {
                for k in 0..n {
                    let (first, second) = (self.increments[k], self.increments[n + k]);
                    y_new[k] = step.y[k] + SQRT_3 * (second - first);
                }
                return Ok(Trial { iterations, ..Trial::default() });
            }
        }
        Err(failed(MAX_ITERATIONS, change))
    }
}
