//! Multipliers with projection: after each step positions and velocities return to the constraints.
//!
//! # Equations
//! The motion is that of `multipliers`. After a step, and for every row that is interpolated,
//! $$M\,\delta q + \Phi_q^T\mu = 0,\quad \Phi_q\,\delta q = -\Phi$$
//! is repeated until Φ = 0 to rounding, then once for velocities with $\dot\Phi$ in the place of Φ:
//! the nearest point in the metric of the masses.
//!
//! # When to choose it
//! Long runs with constraints: nothing drifts, and the step is not restricted. Each step costs two or
//! three solutions more. Projection is not symplectic, and near singular poses it may have far to go.
//!
//! # Reference
//! E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 1996, section VII.2

use crate::methods::multipliers::Multipliers;
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_projection::ConstraintProjection;
use crate::solvers::constraint_values::{Level, largest};
use crate::solvers::kkt::KktSolver;
use crate::{Breakdown, Entry, Formulation, Tangent, needs_constraints};
use catena_compile::Evaluator;
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "projection",
    summary: "multipliers, and back onto the constraints after each step",
    reference: "Hairer, Wanner 1996, section VII.2",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    rhs_program: |_| None,
    build: |input| Box::new(Projection::of(Multipliers::plain(input))),
};

/// A motion whose states return to the constraints.
#[derive(Clone)]
pub(crate) struct Projection<S = BlockElimination> {
    motion: Multipliers<S>,
    /// δq for Φ, δv for Φ̇.
    corrections: [BlockElimination; 2],
}

impl<S: KktSolver> Projection<S> {
    pub(crate) fn of(motion: Multipliers<S>) -> Projection<S> {
        let functions = motion.input.evaluator.functions().clone();
        Projection { corrections: BlockElimination::corrections(&functions), motion }
    }
}

impl<S: KktSolver> ConstraintProjection for Projection<S> {
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<[f64; 2], Breakdown> {
        let evaluator = &mut self.motion.input.evaluator;
        evaluator.set_joined_state(t, y);
        let (q, rest) = y.split_at(evaluator.sizes().coordinates);
        let drift = evaluator.drift();
        let [values, rates] = [drift.values, drift.rates].map(largest);
        Ok([values / (1.0 + largest(q)), rates / (1.0 + largest(rest))])
    }

    fn correct(&mut self, level: Level, y: &mut [f64]) -> Result<(), Breakdown> {
        let correction = &mut self.corrections[level as usize];
        correction.solve(&mut self.motion.input)?;
        let changes = &correction.solution().accelerations;
        for (y, change) in y[level as usize * changes.len()..].iter_mut().zip(changes) {
            *y += change;
        }
        Ok(())
    }
}

impl<S: KktSolver> Formulation for Projection<S> {
    fn begin(&mut self, parameters: &[f64]) {
        self.motion.begin(parameters);
        self.corrections.iter_mut().for_each(KktSolver::begin);
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
        self.motion.derivative(t, y, rate)
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.motion.jacobian(t, y, tangent, jacobian)
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.project(t, y)
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
