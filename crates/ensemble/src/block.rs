//! The numbers of some neighbouring cells.

use std::ops::Range;

/// The numbers of some neighbouring cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Numbers of the cells, from 0 in the order of the grid.
    pub cells: Range<u64>,
    /// The measures of the first cell, then those of the next one; NaN where a trajectory failed.
    pub values: Vec<f64>,
    /// Cells whose trajectory failed, with the reason, in their order.
    pub failures: Vec<(u64, String)>,
    /// What computed it: the processor and its vector instructions; empty where that is not known.
    pub processor: String,
}

impl Block {
    /// Without numbers, and without failures.
    pub(crate) fn new(cells: Range<u64>, measures: usize, processor: &str) -> Block {
        let count = (cells.end - cells.start) as usize;
        let values = vec![f64::NAN; count * measures];
        Block { cells, values, failures: Vec::new(), processor: processor.to_owned() }
    }

    /// Room for the measures of a cell.
    pub(crate) fn of_cell(&mut self, cell: u64, measures: usize) -> &mut [f64] {
        let at = (cell - self.cells.start) as usize * measures;
        &mut self.values[at..at + measures]
    }
}
