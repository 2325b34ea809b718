//! All cores compute, one thread writes.

use super::{Attempt, Chunk, Found, InMemory, Plan, SweepFailure, SweepSink};
use catena_ensemble::{Block, Sweep};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// The watcher is asked at least this often.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// Cells that are kept, from this and earlier attempts.
    pub done: u64,
    /// Cells that there will be.
    pub cells: u64,
    /// Cells of this attempt.
    pub computed: u64,
    /// Time of this attempt, s.
    pub seconds: f64,
}

/// Computes a sweep of up to [`MAX_NUMBERS_IN_MEMORY`](super::MAX_NUMBERS_IN_MEMORY) numbers without a file.
pub fn in_memory(
    plan: &Plan,
    threads: usize,
    stop: &mut dyn FnMut(Watch) -> bool,
) -> Result<(InMemory, Attempt), SweepFailure> {
    let cells = plan.description.blocks.cells;
    let empty = InMemory::new(plan.description.clone(), Chunk::WHOLE);
    let mut result = empty.ok_or(SweepFailure::NeedsFile { cells })?;
    let attempt = fill(&plan.sweep, &mut result, threads, stop)?;
    Ok((result, attempt))
}

/// Computes what is missing or unsound and keeps every block as it comes. `stop` learns how far it is; if it answers
/// `true`, the attempt ends and what is kept stays.
pub fn fill<S: SweepSink>(
    sweep: &Sweep,
    sink: &mut S,
    threads: usize,
    stop: &mut dyn FnMut(Watch) -> bool,
) -> Result<Attempt, SweepFailure>
where
    SweepFailure: From<S::Failure>,
{
    let began = Instant::now();
    let blocks = sink.description().blocks;
    let size = |block: u64| {
        let cells = blocks.cells_of(block);
        cells.end - cells.start
    };
    let (mut pending, mut done, mut mended) = (Vec::new(), 0, sink.left_out());
    for block in sink.expected() {
        match sink.get(block) {
            Found::Sound(_) => done += size(block),
            found => {
                mended += u64::from(found == Found::Unsound);
                pending.push(block);
            }
        }
    }
    let cells = done + pending.iter().map(|block| size(*block)).sum::<u64>();
    let threads = threads.clamp(1, pending.len().max(1));
    let mut watch = Watch { done, cells, computed: 0, seconds: 0.0 };
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = sync_channel::<Block>(2 * threads);
    let work = |sender: std::sync::mpsc::SyncSender<Block>| {
        let mut worker = sweep.worker();
        let cancelled = || ended.load(Ordering::Relaxed);
        while let Some(&block) = pending.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = worker.run(blocks.cells_of(block), &cancelled);
            // nobody listens once the attempt has ended
            let Some(()) = found.and_then(|block| sender.send(block).ok()) else { return };
        }
    };
    let outcome = std::thread::scope(|scope| {
        let mut workers = Vec::with_capacity(threads);
        let mut refused = None;
        for _ in 0..threads {
            let sender = sender.clone();
            match std::thread::Builder::new().spawn_scoped(scope, || work(sender)) {
                Ok(worker) => workers.push(worker),
                Err(error) => refused = Some(error.to_string()),
            }
        }
        drop(sender);
        let lost = |reason: String| SweepFailure::LostThread { reason };
        let mut outcome = match (workers.len(), refused) {
            (0, Some(reason)) => Err(lost(reason)),
            (count, _) => Ok(count),
        };
        while outcome.is_ok() {
            watch.seconds = began.elapsed().as_secs_f64();
            if !ended.load(Ordering::Relaxed) && stop(watch) {
                ended.store(true, Ordering::Relaxed);
            }
            let mut found = match receiver.recv_timeout(WATCH_INTERVAL) {
                Ok(block) => vec![block],
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // what came in the meantime is committed together
            found.extend(receiver.try_iter().take(2 * threads));
            if let Err(failure) = sink.put(&found) {
                outcome = Err(failure.into());
            }
            let count: u64 = found.iter().map(|block| block.cells.end - block.cells.start).sum();
            watch.done += count;
            watch.computed += count;
        }
        ended.store(true, Ordering::Relaxed);
        drop(receiver);
        for worker in workers {
            if worker.join().is_err() && outcome.is_ok() {
                outcome = Err(lost("it ended unexpectedly".to_owned()));
            }
        }
        outcome
    });
    let threads = outcome?;
    let seconds = began.elapsed().as_secs_f64();
    let interrupted = watch.done < watch.cells;
    Ok(Attempt { interrupted, computed: watch.computed, mended, seconds, threads })
}
