//! The system of motion and constraints, M a + Φqᵀ μ = f and Φq a − c μ = g, and the ways to solve it. It is that
//! of Karush, Kuhn and Tucker (KKT) for the motion of least constraint.
//! c is the compliance of the constraints, 0 where they are rigid.

use crate::base::Solution;
use crate::solvers::expressions::stabilised_gamma;
use crate::solvers::rotation_metric::ROTATION_WEIGHT;
use crate::solvers::unrolled::{NEARLY_SINGULAR_TOLERANCE, SINGULARITY_TOLERANCE};
use crate::{Breakdown, FormulationInput};
use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph};

/// The right sides f and g as expressions.
#[derive(Clone)]
pub(crate) struct KktEquations {
    /// Grew out of the graph of the equations of motion.
    pub(crate) graph: Graph,
    /// f
    pub(crate) upper: Vec<Expr>,
    /// g
    pub(crate) lower: Vec<Expr>,
    /// c
    pub(crate) compliance: f64,
    /// What M is made of.
    pub(crate) metric: Metric,
}

/// What the matrix M of a system is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    /// The masses of the model.
    Masses,
    /// The masses with heavy angles, see [`super::rotation_metric`].
    HeavyAngles,
    /// Weights by which some coordinates do not move at all: never singular, and uneven on purpose.
    Weights,
}

impl Metric {
    /// The part of its diagonal entry below which a pivot is nearly zero: in a pose as near a singular one, whatever the
    /// metric.
    pub(crate) fn nearly_singular_tolerance(self) -> f64 {
        match self {
            Metric::Masses => NEARLY_SINGULAR_TOLERANCE,
            Metric::HeavyAngles => NEARLY_SINGULAR_TOLERANCE / (ROTATION_WEIGHT * ROTATION_WEIGHT),
            // coordinates that are chosen to follow have to, as far as they can
            Metric::Weights => SINGULARITY_TOLERANCE,
        }
    }
}

impl KktEquations {
    /// Q for f and γ for g: constraints at the level of accelerations, rigid.
    pub(crate) fn plain(e: &Equations) -> KktEquations {
        KktEquations {
            graph: e.graph.clone(),
            upper: e.forces.clone(),
            lower: e.gamma.clone(),
            compliance: 0.0,
            metric: Metric::Masses,
        }
    }

    /// The same with γ − 2ξω Φ̇ − ω² Φ for g: errors of the constraints decay.
    pub(crate) fn stabilised(e: &Equations, omega: f64, xi: f64) -> KktEquations {
        let mut graph = e.graph.clone();
        let lower = stabilised_gamma(&mut graph, e, omega, xi);
        let upper = e.forces.clone();
        KktEquations { graph, upper, lower, compliance: 0.0, metric: Metric::Masses }
    }
}

/// A way to solve the system at the state written down in an evaluator.
pub(crate) trait KktSolver: Clone + Send + Sync + 'static {
    /// f, g and c.
    fn equations(&self) -> &KktEquations;

    /// Finds a, μ and ż.
    fn solve(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown> {
        self.factor(input, found)
    }

    /// The same, and keeps what [`KktSolver::solve_with_factors`] needs.
    fn factor(
        &mut self,
        input: &mut FormulationInput,
        found: &mut Solution,
    ) -> Result<(), Breakdown>;

    /// `upper` holds f and becomes a, `lower` holds g and becomes μ.
    fn solve_with_factors(&mut self, upper: &mut [f64], lower: &mut [f64]);

    /// Whether this motion came near a singular pose, in which constraints are dependent that are not so elsewhere.
    fn has_met_singular_pose(&self) -> bool {
        false
    }

    /// Forgets everything that was met.
    fn begin(&mut self);

    /// What was unusual so far, in words.
    fn remarks(&self) -> Vec<String>;
}
