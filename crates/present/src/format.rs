//! The formats of tables: one file and one row each.

use crate::Document;
use std::io::{self, Seek, Write};

/// Where a format writes: archives come back to fill in sizes, and Parquet hands its writer to threads.
pub trait Output: Write + Seek + Send {}

impl<T: Write + Seek + Send> Output for T {}

/// A format in which documents are written.
pub struct Format {
    /// The ending of its files, without the dot.
    pub ending: &'static str,
    /// One line for lists of formats.
    pub summary: &'static str,
    /// Whether one file holds all sheets; otherwise each further sheet gets a file of its own, `NAME.SHEET.ENDING`.
    pub holds_all_sheets: bool,
    /// Writes the whole document, or its first sheet where a file holds only one.
    pub write: fn(&Document<'_>, &mut dyn Output) -> io::Result<()>,
}

/// Every format. Runs, analyses, comparisons and sweeps are written in all of them.
pub static FORMATS: &[&Format] = &[
    &crate::csv::FORMAT,
    &crate::npz::FORMAT,
    &crate::json::FORMAT,
    #[cfg(feature = "parquet")]
    &crate::parquet::FORMAT,
];

/// The endings of [`FORMATS`], in their order.
pub static TABLE_FORMATS: &[&str] = &{
    let mut endings = [""; FORMATS.len()];
    let mut at = 0;
    while at < FORMATS.len() {
        endings[at] = FORMATS[at].ending;
        at += 1;
    }
    endings
};

/// The format with this ending.
pub fn find(ending: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.ending == ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_an_ending_of_its_own() {
        for (at, format) in FORMATS.iter().enumerate() {
            assert!(!format.ending.is_empty() && !format.summary.is_empty());
            assert_eq!(TABLE_FORMATS[at], format.ending);
            let found = find(format.ending).expect("it is in the list");
            assert!(std::ptr::eq(found, *format), "two formats end in .{}", format.ending);
        }
    }
}
