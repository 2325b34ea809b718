//! The work of a sweep: some cells of its grid, a few numbers of each.

use crate::device::MeasuredWorkload;
use crate::measure::Gathered;
use crate::workload::{Task, Workload};
use crate::{Block, Crossing, Grid, Measure};
use std::ops::Range;

/// Cells under way and done.
pub(crate) struct Measuring<'a> {
    grid: &'a Grid,
    measures: &'a [Measure],
    /// The measures of columns, and those of sections, each by its place among all.
    columns: Vec<usize>,
    sections: Vec<usize>,
    waiting: Range<u64>,
    /// In every place: the cell, and what was gathered of it.
    places: Vec<(u64, Vec<Gathered>)>,
    block: Block,
}

impl<'a> Measuring<'a> {
    pub(crate) fn new(
        grid: &'a Grid,
        measures: &'a [Measure],
        block: Block,
        places: usize,
    ) -> Measuring<'a> {
        let nothing = vec![Gathered::NOTHING; measures.len()];
        let (sections, columns) =
            (0..measures.len()).partition(|&at| measures[at].section().is_some());
        Measuring {
            grid,
            measures,
            columns,
            sections,
            waiting: block.cells.clone(),
            block,
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
        let gathered = &mut self.places[place].1;
        for (&at, &value) in self.columns.iter().zip(columns) {
            gathered[at].add(value);
        }
    }

    /// Nothing is left to see where all first crossings are known and no column is looked at.
    fn crossing(&mut self, place: usize, crossing: Crossing, _columns: &[f64]) -> bool {
        let gathered = &mut self.places[place].1;
        let seen = &mut gathered[self.sections[crossing.section]];
        if !seen.is_known() {
            seen.add(crossing.time);
        }
        !gathered.iter().all(Gathered::is_known) || !self.columns.is_empty()
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

impl MeasuredWorkload for Measuring<'_> {
    fn measured(&mut self, place: usize, columns: &[Gathered], first_crossings: &[f64]) {
        let gathered = &mut self.places[place].1;
        for (&at, &seen) in self.columns.iter().zip(columns) {
            gathered[at] = seen;
        }
        for (&at, &time) in self.sections.iter().zip(first_crossings) {
            if !time.is_nan() {
                gathered[at].add(time);
            }
        }
    }
}
