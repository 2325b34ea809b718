//! The points of many motions, side by side: chains of motions, each of which begins where the one before has ended.

use super::{Circle, ReturnMap};
use crate::threads::on_threads;
use catena_ensemble::{Crossing, Engine, Task, Times, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// One motion of a chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    /// What the engine varies.
    pub(crate) values: Vec<f64>,
    /// When it begins, s, unless it goes on from the one before.
    pub(crate) t_start: f64,
    /// Points that are left out at the beginning.
    pub(crate) skip: u64,
    /// Points that are kept then.
    pub(crate) keep: u64,
    /// Points count from so long after the beginning, s.
    pub(crate) after: f64,
    /// The period, s; none where a section is watched.
    pub(crate) period: Option<f64>,
    /// How long it may take, s.
    pub(crate) longest: f64,
}

/// Motions one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    /// Coordinates, velocities and states at which the first one begins; the model's own start if absent.
    pub(crate) start: Option<Vec<f64>>,
    pub(crate) links: Vec<Link>,
}

/// What was seen of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ReturnPoints {
    /// When, s.
    pub(crate) times: Vec<f64>,
    /// The columns of the first point, then those of the next one.
    pub(crate) columns: Vec<f64>,
    /// Why the motion failed, if it did.
    pub(crate) failure: Option<String>,
}

/// What all threads share.
pub(crate) struct Returns<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) map: &'a ReturnMap,
    /// The first columns are coordinates, velocities and states: so many; none where no motion goes on from another.
    pub(crate) state_len: usize,
    /// Angles among the columns: a motion that goes on begins with them in (−π, π], so that turns do not eat up digits.
    pub(crate) circle: &'a Circle,
    /// How many threads may compute, the caller's own included.
    pub(crate) threads: usize,
    /// Told every point as soon as it is seen.
    pub(crate) add: Option<&'a AddPoint<'a>>,
}

/// Told a point of a motion: the numbers of its chain and of its link, the time, s, and the columns.
pub(crate) type AddPoint<'a> = dyn Fn([usize; 2], f64, &[f64]) + Sync + 'a;

/// For each chain what was seen of its motions so far.
pub(crate) type SeenSoFar = Vec<Vec<ReturnPoints>>;

/// Takes in a point.
pub(crate) fn add_point(seen: &mut SeenSoFar, [chain, link]: [usize; 2], t: f64, columns: &[f64]) {
    let motions = &mut seen[chain];
    if motions.len() <= link {
        motions.resize(link + 1, ReturnPoints::default());
    }
    motions[link].times.push(t);
    motions[link].columns.extend(columns);
}

/// For each chain what was seen of its motions, as far as it came.
type Seen = Vec<(usize, Vec<ReturnPoints>)>;

impl Returns<'_> {
    /// The points of all motions, and whether all are there; else `stop` has ended the work.
    pub(crate) fn run(
        &self,
        chains: &[Chain],
        stop: &(dyn Fn(f64) -> bool + Sync),
    ) -> (Vec<Vec<ReturnPoints>>, bool) {
        let waiting = Mutex::new((0..chains.len()).rev().collect::<Vec<usize>>());
        let links = || chains.iter().flat_map(|chain| &chain.links);
        let total = links().map(|link| link.keep).fold(0, u64::saturating_add).max(1);
        let seen = AtomicU64::new(0);
        let stopped = || stop((seen.load(Ordering::Relaxed) as f64 / total as f64).min(1.0));
        let threads = self.threads.clamp(1, self.engine.useful_threads(chains.len()));
        let work = || {
            let places = (0..self.engine.lanes()).map(|_| None).collect();
            let mut worker = Worker {
                returns: self,
                chains,
                waiting: &waiting,
                seen: &seen,
                places,
                done: Vec::new(),
            };
            let complete = self.engine.runner_of(self.threads / threads).run(&mut worker, &stopped);
            let cut = worker.places.into_iter().flatten().map(InProgress::cut);
            (worker.done.into_iter().chain(cut).collect::<Seen>(), complete)
        };
        let mut all: Vec<Vec<ReturnPoints>> = chains.iter().map(|_| Vec::new()).collect();
        let mut complete = true;
        for (seen, done) in on_threads(threads, work) {
            complete &= done;
            for (chain, points) in seen {
                all[chain] = points;
            }
        }
        (all, complete)
    }
}

/// One thread's share of the work.
struct Worker<'a> {
    returns: &'a Returns<'a>,
    chains: &'a [Chain],
    /// Chains that nobody has begun, the next one last.
    waiting: &'a Mutex<Vec<usize>>,
    /// Points seen by all threads.
    seen: &'a AtomicU64,
    /// For each place the chain that is computed there.
    places: Vec<Option<InProgress>>,
    done: Seen,
}

