//! All cores compute, one thread writes.

use super::{Found, Store, SweepFailure};
use catena_ensemble::{Block, Sweep};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How often the watcher is asked at least.
const BREATH: Duration = Duration::from_millis(50);

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

/// What an attempt came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filled {
    /// Whether it was told to stop before all was done.
    pub interrupted: bool,
    /// Cells that were computed now.
    pub computed: u64,
    /// Blocks that were there, but not as they were written, and were computed again.
    pub mended: u64,
    /// How long it took, s.
    pub seconds: f64,
    /// How many threads computed.
    pub threads: usize,
}

/// Computes what is missing or unsound and commits every block as it comes. `stop` is told how far it is; if it answers
/// `true`, the attempt ends and what is committed stays.
pub fn fill(
    sweep: &Sweep,
    store: &mut Store,
    threads: usize,
    stop: &mut dyn FnMut(Watch) -> bool,
) -> Result<Filled, SweepFailure> {
    let began = Instant::now();
    let blocks = store.description.blocks;
    let size = |block: u64| {
        let cells = blocks.cells_of(block);
        cells.end - cells.start
    };
    let (mut pending, mut done, mut mended) = (Vec::new(), 0, store.left_out);
    for block in store.expected() {
        match store.get(block) {
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
            let mut found = match receiver.recv_timeout(BREATH) {
                Ok(block) => vec![block],
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // what came in the meantime is committed together
            found.extend(receiver.try_iter().take(2 * threads));
            if let Err(failure) = store.put(&found) {
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
    Ok(Filled { interrupted, computed: watch.computed, mended, seconds, threads })
}
