//! Null space: velocities and accelerations are made of the directions that the constraints leave free.
//!
//! # Equations
//! The columns of R are an orthonormal basis of the null space of $\Phi_q$, from its orthogonal
//! factors, and $\Phi_q^+$ gives the shortest solution. With independent velocities s
//! $$v = Rs + b,\quad b = -\Phi_q^+\Phi_t,\qquad \dot v = R\dot s + c,\quad c = \Phi_q^+\gamma,\qquad
//!   R^TMR\,\dot s = R^T(Q - Mc),$$
//! and λ is the shortest with $\Phi_q^T\lambda = Q - M\dot v$. R is another one at every evaluation, so
//! the state keeps v, of which only $s = R^Tv$ is read. After a step $\delta q = -\Phi_q^+\Phi$ is
//! repeated until Φ = 0 to rounding, and v written as it is read.
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

use crate::methods::multipliers::Multipliers;
use crate::solvers::constraint_values::{ConstraintValues, Level, through_correction};
use crate::solvers::kkt::{KktSolution, KktSolver};
use crate::solvers::null_space::NullSpaceSolver;
use crate::{Breakdown, Entry, Formulation, FormulationInput, Tangent, needs_constraints, state};
use catena_compile::Evaluator;
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "null-space",
    summary: "motion along the directions that constraints leave free; redundant ones do no harm",
    reference: "García de Jalón, Bayo 1994, chapter 5",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    rhs_program: |_| None,
    build: |input| Box::new(NullSpace::new(input)),
};

#[derive(Clone)]
struct NullSpace {
    motion: Multipliers<NullSpaceSolver>,
    levels: ConstraintValues,
    /// The state with v = R s + b.
    y: Vec<f64>,
    change: Vec<f64>,
    answers: Vec<f64>,
}

impl NullSpace {
    fn new(input: FormulationInput) -> NullSpace {
        let functions = input.evaluator.functions().clone();
        let motion = Multipliers::new(input, NullSpaceSolver::new(&functions));
        NullSpace {
            levels: ConstraintValues::new(&functions),
            y: vec![0.0; motion.state_len()],
            change: vec![0.0; functions.sizes.coordinates],
            answers: Vec::new(),
            motion,
        }
    }

    /// Factors Φq and writes y with the velocities that count into `self.y`.
    fn read_velocities(&mut self, t: f64, y: &[f64]) -> Result<(), Breakdown> {
        let Self { motion, levels, change, .. } = self;
        levels.read(&mut motion.input, t, y)?;
        motion.solver.rows.factor(&levels.jacobian);
        motion.solver.rows.solve(&levels.rates, change);
        self.y.copy_from_slice(y);
        let velocities = self.y[change.len()..].iter_mut();
        velocities.zip(change.iter()).for_each(|(velocity, change)| *velocity -= change);
        Ok(())
    }
}

impl Formulation for NullSpace {
    fn begin(&mut self, parameters: &[f64]) {
        self.motion.begin(parameters);
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn state_len(&self) -> usize {
        self.motion.state_len()
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        self.motion.pack(q, v, states, y);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        self.motion.unpack(y, q, v, states);
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.read_velocities(t, y)?;
        let Multipliers { input, solver, .. } = &mut self.motion;
        input.evaluator.set_joined_state(t, &self.y);
        solver.reduce(input)?;
        let KktSolution { accelerations, state_rates, .. } = solver.solution();
        input.check_finite(accelerations, state_rates)?;
        state::fill_rate(&self.y, accelerations, state_rates, rate);
        Ok(())
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
        let Self { motion, levels, change, answers, .. } = self;
        let Multipliers { input, solver, .. } = motion;
        levels.read_slopes(input);
        levels.answers(Level::Velocities, y.len(), answers, |error, part| {
            solver.rows.solve(error, part);
        });
        through_correction(jacobian, change.len(), answers, change);
        Ok(())
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        let Self { motion: Multipliers { input, solver, .. }, levels, change, .. } = self;
        levels.project(input, t, y, |_, levels, level, part| {
            solver.rows.factor(&levels.jacobian);
            let error = match level {
                Level::Positions => &levels.values,
                Level::Velocities => &levels.rates,
            };
            solver.rows.solve(error, change);
            part.iter_mut().zip(change.iter()).for_each(|(entry, change)| *entry -= change);
            Ok(())
        })
    }

    fn accelerations(&self) -> &[f64] {
        self.motion.accelerations()
    }

    fn multipliers(&self) -> &[f64] {
        self.motion.multipliers()
    }

    fn remarks(&self) -> Vec<String> {
        self.motion.remarks()
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        self.motion.evaluator()
    }
}
