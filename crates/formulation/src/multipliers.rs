//! Lagrange multipliers, index 1: the constraints are asked for at the level of accelerations.
//!
//! # Equations
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & 0 \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma \end{bmatrix}$$
//! by blocks: $W\lambda = \Phi_q M^{-1}Q - \gamma$ with $W = \Phi_q M^{-1}\Phi_q^T$, then
//! $\dot v = M^{-1}(Q - \Phi_q^T\lambda)$. Where M alone is singular, $M + \sigma\Phi_q^T\Phi_q$ and
//! $Q + \sigma\Phi_q^T\gamma$ take its place: the solution is the same. Where W is singular the
//! constraints are redundant, and the shortest λ is taken.
//!
//! # When to choose it
//! For constraints, when the run is not long: nothing keeps Φ itself at zero, so it drifts.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, section 6.3

use crate::{Breakdown, Entry, Formulation, Subject, not_finite, plain_state};
use catena_compile::Evaluator;
use catena_linear::{Matrix, RowDependence, ldlt};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "multipliers",
    summary: "constraints at the level of accelerations, with their forces as multipliers",
    reference: "Haug 1989, section 6.3",
    coordinates: CoordinateSet::Absolute,
    refuses: |model| {
        let system = model.absolute.as_ref().unwrap_or(&model.joint);
        system.constraints.is_empty().then(|| "the model has no constraints".to_owned())
    },
    build: |subject| Box::new(Multipliers::new(subject)),
};

struct Multipliers {
    subject: Subject,
    mass: Vec<f64>,
    work: Vec<f64>,
    /// M⁻¹Φqᵀ, one row for each constraint.
    response: Vec<f64>,
    jacobian: Vec<f64>,
    gamma: Vec<f64>,
    /// W, packed.
    coupling: Vec<f64>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    rate: Vec<f64>,
    /// The factored W where it is singular.
    redundant: Option<RowDependence>,
    /// Derivatives of the equations of motion and of the constraints, row by row.
    tangents: Vec<f64>,
    /// A column of derivatives: of the accelerations, of the multipliers.
    column: [Vec<f64>; 2],
}

impl Multipliers {
    fn new(subject: Subject) -> Self {
        let sizes = subject.evaluator.sizes();
        let (n, m) = (sizes.coordinates, sizes.constraints);
        let rate = vec![0.0; plain_state::len(sizes)];
        Multipliers {
            subject,
            rate,
            redundant: None,
            tangents: vec![0.0; (n + m) * plain_state::len(sizes)],
            column: [vec![0.0; n], vec![0.0; m]],
            mass: vec![0.0; n * (n + 1) / 2],
            work: vec![0.0; n.max(m)],
            response: vec![0.0; m * n],
            jacobian: vec![0.0; m * n],
            gamma: vec![0.0; m],
            coupling: vec![0.0; m * (m + 1) / 2],
            accelerations: vec![0.0; n],
            multipliers: vec![0.0; m],
        }
    }

    /// Factors M; where it is singular alone, M + σΦqᵀΦq.
    fn factor_mass(&mut self) -> Result<(), Breakdown> {
        let n = self.accelerations.len();
        if ldlt::factor(&mut self.mass, n, &mut self.work).is_ok() {
            return Ok(());
        }
        let motion = self.subject.evaluator.motion();
        self.mass.copy_from_slice(motion.mass_matrix);
        let trace: f64 = (0..n).map(|i| self.mass[i * (i + 1) / 2 + i]).sum();
        let square: f64 = self.jacobian.iter().map(|entry| entry * entry).sum();
        let weight = if trace > 0.0 && square > 0.0 { trace / square } else { 1.0 };
        for (row, &gamma) in self.jacobian.chunks_exact(n.max(1)).zip(&self.gamma) {
            for i in 0..n {
                for j in 0..=i {
                    self.mass[i * (i + 1) / 2 + j] += weight * row[i] * row[j];
                }
                self.accelerations[i] += weight * row[i] * gamma;
            }
        }
        ldlt::factor(&mut self.mass, n, &mut self.work).map_err(|ldlt::NotPositive { row }| {
            let names = &self.subject.coordinates;
            not_finite(&self.accelerations, names, "the force on").unwrap_or_else(|| {
                Breakdown::Singular {
                    matrix: "the system of motion and constraints",
                    cause: format!(
                        "`{}` has no mass there, and no constraint determines it",
                        names[row]
                    ),
                }
            })
        })
    }

    /// W λ = right, the shortest solution where W is singular.
    fn factor_coupling(&mut self) {
        let m = self.multipliers.len();
        self.couple();
        self.redundant = match ldlt::factor(&mut self.coupling, m, &mut self.work) {
            Ok(()) => None,
            Err(_) => {
                self.couple();
                let mut full = Matrix::zeros(m, m);
                for i in 0..m {
                    for j in 0..=i {
                        let entry = self.coupling[i * (i + 1) / 2 + j];
                        (full[(i, j)], full[(j, i)]) = (entry, entry);
                    }
                }
                Some(RowDependence::new(&full))
            }
        };
    }

