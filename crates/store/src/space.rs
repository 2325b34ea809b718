//! Whether there is room for what a sweep will find.

use crate::StoreFailure;
use catena_ensemble::{Chunk, Description};
use std::path::{Path, PathBuf};

/// Cells of a sweep, at most.
pub const MAX_CELLS: u64 = 100_000_000_000;

/// A block begins on a page of its own where it fills more than half of one.
const PAGE_BYTES: u64 = 4096;
/// Bytes of a block in addition to its numbers.
const BLOCK_OVERHEAD_BYTES: u64 = 64;

/// Refuses what will not fit on the disk, before anything is computed.
pub(crate) fn check_room(
    description: &Description,
    chunk: Chunk,
    file: &Path,
) -> Result<(), StoreFailure> {
    let cells = description.blocks.cells;
    let measures = description.measures.len() as u64;
    if cells > MAX_CELLS {
        return Err(StoreFailure::TooManyCells { cells, most: MAX_CELLS });
    }
    let size = description.blocks.size;
    let per_block = (8 * measures * size + BLOCK_OVERHEAD_BYTES).next_multiple_of(PAGE_BYTES);
    let blocks = description.blocks.count().div_ceil(chunk.of);
    // what an earlier attempt has written is there already
    let written = file.metadata().map_or(0, |file| file.len());
    let need = blocks.saturating_mul(per_block).saturating_sub(written);
    match free_bytes(file) {
        Some(free) if free < need => Err(StoreFailure::NoRoom {
            cells: blocks.saturating_mul(size).min(cells),
            measures,
            need,
            free,
            fits: free / per_block * size,
        }),
        _ => Ok(()),
    }
}

/// What is free where a file is to be; `None` where the system does not report it.
#[cfg(unix)]
fn free_bytes(file: &Path) -> Option<u64> {
    // a link may lead to another disk, and to a file that does not exist yet
    let linked = |to: PathBuf| file.parent().map_or_else(|| to.clone(), |folder| folder.join(&to));
    let file = match file.canonicalize() {
        Ok(file) => file,
        Err(_) => std::fs::read_link(file).map_or_else(|_| file.to_owned(), linked),
    };
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
