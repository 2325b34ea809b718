//! Why there is no sweep, and why its file cannot be used.

use crate::RunFailure;
use catena_ensemble::SweepError;

/// Why there is no sweep.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepFailure {
    /// An axis that cannot be read.
    #[error("`{text}` is no axis: {reason}")]
    BadAxis {
        /// What was written.
        text: String,
        /// What is wrong with it.
        reason: String,
        /// What to write.
        cure: String,
    },
    /// More values than an axis may have.
    #[error("`{name}` would take {count:e} values")]
    TooManyValues {
        /// Which axis.
        name: String,
        /// How many.
        count: f64,
    },
    /// A measure that cannot be read.
    #[error("`{text}` is no measure")]
    BadMeasure {
        /// What was written.
        text: String,
        /// What to write.
        cure: String,
    },
    /// A chunk that cannot be.
    #[error("`{0}` is no chunk")]
    BadChunk(String),
    /// A time that cannot be read.
    #[error("--{option} `{text}` is no formula: {reason}")]
    BadTime {
        /// Which.
        option: &'static str,
        /// What was written.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing would be looked at.
    #[error("nothing is left to look at: --after {after} s is not before the end, {t_end} s")]
    NothingAfter {
        /// When rows begin to count, s.
        after: f64,
        /// The end, s.
        t_end: f64,
    },
    /// Nothing is varied.
    #[error("nothing is varied")]
    NoAxes,
    /// No room for so many numbers.
    #[error("{need}")]
    NoRoom {
        /// How many cells, what they need, what there is.
        need: String,
        /// What would fit.
        cure: String,
    },
    /// Too long to be kept in memory alone.
    #[error("{cells} cells need a file that keeps them")]
    NeedsFile {
        /// How many cells.
        cells: u64,
    },
    /// The request is refused as that of a run would be.
    #[error(transparent)]
    Run(#[from] RunFailure),
    /// The sweep is refused.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreFailure),
    /// No thread could be started, or one ended before its time.
    #[error("a thread was lost: {reason}; what was finished is kept")]
    LostThread {
        /// Why.
        reason: String,
    },
}

/// Why a result file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFailure {
    /// There is no such file.
    #[error("there is no file `{path}`")]
    Missing {
        /// Which file.
        path: String,
    },
    /// It is something else.
    #[error("`{path}` is not the result of a sweep: it is {what}")]
    Foreign {
        /// Which file.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// Written by a later version.
    #[error("`{path}` has format {found}; this program reads format {known}")]
    OtherFormat {
        /// Which file.
        path: String,
        /// Its format.
        found: i64,
        /// The format of this program.
        known: i64,
    },
    /// What says what the numbers mean is damaged.
    #[error("`{path}` is damaged where it says what was computed: {reason}")]
    Unreadable {
        /// Which file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// It exists already, and resuming was not asked for.
    #[error("`{path}` already holds {done} of {blocks} blocks of this sweep")]
    Exists {
        /// Which file.
        path: String,
        /// Blocks that are there.
        done: u64,
        /// Blocks that there will be.
        blocks: u64,
    },
    /// It exists already where a new file is wanted.
    #[error("`{path}` exists already")]
    Taken {
        /// Which file.
        path: String,
    },
    /// It holds other numbers.
    #[error("`{path}` holds another sweep: `{setting}` is {before} there and {now} here")]
    Differs {
        /// Which file.
        path: String,
        /// What differs.
        setting: String,
        /// In the file.
        before: String,
        /// In the request.
        now: String,
    },
    /// The operating system or SQLite refuses.
    #[error("cannot {doing} `{path}`: {reason}")]
    Refused {
        /// Read or write.
        doing: &'static str,
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
}

impl SweepFailure {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            SweepFailure::BadAxis { cure, .. }
            | SweepFailure::BadMeasure { cure, .. }
            | SweepFailure::NoRoom { cure, .. } => Some(cure.clone()),
            SweepFailure::TooManyValues { .. } => {
                Some("an axis takes at most 1e7 values; vary several things together".into())
            }
            SweepFailure::BadChunk(_) => Some("write I/N with 1 ≤ I ≤ N, as in --chunk 2/4".into()),
            SweepFailure::BadTime { .. } => {
                Some("write a formula of numbers and parameters, as in \"50/f\"".into())
            }
            SweepFailure::NothingAfter { .. } => Some("take a smaller --after".into()),
            SweepFailure::NoAxes => {
                Some("say what to vary, as in --over \"theta1=0:2:100\"".into())
            }
            SweepFailure::NeedsFile { .. } => Some(
                "name one, as in -o map.sweep: what is finished survives whatever happens".into(),
            ),
            SweepFailure::Run(failure) => failure.help(),
            SweepFailure::Sweep(SweepError::Run(error)) => RunFailure::Run(error.clone()).help(),
            SweepFailure::Sweep(SweepError::UnknownAxis { meant, known, .. }) => {
                Some(match meant {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("these can be varied: {}", known.join(", ")),
                })
            }
            SweepFailure::Sweep(SweepError::TooManyCells) => {
                Some("take fewer values of each axis".into())
            }
            SweepFailure::Sweep(SweepError::UnknownName { .. }) => {
                Some("write a formula of numbers and parameters, as in \"50/f\"".into())
            }
            SweepFailure::Store(failure) => failure.help(),
            SweepFailure::Sweep(_) | SweepFailure::LostThread { .. } => None,
        }
    }

    /// Whether the request is to blame, not the model or the disk.
    pub fn is_usage(&self) -> bool {
        match self {
            SweepFailure::Run(failure) => failure.is_usage(),
            SweepFailure::Sweep(SweepError::Run(error)) => {
                RunFailure::Run(error.clone()).is_usage()
            }
            SweepFailure::Store(failure) => failure.is_usage(),
            SweepFailure::LostThread { .. } => false,
            _ => true,
        }
    }
}

impl StoreFailure {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            StoreFailure::Exists { .. } => {
                Some("continue it with --resume, or name another file".into())
            }
            StoreFailure::Taken { .. } => Some("a merged file is a new one: name another".into()),
            StoreFailure::Differs { .. } => {
                Some("name another file, or ask for what the file holds".into())
            }
            StoreFailure::Foreign { .. } | StoreFailure::Unreadable { .. } => {
                Some("nothing was changed; move it away or name another file".into())
            }
            StoreFailure::OtherFormat { .. } => {
                Some("read it with the version of Catena that wrote it".into())
            }
            StoreFailure::Refused { doing: "write", .. } => {
                Some("what was committed before is kept: --resume continues from there".into())
            }
            _ => None,
        }
    }

    /// Whether the request is to blame, not the file.
    pub fn is_usage(&self) -> bool {
        use StoreFailure::{Differs, Exists, Taken};
        matches!(self, Exists { .. } | Taken { .. } | Differs { .. })
    }
}
