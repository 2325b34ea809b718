//! Equations and their solution as one program.
//!
//! Elimination is written into the graph before it is compiled: zeros cost nothing, so that chains and
//! loosely coupled mechanisms cost as much as they have parts, and small systems need no loop at all.
//! The program cannot branch; it reports its pivots, and where one nearly vanishes the caller has to find
//! another way.

use crate::base::Solution;
use crate::solvers::rhs_program::Solved;
use catena_compile::{Evaluator, Functions, Kernel, Program};
use catena_symbolic::{Expr, Graph};
use std::sync::Arc;

/// A pivot smaller than this part of the diagonal entry it was left of counts as zero.
pub(crate) const SINGULARITY_TOLERANCE: f64 = 1e-13;
/// Below this part of its entry a pivot has lost so many digits that a way with more care is taken. There both still
/// agree: which of the two it was cannot be seen in a motion.
pub(crate) const NEARLY_SINGULAR_TOLERANCE: f64 = 1e-5;

/// The most nodes that elimination may add: for dense systems, where loops are as fast beyond it ...
const MAX_ADDED_NODES: usize = 12_000;
/// ... and for sparse ones, as a multiple of the number of equations.
const MAX_ADDED_NODES_PER_ROW: usize = 300;

/// The most nodes that may be added to the graph for a system of this many equations.
pub(crate) fn limit(equations: usize) -> usize {
    MAX_ADDED_NODES.max(MAX_ADDED_NODES_PER_ROW * equations)
}

/// Whether all pivots are: pivots first, then the entries.
pub(crate) fn pivots_are_sound(written: &[f64]) -> bool {
    pivots_are_above(SINGULARITY_TOLERANCE, written)
}

/// Whether all pivots are larger than this part of the entries that stand behind them.
fn pivots_are_above(tolerance: f64, written: &[f64]) -> bool {
    let (pivots, diagonal) = written.split_at(written.len() / 2);
    pivots.iter().zip(diagonal).all(|(&pivot, &entry)| pivot > tolerance * entry.abs())
}

/// A program that writes accelerations, multipliers and rates of states.
#[derive(Clone)]
pub(crate) struct Unrolled {
    /// Fused.
    pub(crate) program: Arc<Program>,
    kernel: Kernel,
}

impl Unrolled {
    pub(crate) fn new(functions: &Functions, graph: &Graph, solved: &Solved) -> Unrolled {
        let Solved { accelerations, multipliers, pivots } = solved;
        let (left, original): (Vec<Expr>, Vec<Expr>) = pivots.iter().copied().unzip();
        let outputs: [(&str, &[Expr]); 5] = [
            ("accelerations", accelerations),
            ("multipliers", multipliers),
            ("state_rates", &functions.equations.state_rates),
            ("pivots", &left),
            ("diagonal", &original),
        ];
        let program = functions.program(graph, &outputs).fused();
        Unrolled { kernel: Kernel::of_fused(&program), program: Arc::new(program) }
    }

    /// Solves at the state written down; returns whether all pivots are larger than a part of their entries. Nothing is
    /// written where one is not.
    pub(crate) fn run(
        &self,
        evaluator: &mut Evaluator,
        tolerance: f64,
        found: &mut Solution,
    ) -> bool {
        let results = evaluator.run(&self.kernel);
        let (accelerations, rest) = results.split_at(found.accelerations.len());
        let (multipliers, rest) = rest.split_at(found.multipliers.len());
        let (state_rates, rest) = rest.split_at(found.state_rates.len());
        let sound = pivots_are_above(tolerance, rest);
        if sound {
            found.accelerations.copy_from_slice(accelerations);
            found.multipliers.copy_from_slice(multipliers);
            found.state_rates.copy_from_slice(state_rates);
        }
        sound
    }
}
