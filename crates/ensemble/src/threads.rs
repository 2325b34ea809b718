//! All cores compute, one thread writes.

use crate::device;
use crate::{
    Attempt, Block, Blocks, Chunk, DeviceError, Found, InMemory, Plan, Sweep, SweepError,
    SweepFailure, SweepSink,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The watcher is asked at least this often.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// Threads that feed a device: one packs starts and reads results while the trajectories of the other move.
pub(crate) const DEVICE_WORKERS: usize = 2;

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
    let attempt = fill::<_, SweepFailure>(&plan.sweep, &mut result, threads, stop)?;
    Ok((result, attempt))
}

/// Computes what is missing or unsound and keeps every block as it comes. `stop` learns how far it is; if it answers
/// `true`, the attempt ends and what is kept stays.
pub fn fill<S, E>(
    sweep: &Sweep,
    sink: &mut S,
    threads: usize,
    stop: &mut dyn FnMut(Watch) -> bool,
) -> Result<Attempt, E>
where
    S: SweepSink,
    E: From<S::Failure> + From<SweepFailure>,
{
    let pending = Pending::of(sink);
    pending.computed(sweep, threads, &mut |blocks| Ok(sink.put(&blocks)?), stop)
}

/// Computes some blocks of a sweep, for whoever keeps them elsewhere; `None` if `stop` has answered `true` before all of
/// them were done. They come in any order.
pub fn compute_blocks(
    plan: &Plan,
    blocks: &[u64],
    threads: usize,
    stop: &mut dyn FnMut(Watch) -> bool,
) -> Result<Option<Vec<Block>>, SweepFailure> {
    let division = plan.description.blocks;
    if let Some(&block) = blocks.iter().find(|&&block| block >= division.count()) {
        return Err(SweepFailure::NoSuchBlock { block, blocks: division.count() });
    }
    let mut found = Vec::with_capacity(blocks.len());
    let mut keep = |blocks: Vec<Block>| {
        found.extend(blocks);
        Ok(())
    };
    let pending = Pending::new(division, blocks.to_vec());
    let attempt = pending.computed::<SweepFailure>(&plan.sweep, threads, &mut keep, stop)?;
    Ok((!attempt.interrupted).then_some(found))
}

/// The blocks that are still to be computed, shared by all workers.
struct Pending {
    division: Blocks,
    blocks: Vec<u64>,
    /// Cells of these blocks.
    cells: u64,
    /// Cells of the blocks that are there already.
    done: u64,
    /// Damaged blocks among them, and those that were left out before.
    mended: u64,
    /// Place of the block that is taken next.
    next: AtomicUsize,
    /// Whether the attempt is over.
    ended: AtomicBool,
    /// Why a device gave up, if one did.
    failure: Mutex<Option<DeviceError>>,
}

