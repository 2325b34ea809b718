//! A worker of a classification: it keeps the lanes of one runner busy with motions, a block at a time.

use super::ClassifyRequest;
use super::cell::{CellInProgress, ClassifiedMotion};
use super::phase_space::PhaseSpace;
use catena_ensemble::{Engine, TangentRow, Task, Workload};
use catena_model::Model;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all workers share.
pub(super) struct Classification<'a> {
    pub(super) model: &'a Model,
    pub(super) request: &'a ClassifyRequest,
    pub(super) engine: &'a Engine,
    pub(super) space: &'a PhaseSpace,
    /// How many tangent vectors are carried along.
    pub(super) tangents: usize,
    /// Components of each.
    pub(super) tangent_len: usize,
    /// The cells that are classified, by number.
    pub(super) cells: &'a [usize],
    /// How many of them were begun, and how many are known, of all threads.
    pub(super) begun: AtomicUsize,
    pub(super) known: AtomicUsize,
    /// Told what a motion is, by the number of its cell, as soon as it is known.
    pub(super) add: Option<&'a AddMotion<'a>>,
}

/// Told what the motion of a cell is, by its number.
pub(super) type AddMotion<'a> = dyn Fn(usize, &ClassifiedMotion) + Sync + 'a;

/// One thread's share of the work.
pub(super) struct Worker<'a> {
    shared: &'a Classification<'a>,
    /// Follows the parameters of cells.
    model: Model,
    varied: Vec<String>,
    /// For each lane the motion that it computes.
    lanes: Vec<Option<CellInProgress>>,
    /// Motions that this worker has classified.
    pub(super) done: Vec<(usize, ClassifiedMotion)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Classification<'a>) -> Worker<'a> {
        let varied = shared.request.over.iter().map(|axis| axis.name.clone()).collect();
        let lanes = (0..shared.engine.lanes()).map(|_| None).collect();
        Worker { shared, model: shared.model.clone(), varied, lanes, done: Vec::new() }
    }

    fn finish(&mut self, cell: usize, motion: ClassifiedMotion) {
        if let Some(add) = self.shared.add {
            add(cell, &motion);
        }
        self.done.push((cell, motion));
        self.shared.known.fetch_add(1, Ordering::Relaxed);
    }

    /// The next cell that has a period.
    fn begin(&mut self) -> Option<CellInProgress> {
        loop {
            let at = self.shared.begun.fetch_add(1, Ordering::Relaxed);
            let &cell = self.shared.cells.get(at)?;
            let values = self.shared.request.values(cell);
            let period = self.shared.request.period.as_ref();
            let period = period.map(|it| it.of_cell(&mut self.model, &self.varied, &values));
            match period {
                Some(Ok(period)) => return Some(CellInProgress::driven(cell, values, period)),
                Some(Err(error)) => {
                    self.finish(cell, ClassifiedMotion::failed(error.to_string()));
                }
                None => {
                    let guess = self.shared.request.return_time;
                    return Some(CellInProgress::free(cell, values, guess));
                }
            }
        }
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
        let Some(progress) = &mut self.lanes[lane] else { return };
        let Classification { space, tangents, tangent_len, .. } = *self.shared;
        progress.add(space, &TangentRow::new(columns, tangents, tangent_len));
    }

    fn end(&mut self, lane: usize, outcome: Result<(), String>) {
        let Some(mut progress) = self.lanes[lane].take() else { return };
        let Classification { request, space, .. } = *self.shared;
        let integration = &request.integration;
        let tolerances = [integration.rtol, integration.atol];
        let ended_early = || "the motion ended before its time, as at a terminal event".to_owned();
        let judged = outcome.and_then(|()| {
            let judged = progress.judge(space, tolerances, request.max_periods);
            judged.ok_or_else(ended_early)
        });
        match judged {
            Ok((mut motion, true)) => {
                if request.over.is_empty() {
                    motion.section = progress.section().to_vec();
                }
                self.finish(progress.cell, motion);
            }
            Ok((_, false)) => self.lanes[lane] = Some(progress),
            Err(reason) => self.finish(progress.cell, ClassifiedMotion::failed(reason)),
        }
    }
}
