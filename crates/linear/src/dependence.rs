//! Which rows of a matrix depend on which others, and the shortest solution of what is left.
//!
//! # Equations
//! The transposed matrix is factored by Householder reflections with pivoting,
//! $$A^T\Pi = Q\begin{bmatrix} R_1 & R_2 \\ 0 & 0\end{bmatrix},$$
//! every row of A scaled to length 1 first. The first r rows in the order Π are independent, the
//! others are combinations of them with coefficients $R_1^{-1}R_2$, and the shortest x with
//! $A x = b$ on the independent rows is $Q_1 R_1^{-T} b$.
//!
//! # Reference
//! P. Businger, G. H. Golub, "Linear least squares solutions by Householder transformations", 1965

use crate::Matrix;

/// A row is dependent if less than this part of its length points in a new direction.
const RANK_TOLERANCE: f64 = 1e-9;

/// The factored rows of a matrix.
#[derive(Clone, Debug)]
pub struct RowDependence {
    /// Row k: original row `order[k]`, scaled and reflected; entries up to k are R, those behind
    /// the diagonal are the k-th reflection.
    work: Matrix,
    /// Factors of the reflections.
    reflections: Vec<f64>,
    order: Vec<usize>,
    lengths: Vec<f64>,
    rank: usize,
}

impl RowDependence {
    /// Factors the rows of a matrix of finite entries.
    pub fn new(matrix: &Matrix) -> Self {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let mut work = matrix.clone();
        let lengths: Vec<f64> = (0..rows).map(|row| length(matrix.row(row))).collect();
        for (row, &length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0.0) {
            work.row_mut(row).iter_mut().for_each(|entry| *entry /= length);
        }
        let mut factored = RowDependence {
            work,
            reflections: Vec::new(),
            order: (0..rows).collect(),
            lengths,
            rank: 0,
        };
        while factored.rank < rows.min(columns) && factored.reflect_next() {}
        factored
    }

    /// Reflects the row that points most in a new direction onto the next axis; `false` if none.
    fn reflect_next(&mut self) -> bool {
        let k = self.rank;
        let rest = |row: usize| length(&self.work.row(row)[k..]);
        let candidates = (k..self.work.rows()).map(|row| (row, rest(row)));
        let (pivot, size) =
            candidates.fold((k, 0.0), |best, next| if next.1 > best.1 { next } else { best });
        if size <= RANK_TOLERANCE {
            return false;
        }
        self.swap_rows(k, pivot);
        let row = self.work.row_mut(k);
        let diagonal = if row[k] > 0.0 { -size } else { size };
        // reflection I − τ u uᵀ with u = (1, row[k+1..]/u₀)
        let first = row[k] - diagonal;
        row[k + 1..].iter_mut().for_each(|entry| *entry /= first);
        row[k] = diagonal;
        let factor = -first / diagonal;
        self.reflections.push(factor);
        let direction = self.work.row(k)[k + 1..].to_vec();
        for other in k + 1..self.work.rows() {
            reflect(&mut self.work.row_mut(other)[k..], &direction, factor);
        }
        self.rank += 1;
        true
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            for column in 0..self.work.columns() {
                let kept = self.work[(a, column)];
                self.work[(a, column)] = self.work[(b, column)];
                self.work[(b, column)] = kept;
            }
            self.order.swap(a, b);
        }
    }

    /// How many rows are independent.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The independent rows.
    pub fn independent(&self) -> &[usize] {
        &self.order[..self.rank]
    }

    /// Each dependent row with the rows that combine to it and their coefficients.
    pub fn dependent(&self) -> Vec<(usize, Vec<(usize, f64)>)> {
        (self.rank..self.order.len()).map(|k| (self.order[k], self.combination(k))).collect()
    }

    fn combination(&self, k: usize) -> Vec<(usize, f64)> {
        // R₁ c = r₂, upper triangular with column j in row j of the work matrix
        let mut c: Vec<f64> = self.work.row(k)[..self.rank].to_vec();
        for j in (0..self.rank).rev() {
            c[j] /= self.work[(j, j)];
            let solved = c[j];
            for i in 0..j {
                c[i] -= self.work[(j, i)] * solved;
            }
        }
        let scale = |j: usize| self.lengths[self.order[k]] / self.lengths[self.order[j]];
        let relevant = |&(_, coefficient): &(usize, f64)| coefficient.abs() > 1e-7;
        c.into_iter()
            .enumerate()
            .filter(relevant)
            .map(|(j, coefficient)| (self.order[j], coefficient * scale(j)))
            .collect()
    }

    /// The shortest x with A x = b on the independent rows.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.work.columns()];
        for k in 0..self.rank {
            // forward substitution with R₁ᵀ
            let row = self.work.row(k);
            let known: f64 = (0..k).map(|i| row[i] * x[i]).sum();
            let scaled = right[self.order[k]] / self.lengths[self.order[k]];
            x[k] = (scaled - known) / row[k];
        }
        self.apply_reflections(&mut x);
        x
    }

    /// A basis of the directions x with A x = 0, orthonormal.
    pub fn null_space(&self) -> Vec<Vec<f64>> {
        let axis = |k: usize| {
            let mut x = vec![0.0; self.work.columns()];
            x[k] = 1.0;
            self.apply_reflections(&mut x);
            x
        };
        (self.rank..self.work.columns()).map(axis).collect()
    }

    /// Q x
    fn apply_reflections(&self, x: &mut [f64]) {
        for k in (0..self.rank).rev() {
            reflect(&mut x[k..], &self.work.row(k)[k + 1..], self.reflections[k]);
        }
    }
}

