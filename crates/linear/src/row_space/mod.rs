//! Orthogonal factors of the rows of a matrix: rank, shortest solutions, directions that no row sees, and which rows
//! depend on which others.
//!
//! # Equations
//! The transposed matrix is factored by Householder reflections with pivoting,
//! $$A^T\Pi = Q\begin{bmatrix} R_1 & R_2 \\ 0 & 0\end{bmatrix},$$
//! every row of A scaled to length 1 first. The first r rows in the order Π are independent, the others are combinations
//! of them with coefficients $R_1^{-1}R_2$. Three more things are read off: the shortest x with $Ax = b$ on the
//! independent rows, $Q_1R_1^{-T}b$; an orthonormal basis of the x with $Ax = 0$, the last columns of Q; and
//! the shortest λ that brings $A^T\lambda$ nearest to f. For the last, $R_1\lambda_1 = Q_1^T f$ alone
//! gives one λ; all others differ by combinations of $N = (-R_1^{-1}R_2,\ 1)$, and the part along N is
//! taken away. $N^TN \ge 1$, so that nothing is lost in solving with it.
//!
//! # Reference
//! P. Businger, G. H. Golub, "Linear least squares solutions by Householder transformations", 1965;
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 2013, sections 5.4 and 5.5

mod dependence;
mod redundancy;
mod summation;

pub use dependence::DependentRow;

use crate::vector::{dot, scaled_norm};
use crate::{Matrix, ldlt};
use redundancy::Redundancy;
use summation::Summation;

/// A row is dependent if less than this part of its length points in a new direction.
const RANK_TOLERANCE: f64 = 1e-9;

/// Below this independence of a row regularisation can be seen in a solution.
const HARDLY_HELD: f64 = 1e-2;
/// How often a regularised solution is refined: see [`Semidefinite`](crate::Semidefinite).
const SWEEPS: i32 = 5;

/// The factored rows of a matrix. As a workspace that is used again and again, [`RowSpace::new`] alone allocates; for
/// one matrix there are [`RowSpace::of`] and answers in vectors of their own.
#[derive(Clone, Debug)]
pub struct RowSpace {
    rows: usize,
    columns: usize,
    summation: Summation,
    /// Row k: original row `order[k]`, scaled and reflected; entries up to k are R, those behind the
    /// diagonal are the k-th reflection.
    work: Vec<f64>,
    /// Factors of the reflections.
    reflections: Vec<f64>,
    order: Vec<usize>,
    lengths: Vec<f64>,
    rank: usize,
    /// ε, for rows of length 1.
    regularisation: f64,
    /// The largest rank that a matrix can have.
    most: usize,
    /// Where that is less than the rows have: what the rows have in common.
    redundancy: Option<Redundancy>,

    // Scratch of `combine`.
    rotated: Vec<f64>,
    /// R₁⁻¹R₂, in the units of the rows: for every dependent row what it is made of.
    combinations: Vec<f64>,
    /// NᵀN, packed.
    gram: Vec<f64>,
    along: Vec<f64>,
    pivots: Vec<f64>,
}

impl RowSpace {
    /// Room for matrices of this shape.
    pub fn new(rows: usize, columns: usize) -> Self {
        RowSpace {
            rows,
            columns,
            summation: Summation::InFours,
            work: vec![0.0; rows * columns],
            reflections: vec![0.0; rows.min(columns)],
            order: (0..rows).collect(),
            lengths: vec![0.0; rows],
            rank: 0,
            regularisation: 0.0,
            most: rows.min(columns),
            redundancy: None,
            rotated: vec![0.0; columns],
            combinations: vec![0.0; rows * rows],
            gram: vec![0.0; rows * (rows + 1) / 2],
            along: vec![0.0; rows],
            pivots: vec![0.0; rows],
        }
    }

    /// The factored rows of one matrix of finite entries.
    pub fn of(matrix: &Matrix) -> Self {
        let mut space = RowSpace::new(matrix.rows(), matrix.columns());
        space.summation = Summation::InOrder;
        space.factor(matrix.entries());
        space
    }

