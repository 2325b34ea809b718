//! Radau IIA with three stages, of order five: the method for stiff systems.
//!
//! # Equations
//! Increments $z_i=h\sum_ja_{ij}f(t+c_jh,y+z_j)$, $y_{new}=y+z_3$. With $w=T^{-1}z$ simplified Newton splits into a real
//! and a complex system of size $n$, $\left(\tfrac\gamma hI-J\right)\Delta_1=r_1$ and
//! $\left(\tfrac{\alpha+i\beta}hI-J\right)(\Delta_2+i\Delta_3)=r_2+ir_3$. The error estimate
//! $$err=\left(\tfrac\gamma hI-J\right)^{-1}\left(f(t,y)+\tfrac1h(e_1z_1+e_2z_2+e_3z_3)\right)$$
//! is of order 3 and stays finite for stiff components; since it is of lower order than the method, the control works with
//! $\tfrac1{10}\,\mathrm{rtol}^{2/3}$ and the same ratio atol/rtol, as Hairer does, so that the true error follows the
//! tolerance asked for. Dense output is the collocation polynomial through $y$ and the three stages; it also predicts the
//! next increments. $J$ is kept while Newton's method contracts faster than 10⁻³, its factors while $h$ stays as well.
//!
//! # When to choose it
//! Stiff penalties, dampers and contacts, fast decaying parts: steps follow the slow motion. L-stable, so it damps what it
//! does not resolve. For non-stiff motions explicit methods are cheaper.
//!
//! # Reference
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, 1996, IV.8.

mod coefficients;
mod iteration;
mod matrices;

use coefficients::{C, ERROR};
use iteration::{Iteration, MAX_CONTROLLED_ITERATIONS, MAX_KEPT_CONTRACTION};
use matrices::Matrices;

use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::control::predictive::Predictive;
use crate::dense::{Dense, Factor};
use crate::error::IntegrationError;
use crate::integrator::Integrator;
use crate::integrator_option::{
    ATOL, FIRST_STEP, FIXED_STEP, IntegratorOption, MAX_STEP, MAX_STEPS, NEWTON, NEWTON_TOL, NORM,
    RTOL,
};
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::stepper::Stepper;
use crate::system::FirstOrderSystem;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "radau5",
    aliases: &["radau"],
    summary: "adaptive, order 5, implicit: for stiff systems",
    reference: "Hairer, Wanner 1996",
    order: 5,
    dense_order: 3,
    adaptive: true,
    ..Entry::implicit(OPTIONS, build)
};

const OPTIONS: &[IntegratorOption] = &[
    RTOL,
    ATOL,
    NORM,
    FIRST_STEP,
    MAX_STEP,
    MAX_STEPS,
    FIXED_STEP,
    NEWTON,
    NEWTON_TOL.meaning("where Newton's method stops at a fixed step; otherwise rtol decides"),
];

fn build(options: &Options) -> Box<dyn Integrator> {
    let norm = tolerances(options);
    let control = match options.step {
        Some(_) => Fixed::boxed(options),
        None => Predictive::boxed(options, norm, MAX_CONTROLLED_ITERATIONS),
    };
    Stepper::build(options, Radau5::new(options), control)
}

/// Newton's form on the nodes 0, 1, c₂, c₁.
const FACTORS: &[Factor] = &[(0.0, 1.0), (-1.0, 1.0), (-C[1], 1.0)];

/// Tolerances that make an estimate of order 3 steer a method of order 5.
fn tolerances(options: &Options) -> ErrorNorm {
    let norm = ErrorNorm::new(options);
    if options.rtol == 0.0 {
        return norm;
    }
    let rtol = 0.1 * options.rtol.powf(2.0 / 3.0);
    ErrorNorm { rtol, atol: rtol * (options.atol / options.rtol), ..norm }
}

/// Radau IIA with three stages.
#[derive(Debug)]
struct Radau5 {
    len: usize,
    matrices: Matrices,
    iteration: Iteration,
    /// The last step's polynomial, to start the next iteration from.
    last: Dense,
    last_h: Option<f64>,
    /// Whether the estimate should be filtered twice if it is large: at the start and after a failure.
    careful: bool,
    /// The combination of increments in the estimate.
    defect: Vec<f64>,
    filtered: Vec<f64>,
    stage: Vec<f64>,
}

