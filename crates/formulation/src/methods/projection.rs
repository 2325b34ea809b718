//! Multipliers with projection: after each step positions and velocities return to the constraints.
//!
//! # Equations
//! The motion is that of `multipliers`. After a step, and for every row that is interpolated,
//! $$W\,\delta q + \Phi_q^T\mu = 0,\quad \Phi_q\,\delta q = -\Phi$$
//! is repeated until Φ = 0 to rounding, then once for velocities with $\dot\Phi$ in the place of Φ:
//! the nearest point in the metric W of the masses, with angles made heavy, so that the x and y of
//! what turns follow its angle and do not pull it back (`solvers/rotation_metric.rs`).
//!
//! # When to choose it
//! Long runs with constraints: nothing drifts, and the step is not restricted. Each step costs two or
//! three solutions more. Projection is not symplectic, and near singular poses it may have far to go.
//!
//! # Reference
//! E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 1996, section VII.2

use crate::catalogue::needs_constraints;
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::constraint_projection::{
    ConstraintErrors, ConstraintLevel, ConstraintProjection, Miss, drift_of, worst_drift,
};
use crate::solvers::kkt::{KktEquations, KktSolver, Metric};
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::mass_orthogonal::MassOrthogonal;
use crate::solvers::rhs_program::RhsProgram;
use crate::solvers::rotation_metric::rotation_metric;
use crate::{Approximation, Base, Breakdown, Entry, Formulation, FormulationInput, Tangent};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "projection",
    summary: "multipliers, and back onto the constraints after each step",
    reference: "Hairer, Wanner 1996, section VII.2",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: true,
    rhs_program: |input| {
        RhsProgram::kkt(input, KktEquations::plain(&input.evaluator.functions().equations))
    },
    build: |input| {
        let metric = rotation_metric(&input);
        Box::new(Projection::of(KktFormulation::plain(input), metric))
    },
};

/// A motion whose states return to the constraints.
#[derive(Clone)]
pub(crate) struct Projection<S = BlockElimination> {
    motion: KktFormulation<S>,
    /// The system with the metric of corrections in the place of its masses.
    metric: FormulationInput,
    correction: MassOrthogonal,
}

impl<S: KktSolver> Projection<S> {
    /// By changes that are shortest in the metric of a system: its mass matrix.
    pub(crate) fn of(motion: KktFormulation<S>, metric: FormulationInput) -> Projection<S> {
        let correction = MassOrthogonal::new(metric.evaluator.functions(), Metric::HeavyAngles);
        Projection { motion, metric, correction }
    }
}

impl<S: KktSolver> ConstraintProjection for Projection<S> {
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
        drift_of(&mut self.metric, t, y)
    }

    /// Near singular poses velocities have further to go: by the metric of the masses, which costs energy of second
    /// order alone.
    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
        if level == ConstraintLevel::Velocity && self.motion.reads_consistent_velocities() {
            return self.motion.correct_velocities(self.metric.evaluator.time(), y);
        }
        self.correction.correct(&mut self.metric, level, y)
    }

    fn worst(&mut self) -> Miss {
        worst_drift(&mut self.metric)
    }
}

impl<S: KktSolver> Formulation for Projection<S> {
    fn base(&self) -> &Base {
        self.motion.base()
    }

    fn base_mut(&mut self) -> &mut Base {
        self.motion.base_mut()
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

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.motion.begin(parameters);
        self.metric.begin(parameters);
        self.correction.begin();
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.project(t, y)
    }

    fn remarks(&self) -> Vec<String> {
        self.motion.remarks()
    }
}
