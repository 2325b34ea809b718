//! The work of a sweep on a device: the cells of many blocks at once, each block handed on when its last cell is known.

use super::worker::{DeviceWork, DeviceWorker, MeasuredWorkload};
use super::{DeviceError, DeviceShared};
use crate::measure::Gathered;
use crate::workload::{Task, Workload};
use crate::{Block, Blocks, Statistic, Sweep};
use std::collections::BTreeMap;
use std::ops::Range;

/// Computes blocks as long as `take` gives their numbers, and hands them to `send`, which answers whether anybody still listens;
/// starts are packed by so many threads.
pub(crate) fn work(
    (sweep, shared): (&Sweep, &DeviceShared),
    (division, take): (Blocks, &dyn Fn() -> Option<u64>),
    send: &mut dyn FnMut(Block) -> bool,
    cancelled: &dyn Fn() -> bool,
    threads: usize,
) -> Result<(), DeviceError> {
    let mut blocks = MeasuredBlocks {
        sweep,
        division,
        take,
        send,
        listening: true,
        waiting: 0..0,
        under_way: BTreeMap::new(),
        cells: Vec::new(),
    };
    let mut worker = DeviceWorker::new(&sweep.engine, shared, threads);
    worker.run(&mut DeviceWork::Measures(&mut blocks), cancelled).map(|_| ())
}

struct MeasuredBlocks<'a> {
    sweep: &'a Sweep,
    division: Blocks,
    take: &'a dyn Fn() -> Option<u64>,
    send: &'a mut dyn FnMut(Block) -> bool,
    listening: bool,
    /// Cells of the newest block that are not begun.
    waiting: Range<u64>,
    /// By their first cells, with the number of cells that are not known.
    under_way: BTreeMap<u64, (Block, u64)>,
    /// The cell of each place.
    cells: Vec<u64>,
}

impl MeasuredBlocks<'_> {
    fn block_of(&mut self, cell: u64) -> Option<&mut (Block, u64)> {
        self.under_way.range_mut(..=cell).next_back().map(|(_, block)| block)
    }
}

impl Workload for MeasuredBlocks<'_> {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        if self.waiting.is_empty() {
            let Some(block) = self.listening.then(self.take).flatten() else { return false };
            let cells = self.division.cells_of(block);
            let measures = self.sweep.measures.len();
            let empty = Block::new(cells.clone(), measures, &self.sweep.processor);
            self.under_way.insert(cells.start, (empty, cells.end - cells.start));
            self.waiting = cells;
        }
        let Some(cell) = self.waiting.next() else { return false };
        self.cells.resize(self.cells.len().max(place + 1), 0);
        self.cells[place] = cell;
        self.sweep.grid.cell(cell, &mut task.values);
        true
    }

    fn row(&mut self, _place: usize, _t: f64, _columns: &[f64]) {}

    fn end(&mut self, place: usize, outcome: Result<(), String>) {
        let cell = self.cells[place];
        let measures = self.sweep.measures.len();
        let Some((block, left)) = self.block_of(cell) else { return };
        if let Err(reason) = outcome {
            block.of_cell(cell, measures).fill(f64::NAN);
            block.failures.push((cell, reason));
        }
        *left -= 1;
        if *left == 0 {
            let first = block.cells.start;
            if let Some((mut block, _)) = self.under_way.remove(&first) {
                block.failures.sort_by_key(|(cell, _)| *cell);
                self.listening &= (self.send)(block);
            }
        }
    }
}

impl MeasuredWorkload for MeasuredBlocks<'_> {
    fn measured(&mut self, place: usize, columns: &[Gathered], first_crossings: &[f64]) {
        let cell = self.cells[place];
        let measures = &self.sweep.measures;
        let (mut columns, mut crossings) = (columns.iter(), first_crossings.iter());
        let numbers: Vec<f64> = measures
            .iter()
            .map(|measure| match measure.statistic {
                Statistic::Time => crossings.next().copied().unwrap_or(f64::NAN),
                statistic => columns.next().map_or(f64::NAN, |seen| seen.result(statistic)),
            })
            .collect();
        if let Some((block, _)) = self.block_of(cell) {
            block.of_cell(cell, numbers.len()).copy_from_slice(&numbers);
        }
    }
}
