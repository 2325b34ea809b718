//! Numbers in memory on whole cache lines: a vector register never crosses one.

use std::ops::{Deref, DerefMut};

/// Numbers in a cache line of 64 bytes.
const NUMBERS_PER_LINE: usize = 8;

#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct CacheLine([f64; NUMBERS_PER_LINE]);

/// A slice of numbers that begins on a cache line.
#[derive(Clone, Debug, Default)]
pub struct Aligned {
    lines: Vec<CacheLine>,
    len: usize,
}

impl Aligned {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Aligned {
        Aligned { lines: vec![CacheLine::default(); len.div_ceil(NUMBERS_PER_LINE)], len }
    }
}

impl From<&[f64]> for Aligned {
    fn from(numbers: &[f64]) -> Aligned {
        let mut aligned = Aligned::zeros(numbers.len());
        aligned.copy_from_slice(numbers);
        aligned
    }
}

impl Deref for Aligned {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        // SAFETY: lines are arrays of numbers without gaps, and there are at least `len` of them
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f64] {
        // SAFETY: as above
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
