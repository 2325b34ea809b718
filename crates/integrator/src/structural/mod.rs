//! Structural methods: they advance M a + Φqᵀλ = Q with Φ = 0 itself, not a first-order form of it.
//!
//! # Equations
//! With the accelerations $\dot v$ of the motion and the smoothed ones $a$ of the method,
//! $$q_{n+1}=q_n+hv_n+h^2\left(\left(\tfrac12-\beta\right)a_n+\beta a_{n+1}\right),\quad
//!   v_{n+1}=v_n+h\left((1-\gamma)a_n+\gamma a_{n+1}\right),$$
//! $$(1-\alpha_m)a_{n+1}+\alpha_ma_n=(1-\alpha_f)\dot v_{n+1}+\alpha_f\dot v_n,\quad
//!   M\dot v_{n+1}+\Phi_q^T\lambda_{n+1}=Q_{n+1},\quad\Phi(q_{n+1})=0.$$
//! Newton's method changes positions by δq and multipliers by δλ together. Its matrix is scaled as
//! Bottasso and others do, so that it stays well conditioned however short the step:
//! $$\begin{bmatrix}M+\gamma'hC+\beta'h^2K&\Phi_q^T\\\Phi_q&-\varepsilon\end{bmatrix}
//!   \begin{bmatrix}\delta q\\\beta'h^2\delta\lambda\end{bmatrix}
//!   =-\begin{bmatrix}\beta'h^2r\\\Phi\end{bmatrix},$$
//! β' and γ' being β and γ times $(1-\alpha_f)/(1-\alpha_m)$. The small ε keeps it regular where constraints are
//! redundant; the iteration goes on until Φ itself vanishes.
//!
//! # Reference
//! M. Arnold, O. Brüls, *Convergence of the generalized-α scheme for constrained mechanical systems*, 2007;
//! C. L. Bottasso, D. Dopico, L. Trainelli, *On the optimal scaling of index three DAEs*, 2008.

pub(crate) mod augmented_lagrangian_projected;
pub(crate) mod generalized_alpha;
pub(crate) mod hht;
pub(crate) mod newmark;

use crate::error::IntegrationError;
use crate::implicit::newton::{MAX_ITERATIONS, failed};
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::options::Options;
use crate::system::{ConstrainedState, ConstrainedTangents, FirstOrderSystem};
use catena_linear::{Lu, norm};

/// ε relative to the size of Φq M⁻¹Φqᵀ.
const REGULARISATION: f64 = 1e-11;

/// The four numbers that make a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients {
    pub(crate) alpha_m: f64,
    pub(crate) alpha_f: f64,
    pub(crate) beta: f64,
    pub(crate) gamma: f64,
}

/// A method of this family.
#[derive(Debug)]
pub(crate) struct Structural {
    name: &'static str,
    coefficients: Coefficients,
    tolerance: f64,
    /// a at the beginning of the step; empty before the first one.
    smoothed: Vec<f64>,
    started: bool,
    multipliers: Vec<f64>,
    multipliers_before: Vec<f64>,

    // The step being tried.
    rates: Vec<f64>,
    residual: Vec<f64>,
    tangents: ConstrainedTangents,
    change: Vec<f64>,
    lu: Lu<f64>,
}

impl Structural {
    pub(crate) fn new(
        name: &'static str,
        coefficients: Coefficients,
        options: &Options,
    ) -> Structural {
        Structural {
            name,
            coefficients,
            tolerance: options.newton_tol,
            smoothed: Vec::new(),
            started: false,
            multipliers: Vec::new(),
            multipliers_before: Vec::new(),
            rates: Vec::new(),
            residual: Vec::new(),
            tangents: ConstrainedTangents::default(),
            change: Vec::new(),
            lu: Lu::default(),
        }
    }

