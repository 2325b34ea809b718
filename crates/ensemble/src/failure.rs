//! Why there is no sweep.

use crate::{BadChunk, RangeError, SweepError};
use catena_simulation::RunFailure;

/// Why there is no sweep.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepFailure {
    /// An axis or a measure that cannot be read.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A chunk that cannot be.
    #[error(transparent)]
    BadChunk(#[from] BadChunk),
    /// A time that cannot be read.
    #[error("`{text}` is no formula for `{setting}`: {reason}")]
    BadTime {
        /// As settings name it: to, every, after or step.
        setting: &'static str,
        /// What was written.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing would be looked at.
    #[error(
        "nothing is left to look at: rows count from {after} s on, and the end is at {t_end} s"
    )]
    NothingAfter {
        /// When rows begin to count, s.
        after: f64,
        /// The end, s.
        t_end: f64,
    },
    /// Nothing is varied.
    #[error("nothing is varied")]
    NoAxes,
    /// What is varied was given one value as well.
    #[error("`{name}` is varied, and `{setting}` gives it one value")]
    SetAndVaried {
        /// The name of the axis.
        name: String,
        /// The setting, as it was written.
        setting: String,
    },
    /// Too long to be kept in memory alone.
    #[error("{cells} cells need a file that keeps them")]
    NeedsFile {
        /// Cells of the sweep.
        cells: u64,
    },
    /// A block that the sweep does not have.
    #[error("there is no block {block}: the sweep has {blocks} of them, numbered from 0")]
    NoSuchBlock {
        /// The number that was asked for.
        block: u64,
        /// Blocks of the sweep.
        blocks: u64,
    },
    /// The request is refused as that of a run would be.
    #[error(transparent)]
    Run(#[from] RunFailure),
    /// The sweep is refused.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// No thread could be started, or one ended before its time.
    #[error("a thread was lost: {reason}; what was finished is kept")]
    LostThread {
        /// What the operating system says.
        reason: String,
    },
}

impl From<std::convert::Infallible> for SweepFailure {
    fn from(never: std::convert::Infallible) -> SweepFailure {
        match never {}
    }
}

impl SweepFailure {
    /// Whether the request is to blame, not the model or the disk.
    pub fn is_usage(&self) -> bool {
        match self {
            SweepFailure::Run(failure) => failure.is_usage(),
            SweepFailure::Sweep(SweepError::Run(error)) => {
                RunFailure::Run(error.clone()).is_usage()
            }
            SweepFailure::Sweep(SweepError::Device(error)) => !error.is_failure(),
            SweepFailure::LostThread { .. } => false,
            _ => true,
        }
    }
}
