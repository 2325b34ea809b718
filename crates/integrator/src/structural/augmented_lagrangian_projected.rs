//! Augmented Lagrangian on positions (index 3), with velocities and accelerations projected.
//!
//! # Equations
//! The trapezoidal rule in positions, $M\dot v+\Phi_q^T(\lambda+\alpha\Phi)=Q$, with
//! $\lambda\leftarrow\lambda+\alpha\Phi$ after every iteration of Newton's method:
//! $$S\,\delta q=-\tfrac{h^2}4r,\qquad S=M+\tfrac h2C+\tfrac{h^2}4\left(K+\Phi_q^T\alpha\Phi_q\right).$$
//! Velocities and accelerations of the rule miss their constraints; with the same matrix they are led back,
//! $S\,\delta v=-\tfrac{h^2}4\Phi_q^T\alpha\dot\Phi$ and $S\,\delta\dot v=-\tfrac{h^2}4\Phi_q^T\alpha\ddot\Phi$, until
//! nothing is left.
//!
//! # When to choose it
//! Redundant constraints, singular poses and massless bodies at fixed steps, where energy should not be damped: S stays
//! regular, and nothing drifts on any level.
//!
//! # Reference
//! E. Bayo, R. Ledesma, *Augmented Lagrangian and mass-orthogonal projection methods for constrained multibody
//! dynamics*, 1996; J. Cuadrado, J. Cardenal, E. Bayo 1997.

use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::error::IntegrationError;
use crate::implicit::newton::{MAX_ITERATIONS, failed};
use crate::integrator_option::{IntegratorOption, MAX_STEPS, NEWTON_TOL, STEP};
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::options::Options;
use crate::stepper::Stepper;
use crate::system::{ConstrainedTangents, FirstOrderSystem};
use catena_linear::{Lu, dot, norm};

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "augmented-lagrangian-projected",
    aliases: &["alf3"],
    summary: "on the constrained system itself: positions by augmented Lagrangian, rates projected",
    reference: "Bayo, Ledesma 1996; Cuadrado, Cardenal, Bayo 1997",
    order: 2,
    dense_order: 2,
    ..Entry::structural(&[ALPHA, STEP, MAX_STEPS, NEWTON_TOL], |options| {
        Stepper::build(options, Projected::new(options), Fixed::boxed(options))
    })
};

const ALPHA: IntegratorOption =
    IntegratorOption::own("alpha", "penalty relative to the inertia that a step sees", 1e5);

/// Each iteration of a projection shrinks the residual by the order of the relative penalty.
const MAX_PROJECTION_ITERATIONS: u32 = 8;
/// A projection ends where the residual of the rates is this small relative to the rates.
const RATE_TOLERANCE: f64 = 1e-13;
/// Rounding may not let it become that small; where this much is left, relative to the rates, the step is refused.
const MAX_RATE_ERROR: f64 = 1e-7;
/// The levels of `rates`.
const VELOCITY: usize = 0;
const ACCELERATION: usize = 1;

/// The method.
#[derive(Debug)]
struct Projected {
    relative_alpha: f64,
    tolerance: f64,
    multipliers: Vec<f64>,
    multipliers_before: Vec<f64>,
    accelerations: Vec<f64>,
    residual: Vec<f64>,
    rates: [Vec<f64>; 2],
    tangents: ConstrainedTangents,
    change: Vec<f64>,
    lu: Lu<f64>,
    /// α h²/4, of the matrix factored last.
    weight: f64,
    started: bool,
}

impl Projected {
    fn new(options: &Options) -> Projected {
        Projected {
            relative_alpha: options.own_number(&ALPHA),
            tolerance: options.newton_tol,
            multipliers: Vec::new(),
            multipliers_before: Vec::new(),
            accelerations: Vec::new(),
            residual: Vec::new(),
            rates: [Vec::new(), Vec::new()],
            tangents: ConstrainedTangents::default(),
            change: Vec::new(),
            lu: Lu::default(),
            weight: 0.0,
            started: false,
        }
    }

    /// S at the state of the iteration, factored; its residual is left in `residual`.
    fn factor(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &[f64],
    ) -> Result<(), Failure> {
        let (n, m) = (self.change.len(), self.multipliers.len());
        let state = super::state_of(step.t_new, y_new, &self.accelerations, &self.multipliers);
        super::evaluate(work, &state, &mut self.residual, &mut self.tangents)?;
        let (first, second) = (0.5 * step.h, 0.25 * step.h * step.h);
        let ConstrainedTangents { mass, damping, stiffness, jacobian } = &self.tangents;
        let trace: f64 = (0..n).map(|i| mass[i * n + i]).sum();
        let square: f64 = jacobian.iter().map(|entry| entry * entry).sum();
        self.weight = self.relative_alpha * if square > 0.0 { trace / square } else { 1.0 };
        let matrix = self.lu.entries_mut();
        for (entry, ((m, c), k)) in matrix.iter_mut().zip(mass.iter().zip(damping).zip(stiffness)) {
            *entry = m + first * c + second * k;
        }
        for row in jacobian.chunks_exact(n).take(m) {
            for i in (0..n).filter(|&i| row[i] != 0.0) {
                for j in 0..n {
                    matrix[i * n + j] += self.weight * row[i] * row[j];
                }
            }
        }
        self.lu.factor().map_err(|_| failed(1, f64::NAN))
    }

    /// S change = −(h²/4) Φqᵀ α errors, the errors taken from `rates`.
    fn project(&mut self, level: usize) {
        let n = self.change.len();
        self.change.fill(0.0);
        let rows = self.tangents.jacobian.chunks_exact(n);
        for (row, error) in rows.zip(&self.rates[level]) {
            for (change, entry) in self.change.iter_mut().zip(row) {
                *change -= self.weight * entry * error;
            }
        }
        self.lu.solve(&mut self.change);
    }

