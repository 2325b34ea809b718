//! Whether there is room for what a sweep will find.

use super::{Chunk, Description, SweepFailure};
use std::path::Path;

/// A sweep has at most so many cells.
pub const MOST_CELLS: u64 = 100_000_000_000;

/// So many numbers may be kept without a file.
pub const MOST_IN_MEMORY: u64 = 1_000_000;

/// A block begins on a page of its own where it fills more than half of one.
const PAGE: u64 = 4096;
/// Bytes of a block besides its numbers.
const BESIDES: u64 = 64;

/// Refuses what will not fit, before anything is computed: in memory without a file, else on the disk.
pub fn check_room(
    description: &Description,
    chunk: Chunk,
    file: Option<&Path>,
) -> Result<(), SweepFailure> {
    let cells = description.blocks.cells;
    let measures = description.measures.len() as u64;
    if cells > MOST_CELLS {
        let need = format!("{cells} cells are more than a sweep may have");
        return Err(SweepFailure::NoRoom {
            need,
            cure: format!("take at most {MOST_CELLS} cells"),
        });
    }
    let Some(file) = file else {
        let is_small = cells.saturating_mul(measures) <= MOST_IN_MEMORY;
        return if is_small { Ok(()) } else { Err(SweepFailure::NeedsFile { cells }) };
    };
    let size = description.blocks.size;
    let per_block = (8 * measures * size + BESIDES).next_multiple_of(PAGE);
    let blocks = description.blocks.count().div_ceil(chunk.of);
    let here = blocks.saturating_mul(size).min(cells);
    // what an earlier attempt has written is there already
    let written = file.metadata().map_or(0, |file| file.len());
    let bytes = blocks.saturating_mul(per_block).saturating_sub(written);
    match free_bytes(file) {
        Some(free) if free < bytes => Err(SweepFailure::NoRoom {
            need: format!(
                "{here} cells × {measures} measures need {}; {} are free here",
                gigabytes(bytes),
                gigabytes(free)
            ),
            cure: format!("at most {} cells would fit", free / per_block * size),
        }),
        _ => Ok(()),
    }
}

pub(super) fn gigabytes(bytes: u64) -> String {
    format!("{:.3} GB", bytes as f64 / 1e9)
}

/// What is free where a file is to be; none where that cannot be found out.
#[cfg(unix)]
fn free_bytes(file: &Path) -> Option<u64> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}
