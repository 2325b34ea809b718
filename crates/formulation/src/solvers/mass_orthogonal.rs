//! Mass-orthogonal corrections: the shortest changes, measured by M, that remove constraint errors.
//!
//! $M\,\delta q + \Phi_q^T\mu = 0$ with $\Phi_q\,\delta q = -\Phi$ for positions, and with $-\dot\Phi$ for velocities.

use crate::base::Solution;
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_projection::{
    ConstraintErrors, ConstraintLevel, ConstraintProjection, Miss, drift_of, worst_drift,
};
use crate::solvers::kkt::{KktEquations, KktSolver, Metric};
use crate::{Breakdown, FormulationInput};
use catena_compile::Functions;
use catena_linear::dot;

/// The corrections, compiled.
#[derive(Clone)]
pub(crate) struct MassOrthogonal {
    /// δq for Φ.
    positions: BlockElimination,
    /// δv for Φ̇.
    pub(crate) velocities: BlockElimination,
    /// δq or δv, and μ.
    found: Solution,
}

impl MassOrthogonal {
    /// With what stands in the place of the masses.
    pub(crate) fn new(functions: &Functions, metric: Metric) -> MassOrthogonal {
        let e = &functions.equations;
        let [positions, velocities] = [&e.constraints, &e.constraint_velocity].map(|errors| {
            let mut graph = e.graph.clone();
            let upper = vec![graph.zero(); e.coordinates.len()];
            let lower = errors.iter().map(|&error| graph.neg(error)).collect();
            let equations = KktEquations { graph, upper, lower, compliance: 0.0, metric };
            BlockElimination::new(functions, equations)
        });
        MassOrthogonal { positions, velocities, found: Solution::new(functions.sizes) }
    }

    /// Forgets everything that was found and met.
    pub(crate) fn begin(&mut self) {
        self.positions.begin();
        self.velocities.begin();
        self.found.clear();
    }

    /// The change and μ at the state written down.
    pub(crate) fn solve(
        &mut self,
        input: &mut FormulationInput,
        level: ConstraintLevel,
    ) -> Result<&Solution, Breakdown> {
        let solver = match level {
            ConstraintLevel::Position => &mut self.positions,
            ConstraintLevel::Velocity => &mut self.velocities,
        };
        solver.solve(input, &mut self.found)?;
        Ok(&self.found)
    }

    /// Factors the system for velocities at the state written down.
    pub(crate) fn factor_velocities(
        &mut self,
        input: &mut FormulationInput,
    ) -> Result<(), Breakdown> {
        self.velocities.factor(input, &mut self.found)
    }

    /// Brings y = (q, v, z) back to the constraints as far as rounding lets it; returns whether it changed.
    pub(crate) fn project(
        &mut self,
        input: &mut FormulationInput,
        t: f64,
        y: &mut [f64],
    ) -> Result<bool, Breakdown> {
        NearSingularPose { input, correction: self }.project(t, y)
    }

    /// Takes off changes of positions or velocities at the state written down what a correction would take off.
    pub(crate) fn discount(
        &mut self,
        input: &mut FormulationInput,
        level: ConstraintLevel,
        changes: &mut [f64],
    ) -> Result<(), Breakdown> {
        let solver = match level {
            ConstraintLevel::Position => &mut self.positions,
            ConstraintLevel::Velocity => &mut self.velocities,
        };
        solver.factor(input, &mut self.found)?;
        let Solution { accelerations, multipliers, .. } = &mut self.found;
        accelerations.fill(0.0);
        let rows = input.evaluator.pose().constraint_jacobian.chunks_exact(changes.len());
        for (right, row) in multipliers.iter_mut().zip(rows) {
            *right = -dot(row, changes);
        }
        solver.solve_with_factors(accelerations, multipliers);
        changes.iter_mut().zip(accelerations).for_each(|(entry, change)| *entry += *change);
        Ok(())
    }

    /// Adds the change at the state written down to the positions or the velocities in y = (q, v, z).
    pub(crate) fn correct(
        &mut self,
        input: &mut FormulationInput,
        level: ConstraintLevel,
        y: &mut [f64],
    ) -> Result<(), Breakdown> {
        let changes = &self.solve(input, level)?.accelerations;
        for (entry, change) in y[level as usize * changes.len()..].iter_mut().zip(changes) {
            *entry += change;
        }
        Ok(())
    }
}

/// The projection of a motion that came near a singular pose.
struct NearSingularPose<'a> {
    input: &'a mut FormulationInput,
    correction: &'a mut MassOrthogonal,
}

impl ConstraintProjection for NearSingularPose<'_> {
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
        drift_of(self.input, t, y)
    }

    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
        self.correction.correct(self.input, level, y)
    }

    fn worst(&mut self) -> Miss {
        worst_drift(self.input)
    }

    fn has_met_singular_pose(&self) -> bool {
        true
    }
}
