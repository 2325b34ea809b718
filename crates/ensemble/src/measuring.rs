//! The work of a sweep: some cells of its grid, a few numbers of each.

use crate::measure::Gathered;
use crate::workload::{Task, Workload};
use crate::{Block, Grid, Measure};
use std::ops::Range;

/// Cells under way and done.
pub(crate) struct Measuring<'a> {
    grid: &'a Grid,
    measures: &'a [Measure],
    waiting: Range<u64>,
    /// In every place: the cell, and what was gathered of it.
    places: Vec<(u64, Vec<Gathered>)>,
    block: Block,
}

impl<'a> Measuring<'a> {
    pub(crate) fn new(
        grid: &'a Grid,
        measures: &'a [Measure],
        cells: Range<u64>,
        places: usize,
    ) -> Measuring<'a> {
        let nothing = vec![Gathered::NOTHING; measures.len()];
        Measuring {
            grid,
            measures,
            block: Block::new(cells.clone(), measures.len()),
            waiting: cells,
            places: vec![(0, nothing); places],
        }
    }

    /// The numbers of all cells.
    pub(crate) fn finish(mut self) -> Block {
        self.block.failures.sort_by_key(|(cell, _)| *cell);
        self.block
    }
}

impl Workload for Measuring<'_> {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        let Some(cell) = self.waiting.next() else { return false };
        let (number, gathered) = &mut self.places[place];
        *number = cell;
        gathered.fill(Gathered::NOTHING);
        self.grid.cell(cell, &mut task.values);
        true
    }

    fn row(&mut self, place: usize, _t: f64, columns: &[f64]) {
        for (gathered, &value) in self.places[place].1.iter_mut().zip(columns) {
            gathered.add(value);
        }
    }

    fn end(&mut self, place: usize, outcome: Result<(), String>) {
        let (cell, gathered) = &self.places[place];
        if let Err(reason) = outcome {
            self.block.failures.push((*cell, reason));
            return;
        }
        let numbers = self.block.of_cell(*cell, self.measures.len()).iter_mut();
        for ((number, gathered), measure) in numbers.zip(gathered).zip(self.measures) {
            *number = gathered.result(measure.statistic);
        }
    }
}
