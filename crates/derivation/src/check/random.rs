//! A small generator of random numbers: the same states on every machine.
//!
//! SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
//! generators", 2014.

/// Random numbers that a seed fixes.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The seed fixes the whole sequence.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// Evenly spread from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let unit = (bits >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Several of them.
    pub fn several(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| self.between(low, high)).collect()
    }
}