impl Radau5 {
    fn new(options: &Options) -> Self {
        Self {
            len: 0,
            matrices: Matrices::new(options.tangent),
            iteration: Iteration::new(options.newton_tol),
            last: Dense::default(),
            last_h: None,
            careful: true,
            defect: Vec::new(),
            filtered: Vec::new(),
            stage: Vec::new(),
        }
    }

    /// The size of the filtered error estimate.
    fn error(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        norm: &ErrorNorm,
        y_new: &[f64],
    ) -> Result<f64, Failure> {
        let n = self.len;
        for k in 0..n {
            let z = [0, 1, 2].map(|i| self.iteration.increments[i * n + k]);
            self.defect[k] = (ERROR[0] * z[0] + ERROR[1] * z[1] + ERROR[2] * z[2]) / step.h;
            self.filtered[k] = self.defect[k] + step.rate[k];
        }
        self.matrices.real.solve(&mut self.filtered);
        let size = norm.measure(&self.filtered, step.y, y_new);
        if size <= 1.0 || !self.careful {
            return Ok(size);
        }
        for k in 0..n {
            self.stage[k] = step.y[k] + self.filtered[k];
        }
        work.derivative(step.t, &self.stage, &mut self.filtered)?;
        for k in 0..n {
            self.filtered[k] += self.defect[k];
        }
        self.matrices.real.solve(&mut self.filtered);
        Ok(norm.measure(&self.filtered, step.y, y_new))
    }
}

impl Method for Radau5 {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let n = system.len();
        self.len = n;
        self.matrices.resize(n);
        self.iteration.resize(n);
        self.last.resize(FACTORS, n);
        self.last_h = None;
        self.careful = true;
        for buffer in [&mut self.defect, &mut self.filtered, &mut self.stage] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        _rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        self.matrices.prepare(work, step)?;
        match self.last_h {
            Some(last_h) => self.iteration.start_from(&self.last, step.h / last_h),
            None => self.iteration.start_from_zero(),
        }
        let iterations = self.iteration.solve(work, step, &self.matrices)?;
        for (k, new) in y_new.iter_mut().enumerate() {
            *new = step.y[k] + self.iteration.increments[2 * self.len + k];
        }
        let error = match step.norm {
            Some(norm) => self.error(work, step, norm, y_new)?,
            None => 0.0,
        };
        let keep_matrices = self.iteration.contraction <= MAX_KEPT_CONTRACTION;
        Ok(Trial { error, iterations, keep_matrices, ..Trial::default() })
    }

    fn factors(&self) -> &'static [Factor] {
        FACTORS
    }

    fn interpolant(
        &mut self,
        _work: &mut Work<'_>,
        _step: TrialStep<'_>,
        _y_new: &[f64],
        _rate_new: &[f64],
        dense: &mut Dense,
    ) {
        for row in 0..3 {
            dense.row_mut(row).copy_from_slice(self.last.row_mut(row));
        }
        dense.set_used(3);
    }

    fn accepted(&mut self, h: f64, y: &[f64], y_new: &[f64]) {
        let (n, z) = (self.len, &self.iteration.increments);
        let [c1, c2, _] = C;
        for k in 0..n {
            // Divided differences on the nodes 0, 1, c₂, c₁; the state at 1 may have been corrected.
            let (z1, z2, z3) = (z[k], z[n + k], y_new[k] - y[k]);
            let second = (z2 / c2 - z3) / (c2 - 1.0);
            let third = ((z1 / c1 - z3) / (c1 - 1.0) - second) / (c1 - c2);
            self.last.row_mut(0)[k] = z3;
            self.last.row_mut(1)[k] = second;
            self.last.row_mut(2)[k] = third;
        }
        self.last.set_used(3);
        self.last_h = Some(h);
        self.matrices.accepted(self.iteration.contraction <= MAX_KEPT_CONTRACTION);
        self.careful = false;
    }

    fn rejected(&mut self) {
        self.matrices.rejected();
        self.careful = true;
    }
}