    /// Solves the whole system: `motion` holds the upper right side and becomes accelerations,
    /// `constraints` holds the lower one and becomes multipliers.
    fn solve(&self, motion: &mut [f64], constraints: &mut [f64]) {
        let (n, m) = (motion.len(), constraints.len());
        ldlt::solve(&self.mass, n, motion);
        for (right, row) in constraints.iter_mut().zip(self.jacobian.chunks_exact(n)) {
            let free: f64 = row.iter().zip(motion.iter()).map(|(a, b)| a * b).sum();
            *right = free - *right;
        }
        match &self.redundant {
            None => ldlt::solve(&self.coupling, m, constraints),
            Some(dependence) => constraints.copy_from_slice(&dependence.solve(constraints)),
        }
        for (response, multiplier) in self.response.chunks_exact(n).zip(constraints.iter()) {
            for (acceleration, response) in motion.iter_mut().zip(response) {
                *acceleration -= multiplier * response;
            }
        }
    }

    /// W = Φq (M⁻¹Φqᵀ)
    fn couple(&mut self) {
        let n = self.accelerations.len();
        let mut place = 0;
        for (i, row) in self.jacobian.chunks_exact(n).enumerate() {
            for response in self.response.chunks_exact(n).take(i + 1) {
                self.coupling[place] = row.iter().zip(response).map(|(a, b)| a * b).sum();
                place += 1;
            }
        }
    }
}

impl Formulation for Multipliers {
    fn state_len(&self) -> usize {
        plain_state::len(self.subject.evaluator.sizes())
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        plain_state::pack(q, v, states, y);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        plain_state::unpack(y, q, v, states);
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let (n, k) = (self.accelerations.len(), self.subject.evaluator.sizes().states);
        let (q, v, z) = (&y[..n], &y[n..2 * n], &y[2 * n..2 * n + k]);
        self.subject.evaluator.set_state(t, q, v, z);
        let motion = self.subject.evaluator.motion();
        self.mass.copy_from_slice(motion.mass_matrix);
        self.accelerations.copy_from_slice(motion.forces);
        self.jacobian.copy_from_slice(motion.constraint_jacobian);
        self.gamma.copy_from_slice(motion.gamma);
        rate[2 * n..2 * n + k].copy_from_slice(motion.state_rates);
        if let Some(broken) = not_finite(&self.gamma, &self.subject.constraints, "the constraint") {
            return Err(broken);
        }
        self.factor_mass()?;
        self.response.copy_from_slice(&self.jacobian);
        for response in self.response.chunks_exact_mut(n) {
            ldlt::solve(&self.mass, n, response);
        }
        self.factor_coupling();
        let mut motion = std::mem::take(&mut self.accelerations);
        let mut constraints = std::mem::take(&mut self.multipliers);
        constraints.copy_from_slice(&self.gamma);
        self.solve(&mut motion, &mut constraints);
        (self.accelerations, self.multipliers) = (motion, constraints);
        rate[..n].copy_from_slice(v);
        rate[n..2 * n].copy_from_slice(&self.accelerations);
        let names = &self.subject.coordinates;
        match not_finite(&self.accelerations, names, "the acceleration of") {
            Some(broken) => Err(broken),
            None => match not_finite(&rate[2 * n..2 * n + k], &[], "the rate of a state") {
                Some(broken) => Err(broken),
                None => Ok(()),
            },
        }
    }

    /// The same system for every column: M ∂v̇ + Φqᵀ∂λ = ∂(Q − M v̇ − Φqᵀλ), Φq ∂v̇ = ∂(γ − Φq v̇).
    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), Breakdown> {
        let mut rate = std::mem::take(&mut self.rate);
        let evaluated = self.derivative(t, y, &mut rate);
        self.rate = rate;
        evaluated?;
        let (n, size) = (self.accelerations.len(), self.state_len());
        self.subject.evaluator.set_reactions(&self.accelerations, &self.multipliers);
        let tangents = self.subject.evaluator.tangents();
        plain_state::fill_jacobian(n, size, tangents.states, jacobian);
        self.tangents[..n * size].copy_from_slice(tangents.motion);
        self.tangents[n * size..].copy_from_slice(tangents.constraints);
        let [mut motion, mut constraints] = std::mem::take(&mut self.column);
        for column in 0..size {
            for (row, entry) in motion.iter_mut().chain(&mut constraints).enumerate() {
                *entry = self.tangents[row * size + column];
            }
            self.solve(&mut motion, &mut constraints);
            for (row, entry) in motion.iter().enumerate() {
                jacobian[(n + row) * size + column] = *entry;
            }
        }
        self.column = [motion, constraints];
        Ok(())
    }

    fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.subject.evaluator
    }

    fn with_reactions(&mut self) -> &mut Evaluator {
        self.subject.evaluator.set_reactions(&self.accelerations, &self.multipliers);
        &mut self.subject.evaluator
    }
}
