//! Mass-orthogonal corrections: the shortest changes, measured by M, that remove constraint errors.
//!
//! $M\,\delta q + \Phi_q^T\mu = 0$ with $\Phi_q\,\delta q = -\Phi$ for positions, and with $-\dot\Phi$ for velocities.

use crate::base::Solution;
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_projection::ConstraintLevel;
use crate::solvers::kkt::{KktEquations, KktSolver, Metric};
use crate::{Breakdown, FormulationInput};
use catena_compile::Functions;

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
