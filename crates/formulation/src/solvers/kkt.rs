//! The system of motion and constraints, M a + Φqᵀ μ = f and Φq a − c μ = g, and the ways to solve it.
//! c is the compliance of the constraints, 0 where they are rigid.

use crate::{Breakdown, FormulationInput};
use catena_compile::Functions;
use catena_symbolic::{Expr, Graph};
use std::sync::Arc;

/// The right sides f and g as expressions.
pub(crate) struct KktEquations {
    /// Grew out of the graph of the equations of motion.
    pub(crate) graph: Graph,
    /// f
    pub(crate) upper: Vec<Expr>,
    /// g
    pub(crate) lower: Vec<Expr>,
    /// c
    pub(crate) compliance: f64,
}

/// The system and what was found last.
#[derive(Clone)]
pub(crate) struct KktSolution {
    pub(crate) equations: Arc<KktEquations>,
    /// a
    pub(crate) accelerations: Vec<f64>,
    /// μ
    pub(crate) multipliers: Vec<f64>,
    /// ż
    pub(crate) state_rates: Vec<f64>,
}

impl KktSolution {
    pub(crate) fn new(functions: &Functions, equations: KktEquations) -> KktSolution {
        let sizes = functions.sizes;
        KktSolution {
            equations: Arc::new(equations),
            accelerations: vec![0.0; sizes.coordinates],
            multipliers: vec![0.0; sizes.constraints],
            state_rates: vec![0.0; sizes.states],
        }
    }

    /// As if nothing had been found yet.
    pub(crate) fn clear(&mut self) {
        for found in [&mut self.accelerations, &mut self.multipliers, &mut self.state_rates] {
            found.fill(0.0);
        }
    }
}

/// A way to solve the system at the state written down in an evaluator.
pub(crate) trait KktSolver: Clone + Send + Sync + 'static {
    /// Forgets everything that was found and met.
    fn begin(&mut self);

    fn solution(&self) -> &KktSolution;

    /// Finds a, μ and ż.
    fn solve(&mut self, input: &mut FormulationInput) -> Result<(), Breakdown>;

    /// The same, and keeps what [`KktSolver::solve_with_factors`] needs.
    fn factor(&mut self, input: &mut FormulationInput) -> Result<(), Breakdown>;

    /// `upper` holds f and becomes a, `lower` holds g and becomes μ.
    fn solve_with_factors(&mut self, upper: &mut [f64], lower: &mut [f64]);

    /// What was unusual so far, in words.
    fn remarks(&self) -> Vec<String>;
}

/// How often something unusual was met, and when first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Occurrences {
    count: u64,
    first: f64,
}

impl Occurrences {
    /// Returns whether this is the first time.
    pub(crate) fn record(&mut self, time: f64) -> bool {
        if self.count == 0 {
            self.first = time;
        }
        self.count += 1;
        self.count == 1
    }

    /// "WHAT at COUNT evaluations, first at t = FIRST s: THEN", unless it was never met.
    pub(crate) fn remark(&self, what: &str, then: &str) -> Option<String> {
        let count = self.count;
        let first = format!("{:.6e}", self.first).parse().unwrap_or(self.first);
        (count > 0)
            .then(|| format!("{what} at {count} evaluations, first at t = {first} s: {then}"))
    }

    /// The same about constraints that followed from others, quoted where they are known.
    pub(crate) fn remark_of_dependence(&self, followers: &[String]) -> Option<String> {
        let met = match followers {
            [] => "constraints were nearly dependent".to_owned(),
            followers => format!("{} followed from other constraints", followers.join(", ")),
        };
        self.remark(&met, "the shortest multipliers were taken")
    }
}
