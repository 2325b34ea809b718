//! Null space: velocities and accelerations are made of the directions that the constraints leave free.
//!
//! # Equations
//! The columns of R are an orthonormal basis of the null space of $\Phi_q$, from its orthogonal
//! factors, and $\Phi_q^+$ gives the shortest solution. With independent velocities s
//! $$v = Rs + b,\quad b = -\Phi_q^+\Phi_t,\qquad \dot v = R\dot s + c,\quad c = \Phi_q^+\gamma,\qquad
//!   R^TMR\,\dot s = R^T(Q - Mc),$$
//! and λ is the shortest with $\Phi_q^T\lambda = Q - M\dot v$. R is another one at every evaluation, so
//! the state keeps v, of which only $s = R^Tv$ is read. After a step $\delta q = -\Phi_q^+\Phi$ is
//! repeated until Φ = 0 to rounding, and v written as it is read. Where there are angles and other
//! coordinates, s and δq are not the nearest, but those that let angles stay where they are as far as
//! the constraints allow: the x and y of what turns follow its angle (`solvers/weighted_change.rs`).
//!
//! For implicit integrators the derivative is that of the equations above, up to a term with Φ̇, which
//! vanishes on the constraints.
//!
//! # When to choose it
//! Redundant constraints, singular mass matrices, any number of each: nothing is solved with but RᵀMR,
//! which is positive definite whenever the motion is determined. Orthogonal factors of dense matrices
//! make it slower than `projection` for anything large.
//!
//! # Reference
//! J. García de Jalón, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems*, 1994, chapter 5

use crate::catalogue::needs_constraints;
use crate::solvers::constraint_projection::{
    ConstraintErrors, ConstraintLevel, ConstraintProjection, Miss,
};
use crate::solvers::constraint_values::{ConstraintValues, behind_projection};
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::null_space::NullSpaceSolver;
use crate::solvers::weighted_change::WeightedChange;
use crate::{Approximation, Base, Breakdown, Entry, Formulation, FormulationInput, Tangent};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "null-space",
    summary: "motion along the directions that constraints leave free; redundant ones do no harm",
    reference: "García de Jalón, Bayo 1994, chapter 5",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: true,
    rhs_program: |_| None,
    build: |input| Box::new(NullSpace::new(input)),
};

#[derive(Clone)]
struct NullSpace {
    motion: KktFormulation<NullSpaceSolver>,
    constraints: ConstraintValues,
    metric: WeightedChange,
    /// The state with v = R s + b.
    y: Vec<f64>,
    change: Vec<f64>,
    sensitivity: Vec<f64>,
}

impl NullSpace {
    fn new(input: FormulationInput) -> NullSpace {
        let functions = input.evaluator.functions().clone();
        let metric = WeightedChange::new(&input.rotations);
        let motion = KktFormulation::new(input, NullSpaceSolver::new(&functions));
        NullSpace {
            constraints: ConstraintValues::new(&functions),
            metric,
            y: vec![0.0; motion.state_len()],
            change: vec![0.0; functions.sizes.coordinates],
            sensitivity: Vec::new(),
            motion,
        }
    }

    /// Factors Φq and writes y with the velocities that count into `self.y`.
    fn read_velocities(&mut self, t: f64, y: &[f64]) -> Result<(), Breakdown> {
        self.constraints.read(&mut self.motion.base.input, t, y)?;
        self.find_change(ConstraintLevel::Velocity);
        let change = &self.change;
        self.y.copy_from_slice(y);
        let velocities = self.y[change.len()..].iter_mut();
        velocities.zip(change.iter()).for_each(|(velocity, change)| *velocity -= change);
        Ok(())
    }

    /// Factors Φq, and finds the change that leads to the errors that were read last.
    fn find_change(&mut self, level: ConstraintLevel) {
        let Self { motion, constraints, metric, change, .. } = self;
        let rows = &mut motion.solver.rows;
        rows.factor(&constraints.jacobian);
        rows.solve(constraints.errors(level), change);
        metric.factor(&constraints.jacobian, rows);
        metric.apply(change);
    }
}

impl ConstraintProjection for NullSpace {
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
        self.constraints.read(&mut self.motion.base.input, t, y)?;
        Ok(self.constraints.constraint_errors(y))
    }

    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
        self.find_change(level);
        let part = y[level as usize * self.change.len()..].iter_mut();
        part.zip(&self.change).for_each(|(entry, change)| *entry -= change);
        Ok(())
    }

    fn worst(&mut self) -> Miss {
        self.constraints.worst(&self.motion.base.input)
    }
}

impl Formulation for NullSpace {
    fn base(&self) -> &Base {
        self.motion.base()
    }

    fn base_mut(&mut self) -> &mut Base {
        self.motion.base_mut()
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.read_velocities(t, y)?;
        let KktFormulation { base, solver, .. } = &mut self.motion;
        base.input.evaluator.set_joined_state(t, &self.y);
        solver.reduce(&mut base.input, &mut base.found)?;
        base.fill_rate(&self.y, rate)
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.read_velocities(t, y)?;
        self.motion.jacobian(t, &self.y, tangent, jacobian)?;
        let Self { motion, constraints, metric, change, sensitivity, .. } = self;
        constraints.read_slopes(&mut motion.base.input);
        constraints.sensitivity(ConstraintLevel::Velocity, y.len(), sensitivity, |error, part| {
            motion.solver.rows.solve(error, part);
            metric.apply(part);
        });
        behind_projection(jacobian, change.len(), sensitivity, change);
        Ok(())
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.motion.begin(parameters);
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.project(t, y)
    }

    fn remarks(&self) -> Vec<String> {
        self.motion.remarks()
    }
}
