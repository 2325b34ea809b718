//! Orthonormal vectors from independent ones, with the factors that lead back: W = Q R.

use crate::vector::dot;

/// Replaces vectors, which stand one after the other, by orthonormal ones that span the same spaces in the same order.
/// `r` receives R, column by column, k numbers each; what is below its diagonal is zero. Vectors are made orthogonal twice,
/// so that they are so to rounding however nearly they depended on each other.
///
/// A vector that is zero, or depends on those before it, is left zero with a zero on the diagonal of R.
pub fn orthonormalise(vectors: &mut [f64], len: usize, r: &mut [f64]) {
    let count = vectors.len().checked_div(len).unwrap_or(0);
    r[..count * count].fill(0.0);
    for at in 0..count {
        let (before, rest) = vectors.split_at_mut(at * len);
        let vector = &mut rest[..len];
        let column = &mut r[at * count..(at + 1) * count];
        for _ in 0..2 {
            for (other, factor) in before.chunks_exact(len).zip(&mut *column) {
                let part = dot(other, vector);
                *factor += part;
                vector.iter_mut().zip(other).for_each(|(x, other)| *x -= part * other);
            }
        }
        let norm = dot(vector, vector).sqrt();
        column[at] = norm;
        let scale = if norm > 0.0 { 1.0 / norm } else { 0.0 };
        vector.iter_mut().for_each(|x| *x *= scale);
    }
}

/// Replaces vectors W by W R⁻¹, with R as [`orthonormalise`] writes it: what it did to others, done to these.
pub fn follow(vectors: &mut [f64], len: usize, r: &[f64]) {
    let count = vectors.len().checked_div(len).unwrap_or(0);
    for at in 0..count {
        let (before, rest) = vectors.split_at_mut(at * len);
        let vector = &mut rest[..len];
        let column = &r[at * count..(at + 1) * count];
        for (other, factor) in before.chunks_exact(len).zip(column) {
            vector.iter_mut().zip(other).for_each(|(x, other)| *x -= factor * other);
        }
        let scale = if column[at] > 0.0 { 1.0 / column[at] } else { 0.0 };
        vector.iter_mut().for_each(|x| *x *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_of_both_factors_is_what_was_given() {
        let given = [1.0, 2.0, 2.0, 4.0, 0.5, 1.0, 1.0, 1e-9, 3.0];
        let (mut q, mut r) = (given, [0.0; 9]);
        orthonormalise(&mut q, 3, &mut r);
        for (i, a) in q.chunks(3).enumerate() {
            for (j, b) in q.chunks(3).enumerate() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((dot(a, b) - expected).abs() < 1e-15);
            }
        }
        for at in 0..3 {
            for row in 0..3 {
                let product: f64 = (0..=at).map(|i| q[i * 3 + row] * r[at * 3 + i]).sum();
                assert!((product - given[at * 3 + row]).abs() < 1e-15);
            }
        }
        let mut followed = given;
        follow(&mut followed, 3, &r);
        for (a, b) in followed.iter().zip(q) {
            assert!((a - b).abs() < 1e-14);
        }
    }

    #[test]
    fn nearly_dependent_vectors_become_orthogonal_to_rounding() {
        let mut q = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0 + 1e-10];
        orthonormalise(&mut q, 3, &mut [0.0; 4]);
        assert!(dot(&q[..3], &q[3..]).abs() < 1e-15);
    }

    #[test]
    fn a_vector_that_depends_on_others_is_left_zero() {
        let mut r = [0.0; 4];
        let mut q = [0.0, 2.0, 0.0, -3.0];
        orthonormalise(&mut q, 2, &mut r);
        assert_eq!((&q[2..], r[3]), (&[0.0, 0.0][..], 0.0));
    }
}
