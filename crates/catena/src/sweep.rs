//! One model moved many times, over a grid, on all cores; with the feature `store`, into a file that survives whatever
//! ends the program.
//!
//! A [`SweepRequest`] becomes a [`Plan`]; a [`SweepSink`] keeps the blocks that are done: [`InMemory`], or a `Store` that
//! commits each to the disk as it comes; [`fill`] computes what is missing. The numbers depend on the plan alone: not on
//! threads, lanes, chunks or interruptions.
//!
//! ```
//! use catena::ensemble::Statistic;
//! use catena::sweep::{Plan, SweepRequest, in_memory, table};
//!
//! let model = catena::load("single-pendulum", &[])?;
//! let request = SweepRequest::new()
//!     .over("theta", 0.1, 1.5, 9)
//!     .measure(Statistic::Max, "energy")
//!     .t_end(1.0);
//! let plan = Plan::new(&model, &request)?;
//! let (result, _) = in_memory(&plan, 2, &mut |_| false)?;
//! assert_eq!(table(&result).numbers("max:energy").map(<[f64]>::len), Some(9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use catena_ensemble::{
    Attempt, BadChunk, Blocks, Chunk, Description, Found, InMemory, MAX_NUMBERS_IN_MEMORY, Plan,
    SweepRequest, SweepResult, SweepSink, SweptAxis, Watch, compute_blocks, in_memory,
};
pub use catena_present::sweep::{
    Computed, Extreme, Findings, MAX_DRAWN_AXES, MeasureFindings, export, sweep_json,
    sweep_picture, table,
};
#[cfg(feature = "store")]
pub use catena_store::{BadParcel, Store, StoreFailure, merge, pack, unpack};

/// Computes what is missing or unsound and keeps every block as it comes. `stop` learns how far it is; if it answers
/// `true`, the attempt ends and what is kept stays.
pub fn fill<S: SweepSink>(
    sweep: &catena_ensemble::Sweep,
    sink: &mut S,
    threads: usize,
    stop: &mut dyn FnMut(Watch) -> bool,
) -> Result<Attempt, SweepFailure>
where
    SweepFailure: From<S::Failure>,
{
    catena_ensemble::fill(sweep, sink, threads, stop)
}

/// Why there is no sweep, or why its file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepFailure {
    /// The sweep is refused, or lost its threads.
    #[error(transparent)]
    Sweep(#[from] catena_ensemble::SweepFailure),
    /// The file cannot be used.
    #[cfg(feature = "store")]
    #[error(transparent)]
    Store(#[from] StoreFailure),
}

impl SweepFailure {
    /// Whether the request is to blame, not the model or the disk.
    pub fn is_usage(&self) -> bool {
        match self {
            SweepFailure::Sweep(failure) => failure.is_usage(),
            #[cfg(feature = "store")]
            SweepFailure::Store(failure) => failure.is_usage(),
        }
    }
}
