//! The generalised alignment index of two tangent vectors, GALI₂: how far they are from pointing the same way.
//!
//! # Equations
//! $\mathrm{GALI}_2 = |\hat w_1\wedge\hat w_2|$, the area that two unit tangent vectors span. In a conservative system it falls as
//! $e^{-(\lambda_1-\lambda_2)t}$ for chaos and keeps its order of magnitude, or falls as a power of time, for regular motion.
//!
//! # Reference
//! Skokos, Bountis and Antonopoulos 2007 (Physica D 231, 30).

/// Whether alignments at even distances of time fall exponentially (`true`) or no faster than a power of time (`false`); none
/// where that cannot be told.
pub(crate) fn falls_exponentially(alignments: &[f64]) -> Option<bool> {
    let count = alignments.len();
    if count < MIN_ALIGNMENTS {
        return None;
    }
    let level = |part: &[f64]| {
        let sum: f64 = part.iter().map(|value| value.max(f64::MIN_POSITIVE).ln()).sum();
        sum / part.len() as f64
    };
    let quarter = count / 4;
    let (early, late) = (level(&alignments[..quarter]), level(&alignments[count - quarter..]));
    if late <= ALIGNED {
        return Some(true);
    }
    // a power of time loses the same logarithm with every doubling: at most this much from the first to the last quarter
    match early - late {
        fall if fall <= MAX_POWER * 7_f64.ln() => Some(false),
        _ => None,
    }
}

/// Fewer alignments tell nothing.
const MIN_ALIGNMENTS: usize = 8;
/// The logarithm below which vectors point the same way: chaos has arrived.
const ALIGNED: f64 = -18.4;
/// The largest power of time with which alignments of regular motions fall.
const MAX_POWER: f64 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_falls_are_told_from_powers_of_time() {
        let at = |law: &dyn Fn(f64) -> f64| {
            let values: Vec<f64> = (1..=64).map(|n| law(f64::from(n))).collect();
            falls_exponentially(&values)
        };
        assert_eq!(at(&|t| (-0.5 * t).exp()), Some(true));
        assert_eq!(at(&|t| 1.0 / t), Some(false));
        assert_eq!(at(&|t| 0.3 + 0.2 * t.sin()), Some(false));
        assert_eq!(at(&|t| (-0.15 * t).exp()), None, "too early to tell");
        assert_eq!(falls_exponentially(&[1e-9; 3]), None);
    }
}
