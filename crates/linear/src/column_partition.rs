//! Dependent and independent columns of a matrix, chosen by full pivoting.
//!
//! # Equations
//! Rows and columns are ordered so that the leading r × r block B of A is the one that elimination with
//! the largest pivots finds, every row of A scaled by its largest entry first. For given independent
//! entries of x the dependent ones follow from $Ax = b$ by one solution with B; they answer with
//! $-B^{-1}C$, where C holds the independent columns, and its largest entry, the *spread*, measures how well
//! the choice still fits when the entries of A have changed.
//!
//! # Reference
//! R. A. Wehage, E. J. Haug, "Generalized coordinate partitioning for dimension reduction in analysis of
//! constrained dynamic systems", 1982

use crate::vector::{dot, max_abs};

/// A pivot smaller than this, in rows whose largest entry is 1, counts as zero.
const RANK_TOLERANCE: f64 = 1e-9;

/// A choice of columns and the factored block it belongs to; only [`ColumnPartition::new`] allocates.
#[derive(Clone, Debug)]
pub struct ColumnPartition {
    rows: usize,
    columns: usize,
    /// First the rows of B, in the order of its factors.
    row_order: Vec<usize>,
    /// First the dependent columns.
    column_order: Vec<usize>,
    rank: usize,
    /// L and U of B, row by row; while columns are chosen, the whole matrix.
    factors: Vec<f64>,
    /// The inverse of the largest entry of each row.
    scales: Vec<f64>,
    scratch: Vec<f64>,
}

impl ColumnPartition {
    /// Room for matrices of this shape.
    pub fn new(rows: usize, columns: usize) -> Self {
        ColumnPartition {
            rows,
            columns,
            row_order: (0..rows).collect(),
            column_order: (0..columns).collect(),
            rank: 0,
            factors: vec![0.0; rows * columns],
            scales: vec![1.0; rows],
            scratch: vec![0.0; rows],
        }
    }

    /// Chooses the columns for a matrix of finite entries, given row by row.
    pub fn choose(&mut self, matrix: &[f64]) {
        let (m, n) = (self.rows, self.columns);
        self.scale(matrix);
        self.row_order.iter_mut().enumerate().for_each(|(at, row)| *row = at);
        self.column_order.iter_mut().enumerate().for_each(|(at, column)| *column = at);
        for (row, &scale) in self.scales.iter().enumerate() {
            for column in row * n..(row + 1) * n {
                self.factors[column] = scale * matrix[column];
            }
        }
        self.rank = 0;
        for k in 0..m.min(n) {
            let mut best = (k, k, 0.0);
            for row in k..m {
                for column in k..n {
                    let size = self.factors[row * n + column].abs();
                    if size > best.2 {
                        best = (row, column, size);
                    }
                }
            }
            let (row, column, size) = best;
            if size <= RANK_TOLERANCE {
                break;
            }
            (0..n).for_each(|at| self.factors.swap(k * n + at, row * n + at));
            (0..m).for_each(|at| self.factors.swap(at * n + k, at * n + column));
            self.row_order.swap(k, row);
            self.column_order.swap(k, column);
            eliminate(&mut self.factors, n, k, m);
            self.rank += 1;
        }
        // in the order of their numbers they are easier to read
        self.column_order[self.rank..].sort_unstable();
    }

    /// Factors the block of the chosen columns for another matrix; `false` if it is singular there.
    pub fn factor(&mut self, matrix: &[f64]) -> bool {
        let (n, r) = (self.columns, self.rank);
        self.scale(matrix);
        for (i, &row) in self.row_order[..r].iter().enumerate() {
            for (j, &column) in self.column_order[..r].iter().enumerate() {
                self.factors[i * r + j] = self.scales[row] * matrix[row * n + column];
            }
        }
        for k in 0..r {
            let size = |row: usize| self.factors[row * r + k].abs();
            let pivot = (k..r).fold(k, |best, row| if size(row) > size(best) { row } else { best });
            if size(pivot).is_nan() || size(pivot) <= RANK_TOLERANCE {
                return false;
            }
            if pivot != k {
                (0..r).for_each(|at| self.factors.swap(k * r + at, pivot * r + at));
                self.row_order.swap(k, pivot);
            }
            eliminate(&mut self.factors, r, k, r);
        }
        true
    }

    /// The inverse of the largest entry of each row.
    fn scale(&mut self, matrix: &[f64]) {
        for (scale, row) in self.scales.iter_mut().zip(matrix.chunks_exact(self.columns.max(1))) {
            let largest = max_abs(row);
            *scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        }
    }

    /// The x with A x = b on the rows of the block, and nothing in the independent columns; after
    /// [`ColumnPartition::factor`].
    pub fn solve(&mut self, right: &[f64], x: &mut [f64]) {
        for (value, &row) in self.scratch.iter_mut().zip(&self.row_order[..self.rank]) {
            *value = self.scales[row] * right[row];
        }
        self.substitute();
        x.fill(0.0);
        for (value, &column) in self.scratch.iter().zip(&self.column_order[..self.rank]) {
            x[column] = *value;
        }
    }

