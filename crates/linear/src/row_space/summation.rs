//! How the sums of a factorisation are taken: the order decides their rounding, and so the last bits of every result.

use crate::vector::{dot, dot_in_fours, scaled_norm};

/// The order of sums, and how lengths are measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Summation {
    /// From the first product to the last, and lengths from scaled entries: matrices that are factored once.
    InOrder,
    /// In four sums side by side, and lengths from plain squares: matrices of every step, where speed counts.
    InFours,
}

impl Summation {
    fn dot(self, a: &[f64], b: &[f64]) -> f64 {
        match self {
            Summation::InOrder => dot(a, b),
            Summation::InFours => dot_in_fours(a, b),
        }
    }

    /// What grows with the length of a row and is cheap to compare.
    pub(super) fn measure(self, row: &[f64]) -> f64 {
        match self {
            Summation::InOrder => scaled_norm(row),
            // rows have length 1, so that squares neither overflow nor matter when they vanish
            Summation::InFours => dot_in_fours(row, row),
        }
    }

    /// The length that belongs to a measure.
    pub(super) fn length(self, measure: f64) -> f64 {
        match self {
            Summation::InOrder => measure,
            Summation::InFours => measure.sqrt(),
        }
    }

    /// x − τ u (uᵀ x) with u = (1, direction)
    pub(super) fn reflect(self, x: &mut [f64], direction: &[f64], factor: f64) {
        let (first, rest) = x.split_at_mut(1);
        let step = factor * (first[0] + self.dot(rest, direction));
        first[0] -= step;
        for (entry, component) in rest.iter_mut().zip(direction) {
            *entry -= step * component;
        }
    }
}