/// x − τ u (uᵀ x) with u = (1, direction)
fn reflect(x: &mut [f64], direction: &[f64], factor: f64) {
    let dot = x[0] + x[1..].iter().zip(direction).map(|(a, b)| a * b).sum::<f64>();
    x[0] -= factor * dot;
    for (entry, component) in x[1..].iter_mut().zip(direction) {
        *entry -= factor * dot * component;
    }
}

fn length(vector: &[f64]) -> f64 {
    let largest = vector.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    // scaled, so that squares neither overflow nor vanish
    largest * vector.iter().map(|entry| (entry / largest).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        let mut matrix = Matrix::zeros(rows.len(), rows[0].len());
        for (row, entries) in rows.iter().enumerate() {
            matrix.row_mut(row).copy_from_slice(entries);
        }
        matrix
    }

    #[test]
    fn a_combination_of_rows_is_named_with_its_coefficients() {
        let a = matrix(&[&[1.0, 0.0, 2.0], &[0.0, 1.0, 1.0], &[2.0, -3.0, 1.0]]);
        let factored = RowDependence::new(&a);
        assert_eq!(factored.rank(), 2);
        let (row, combination) = factored.dependent().remove(0);
        let mut sum = [0.0; 3];
        for (other, coefficient) in combination {
            assert_ne!(other, row);
            for (entry, value) in sum.iter_mut().zip(a.row(other)) {
                *entry += coefficient * value;
            }
        }
        for (entry, expected) in sum.iter().zip(a.row(row)) {
            assert!((entry - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn the_solution_is_the_shortest() {
        let a = matrix(&[&[1e6, 1e6, 0.0], &[0.0, 1e-3, 1e-3]]);
        let factored = RowDependence::new(&a);
        let x = factored.solve(&[2e6, 3e-3]);
        let residual = [x[0] + x[1] - 2.0, x[1] + x[2] - 3.0];
        assert!(residual.iter().all(|r| r.abs() < 1e-13), "{residual:?}");
        // the shortest solution has no part along the null space (1, −1, 1)
        assert!((x[0] - x[1] + x[2]).abs() < 1e-13);
        let null = factored.null_space();
        assert_eq!(null.len(), 1);
        assert!((null[0][0] + null[0][1]).abs() < 1e-14);
        assert!((length(&null[0]) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn zero_rows_and_empty_matrices_have_rank_zero() {
        assert_eq!(RowDependence::new(&Matrix::zeros(2, 3)).rank(), 0);
        assert_eq!(RowDependence::new(&Matrix::zeros(0, 3)).null_space().len(), 3);
        assert_eq!(RowDependence::new(&Matrix::zeros(0, 0)).rank(), 0);
        let dependent = RowDependence::new(&Matrix::zeros(2, 3)).dependent();
        assert!(dependent.iter().all(|(_, combination)| combination.is_empty()));
    }
}
