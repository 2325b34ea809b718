//! Rows of which it is known how many follow from the others.
//!
//! # Equations
//! $N$ are the directions in which $AA^T$ is singular, or nearest to it, for rows of length 1. $(1 - NN^T)A$ has exactly
//! the rank that is known, so that it does not matter which of its rows pivoting takes first; b goes the same way. Where
//! the rows of A follow from each other exactly nothing is changed by it, and elsewhere everything depends smoothly on A.

use super::RowSpace;
use crate::Semidefinite;
use crate::vector::dot;

/// What rows that follow from others have in common with them.
#[derive(Clone, Debug)]
pub(super) struct Redundancy {
    /// AAᵀ
    gram: Semidefinite,
    /// NᵀA or Nᵀb, for one direction.
    part: Vec<f64>,
}

impl RowSpace {
    /// From now on no matrix has more than this rank, whatever rounding and errors leave in its rows.
    pub fn limit_rank(&mut self, most: usize) {
        self.most = most.min(self.reflections.len());
        self.redundancy = (self.most < self.rows).then(|| Redundancy {
            gram: Semidefinite::new(self.rows),
            part: vec![0.0; self.columns],
        });
    }

    /// How firmly the rows hold the directions that count as redundant, from 0 to 1: that part of their length points
    /// in a direction of its own.
    pub fn hold_on_redundant(&mut self) -> f64 {
        let redundancy = self.redundancy.as_mut();
        redundancy.map_or(0.0, |redundancy| redundancy.gram.hold_on_directions().sqrt())
    }

    /// Makes the rows, of length 1, those of a matrix that has the rank that is known.
    pub(super) fn deflate(&mut self) {
        let Some(Redundancy { gram, part }) = &mut self.redundancy else { return };
        let (m, n) = (self.rows, self.columns.max(1));
        let mut entries = gram.matrix_mut().iter_mut();
        for (i, row) in self.work.chunks_exact(n).enumerate() {
            for (other, entry) in self.work.chunks_exact(n).take(i + 1).zip(&mut entries) {
                *entry = dot(row, other);
            }
        }
        // rows of length 1 with a multiple of the identity: always positive definite
        let _ = gram.factor(m - self.most, 0.0);
        for direction in gram.singular_directions().chunks_exact(m) {
            part.fill(0.0);
            for (row, along) in self.work.chunks_exact(n).zip(direction) {
                part.iter_mut().zip(row).for_each(|(part, entry)| *part += along * entry);
            }
            for (row, along) in self.work.chunks_exact_mut(n).zip(direction) {
                row.iter_mut().zip(&*part).for_each(|(entry, part)| *entry -= along * part);
            }
        }
    }

    /// An entry of the right side that belongs to the rows of length 1.
    #[inline]
    pub(super) fn scaled_right(&self, right: &[f64], row: usize) -> f64 {
        let own = right[row] / self.lengths[row];
        let Some(redundancy) = &self.redundancy else { return own };
        let rows = || right.iter().zip(&self.lengths);
        // a row of zeros says nothing
        let scaled =
            || rows().map(|(right, length)| if *length > 0.0 { right / length } else { 0.0 });
        let directions = redundancy.gram.singular_directions().chunks_exact(self.rows);
        let common = directions.map(|direction| {
            let along: f64 = direction.iter().zip(scaled()).map(|(along, b)| along * b).sum();
            direction[row] * along
        });
        own - common.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last row is the sum of the first two, and then a little off: the same solution, whichever rows come first.
    #[test]
    fn rows_that_nearly_follow_from_others_change_nothing_but_a_little() {
        let matrix = |off: f64| {
            [1.0, 0.2, 0.0, 0.5, 0.0, 2.0, 1.0, -0.3, 1.0 + off, 2.2, 1.0, 0.2 - off].to_vec()
        };
        let mut space = RowSpace::new(3, 4);
        space.limit_rank(2);
        let mut solutions = Vec::new();
        for off in [0.0, 1e-9, -1e-9, 1e-6] {
            space.factor(&matrix(off));
            assert_eq!(space.rank(), 2);
            assert!(space.hold_on_redundant() < 1e-5);
            let mut x = vec![0.0; 4];
            space.solve(&[1.0, -1.0, 3.0 * off], &mut x);
            solutions.push((off, x));
        }
        let mut plain = RowSpace::new(2, 4);
        plain.factor(&matrix(0.0)[..8]);
        let mut expected = vec![0.0; 4];
        plain.solve(&[1.0, -1.0], &mut expected);
        for (off, x) in solutions {
            for (x, expected) in x.iter().zip(&expected) {
                assert!((x - expected).abs() < 1e-11 + 10.0 * off.abs(), "{off}: {x}, {expected}");
            }
        }
        space.factor(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert!(space.hold_on_redundant() > 0.9);
    }
}
