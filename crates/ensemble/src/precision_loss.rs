//! What single precision costs: some cells of a sweep, computed once more by the processor.

use crate::{Found, Sweep, SweepResult};

/// Places of a grid at which neighbouring cells are computed again.
const PLACES: usize = 8;
/// Cells at each of them.
const NEIGHBOURS: u64 = 8;

/// How far the numbers of a sweep are from those in double precision.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecisionLoss {
    /// Cells that were computed twice.
    pub cells: usize,
    /// Of each measure the median of the differences, and the largest.
    pub measures: Vec<[f64; 2]>,
}

impl PrecisionLoss {
    /// Compares the blocks that were found with a sweep of the same cells; `None` if there are none.
    pub(crate) fn of(result: &dyn SweepResult, exact: &Sweep) -> Option<PrecisionLoss> {
        let expected: Vec<u64> = result.expected().collect();
        let step = expected.len().div_ceil(PLACES).max(1);
        let mut differences = vec![Vec::new(); exact.measures.len()];
        let mut worker = exact.worker();
        for &number in expected.iter().step_by(step) {
            let Found::Sound(block) = result.get(number) else { continue };
            let cells = block.cells.start..block.cells.end.min(block.cells.start + NEIGHBOURS);
            let Some(again) = worker.run(cells, &|| false) else { continue };
            let count = differences.len();
            for (at, (one, other)) in again.values.iter().zip(&block.values).enumerate() {
                differences[at % count].push((one - other).abs());
            }
        }
        let cells = differences.first()?.len();
        let ends = |mut all: Vec<f64>| {
            // where both have no number, as where something never happens, they agree
            all.retain(|difference| !difference.is_nan());
            all.sort_by(f64::total_cmp);
            let at = |index: usize| all.get(index).copied().unwrap_or(0.0);
            [at(all.len() / 2), at(all.len().saturating_sub(1))]
        };
        let measures = differences.into_iter().map(ends).collect();
        (cells > 0).then_some(PrecisionLoss { cells, measures })
    }
}