/// A chain of which some motions are done.
struct InProgress {
    chain: usize,
    seen: Vec<ReturnPoints>,
    /// Of the motion under way.
    points: ReturnPoints,
    skipped: u64,
    /// When it began, s.
    began: f64,
}

impl InProgress {
    /// What was seen until the work was stopped.
    fn cut(mut self) -> (usize, Vec<ReturnPoints>) {
        if !self.points.times.is_empty() {
            self.seen.push(self.points);
        }
        (self.chain, self.seen)
    }

    /// Where the next motion begins: the state of the last point of the one before, and its time.
    fn start(&self, returns: &Returns<'_>, chain: &Chain) -> (Option<Vec<f64>>, Option<f64>) {
        let Some(before) = self.seen.last() else { return (chain.start.clone(), None) };
        match before.times.last() {
            Some(&t) if before.failure.is_none() && returns.state_len > 0 => {
                let width = before.columns.len() / before.times.len();
                let last = &before.columns[before.columns.len() - width..];
                let state = last[..returns.state_len].iter().enumerate();
                let wrapped = state.map(|(at, &value)| returns.circle.wrapped(at, value));
                (Some(wrapped.collect()), Some(t))
            }
            // after a failure there is nowhere to go on from
            _ => (None, None),
        }
    }
}

impl Workload for Worker<'_> {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        let begun = self.places[place].take().or_else(|| {
            let chain = self.waiting.lock().ok()?.pop()?;
            let (seen, points) = (Vec::new(), ReturnPoints::default());
            Some(InProgress { chain, seen, points, skipped: 0, began: 0.0 })
        });
        let Some(mut progress) = begun else { return false };
        let chain = &self.chains[progress.chain];
        let link = &chain.links[progress.seen.len()];
        let (start, t) = progress.start(self.returns, chain);
        // the phase of a drive goes on where sections are watched; after whole periods it is the same
        let t_start = t.filter(|_| link.period.is_none()).unwrap_or(link.t_start);
        progress.began = t_start;
        (progress.points, progress.skipped) = (ReturnPoints::default(), 0);
        task.values.clone_from(&link.values);
        task.start = start;
        task.times = Some(times(link, t_start));
        self.places[place] = Some(progress);
        true
    }

    fn row(&mut self, place: usize, t: f64, columns: &[f64]) {
        let Some(progress) = &mut self.places[place] else { return };
        if matches!(self.returns.map, ReturnMap::Period(_)) && t > progress.began {
            progress.points.times.push(t);
            progress.points.columns.extend(columns);
            self.seen.fetch_add(1, Ordering::Relaxed);
            if let Some(add) = self.returns.add {
                add([progress.chain, progress.seen.len()], t, columns);
            }
        }
    }

    fn crossing(&mut self, place: usize, crossing: Crossing, columns: &[f64]) -> bool {
        let Some(progress) = &mut self.places[place] else { return false };
        let link = &self.chains[progress.chain].links[progress.seen.len()];
        if progress.skipped < link.skip {
            progress.skipped += 1;
            return true;
        }
        let points = &mut progress.points;
        points.times.push(crossing.time);
        points.columns.extend(columns);
        self.seen.fetch_add(1, Ordering::Relaxed);
        if let Some(add) = self.returns.add {
            add([progress.chain, progress.seen.len()], crossing.time, columns);
        }
        (points.times.len() as u64) < link.keep
    }

    fn end(&mut self, place: usize, outcome: Result<(), String>) {
        let Some(mut progress) = self.places[place].take() else { return };
        let mut points = std::mem::take(&mut progress.points);
        points.failure = outcome.err();
        progress.seen.push(points);
        match progress.seen.len() == self.chains[progress.chain].links.len() {
            true => self.done.push((progress.chain, progress.seen)),
            false => self.places[place] = Some(progress),
        }
    }
}

fn times(link: &Link, t_start: f64) -> Times {
    match link.period {
        Some(period) => {
            let periods = (link.skip + link.keep) as f64;
            // between two points, so that rounding decides nothing
            let skipped = ((link.skip as f64) + 0.5) * period;
            let after = t_start + skipped.max(link.after);
            let t_end = t_start + periods * period;
            Times { t_start, t_end, every: period, after, step: None }
        }
        None => {
            let t_end = t_start + link.longest;
            Times { t_start, t_end, every: link.longest, after: t_start + link.after, step: None }
        }
    }
}