    /// a₀ belongs to the time t + (αm − αf)h, not to t: without that the first multipliers are of first
    /// order only.
    fn start(&mut self, work: &mut Work<'_>, step: TrialStep<'_>, n: usize) -> Result<(), Failure> {
        let ahead = (self.coefficients.alpha_m - self.coefficients.alpha_f) * step.h;
        let moved: Vec<f64> = step.y.iter().zip(step.rate).map(|(y, f)| y + ahead * f).collect();
        let mut rate = vec![0.0; step.y.len()];
        work.derivative(step.t + ahead, &moved, &mut rate)?;
        self.smoothed.copy_from_slice(&rate[n..2 * n]);
        // the multipliers to begin with are those of the start itself
        work.derivative(step.t, step.y, &mut rate)?;
        if let Some(system) = work.system.constrained() {
            self.multipliers.copy_from_slice(system.last_multipliers());
        }
        self.started = true;
        Ok(())
    }

    /// One iteration of Newton's method; returns the change of the positions relative to their size.
    fn improve(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
    ) -> Result<f64, Failure> {
        let n = self.smoothed.len();
        let m = self.multipliers.len();
        let Coefficients { alpha_m, alpha_f, beta, gamma } = self.coefficients;
        let ratio = (1.0 - alpha_f) / (1.0 - alpha_m);
        let (first, second) = (gamma * ratio * step.h, beta * ratio * step.h * step.h);
        let state = state_of(step.t_new, y_new, &self.rates, &self.multipliers);
        evaluate(work, &state, &mut self.residual, &mut self.tangents)?;
        let ConstrainedTangents { mass, damping, stiffness, jacobian } = &self.tangents;
        let size = n + m;
        let matrix = self.lu.entries_mut();
        let (mut trace, mut square) = (0.0, 0.0);
        for row in 0..n {
            for column in 0..n {
                let at = row * n + column;
                matrix[row * size + column] =
                    mass[at] + first * damping[at] + second * stiffness[at];
            }
            trace += mass[row * n + row];
        }
        for row in 0..m {
            for column in 0..n {
                let entry = jacobian[row * n + column];
                square += entry * entry;
                matrix[(n + row) * size + column] = entry;
                matrix[column * size + n + row] = entry;
            }
        }
        let epsilon = REGULARISATION * square / trace.max(f64::MIN_POSITIVE);
        for row in n..size {
            matrix[row * size + n..(row + 1) * size].fill(0.0);
            matrix[row * size + row] = -epsilon;
        }
        for (row, change) in self.change.iter_mut().enumerate() {
            *change = -self.residual[row] * if row < n { second } else { 1.0 };
        }
        self.lu.factor().map_err(|_| failed(1, f64::NAN))?;
        self.lu.solve(&mut self.change);
        for i in 0..n {
            let change = self.change[i];
            y_new[i] += change;
            y_new[n + i] += first / second * change;
            self.rates[i] += change / second;
        }
        for (multiplier, change) in self.multipliers.iter_mut().zip(&self.change[n..]) {
            *multiplier += change / second;
        }
        let moved: f64 = (0..n).map(|i| (y_new[i] - step.y[i]).powi(2)).sum::<f64>().sqrt();
        let scale = norm(&y_new[..n]).max(moved).max(f64::MIN_POSITIVE);
        Ok(norm(&self.change[..n]) / scale)
    }
}

