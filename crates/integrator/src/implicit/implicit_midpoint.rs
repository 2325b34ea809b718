//! The implicit midpoint rule: the slope in the middle of the chord.
//!
//! # Equations
//! $$y_m=y_n+\tfrac h2f\left(t_n+\tfrac h2,\,y_m\right),\qquad y_{n+1}=2y_m-y_n,$$
//! solved for $y_m$ with Newton's method from $y_n$: with a new tangent $J$ in every iteration,
//! $\left(I-\tfrac h2J\right)\Delta=y_n+\tfrac h2f(y_m)-y_m$, until
//! $\|\Delta\|\le\varepsilon\max(\|y_m\|,\|y_m-y_n\|)$. Where $y$ is made of positions and velocities, only the positions
//! are compared.
//!
//! # When to choose it
//! Long conservative motions with any mass matrix: symplectic, reversible, keeps quadratic invariants. A-stable on linear
//! problems, yet a stiff penalty still makes it create energy once $\alpha h^4$ is no longer small.
//!
//! # Reference
//! Hairer, Lubich, Wanner, *Geometric Numerical Integration*, 2006, VI.4.

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
    name: "implicit-midpoint",
    aliases: &["gauss2"],
    summary: "fixed step, order 2, symplectic, for any system",
    reference: "Hairer, Lubich, Wanner 2006",
    order: 2,
    dense_order: 2,
    ..Entry::implicit(NEWTON_OPTIONS, |options| {
        Stepper::build(options, ImplicitMidpoint::new(options), Fixed::boxed(options))
    })
};

/// The implicit midpoint rule.
#[derive(Debug)]
struct ImplicitMidpoint {
    tangent: Tangent,
    tolerance: f64,
    /// Components compared in the stopping test.
    compared: usize,
    middle: Vec<f64>,
    slope: Vec<f64>,
    change: Vec<f64>,
    jacobian: Vec<f64>,
    lu: Lu<f64>,
}

impl ImplicitMidpoint {
    fn new(options: &Options) -> Self {
        Self {
            tangent: options.tangent,
            tolerance: options.newton_tol,
            compared: 0,
            middle: Vec::new(),
            slope: Vec::new(),
            change: Vec::new(),
            jacobian: Vec::new(),
            lu: Lu::default(),
        }
    }

    /// One iteration of Newton's method; returns the size of its change.
    fn improve(&mut self, work: &mut Work<'_>, step: TrialStep<'_>) -> Result<f64, Failure> {
        let (n, half) = (step.y.len(), 0.5 * step.h);
        let t = step.at(0.5);
        work.derivative(t, &self.middle, &mut self.slope)?;
        jacobian(work, t, &self.middle, self.tangent, &mut self.jacobian)?;
        let matrix = self.lu.entries_mut();
        for (entry, j) in matrix.iter_mut().zip(&self.jacobian) {
            *entry = -half * j;
        }
        for i in 0..n {
            matrix[i * n + i] += 1.0;
            self.change[i] = step.y[i] + half * self.slope[i] - self.middle[i];
        }
        work.statistics.factorisations += 1;
        work.statistics.newton_iterations += 1;
        self.lu.factor().map_err(|_| failed(1, f64::NAN))?;
        self.lu.solve(&mut self.change);
        let mut moved = 0.0;
        for i in 0..n {
            self.middle[i] += self.change[i];
            if i < self.compared {
                let distance = self.middle[i] - step.y[i];
                moved += distance * distance;
            }
        }
        let size = norm(&self.middle[..self.compared]).max(f64::sqrt(moved));
        Ok(ratio(norm(&self.change[..self.compared]), size))
    }
}

impl Method for ImplicitMidpoint {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let n = system.len();
        self.compared = system.partition().map_or(n, |partition| partition.positions);
        for buffer in [&mut self.middle, &mut self.slope, &mut self.change] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.jacobian.clear();
        self.jacobian.resize(n * n, 0.0);
        self.lu.resize(n);
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        _rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        self.middle.copy_from_slice(step.y);
        let mut change = f64::NAN;
        for iterations in 1..=MAX_ITERATIONS {
            change = self.improve(work, step)?;
            if !change.is_finite() {
                return Err(failed(iterations, change));
            }
            if change <= self.tolerance {
                for i in 0..y_new.len() {
                    y_new[i] = 2.0 * self.middle[i] - step.y[i];
                }
                return Ok(Trial { iterations, ..Trial::default() });
            }
        }
        Err(failed(MAX_ITERATIONS, change))
    }
}
