//! Which cells are computed, committed and checked together, and which of these blocks make a chunk.

use std::iter::StepBy;
use std::ops::Range;

/// Blocks hold a multiple of this many cells, so that registers are full. Files of sweeps were written with it.
const CELLS_OF_A_REGISTER: u64 = 8;
const MAX_BLOCK_CELLS: u64 = 65_536;

/// The cells of a grid in blocks. Their size follows from the grid alone: half the root of the number of cells, so that
/// neither a block nor the number of blocks becomes large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Number of cells of the grid.
    pub cells: u64,
    /// Number of cells of a block; the last one may have fewer.
    pub size: u64,
}

impl Blocks {
    /// The blocks of a grid of this many cells.
    pub fn new(cells: u64) -> Blocks {
        let size = (cells.isqrt() / 2).next_multiple_of(CELLS_OF_A_REGISTER);
        let size = size.clamp(CELLS_OF_A_REGISTER, MAX_BLOCK_CELLS);
        Blocks { cells, size }
    }

    /// Number of blocks.
    pub fn count(self) -> u64 {
        self.cells.div_ceil(self.size)
    }

    /// The cells of a block.
    pub fn cells_of(self, block: u64) -> Range<u64> {
        let first = block * self.size;
        first..(first + self.size).min(self.cells)
    }
}

/// A part of a sweep that one machine computes: every `of`-th block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// From 1 to `of`.
    pub number: u64,
    /// Number of parts.
    pub of: u64,
}

impl Chunk {
    /// The sweep in one piece.
    pub const WHOLE: Chunk = Chunk { number: 1, of: 1 };

    /// The blocks of this part.
    pub fn blocks(self, blocks: Blocks) -> StepBy<Range<u64>> {
        // more parts than blocks leave some parts empty; the step is never longer than the list
        let step = usize::try_from(self.of.max(1)).unwrap_or(usize::MAX);
        (self.number.saturating_sub(1)..blocks.count()).step_by(step)
    }

    /// Whether a block belongs to this part.
    pub fn has(self, block: u64) -> bool {
        block % self.of.max(1) == self.number.saturating_sub(1)
    }

    /// As commands write it: `2/4`.
    pub fn name(self) -> String {
        format!("{}/{}", self.number, self.of)
    }
}

/// A text that is no chunk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no chunk")]
pub struct BadChunk(pub String);

impl std::str::FromStr for Chunk {
    type Err = BadChunk;

    /// `I/N` with 1 ≤ I ≤ N.
    fn from_str(text: &str) -> Result<Chunk, BadChunk> {
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of => Ok(Chunk { number, of }),
            _ => Err(BadChunk(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_the_grid_without_gaps() {
        for cells in [1, 7, 8, 9, 1000, 12_345, 10_000_000] {
            let blocks = Blocks::new(cells);
            let mut next = 0;
            for block in 0..blocks.count() {
                let range = blocks.cells_of(block);
                assert_eq!(range.start, next);
                assert!(!range.is_empty());
                next = range.end;
            }
            assert_eq!(next, cells);
        }
    }

    #[test]
    fn chunks_share_the_blocks_without_overlap() {
        let blocks = Blocks::new(1000);
        for of in [2, 3, 100, u64::MAX] {
            let mut all: Vec<u64> =
                (1..=of.min(101)).flat_map(|number| Chunk { number, of }.blocks(blocks)).collect();
            all.sort_unstable();
            assert_eq!(all, (0..blocks.count()).collect::<Vec<_>>());
            let second = Chunk { number: 2, of };
            assert!(all.iter().all(|&at| second.has(at) == second.blocks(blocks).any(|b| b == at)));
        }
    }

    #[test]
    fn chunks_count_from_one() {
        assert_eq!("2/4".parse(), Ok(Chunk { number: 2, of: 4 }));
        for text in ["0/4", "5/4", "a/b", "1", "1/0", "-1/4", "1/4/2", ""] {
            assert_eq!(text.parse::<Chunk>(), Err(BadChunk(text.to_owned())));
        }
    }
}
