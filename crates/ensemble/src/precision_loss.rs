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
    /// One for each measure.
    pub measures: Vec<MeasureLoss>,
}

/// How far the numbers of a measure are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeasureLoss {
    /// The median of the differences, where both are numbers.
    pub median: f64,
    /// The largest.
    pub largest: f64,
    /// Cells that have a number in one precision and none in the other.
    pub one_sided: usize,
}

impl PrecisionLoss {
    /// Compares the blocks that were found with a sweep of the same cells; `None` if there are none, or if it was cancelled.
    pub(crate) fn of(
        result: &dyn SweepResult,
        exact: &Sweep,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<PrecisionLoss> {
        let expected: Vec<u64> = result.expected().collect();
        let step = expected.len().div_ceil(PLACES).max(1);
        let mut pairs = vec![Vec::new(); exact.measures.len()];
        let mut worker = exact.worker();
        for &number in expected.iter().step_by(step) {
            let Found::Sound(block) = result.get(number) else { continue };
            let cells = block.cells.start..block.cells.end.min(block.cells.start + NEIGHBOURS);
            let again = worker.run(cells, cancelled)?;
            let count = pairs.len();
            for (at, (one, other)) in again.values.iter().zip(&block.values).enumerate() {
                pairs[at % count].push([*one, *other]);
            }
        }
        let cells = pairs.first()?.len();
        let measures = pairs.iter().map(|pairs| MeasureLoss::of(pairs)).collect();
        (cells > 0).then_some(PrecisionLoss { cells, measures })
    }
}

impl MeasureLoss {
    fn of(pairs: &[[f64; 2]]) -> MeasureLoss {
        let absent = |number: &&f64| number.is_nan();
        let is_one_sided = |pair: &&[f64; 2]| pair.iter().filter(absent).count() == 1;
        let one_sided = pairs.iter().filter(is_one_sided).count();
        // where both have no number, as where something never happens, they agree
        let known = pairs.iter().filter(|pair| !pair.iter().any(|number| number.is_nan()));
        let mut differences: Vec<f64> = known
            .map(|[one, other]| if one == other { 0.0 } else { (one - other).abs() })
            .collect();
        differences.sort_by(f64::total_cmp);
        let at = |index: usize| differences.get(index).copied().unwrap_or(0.0);
        let last = differences.len().saturating_sub(1);
        MeasureLoss { median: at(differences.len() / 2), largest: at(last), one_sided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beside_none_is_no_agreement() {
        let (none, endless) = (f64::NAN, f64::INFINITY);
        let loss = MeasureLoss::of(&[[1.0, 1.5], [none, none], [2.0, none], [endless, endless]]);
        assert_eq!(loss, MeasureLoss { median: 0.5, largest: 0.5, one_sided: 1 });
        assert_eq!(
            MeasureLoss::of(&[[none, 0.0]]),
            MeasureLoss { one_sided: 1, ..Default::default() }
        );
    }
}
