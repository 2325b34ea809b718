//! Blocks on their way from the process that computed them to the one that keeps them.
//!
//! A parcel is, in this order and little-endian: the letters `CTNB`, the format as a u32, the check sum of the sweep's
//! description as a u32, the number of blocks as a u32; of every block its first cell and the cell behind its last one as
//! u64, its measures as f64, the number of its failures as a u32 with a cell as u64 and a text each, and the processor as a
//! text; a text is a u32 and so many bytes of UTF-8. A CRC-32 of all that stands at the end.

use crate::check_sum::check_sum;
use crate::identity::description_check_sum;
use catena_ensemble::{Block, Chunk, Description};

const LETTERS: &[u8; 4] = b"CTNB";
const FORMAT: u32 = 1;

/// Why a parcel is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadParcel {
    /// It was cut off or changed on its way, or is something else.
    #[error("the blocks of a worker arrived damaged")]
    Damaged,
    /// Made by another version.
    #[error("the blocks of a worker have format {found}; this program reads format {FORMAT}")]
    OtherFormat {
        /// The number of their format.
        found: u32,
    },
    /// Its blocks belong to another sweep.
    #[error("the blocks of a worker belong to another sweep")]
    OtherSweep,
}

/// Blocks of a sweep as bytes.
pub fn pack(description: &Description, blocks: &[Block]) -> Vec<u8> {
    let mut bytes = LETTERS.to_vec();
    let mut add = |piece: &[u8]| bytes.extend_from_slice(piece);
    add(&FORMAT.to_le_bytes());
    add(&description_check_sum(description, Chunk::WHOLE).to_le_bytes());
    add(&(blocks.len() as u32).to_le_bytes());
    for Block { cells, values, failures, processor } in blocks {
        add(&cells.start.to_le_bytes());
        add(&cells.end.to_le_bytes());
        values.iter().for_each(|value| add(&value.to_le_bytes()));
        add(&(failures.len() as u32).to_le_bytes());
        for (cell, reason) in failures {
            add(&cell.to_le_bytes());
            add(&(reason.len() as u32).to_le_bytes());
            add(reason.as_bytes());
        }
        add(&(processor.len() as u32).to_le_bytes());
        add(processor.as_bytes());
    }
    let sum = check_sum([&bytes]);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The blocks of a parcel, if it is whole and belongs to this sweep.
pub fn unpack(description: &Description, bytes: &[u8]) -> Result<Vec<Block>, BadParcel> {
    let (body, sum) = bytes.split_last_chunk().ok_or(BadParcel::Damaged)?;
    if u32::from_le_bytes(*sum) != check_sum([body]) {
        return Err(BadParcel::Damaged);
    }
    let mut reader = Reader(body);
    if reader.take(LETTERS.len()) != Some(LETTERS) {
        return Err(BadParcel::Damaged);
    }
    match reader.count().ok_or(BadParcel::Damaged)? {
        FORMAT => {}
        found => return Err(BadParcel::OtherFormat { found }),
    }
    let sweep = reader.count().ok_or(BadParcel::Damaged)?;
    if sweep != description_check_sum(description, Chunk::WHOLE) {
        return Err(BadParcel::OtherSweep);
    }
    reader.blocks(description).ok_or(BadParcel::Damaged)
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (piece, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(piece)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn count(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn cell(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let count = self.count()?;
        String::from_utf8(self.take(count as usize)?.to_vec()).ok()
    }

    /// All blocks, which must be blocks of this sweep with nothing behind them.
    fn blocks(&mut self, description: &Description) -> Option<Vec<Block>> {
        let division = description.blocks;
        let blocks = (0..self.count()?).map(|_| {
            let cells = self.cell()?..self.cell()?;
            let number = cells.start / division.size;
            if number >= division.count() || division.cells_of(number) != cells {
                return None;
            }
            let numbers = (cells.end - cells.start) as usize * description.measures.len();
            let values = self.take(8 * numbers)?.as_chunks().0;
            let values = values.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
            let failures = (0..self.count()?).map(|_| {
                let cell = self.cell().filter(|cell| cells.contains(cell))?;
                Some((cell, self.text()?))
            });
            let failures = failures.collect::<Option<_>>()?;
            Some(Block { cells, values, failures, processor: self.text()? })
        });
        let blocks = blocks.collect::<Option<_>>()?;
        self.0.is_empty().then_some(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_ensemble::{Blocks, Spacing, SweptAxis};

    fn description(measure: &str) -> Description {
        let values = (0..11).map(f64::from).collect();
        let axis = SweptAxis { name: "m".to_owned(), spacing: Spacing::Linear, values };
        Description {
            title: "test".to_owned(),
            settings: vec![("to".to_owned(), "1.0".to_owned())],
            axes: vec![axis],
            measures: vec![measure.to_owned()],
            blocks: Blocks::new(11),
        }
    }

    fn blocks() -> Vec<Block> {
        let failures = vec![(9, "the mass matrix is singular — at t = 0 s".to_owned())];
        let processor = "a processor, AVX2".to_owned();
        let first =
            Block { cells: 0..8, values: vec![0.5; 8], failures: vec![], processor: String::new() };
        vec![Block { cells: 8..11, values: vec![1.0, 2.0, -0.0], failures, processor }, first]
    }

    #[test]
    fn what_is_packed_arrives() {
        let description = description("max:x");
        let parcel = pack(&description, &blocks());
        assert_eq!(unpack(&description, &parcel), Ok(blocks()));
        assert_eq!(unpack(&description, &pack(&description, &[])), Ok(Vec::new()));
    }

    #[test]
    fn no_damaged_byte_and_no_missing_one_goes_unseen() {
        let description = description("max:x");
        let parcel = pack(&description, &blocks());
        for at in 0..parcel.len() {
            let mut damaged = parcel.clone();
            damaged[at] ^= 0x10;
            assert_eq!(unpack(&description, &damaged), Err(BadParcel::Damaged));
            assert_eq!(unpack(&description, &parcel[..at]), Err(BadParcel::Damaged));
        }
    }

    #[test]
    fn blocks_of_another_sweep_are_refused() {
        let parcel = pack(&description("max:x"), &blocks());
        assert_eq!(unpack(&description("min:x"), &parcel), Err(BadParcel::OtherSweep));
    }

    #[test]
    fn blocks_that_the_sweep_does_not_have_are_refused() {
        let description = description("max:x");
        let backwards = std::ops::Range { start: 4, end: 2 };
        for cells in [0_u64..7, 1..9, 8..12, 16..24, 11..11, backwards] {
            let count = cells.end.saturating_sub(cells.start) as usize;
            let block = Block {
                cells,
                values: vec![0.0; count],
                failures: vec![],
                processor: String::new(),
            };
            let parcel = pack(&description, &[block]);
            assert_eq!(unpack(&description, &parcel), Err(BadParcel::Damaged));
        }
    }
}
