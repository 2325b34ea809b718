//! Continuation: steady responses at frequencies that follow one another, each begun where the one before has settled. Runs
//! are independent of each other, so that they are computed side by side.

use super::transient::Layout;
use super::worker::Worker;
use super::{ResponsePoint, TransientSettings};
use crate::question::Stop;
use crate::threads::on_threads;
use catena_ensemble::Engine;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Points one after the other: each begins where the one before has settled.
pub(super) struct ContinuationRun {
    /// Coordinates, velocities and states at which the first point begins; the model's own start if absent.
    pub(super) start: Option<Vec<f64>>,
    /// How fast the slowest mode dies out, 1/s.
    pub(super) decay_rate: Option<f64>,
    pub(super) points: Vec<DrivenPoint>,
}

/// One point of a run: what the drive is there.
pub(super) struct DrivenPoint {
    /// What the engine varies, the frequency first.
    pub(super) values: Vec<f64>,
    /// Period of the drive, s.
    pub(super) period: f64,
}

/// Runs by their number, with the responses at those of their points that are known.
pub(super) type SolvedRuns = Vec<(usize, Vec<ResponsePoint>)>;

/// What became of some runs.
pub(super) struct Solution {
    /// For each run the responses at its points, as far as it came.
    pub(super) responses: Vec<Vec<ResponsePoint>>,
    /// Whether all runs came to their end; else the caller has stopped them.
    pub(super) complete: bool,
}

/// What all workers share.
pub(super) struct Continuation<'a> {
    pub(super) engine: &'a Engine,
    pub(super) layout: Layout,
    pub(super) transient: TransientSettings,
    /// rtol and atol of the integrator.
    pub(super) tolerances: [f64; 2],
    /// How many threads may compute, the caller's own included.
    pub(super) threads: usize,
    /// Told every point of a run, by its number, as soon as it is known.
    pub(super) add: Option<&'a AddPoint<'a>>,
}

/// Told a point of a run, by the number of the run.
pub(super) type AddPoint<'a> = dyn Fn(usize, &ResponsePoint) + Sync + 'a;

impl Continuation<'_> {
    /// The responses at the points of all runs.
    pub(super) fn solve(&self, runs: &[ContinuationRun], stop: &Stop<'_>) -> Solution {
        // workers take from the end: the longest first, so that threads end together
        let mut order: Vec<usize> =
            (0..runs.len()).filter(|&at| !runs[at].points.is_empty()).collect();
        order.sort_by_key(|&at| runs[at].points.len());
        let waiting = Mutex::new(order);
        let total = runs.iter().map(|run| run.points.len()).sum::<usize>().max(1);
        let solved = AtomicUsize::new(0);
        let stopped = || stop(solved.load(Ordering::Relaxed) as f64 / total as f64);
        let threads = self.threads.clamp(1, self.engine.useful_threads(runs.len()));
        let work = || {
            let mut worker = Worker::new(self, runs, &waiting, &solved);
            self.engine.runner_of(self.threads / threads).run(&mut worker, &stopped);
            worker.known()
        };
        let found = on_threads(threads, work);
        let mut responses: Vec<Vec<ResponsePoint>> = runs.iter().map(|_| Vec::new()).collect();
        for (run, points) in found.into_iter().flatten() {
            responses[run] = points;
        }
        let mut pairs = responses.iter().zip(runs);
        let complete = pairs.all(|(known, run)| known.len() == run.points.len());
        Solution { responses, complete }
    }
}
