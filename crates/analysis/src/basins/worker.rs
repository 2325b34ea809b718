//! A worker of basins: it keeps the lanes of one runner busy with starts, a block at a time.

use super::attractor::Attractors;
use super::cell::{CellInProgress, Outcome};
use crate::ClassifyRequest;
use catena_ensemble::{Engine, Task, Workload};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all workers share.
pub(super) struct Mapping<'a> {
    pub(super) request: &'a ClassifyRequest,
    pub(super) engine: &'a Engine,
    pub(super) known: &'a Attractors,
    /// The time between states of the section, s.
    pub(super) period: f64,
    /// Periods after which a motion is given up.
    pub(super) last: u64,
    /// The cells that are mapped, by number.
    pub(super) cells: &'a [usize],
    /// How many of them were begun, and how many are known, of all threads.
    pub(super) begun: AtomicUsize,
    pub(super) done: AtomicUsize,
    /// Told what becomes of a cell, by its number, as soon as it is known.
    pub(super) add: Option<&'a AddOutcome<'a>>,
}

/// Told what becomes of a cell, by its number.
pub(super) type AddOutcome<'a> = dyn Fn(usize, &Outcome) + Sync + 'a;

/// One thread's share of the work.
pub(super) struct Worker<'a> {
    shared: &'a Mapping<'a>,
    lanes: Vec<Option<CellInProgress>>,
    pub(super) found: Vec<(usize, Outcome)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Mapping<'a>) -> Worker<'a> {
        let lanes = (0..shared.engine.lanes()).map(|_| None).collect();
        Worker { shared, lanes, found: Vec::new() }
    }

    fn begin(&self) -> Option<CellInProgress> {
        let at = self.shared.begun.fetch_add(1, Ordering::Relaxed);
        let &cell = self.shared.cells.get(at)?;
        let values = self.shared.request.values(cell);
        Some(CellInProgress::new(cell, values, self.shared.period))
    }
}

impl Workload for Worker<'_> {
    fn next(&mut self, lane: usize, task: &mut Task) -> bool {
        let in_progress = self.lanes[lane].take().or_else(|| self.begin());
        let Some(mut progress) = in_progress else { return false };
        task.values.clone_from(&progress.values);
        task.start.clone_from(&progress.start);
        task.times = Some(progress.next_block());
        self.lanes[lane] = Some(progress);
        true
    }

    fn row(&mut self, lane: usize, _t: f64, columns: &[f64]) {
        if let Some(progress) = &mut self.lanes[lane] {
            progress.add(columns);
        }
    }

    fn end(&mut self, lane: usize, outcome: Result<(), String>) {
        let Some(mut progress) = self.lanes[lane].take() else { return };
        let Mapping { known, request, last, .. } = *self.shared;
        let judged = match outcome {
            Ok(()) => progress.judge(known, request.integration.rtol, last),
            Err(reason) => Some(Outcome::Failed(reason)),
        };
        match judged {
            Some(outcome) => {
                if let Some(add) = self.shared.add {
                    add(progress.cell, &outcome);
                }
                self.found.push((progress.cell, outcome));
                self.shared.done.fetch_add(1, Ordering::Relaxed);
            }
            None => self.lanes[lane] = Some(progress),
        }
    }
}
