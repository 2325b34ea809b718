//! What a sweep found: extremes of every measure, cells that failed, blocks that are missing or damaged.

use catena_ensemble::{Block, Found, SweepResult};
use std::collections::BTreeMap;

/// Failed cells that are listed with their reasons; the others are counted.
const MAX_REASONS: usize = 5;

/// A value and the cell where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The extreme value, in the unit of the measure.
    pub value: f64,
    /// The number of the cell, from 0 up; the first one where several have this value.
    pub cell: u64,
}

/// What was found about one measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasureFindings {
    /// Name of the measure, as `max:theta1`.
    pub name: String,
    /// The smallest value; `None` where every cell failed.
    pub least: Option<Extreme>,
    /// The greatest value; `None` where every cell failed.
    pub greatest: Option<Extreme>,
    /// Cells that have no number though their trajectory did not fail: what is measured never happened.
    pub never: u64,
}

/// What is there of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Cells that there will be.
    pub cells: u64,
    /// Cells that are there and sound.
    pub cells_done: u64,
    /// Blocks that there will be.
    pub blocks: u64,
    /// Blocks that are not there.
    pub missing: u64,
    /// Blocks that are there, but not as they were written.
    pub unsound: u64,
    /// Cells whose trajectory failed.
    pub failed: u64,
    /// The first cells that failed, with their reasons.
    pub reasons: Vec<(u64, String)>,
    /// One for each measure.
    pub measures: Vec<MeasureFindings>,
    /// What computed the blocks, with how many of them each; files of older versions do not say it.
    pub processors: BTreeMap<String, u64>,
}

impl Findings {
    /// Reads everything once.
    pub fn of(result: &dyn SweepResult) -> Findings {
        Findings::while_reading(result, &mut |_| {})
    }

    /// Reads everything once and shows every sound block, in the order of the cells.
    pub fn while_reading(result: &dyn SweepResult, see: &mut dyn FnMut(&Block)) -> Findings {
        let names = &result.description().measures;
        let measures =
            names.iter().map(|name| MeasureFindings { name: name.clone(), ..Default::default() });
        let mut findings = Findings { measures: measures.collect(), ..Findings::default() };
        for block in result.expected() {
            let cells = result.description().blocks.cells_of(block);
            findings.blocks += 1;
            findings.cells += cells.end - cells.start;
            match result.get(block) {
                Found::Missing => findings.missing += 1,
                Found::Unsound => findings.unsound += 1,
                Found::Sound(block) => {
                    findings.add(&block);
                    see(&block);
                }
            }
        }
        findings
    }

    /// Whether all that there should be is there.
    pub fn is_complete(&self) -> bool {
        self.missing == 0 && self.unsound == 0
    }

    fn add(&mut self, block: &Block) {
        self.cells_done += block.cells.end - block.cells.start;
        self.failed += block.failures.len() as u64;
        if !block.processor.is_empty() {
            *self.processors.entry(block.processor.clone()).or_default() += 1;
        }
        let room = MAX_REASONS.saturating_sub(self.reasons.len());
        self.reasons.extend(block.failures.iter().take(room).cloned());
        let rows = block.values.chunks_exact(self.measures.len().max(1));
        for (cell, values) in block.cells.clone().zip(rows) {
            let failed = block.failures.binary_search_by_key(&cell, |(failed, _)| *failed).is_ok();
            for (measure, &value) in self.measures.iter_mut().zip(values) {
                let here = Some(Extreme { value, cell });
                if value.is_nan() {
                    measure.never += u64::from(!failed);
                    continue;
                }
                if measure.least.is_none_or(|least| value < least.value) {
                    measure.least = here;
                }
                if measure.greatest.is_none_or(|greatest| value > greatest.value) {
                    measure.greatest = here;
                }
            }
        }
    }
}