impl Method for Structural {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let (n, m) = sizes(self.name, system)?;
        self.started = false;
        for (buffer, size) in [
            (&mut self.smoothed, n),
            (&mut self.rates, n),
            (&mut self.multipliers, m),
            (&mut self.multipliers_before, m),
            (&mut self.residual, n + m),
            (&mut self.change, n + m),
        ] {
            buffer.clear();
            buffer.resize(size, 0.0);
        }
        self.tangents.resize(n, m);
        self.lu.resize(n + m);
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        let n = self.smoothed.len();
        if !self.started {
            self.start(work, step, n)?;
        }
        self.multipliers_before.copy_from_slice(&self.multipliers);
        let Coefficients { alpha_m, alpha_f, beta, gamma } = self.coefficients;
        let h = step.h;
        let before = &step.rate[n..2 * n];
        self.rates.copy_from_slice(before);
        for i in 0..n {
            let a = self.smoothed[i];
            let next = (self.rates[i] * (1.0 - alpha_f) + alpha_f * before[i] - alpha_m * a)
                / (1.0 - alpha_m);
            y_new[i] = step.y[i] + h * step.y[n + i] + h * h * ((0.5 - beta) * a + beta * next);
            y_new[n + i] = step.y[n + i] + h * ((1.0 - gamma) * a + gamma * next);
        }
        let mut change = f64::NAN;
        for iterations in 1..=MAX_ITERATIONS {
            change = self.improve(work, step, y_new)?;
            if !change.is_finite() {
                return Err(failed(iterations, change));
            }
            if change <= self.tolerance {
                for i in 0..n {
                    let a = self.smoothed[i];
                    self.smoothed[i] = (self.rates[i] * (1.0 - alpha_f) + alpha_f * before[i]
                        - alpha_m * a)
                        / (1.0 - alpha_m);
                    rate_new[i] = y_new[n + i];
                    rate_new[n + i] = self.rates[i];
                }
                let reactions = [self.rates.as_slice(), &self.multipliers];
                carry_work(work, step, reactions, y_new, rate_new);
                return Ok(Trial { iterations, rate_known: true, ..Trial::default() });
            }
        }
        Err(failed(MAX_ITERATIONS, change))
    }

    fn multipliers(&self) -> Option<[&[f64]; 2]> {
        Some([&self.multipliers_before, &self.multipliers])
    }
}

/// The state in (q, v), with its reactions.
fn state_of<'a>(
    t: f64,
    y: &'a [f64],
    accelerations: &'a [f64],
    multipliers: &'a [f64],
) -> ConstrainedState<'a> {
    let n = accelerations.len();
    ConstrainedState { t, q: &y[..n], v: &y[n..2 * n], accelerations, multipliers }
}

/// Residual and tangents of an iteration of Newton's method, counted with the factorisation that follows.
fn evaluate(
    work: &mut Work<'_>,
    state: &ConstrainedState<'_>,
    residual: &mut [f64],
    tangents: &mut ConstrainedTangents,
) -> Result<(), Failure> {
    if let Some(system) = work.system.constrained() {
        system.residual(state, residual)?;
        system.tangents(state, tangents)?;
    }
    work.statistics.evaluations += 1;
    work.statistics.jacobians += 1;
    work.statistics.factorisations += 1;
    work.statistics.newton_iterations += 1;
    Ok(())
}

/// The work is a quadrature carried behind the state: trapezoids, of the methods' own order.
fn carry_work(
    work: &mut Work<'_>,
    step: TrialStep<'_>,
    [accelerations, multipliers]: [&[f64]; 2],
    y_new: &mut [f64],
    rate_new: &mut [f64],
) {
    let (n, last) = (accelerations.len(), y_new.len() - 1);
    let Some(system) = work.system.constrained().filter(|_| last == 2 * n) else { return };
    let state = state_of(step.t_new, y_new, accelerations, multipliers);
    rate_new[last] = system.power(&state);
    y_new[last] = step.y[last] + 0.5 * step.h * (step.rate[last] + rate_new[last]);
}

/// Numbers of coordinates and constraints, or why a method cannot take the system.
fn sizes(
    method: &'static str,
    system: &dyn FirstOrderSystem,
) -> Result<(usize, usize), IntegrationError> {
    let Some((n, m)) = system.constrained_sizes() else {
        let reason = "it has no equations of motion of second order";
        return Err(IntegrationError::Unsuitable { method, reason });
    };
    if system.controlled_len() != 2 * n {
        let reason = "it has first-order states besides its coordinates";
        return Err(IntegrationError::Unsuitable { method, reason });
    }
    Ok((n, m))
}