    /// The largest entry of B⁻¹C; after [`ColumnPartition::factor`] for the same matrix.
    pub fn spread(&mut self, matrix: &[f64]) -> f64 {
        let mut largest = 0.0_f64;
        for k in self.rank..self.columns {
            let column = self.column_order[k];
            for (value, &row) in self.scratch.iter_mut().zip(&self.row_order[..self.rank]) {
                *value = self.scales[row] * matrix[row * self.columns + column];
            }
            self.substitute();
            largest = largest.max(max_abs(&self.scratch[..self.rank]));
        }
        largest
    }

    /// Solves with L and U in `scratch`.
    fn substitute(&mut self) {
        let r = self.rank;
        let x = &mut self.scratch[..r];
        for i in 1..r {
            x[i] -= dot(&self.factors[i * r..][..i], x);
        }
        for i in (0..r).rev() {
            let row = &self.factors[i * r..(i + 1) * r];
            x[i] = (x[i] - dot(&row[i + 1..], &x[i + 1..])) / row[i];
        }
    }

    /// How many columns are dependent.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The independent columns.
    pub fn independent(&self) -> &[usize] {
        &self.column_order[self.rank..]
    }
}

/// Takes multiples of row k from the rows below it; the multiples stay where they leave zeros.
fn eliminate(matrix: &mut [f64], width: usize, k: usize, rows: usize) {
    let (above, below) = matrix[..rows * width].split_at_mut((k + 1) * width);
    let pivot_row = &above[k * width..];
    for row in below.chunks_exact_mut(width) {
        // most blocks are sparse
        if row[k] == 0.0 {
            continue;
        }
        let factor = row[k] / pivot_row[k];
        row[k] = factor;
        for (entry, pivot) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
            *entry -= factor * pivot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries without a pattern.
    fn scattered(count: usize, seed: f64) -> Vec<f64> {
        // the square: sines of evenly spaced angles would make a matrix of rank 2
        (0..count).map(|i| (seed + 1.7 * (i * i) as f64).sin()).collect()
    }

    #[test]
    fn dependent_entries_follow_from_the_independent_ones() {
        let mut partition = ColumnPartition::new(3, 5);
        partition.choose(&scattered(15, 0.3));
        // solved for matrices that came later, with the choice as it was
        for seed in [0.3, 0.5, 0.8] {
            let a = scattered(15, seed);
            assert!(partition.factor(&a));
            let (right, mut x) = (scattered(3, seed + 2.0), [7.0; 5]);
            partition.solve(&right, &mut x);
            assert!(partition.independent().iter().all(|&column| x[column] == 0.0));
            for (row, right) in a.chunks(5).zip(&right) {
                assert!((dot(row, &x) - right).abs() < 1e-13);
            }
        }
    }

    /// Of one row the largest entry becomes dependent, and the spread is the ratio to the next.
    #[test]
    fn the_spread_tells_when_a_choice_has_become_a_bad_one() {
        let mut partition = ColumnPartition::new(1, 3);
        partition.choose(&[1.0, -4.0, 2.0]);
        assert_eq!(partition.independent(), [0, 2]);
        assert!(partition.factor(&[1.0, -4.0, 2.0]));
        assert_eq!(partition.spread(&[1.0, -4.0, 2.0]), 0.5);
        assert!(partition.factor(&[1.0, 0.125, 2.0]));
        assert_eq!(partition.spread(&[1.0, 0.125, 2.0]), 16.0);
        assert!(!partition.factor(&[1.0, 0.0, 2.0]));
        assert!(!partition.factor(&[1.0, f64::NAN, 2.0]));
    }

    #[test]
    fn redundant_rows_are_left_out_and_their_scale_does_not_matter() {
        let mut a = scattered(8, 1.1);
        let copy: Vec<f64> = a[..4].iter().map(|entry| 1e7 * entry).collect();
        a.extend(copy);
        let mut partition = ColumnPartition::new(3, 4);
        partition.choose(&a);
        assert_eq!((partition.rank(), partition.independent().len()), (2, 2));
        assert!(partition.factor(&a) && partition.spread(&a) < 4.0);
    }

    #[test]
    fn matrices_without_rank_leave_all_columns_independent() {
        let mut partition = ColumnPartition::new(2, 2);
        partition.choose(&[0.0; 4]);
        assert_eq!(partition.independent(), [0, 1]);
        let mut x = [7.0; 2];
        assert!(partition.factor(&[0.0; 4]));
        partition.solve(&[1.0, 1.0], &mut x);
        assert_eq!((x, partition.spread(&[0.0; 4])), ([0.0; 2], 0.0));
    }
}
