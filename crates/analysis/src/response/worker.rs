//! A worker of a continuation: it keeps the lanes of one runner busy with runs, a transient block at a time.

use super::ResponsePoint;
use super::continuation::{Continuation, ContinuationRun, SolvedRuns};
use super::transient::SteadyStateTest;
use catena_ensemble::{Task, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One thread's share of the work.
pub(super) struct Worker<'a> {
    continuation: &'a Continuation<'a>,
    runs: &'a [ContinuationRun],
    /// Runs that nobody has begun, the next one last.
    waiting: &'a Mutex<Vec<usize>>,
    /// How many points are known, of all threads.
    solved: &'a AtomicUsize,
    /// For each lane the run that it computes.
    lanes: Vec<Option<RunInProgress>>,
    /// Runs that this worker has finished.
    done: SolvedRuns,
}

/// A run of which some points are known.
struct RunInProgress {
    run: usize,
    points: Vec<ResponsePoint>,
    /// At the first point that is not known.
    test: SteadyStateTest,
    /// Where the next transient block begins.
    state: Option<Vec<f64>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        continuation: &'a Continuation<'a>,
        runs: &'a [ContinuationRun],
        waiting: &'a Mutex<Vec<usize>>,
        solved: &'a AtomicUsize,
    ) -> Worker<'a> {
        let lanes = (0..continuation.engine.lanes()).map(|_| None).collect();
        Worker { continuation, runs, waiting, solved, lanes, done: Vec::new() }
    }

    /// What is known in the end: runs that were stopped have their first points.
    pub(super) fn known(self) -> SolvedRuns {
        let stopped = self.lanes.into_iter().flatten();
        self.done.into_iter().chain(stopped.map(|run| (run.run, run.points))).collect()
    }

    fn test_at(&self, run: usize, point: usize) -> SteadyStateTest {
        let Continuation { layout, transient, tolerances, .. } = *self.continuation;
        let ContinuationRun { points, decay_rate, .. } = &self.runs[run];
        SteadyStateTest::new(layout, transient, tolerances, points[point].period, *decay_rate)
    }

    fn begin(&self) -> Option<RunInProgress> {
        let run = self.waiting.lock().ok()?.pop()?;
        let state = self.runs[run].start.clone();
        Some(RunInProgress { run, points: Vec::new(), test: self.test_at(run, 0), state })
    }
}

impl Workload for Worker<'_> {
    fn next(&mut self, lane: usize, task: &mut Task) -> bool {
        let in_progress = self.lanes[lane].take().or_else(|| self.begin());
        let Some(mut progress) = in_progress else { return false };
        let point = &self.runs[progress.run].points[progress.points.len()];
        task.values.clone_from(&point.values);
        task.start.clone_from(&progress.state);
        task.times = Some(progress.test.next_block());
        self.lanes[lane] = Some(progress);
        true
    }

    fn row(&mut self, lane: usize, _t: f64, columns: &[f64]) {
        if let Some(progress) = &mut self.lanes[lane] {
            progress.test.add(columns);
        }
    }

    fn end(&mut self, lane: usize, outcome: Result<(), String>) {
        let Some(mut progress) = self.lanes[lane].take() else { return };
        let points = &self.runs[progress.run].points;
        let frequency = points[progress.points.len()].values[0];
        let ended_early = || "the motion ended before its time, as at a terminal event".to_owned();
        let judged = outcome.and_then(|()| progress.test.judge(frequency).ok_or_else(ended_early));
        let (point, finished) = judged.unwrap_or_else(|reason| {
            (ResponsePoint::failed(frequency, self.continuation.layout.outputs, reason), true)
        });
        // after a failure there is nowhere to go on from
        progress.state = (!point.state.is_empty()).then(|| point.state.clone());
        if finished {
            if let Some(add) = self.continuation.add {
                add(progress.run, &point);
            }
            progress.points.push(point);
            self.solved.fetch_add(1, Ordering::Relaxed);
            if progress.points.len() == points.len() {
                self.done.push((progress.run, progress.points));
                return;
            }
            progress.test = self.test_at(progress.run, progress.points.len());
        }
        self.lanes[lane] = Some(progress);
    }
}