    /// Factors a matrix of finite entries, given row by row.
    pub fn factor(&mut self, matrix: &[f64]) {
        self.factor_to(matrix, RANK_TOLERANCE);
    }

    /// The same for entries that have errors: a row is dependent if no more than this part of its length points
    /// in a new direction.
    pub fn factor_to(&mut self, matrix: &[f64], tolerance: f64) {
        self.work.copy_from_slice(matrix);
        self.rank = 0;
        for (row, entries) in self.work.chunks_exact_mut(self.columns.max(1)).enumerate() {
            self.order[row] = row;
            self.lengths[row] = scaled_norm(entries);
            if self.lengths[row] > 0.0 {
                entries.iter_mut().for_each(|entry| *entry /= self.lengths[row]);
            }
        }
        self.deflate();
        while self.rank < self.most && self.reflect_next(tolerance) {}
    }

    /// Reflects the row that points most in a new direction onto the next axis; `false` if none.
    fn reflect_next(&mut self, tolerance: f64) -> bool {
        let (k, n) = (self.rank, self.columns);
        let summation = self.summation;
        let rest = |row: usize| summation.measure(&self.work[row * n + k..(row + 1) * n]);
        let candidates = (k..self.rows).map(|row| (row, rest(row)));
        let (pivot, measure) =
            candidates.fold((k, 0.0), |best, next| if next.1 > best.1 { next } else { best });
        let size = summation.length(measure);
        if size <= tolerance {
            return false;
        }
        let (before, from_pivot) = self.work.split_at_mut((k + 1) * n);
        let row = &mut before[k * n..];
        if pivot != k {
            row.swap_with_slice(&mut from_pivot[(pivot - k - 1) * n..][..n]);
            self.order.swap(k, pivot);
        }
        let diagonal = if row[k] > 0.0 { -size } else { size };
        // reflection I − τ u uᵀ with u = (1, row[k+1..]/u₀)
        let first = row[k] - diagonal;
        row[k + 1..].iter_mut().for_each(|entry| *entry /= first);
        row[k] = diagonal;
        self.reflections[k] = -first / diagonal;
        for other in from_pivot.chunks_exact_mut(n) {
            summation.reflect(&mut other[k..], &row[k + 1..], self.reflections[k]);
        }
        self.rank += 1;
        true
    }

    /// How many rows are independent.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The rows in the order in which they were taken: the independent ones first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The independence of the k-th row taken: the part of its length that points in a direction none of the earlier
    /// rows has, from 1 down to the tolerance, and 0 where rows are dependent.
    pub fn independence(&self, k: usize) -> f64 {
        if k < self.rank { self.row(k)[k].abs() } else { 0.0 }
    }

    /// The shortest x with A x = b on the independent rows.
    pub fn solve(&self, right: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        for k in 0..self.rank {
            // forward substitution with R₁ᵀ
            let row = self.row(k);
            let known = dot(&row[..k], &x[..k]);
            let scaled = self.scaled_right(right, self.order[k]);
            x[k] = (scaled - known) / row[k];
            if row[k].abs() < HARDLY_HELD {
                x[k] *= self.held_part(row[k]);
            }
        }
        self.rotate(x);
    }

    /// From now on a right side is answered where rows hardly hold as far as this ε allows: up to 1/√ε times as large,
    /// whatever the independence.
    pub fn regularise(&mut self, regularisation: f64) {
        self.regularisation = regularisation;
    }

    /// The part of a solution that is kept of a row with this independence.
    fn held_part(&self, independence: f64) -> f64 {
        let epsilon = self.regularisation;
        1.0 - (epsilon / (independence * independence + epsilon)).powi(SWEEPS)
    }