    /// The multipliers that belong to the projected accelerations: without them they would be of first
    /// order only.
    fn follow(&mut self) {
        let n = self.change.len();
        let rows = self.tangents.jacobian.chunks_exact(n).zip(&self.rates[1]);
        for (multiplier, (row, error)) in self.multipliers.iter_mut().zip(rows) {
            let moved = dot(row, &self.change);
            *multiplier += self.weight * (error + moved);
        }
    }

    /// One iteration of Newton's method; returns the change of the positions relative to their size.
    fn improve(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
    ) -> Result<f64, Failure> {
        let n = self.change.len();
        let (first, second) = (0.5 * step.h, 0.25 * step.h * step.h);
        self.factor(work, step, y_new)?;
        for (change, residual) in self.change.iter_mut().zip(&self.residual) {
            *change = -second * residual;
        }
        let rows = self.tangents.jacobian.chunks_exact(n);
        for (row, error) in rows.zip(&self.residual[n..]) {
            for (change, entry) in self.change.iter_mut().zip(row) {
                *change -= self.weight * entry * error;
            }
        }
        self.lu.solve(&mut self.change);
        for i in 0..n {
            y_new[i] += self.change[i];
            y_new[n + i] += self.change[i] / first;
            self.accelerations[i] += self.change[i] / second;
        }
        // what the constraints will have left, to first order: Φ + Φq δq
        let rows = self.tangents.jacobian.chunks_exact(n);
        let errors = rows.zip(&self.residual[n..]);
        for (multiplier, (row, error)) in self.multipliers.iter_mut().zip(errors) {
            let moved = dot(row, &self.change);
            *multiplier += self.weight / second * (error + moved);
        }
        let scale = norm(&y_new[..n]).max(f64::MIN_POSITIVE);
        Ok(norm(&self.change) / scale)
    }

    /// Leads velocities and then accelerations back onto their constraints; fails where that does not converge.
    fn project_rates(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
    ) -> Result<(), Failure> {
        for level in [VELOCITY, ACCELERATION] {
            let mut error = self.rate_error(work, step, y_new, level);
            let mut iterations = 0;
            while error > RATE_TOLERANCE && iterations < MAX_PROJECTION_ITERATIONS {
                self.improve_rates(level, y_new);
                error = self.rate_error(work, step, y_new, level);
                iterations += 1;
            }
            if error.is_nan() || error > MAX_RATE_ERROR {
                return Err(failed(iterations, error));
            }
        }
        Ok(())
    }

    /// The residual of the rates at a level, which is left in `rates`, relative to their size.
    fn rate_error(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &[f64],
        level: usize,
    ) -> f64 {
        let n = self.change.len();
        let Some(system) = work.system.constrained() else { return 0.0 };
        let state = super::state_of(step.t_new, y_new, &self.accelerations, &self.multipliers);
        let [velocity, acceleration] = &mut self.rates;
        system.rates(&state, velocity, acceleration);
        let target = if level == VELOCITY { &y_new[n..2 * n] } else { &self.accelerations[..] };
        norm(&self.rates[level]) / (1.0 + norm(target))
    }

    /// Takes the residual in `rates` off the velocities or the accelerations.
    fn improve_rates(&mut self, level: usize, y_new: &mut [f64]) {
        let n = self.change.len();
        self.project(level);
        let target = match level {
            VELOCITY => &mut y_new[n..2 * n],
            _ => &mut self.accelerations[..],
        };
        for (value, change) in target.iter_mut().zip(&self.change) {
            *value += change;
        }
        if level == ACCELERATION {
            self.follow();
        }
    }
}

impl Method for Projected {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let (n, m) = super::sizes(ENTRY.name, system)?;
        self.started = false;
        let [velocity, acceleration] = &mut self.rates;
        for (buffer, size) in [
            (&mut self.multipliers, m),
            (&mut self.multipliers_before, m),
            (&mut self.accelerations, n),
            (&mut self.residual, n + m),
            (velocity, m),
            (acceleration, m),
            (&mut self.change, n),
        ] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
        self.tangents.resize(n, m);
        self.lu.resize(n);
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        let (n, h) = (self.change.len(), step.h);
        if !self.started {
            if let Some(system) = work.system.constrained() {
                self.multipliers.copy_from_slice(system.last_multipliers());
            }
            self.started = true;
        }
        self.multipliers_before.copy_from_slice(&self.multipliers);
        let before = &step.rate[n..2 * n];
        self.accelerations.copy_from_slice(before);
        for i in 0..n {
            y_new[i] = step.y[i] + h * step.y[n + i] + 0.5 * h * h * before[i];
            y_new[n + i] = step.y[n + i] + h * before[i];
        }
        let mut change = f64::NAN;
        for iterations in 1..=MAX_ITERATIONS {
            change = self.improve(work, step, y_new)?;
            if !change.is_finite() {
                return Err(failed(iterations, change));
            }
            if change <= self.tolerance {
                self.project_rates(work, step, y_new)?;
                rate_new[..n].copy_from_slice(&y_new[n..2 * n]);
                rate_new[n..2 * n].copy_from_slice(&self.accelerations);
                let reactions = [self.accelerations.as_slice(), &self.multipliers];
                super::carry_work(work, step, reactions, y_new, rate_new);
                return Ok(Trial { iterations, rate_known: true, ..Trial::default() });
            }
        }
        Err(failed(MAX_ITERATIONS, change))
    }

    fn multipliers(&self) -> Option<[&[f64]; 2]> {
        Some([&self.multipliers_before, &self.multipliers])
    }
}
