//! The work of exponents: trajectories with tangent vectors, of which the growth is kept row by row.

use crate::question::Stop;
use catena_ensemble::{Engine, TangentRow, Task, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What became of a trajectory.
#[derive(Clone, Debug, Default)]
pub(super) struct Trajectory {
    /// Of the rows, s.
    pub(super) times: Vec<f64>,
    /// Logarithms of growth, all vectors of a row together.
    pub(super) logarithms: Vec<f64>,
    /// ∫ div ẏ dt at the rows; NaN where it was not carried along.
    pub(super) divergence: Vec<f64>,
    /// How many vectors were carried along.
    pub(super) vectors: usize,
    pub(super) failure: Option<String>,
}

impl Trajectory {
    /// Takes over the last row of another.
    pub(super) fn push_last_of(&mut self, other: &Trajectory) {
        self.times.extend(other.times.last());
        let logarithms = other.logarithms.len().saturating_sub(other.vectors);
        self.logarithms.extend_from_slice(&other.logarithms[logarithms..]);
        self.divergence.extend(other.divergence.last());
    }
}

/// One thread's share of the work.
pub(super) struct Gathering<'a> {
    tasks: &'a [Task],
    /// Tasks that nobody has begun, the next one last.
    waiting: &'a Mutex<Vec<usize>>,
    /// Seconds of motion that are done, of all threads.
    done: &'a AtomicU64,
    /// Set where a task failed and the others are of no use without it.
    given_up: Option<&'a AtomicBool>,
    vectors: usize,
    /// Of a tangent vector.
    components: usize,
    /// For each place what it computes, and when its last row was.
    places: Vec<Option<(usize, f64, Trajectory)>>,
    finished: Vec<(usize, Trajectory)>,
    add: Option<&'a AddTrajectory<'a>>,
}

/// Told of every row of a task, by its number, and of its end: the trajectory, and whether it has ended.
pub(super) type AddTrajectory<'a> = dyn Fn(usize, &Trajectory, bool) + Sync + 'a;

impl Gathering<'_> {
    /// Runs all tasks; also whether all came to their end. Copies of one motion are given up when one of them fails.
    pub(super) fn run(
        engine: &Engine,
        tasks: Vec<Task>,
        are_copies: bool,
        threads: usize,
        stop: &Stop<'_>,
        add: Option<&AddTrajectory<'_>>,
    ) -> (Vec<Trajectory>, bool) {
        let duration = |task: &Task| task.times.map_or(0.0, |times| times.t_end - times.t_start);
        let total: f64 = tasks.iter().map(duration).sum();
        let waiting = Mutex::new((0..tasks.len()).rev().collect());
        let done = AtomicU64::new(0.0_f64.to_bits());
        let given_up = AtomicBool::new(false);
        let cancelled = || {
            given_up.load(Ordering::Relaxed)
                || stop(f64::from_bits(done.load(Ordering::Relaxed)) / total)
        };
        let work = || {
            let mut gathering = Gathering {
                tasks: &tasks,
                waiting: &waiting,
                done: &done,
                given_up: are_copies.then_some(&given_up),
                vectors: engine.tangents(),
                components: engine.tangent_len(),
                places: (0..engine.lanes()).map(|_| None).collect(),
                finished: Vec::new(),
                add,
            };
            engine.runner().run(&mut gathering, &cancelled);
            gathering.known()
        };
        let useful = engine.useful_threads(tasks.len());
        let found = crate::threads::on_threads(threads.clamp(1, useful), work);
        let mut trajectories = vec![Trajectory::default(); tasks.len()];
        for (task, trajectory) in found.into_iter().flatten() {
            trajectories[task] = trajectory;
        }
        let ended = |(task, found): (&Task, &Trajectory)| {
            let end = task.times.map_or(0.0, |times| times.t_end);
            found.failure.is_some() || found.times.last().is_some_and(|&t| t >= end)
        };
        let complete = tasks.iter().zip(&trajectories).all(ended);
        (trajectories, complete)
    }

    fn known(self) -> Vec<(usize, Trajectory)> {
        let stopped = self.places.into_iter().flatten().map(|(task, _, found)| (task, found));
        self.finished.into_iter().chain(stopped).collect()
    }
}

impl Workload for Gathering<'_> {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        let Some(next) = self.waiting.lock().ok().and_then(|mut waiting| waiting.pop()) else {
            return false;
        };
        task.clone_from(&self.tasks[next]);
        let start = task.times.map_or(0.0, |times| times.t_start);
        let trajectory = Trajectory { vectors: self.vectors, ..Trajectory::default() };
        self.places[place] = Some((next, start, trajectory));
        true
    }

    fn row(&mut self, place: usize, t: f64, columns: &[f64]) {
        let Some((task, before, trajectory)) = &mut self.places[place] else { return };
        let row = TangentRow::new(columns, self.vectors, self.components);
        trajectory.times.push(t);
        trajectory.logarithms.extend_from_slice(row.logarithms);
        trajectory.divergence.push(row.divergence);
        let add = |sum: u64| Some((f64::from_bits(sum) + t - *before).to_bits());
        let _ = self.done.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        *before = t;
        if let Some(add) = self.add {
            add(*task, trajectory, false);
        }
    }

    fn end(&mut self, place: usize, outcome: Result<(), String>) {
        let Some((task, _, mut trajectory)) = self.places[place].take() else { return };
        trajectory.failure = outcome.err();
        if let (Some(given_up), Some(_)) = (self.given_up, &trajectory.failure) {
            given_up.store(true, Ordering::Relaxed);
        }
        if let Some(add) = self.add {
            add(task, &trajectory, true);
        }
        self.finished.push((task, trajectory));
    }
}
