//! Sums and sizes of vectors.
//!
//! The order of summation is part of the result: rounding differs between orders.

/// Σ aᵢbᵢ, from the first product to the last.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Σ aᵢbᵢ in four sums side by side: one alone would wait for every addition before the next.
#[inline]
pub fn dot_in_fours(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = dot(a.remainder(), b.remainder());
    let mut sums = [0.0; 4];
    for (a, b) in a.zip(b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// √Σ xᵢ², as it stands: squares of very large or very small entries are lost.
#[inline]
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// √Σ xᵢ² of entries of any size.
pub fn scaled_norm(x: &[f64]) -> f64 {
    let largest = max_abs(x);
    if largest == 0.0 {
        return 0.0;
    }
    // scaled, so that squares neither overflow nor vanish
    largest * x.iter().map(|entry| (entry / largest).powi(2)).sum::<f64>().sqrt()
}

/// max |xᵢ|, 0 of an empty vector. Entries that are NaN do not count.
#[inline]
pub fn max_abs<'a>(x: impl IntoIterator<Item = &'a f64>) -> f64 {
    x.into_iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()))
}

/// max |xᵢ|, 0 of an empty vector, and NaN if an entry is: for tests that nothing undefined may pass as small.
pub fn max_abs_or_nan<'a>(x: impl IntoIterator<Item = &'a f64>) -> f64 {
    // a comparison with NaN is false, so that NaN stays once it is there
    x.into_iter().fold(0.0, |largest: f64, entry| {
        if entry.is_nan() || largest < entry.abs() { entry.abs() } else { largest }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_of_summation_reach_every_product() {
        let [a, b] =
            [1.0, 2.0].map(|step| (1..=11).map(|i| step * f64::from(i)).collect::<Vec<_>>());
        // 2 Σ i²
        assert_eq!((dot(&a, &b), dot_in_fours(&a, &b)), (1012.0, 1012.0));
        assert_eq!((dot(&[], &[]), dot_in_fours(&[], &[])), (0.0, 0.0));
    }

    #[test]
    fn lengths_of_extreme_vectors_neither_overflow_nor_vanish() {
        assert_eq!(norm(&[3.0, -4.0]), 5.0);
        for size in [1e-200, 1.0, 1e200] {
            assert!((scaled_norm(&[3.0 * size, -4.0 * size]) / size - 5.0).abs() < 1e-14);
        }
        assert_eq!(scaled_norm(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn an_undefined_entry_counts_only_where_it_is_asked_for() {
        let x = [1.0, f64::NAN, -3.0];
        assert_eq!(max_abs(&x), 3.0);
        assert!(max_abs_or_nan(&x).is_nan());
        assert_eq!((max_abs(&[]), max_abs_or_nan(&[0.5, -2.0])), (0.0, 2.0));
    }
}
