//! The largest exponent of a motion with its error, from the growth of a tangent vector in blocks.
//!
//! # Equations
//! With the logarithmic growth $g_i$ of a tangent vector over blocks of the duration τ, $\lambda = \overline{g}/\tau$. Neighbouring
//! blocks are not independent, so that pairs of blocks are joined again and again and the largest standard error of the mean
//! is kept (Flyvbjerg and Petersen 1989).

/// The fewest joined blocks whose scatter is an error.
const MIN_BLOCKS: usize = 4;

/// A mean growth rate with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GrowthRate {
    /// 1/s, natural logarithm.
    pub(crate) rate: f64,
    /// One standard error, 1/s.
    pub(crate) error: f64,
    /// How long the growth was watched, s.
    pub(crate) duration: f64,
}

/// The rate of blocks of equal duration, s, by their logarithmic growth; none from fewer than four.
pub(crate) fn growth_rate(growths: &[f64], duration: f64) -> Option<GrowthRate> {
    if growths.len() < MIN_BLOCKS || growths.iter().any(|growth| !growth.is_finite()) {
        return None;
    }
    let total = duration * growths.len() as f64;
    let rate = growths.iter().sum::<f64>() / total;
    let mut blocks = growths.to_vec();
    let mut error: f64 = 0.0;
    while blocks.len() >= MIN_BLOCKS {
        error = error.max(standard_error(&blocks));
        blocks = blocks.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    }
    Some(GrowthRate { rate, error: error / duration, duration: total })
}

fn standard_error(blocks: &[f64]) -> f64 {
    let n = blocks.len() as f64;
    let mean = blocks.iter().sum::<f64>() / n;
    let square = blocks.iter().map(|block| (block - mean).powi(2)).sum::<f64>();
    (square / (n * (n - 1.0))).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_derivation::Random;

    #[test]
    fn even_growth_has_no_error() {
        let found = growth_rate(&[0.5; 16], 2.0).expect("a rate");
        assert_eq!((found.rate, found.duration), (0.25, 32.0));
        assert!(found.error < 1e-15);
        assert_eq!(growth_rate(&[0.5; 3], 2.0), None);
        assert_eq!(growth_rate(&[0.5, 0.1, f64::NAN, 0.2, 0.3], 2.0), None);
    }

    #[test]
    fn the_error_bar_holds_for_blocks_that_depend_on_each_other() {
        // each block takes over most of the one before: plain scatter would be too small
        let mut random = Random::new(7);
        let mut next = || random.between(-0.5, 0.5);
        let mut hits = 0;
        for _ in 0..200 {
            let mut memory = 0.0;
            let growths: Vec<f64> = (0..128)
                .map(|_| {
                    memory = 0.7 * memory + next();
                    0.3 + memory
                })
                .collect();
            let found = growth_rate(&growths, 1.0).expect("a rate");
            hits += usize::from((found.rate - 0.3).abs() <= 2.0 * found.error);
        }
        assert!(hits >= 180, "{hits} of 200 within two errors");
    }
}