    /// The same in a vector of its own.
    pub fn solution(&self, right: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.columns];
        self.solve(right, &mut x);
        x
    }

    /// The k-th of the directions x with A x = 0, which are orthonormal; there are columns − rank.
    pub fn null_direction(&self, k: usize, x: &mut [f64]) {
        x.fill(0.0);
        x[self.rank + k] = 1.0;
        self.rotate(x);
    }

    /// All directions x with A x = 0: an orthonormal basis.
    pub fn null_space(&self) -> Vec<Vec<f64>> {
        let direction = |k: usize| {
            let mut x = vec![0.0; self.columns];
            self.null_direction(k, &mut x);
            x
        };
        (0..self.columns - self.rank).map(direction).collect()
    }

    /// The shortest λ that brings Aᵀλ nearest to a target.
    pub fn combine(&mut self, target: &[f64], multipliers: &mut [f64]) {
        let r = self.rank;
        let mut rotated = std::mem::take(&mut self.rotated);
        rotated.copy_from_slice(target);
        for k in 0..r {
            let direction = &self.work[k * self.columns + k + 1..(k + 1) * self.columns];
            self.summation.reflect(&mut rotated[k..], direction, self.reflections[k]);
        }
        self.back_substitute(&mut rotated);
        multipliers.fill(0.0);
        for (k, value) in rotated[..r].iter().enumerate() {
            multipliers[self.order[k]] = value / self.lengths[self.order[k]];
        }
        self.rotated = rotated;
        if r < self.rows {
            self.shorten(multipliers);
        }
    }

    /// λ − N (NᵀN)⁻¹ Nᵀλ
    fn shorten(&mut self, multipliers: &mut [f64]) {
        let (r, free) = (self.rank, self.rows - self.rank);
        self.combine_dependent_rows();
        let combinations = std::mem::take(&mut self.combinations);
        let parts = |k: usize| k * r..(k + 1) * r;
        for k in 0..free {
            let combination = &combinations[parts(k)];
            for other in 0..=k {
                let product = dot(combination, &combinations[parts(other)]);
                self.gram[k * (k + 1) / 2 + other] = product + if other == k { 1.0 } else { 0.0 };
            }
            let known = combination.iter().zip(&self.order).map(|(c, &row)| c * multipliers[row]);
            self.along[k] = multipliers[self.order[r + k]] - known.sum::<f64>();
        }
        // a sum of squares and the identity is never singular
        let _ = ldlt::factor(&mut self.gram, free, &mut self.pivots);
        ldlt::solve(&self.gram, free, &mut self.along[..free]);
        for k in 0..free {
            multipliers[self.order[r + k]] -= self.along[k];
            for (c, &row) in combinations[parts(k)].iter().zip(&self.order) {
                multipliers[row] += c * self.along[k];
            }
        }
        self.combinations = combinations;
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.work[k * self.columns..(k + 1) * self.columns]
    }

    /// R₁⁻¹ x: upper triangular, with column j in row j of the work matrix.
    fn back_substitute(&self, x: &mut [f64]) {
        for j in (0..self.rank).rev() {
            let row = self.row(j);
            x[j] /= row[j];
            let solved = x[j];
            for (x, r) in x[..j].iter_mut().zip(row) {
                *x -= r * solved;
            }
        }
    }

    /// Q x
    fn rotate(&self, x: &mut [f64]) {
        for k in (0..self.rank).rev() {
            self.summation.reflect(&mut x[k..], &self.row(k)[k + 1..], self.reflections[k]);
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

    /// 3 × 5, and below it twice its first row and the sum of the others.
    fn redundant() -> Vec<f64> {
        let mut a = scattered(15, 0.4);
        let twice: Vec<f64> = a[..5].iter().map(|entry| 2.0 * entry).collect();
        let sum: Vec<f64> = (5..10).map(|i| a[i] + a[i + 5]).collect();
        a.extend(twice);
        a.extend(sum);
        a
    }

    fn transposed_times(a: &[f64], x: &[f64]) -> Vec<f64> {
        let columns = a.len() / x.len();
        (0..columns)
            .map(|j| x.iter().enumerate().map(|(i, x)| a[i * columns + j] * x).sum())
            .collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?} and {expected:?}");
        }
    }

    #[test]
    fn used_again_it_agrees_with_the_factors_made_anew() {
        let mut space = RowSpace::new(4, 7);
        for seed in [0.1, 2.3, 4.7] {
            let a = scattered(28, seed);
            let anew = RowSpace::of(&Matrix::from_fn(4, 7, |row, column| a[row * 7 + column]));
            space.factor(&a);
            assert_eq!(space.rank(), anew.rank());
            let (right, mut x) = (scattered(4, seed + 1.0), [0.0; 7]);
            space.solve(&right, &mut x);
            assert_near(&x, &anew.solution(&right));
            // another order of the rows may give another basis, but of the same space
            let basis = anew.null_space();
            for k in 0..basis.len() {
                space.null_direction(k, &mut x);
                let mut left = x;
                for direction in &basis {
                    let part = dot(&x, direction);
                    left.iter_mut().zip(direction).for_each(|(left, d)| *left -= part * d);
                }
                assert_near(&left, &[0.0; 7]);
            }
        }
    }

    #[test]
    fn the_solution_is_the_shortest() {
        let rows = [[1e6, 1e6, 0.0], [0.0, 1e-3, 1e-3]];
        let space = RowSpace::of(&Matrix::from_fn(2, 3, |row, column| rows[row][column]));
        let x = space.solution(&[2e6, 3e-3]);
        let residual = [x[0] + x[1] - 2.0, x[1] + x[2] - 3.0];
        assert!(residual.iter().all(|r| r.abs() < 1e-13), "{residual:?}");
        // the shortest solution has no part along the null space (1, −1, 1)
        assert!((x[0] - x[1] + x[2]).abs() < 1e-13);
        let null = space.null_space();
        assert_eq!(null.len(), 1);
        assert!((null[0][0] + null[0][1]).abs() < 1e-14);
        assert!((scaled_norm(&null[0]) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn free_directions_are_orthonormal_and_leave_every_row_at_zero() {
        let a = redundant();
        let mut space = RowSpace::new(5, 5);
        space.factor(&a);
        assert_eq!(space.rank(), 3);
        let mut basis = [[0.0; 5]; 2];
        (0..2).for_each(|k| space.null_direction(k, &mut basis[k]));
        for (i, x) in basis.iter().enumerate() {
            assert!(a.chunks(5).all(|row| dot(row, x).abs() < 1e-14));
            for (j, y) in basis.iter().enumerate() {
                assert!((dot(x, y) - f64::from(i == j)).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn independent_rows_combine_to_their_own_combination() {
        let a = scattered(28, 0.9);
        let (multipliers, mut found) = ([3.0, -1.0, 0.5, 2.0], [0.0; 4]);
        let mut space = RowSpace::new(4, 7);
        space.factor(&a);
        space.combine(&transposed_times(&a, &multipliers), &mut found);
        assert_near(&found, &multipliers);
    }

    /// Rows 0 and 3 share their part 1 : 2; rows 1, 2 and 4 as little as possible each.
    #[test]
    fn dependent_rows_share_in_the_shortest_way() {
        let a = redundant();
        let mut space = RowSpace::new(5, 5);
        space.factor(&a);
        let target = transposed_times(&a, &[5.0, 1.0, 1.0, 0.0, 0.0]);
        let mut found = [0.0; 5];
        space.combine(&target, &mut found);
        assert_near(&transposed_times(&a, &found), &target);
        assert_near(&found, &[1.0, 1.0 / 3.0, 1.0 / 3.0, 2.0, 2.0 / 3.0]);
    }

    #[test]
    fn what_rows_cannot_reach_is_left_out() {
        let mut space = RowSpace::new(1, 2);
        space.factor(&[3.0, 4.0]);
        let mut found = [0.0];
        // (−4, 3) stands across the row
        space.combine(&[6.0 - 4.0, 8.0 + 3.0], &mut found);
        assert_near(&found, &[2.0]);
    }

    #[test]
    fn empty_and_zero_matrices_have_rank_zero() {
        let mut space = RowSpace::new(2, 3);
        space.factor(&[0.0; 6]);
        let (mut found, mut x) = ([7.0; 2], [7.0; 3]);
        space.combine(&[1.0, 2.0, 3.0], &mut found);
        space.solve(&[1.0, 1.0], &mut x);
        assert_eq!((space.rank(), found, x), (0, [0.0; 2], [0.0; 3]));
        assert_eq!(RowSpace::of(&Matrix::zeros(0, 3)).null_space().len(), 3);
        assert_eq!(RowSpace::of(&Matrix::zeros(0, 0)).rank(), 0);
    }
}
