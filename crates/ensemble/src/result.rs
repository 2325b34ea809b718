//! Where the blocks of a sweep are: read through one trait, written through another.

use crate::{Block, Blocks, Chunk, Description};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::iter::StepBy;
use std::ops::Range;

/// The most numbers, cells times measures, that are kept without a file.
pub const MAX_NUMBERS_IN_MEMORY: u64 = 1_000_000;

/// What became of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It is there, and as it was written.
    Sound(Block),
    /// It is not there.
    Missing,
    /// It is there, but not as it was written.
    Unsound,
}

/// The blocks that a sweep has found so far.
pub trait SweepResult {
    /// What its numbers are.
    fn description(&self) -> &Description;

    /// The part of the sweep that it is for.
    fn chunk(&self) -> Chunk;

    /// Reads a block and checks that it is as it was written; blocks are numbered from 0.
    fn get(&self, block: u64) -> Found;

    /// The blocks that there will be.
    fn expected(&self) -> StepBy<Range<u64>> {
        self.chunk().blocks(self.description().blocks)
    }
}

/// A result that more blocks are added to.
pub trait SweepSink: SweepResult {
    /// Why a block could not be kept.
    type Failure;

    /// Keeps some blocks. When this returns they are safe.
    fn put(&mut self, blocks: &[Block]) -> Result<(), Self::Failure>;

    /// Number of damaged blocks that were left out when it was opened.
    fn left_out(&self) -> u64 {
        0
    }
}

/// How an attempt to compute what is missing ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// Whether it was cancelled before all was done.
    pub interrupted: bool,
    /// Cells that were computed now.
    pub computed: u64,
    /// Blocks that were there, but not as they were written, and were computed again.
    pub mended: u64,
    /// How long it took, s.
    pub seconds: f64,
    /// Number of threads that computed.
    pub threads: usize,
}

/// A result without a file: for what is quickly computed again.
#[derive(Clone, Debug, PartialEq)]
pub struct InMemory {
    description: Description,
    chunk: Chunk,
    /// By their numbers.
    blocks: BTreeMap<u64, Block>,
}

impl InMemory {
    /// Nothing computed yet, however many numbers there will be.
    pub fn of_any_size(description: Description, chunk: Chunk) -> InMemory {
        InMemory { description, chunk, blocks: BTreeMap::new() }
    }

    /// Nothing computed yet; `None` for a sweep of more than [`MAX_NUMBERS_IN_MEMORY`] numbers.
    pub fn new(description: Description, chunk: Chunk) -> Option<InMemory> {
        let Blocks { cells, .. } = description.blocks;
        let numbers = cells.saturating_mul(description.measures.len() as u64);
        let fits = numbers <= MAX_NUMBERS_IN_MEMORY;
        fits.then(|| InMemory::of_any_size(description, chunk))
    }
}

impl SweepResult for InMemory {
    fn description(&self) -> &Description {
        &self.description
    }

    fn chunk(&self) -> Chunk {
        self.chunk
    }

    fn get(&self, block: u64) -> Found {
        self.blocks.get(&block).cloned().map_or(Found::Missing, Found::Sound)
    }
}

impl SweepSink for InMemory {
    type Failure = Infallible;

    fn put(&mut self, blocks: &[Block]) -> Result<(), Infallible> {
        let size = self.description.blocks.size;
        self.blocks.extend(blocks.iter().map(|block| (block.cells.start / size, block.clone())));
        Ok(())
    }
}