impl Pending {
    fn new(division: Blocks, blocks: Vec<u64>) -> Pending {
        let cells = blocks.iter().map(|&block| size_of(division, block)).sum();
        Pending {
            division,
            blocks,
            cells,
            done: 0,
            mended: 0,
            next: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    fn of(sink: &impl SweepSink) -> Pending {
        let division = sink.description().blocks;
        let (mut done, mut mended) = (0, sink.left_out());
        let mut blocks = Vec::new();
        for block in sink.expected() {
            match sink.get(block) {
                Found::Sound(_) => done += size_of(division, block),
                found => {
                    mended += u64::from(found == Found::Unsound);
                    blocks.push(block);
                }
            }
        }
        Pending { done, mended, ..Pending::new(division, blocks) }
    }

    /// Computes all of them and has every one kept as it comes.
    fn computed<E: From<SweepFailure>>(
        &self,
        sweep: &Sweep,
        threads: usize,
        keep: &mut dyn FnMut(Vec<Block>) -> Result<(), E>,
        stop: &mut dyn FnMut(Watch) -> bool,
    ) -> Result<Attempt, E> {
        let began = Instant::now();
        let most = if sweep.engine.device.is_some() { DEVICE_WORKERS } else { usize::MAX };
        let allowed = threads.max(1);
        let threads = allowed.min(most).min(self.blocks.len()).max(1);
        let packers = allowed / threads;
        let cells = self.done + self.cells;
        let mut watch = Watch { done: self.done, cells, computed: 0, seconds: 0.0 };
        let (sender, receiver) = sync_channel::<Block>(2 * threads);
        let outcome = std::thread::scope(|scope| {
            let mut workers = Vec::with_capacity(threads);
            let mut outcome = Ok(());
            for _ in 0..threads {
                let sender = sender.clone();
                let work = || match &sweep.engine.device {
                    Some(shared) => self.work_on_device((sweep, shared), sender, packers),
                    None => self.work(sweep, sender),
                };
                match std::thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(worker) => workers.push(worker),
                    Err(error) => outcome = Err(error.to_string()),
                }
            }
            drop(sender);
            // fewer threads than asked for are enough
            let count = workers.len();
            let mut outcome: Result<usize, E> = match outcome {
                Err(reason) if count == 0 => Err(SweepFailure::LostThread { reason }.into()),
                _ => Ok(count),
            };
            while outcome.is_ok() {
                watch.seconds = began.elapsed().as_secs_f64();
                if !self.ended.load(Ordering::Relaxed) && stop(watch) {
                    self.ended.store(true, Ordering::Relaxed);
                }
                let mut found = match receiver.recv_timeout(WATCH_INTERVAL) {
                    Ok(block) => vec![block],
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                // what came in the meantime is committed together
                found.extend(receiver.try_iter().take(2 * threads));
                let count: u64 =
                    found.iter().map(|block| block.cells.end - block.cells.start).sum();
                if let Err(failure) = keep(found) {
                    outcome = Err(failure);
                }
                watch.done += count;
                watch.computed += count;
            }
            self.ended.store(true, Ordering::Relaxed);
            drop(receiver);
            for worker in workers {
                if worker.join().is_err() && outcome.is_ok() {
                    let reason = "it ended unexpectedly".to_owned();
                    outcome = Err(SweepFailure::LostThread { reason }.into());
                }
            }
            outcome
        });
        let threads = outcome?;
        if let Some(error) = self.failure.lock().ok().and_then(|mut failure| failure.take()) {
            return Err(SweepFailure::from(SweepError::Device(error)).into());
        }
        let seconds = began.elapsed().as_secs_f64();
        let (interrupted, mended) = (watch.done < watch.cells, self.mended);
        Ok(Attempt { interrupted, computed: watch.computed, mended, seconds, threads })
    }

    /// The number of a block that nobody has begun.
    fn take(&self) -> Option<u64> {
        self.blocks.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// Has a device compute block after block until none is left or the attempt is over.
    fn work_on_device(
        &self,
        sweep: (&Sweep, &device::DeviceShared),
        sender: SyncSender<Block>,
        packers: usize,
    ) {
        let cancelled = || self.ended.load(Ordering::Relaxed);
        let mut send = |block: Block| sender.send(block).is_ok();
        let blocks = (self.division, &(|| self.take()) as &dyn Fn() -> Option<u64>);
        let done = device::work(sweep, blocks, &mut send, &cancelled, packers);
        if let (Err(error), Ok(mut failure)) = (done, self.failure.lock()) {
            failure.get_or_insert(error);
            self.ended.store(true, Ordering::Relaxed);
        }
    }

    /// Computes block after block until none is left or the attempt is over.
    fn work(&self, sweep: &Sweep, sender: SyncSender<Block>) {
        let mut worker = sweep.worker();
        let cancelled = || self.ended.load(Ordering::Relaxed);
        while let Some(block) = self.take() {
            let found = worker.run(self.division.cells_of(block), &cancelled);
            // nobody listens once the attempt has ended
            let Some(()) = found.and_then(|block| sender.send(block).ok()) else { return };
        }
    }
}

/// Cells of a block.
fn size_of(division: Blocks, block: u64) -> u64 {
    let cells = division.cells_of(block);
    cells.end - cells.start
}
