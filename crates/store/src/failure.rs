//! Why a result file cannot be used.

/// Why a result file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFailure {
    /// There is no such file.
    #[error("there is no file `{path}`")]
    Missing {
        /// The file that was asked for.
        path: String,
    },
    /// It is something else.
    #[error("`{path}` is not the result of a sweep: it is {what}")]
    Foreign {
        /// The file that was asked for.
        path: String,
        /// What it is, in words.
        what: &'static str,
    },
    /// Written by another version.
    #[error("`{path}` has format {found}; this program reads formats {oldest} to {known}")]
    OtherFormat {
        /// The file that was asked for.
        path: String,
        /// The number of its format.
        found: i64,
        /// The number of the oldest format that this program reads.
        oldest: i64,
        /// The number of the format of this program.
        known: i64,
    },
    /// The description of the numbers is damaged.
    #[error("`{path}` is damaged where it says what was computed: {reason}")]
    Unreadable {
        /// The file that was asked for.
        path: String,
        /// What is wrong, in words.
        reason: String,
    },
    /// It exists already, and continuing it was not asked for.
    #[error("`{path}` already holds {done} of {blocks} blocks of this sweep")]
    Exists {
        /// The file that was asked for.
        path: String,
        /// Blocks that are there and sound.
        done: u64,
        /// Blocks that there will be.
        blocks: u64,
    },
    /// It exists already where a new file is wanted.
    #[error("`{path}` exists already")]
    Taken {
        /// The file that was asked for.
        path: String,
    },
    /// It holds other numbers.
    #[error("`{path}` holds another sweep: `{setting}` is {before} there and {now} here")]
    Differs {
        /// The file that was asked for.
        path: String,
        /// The first setting that differs.
        setting: String,
        /// Its value in the file.
        before: String,
        /// Its value in the request.
        now: String,
    },
    /// More cells than a sweep may have.
    #[error("{cells} cells are more than a sweep may have")]
    TooManyCells {
        /// Cells of the sweep.
        cells: u64,
        /// The most cells that a sweep may have.
        most: u64,
    },
    /// The disk is too small for the numbers.
    #[error(
        "{} × {} need {}; {} are free here",
        counted(*cells, "cell"),
        counted(*measures, "measure"),
        size(*need),
        size(*free)
    )]
    NoRoom {
        /// Cells that the file will hold.
        cells: u64,
        /// Numbers of each cell.
        measures: u64,
        /// Bytes that they need, less those that an earlier attempt has written.
        need: u64,
        /// Bytes that are free on the disk.
        free: u64,
        /// Cells that would fit.
        fits: u64,
    },
    /// The operating system or SQLite refuses.
    #[error("cannot {doing} `{path}`: {reason}")]
    Refused {
        /// `read` or `write`.
        doing: &'static str,
        /// The file that was asked for.
        path: String,
        /// The reason that SQLite or the operating system gives, in words.
        reason: String,
    },
}

impl StoreFailure {
    /// Whether the request is to blame, not the file.
    pub fn is_usage(&self) -> bool {
        use StoreFailure::{Differs, Exists, NoRoom, Taken, TooManyCells};
        matches!(
            self,
            Exists { .. } | Taken { .. } | Differs { .. } | TooManyCells { .. } | NoRoom { .. }
        )
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Bytes in the unit in which they are between 1 and 1000, with three digits.
fn size(bytes: u64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let value = bytes as f64;
    match units.into_iter().find(|(unit, _)| value >= *unit) {
        None => format!("{bytes} bytes"),
        Some((unit, name)) => {
            let part = value / unit;
            let digits = 2 - (part.log10() as usize).min(2);
            format!("{part:.digits$} {name}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_disk_is_told_in_small_units() {
        let failure =
            StoreFailure::NoRoom { cells: 2, measures: 1, need: 12_288, free: 512, fits: 0 };
        let said = "2 cells × 1 measure need 12.3 kB; 512 bytes are free here";
        assert_eq!(failure.to_string(), said);
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(4_096), "4.10 kB");
        assert_eq!(size(123_456_789), "123 MB");
        assert_eq!(size(20_000_000_000_000), "20.0 TB");
    }
}
