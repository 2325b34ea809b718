//! Benches as files.

use crate::BenchOutcome;
use catena_present::{BenchRow, WriteError};
use std::path::Path;

/// Writes the figures of a bench in the format that the ending names.
pub fn write_bench(outcomes: &[BenchOutcome], path: &Path) -> Result<(), WriteError> {
    let rows =
        outcomes.iter().map(|BenchOutcome { links, outcome }| BenchRow { links: *links, outcome });
    catena_present::write_bench(&rows.collect::<Vec<_>>(), path)
}
