//! Systems with a symmetric matrix that is positive definite, or nearly singular, or singular in a known number of
//! directions: a solution that depends smoothly on the entries, whatever they are.
//!
//! # Equations
//! With the diagonal D of W and a small ε the matrix $C = W + \varepsilon D$ is positive definite, and
//! $$x_{k+1} = x_k + PC^{-1}P^T(b - Wx_k),\qquad x_0 = 0,$$
//! is repeated a fixed number of times: a direction that W holds with the part s of its diagonal is solved for up to
//! $(\varepsilon/(s + \varepsilon))^k$, one that it does not hold stays bounded. No pivot is asked whether it is zero, so
//! that no rounding has a say.
//!
//! P takes out the directions N in which W is known to be singular. They are found by inverse iteration, $N \leftarrow
//! C^{-1}DN$ from fixed vectors, and are the directions that W holds least even where it is singular no longer: an
//! equation that follows from others on the constraints, and contradicts them a little beside them, is left out on both
//! sides. Of all solutions the shortest is given.
//!
//! # Reference
//! N. Parikh, S. Boyd, *Proximal Algorithms*, 2014, section 4.1.2; for the directions G. H. Golub, C. F. Van Loan,
//! *Matrix Computations*, 2013, section 8.2

use crate::ldlt::{self, NotPositive};
use crate::vector::dot;

/// The least ε: far above the rounding of a diagonal entry.
const MIN_REGULARISATION: f64 = 1e-12;
/// How often the residual is solved for.
const SWEEPS: usize = 5;
/// How often the directions go through C⁻¹: each time the others lose ε relative to what holds them.
const INVERSE_ITERATIONS: usize = 3;

/// A symmetric positive semidefinite matrix, packed: rows of its lower triangle. Only [`Semidefinite::new`] and a change
/// of the number of singular directions allocate.
#[derive(Clone, Debug, Default)]
pub struct Semidefinite {
    /// W
    matrix: Vec<f64>,
    /// C, factored.
    factors: Vec<f64>,
    /// D, or the scales in its place; 1 where the diagonal is 0: such a row has nothing to say.
    diagonal: Vec<f64>,
    /// N, a direction after the other, with NᵀDN = 1.
    directions: Vec<f64>,
    /// The same directions with NᵀN = 1.
    orthonormal: Vec<f64>,
    right: Vec<f64>,
    change: Vec<f64>,
}

impl Semidefinite {
    /// Room for matrices of this many rows.
    pub fn new(rows: usize) -> Semidefinite {
        let packed = rows * (rows + 1) / 2;
        Semidefinite {
            matrix: vec![0.0; packed],
            factors: vec![0.0; packed],
            diagonal: vec![1.0; rows],
            directions: Vec::new(),
            orthonormal: Vec::new(),
            right: vec![0.0; rows],
            change: vec![0.0; rows],
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.diagonal.len()
    }

    /// W, packed, to be written.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.matrix
    }

    /// Factors the matrix that was written, singular in this many directions, with this ε.
    pub fn factor(
        &mut self,
        singular_directions: usize,
        regularisation: f64,
    ) -> Result<(), NotPositive> {
        self.diagonal.fill(0.0);
        self.factor_scaled(singular_directions, regularisation)
    }

    /// D, to be written for [`Semidefinite::factor_scaled`]: what the diagonal entries would be in other poses.
    pub fn scales_mut(&mut self) -> &mut [f64] {
        &mut self.diagonal
    }

    /// The same where some diagonal entries are small relative to scales that were written: such a row is hardly held,
    /// too.
    pub fn factor_scaled(
        &mut self,
        singular_directions: usize,
        regularisation: f64,
    ) -> Result<(), NotPositive> {
        let (n, epsilon) = (self.rows(), regularisation.max(MIN_REGULARISATION));
        self.factors.copy_from_slice(&self.matrix);
        for (row, scale) in self.diagonal.iter_mut().enumerate() {
            let entry = &mut self.factors[row * (row + 1) / 2 + row];
            let is_empty = *entry <= 0.0;
            *scale = if is_empty { 1.0 } else { scale.max(*entry) };
            *entry += if is_empty { 1.0 } else { epsilon * *scale };
        }
        ldlt::factor(&mut self.factors, n, &mut self.change)?;
        self.find_directions(singular_directions);
        Ok(())
    }

    /// Inverse iteration from vectors without a pattern.
    fn find_directions(&mut self, count: usize) {
        let n = self.rows();
        self.directions.resize(count * n, 0.0);
        self.orthonormal.resize(count * n, 0.0);
        // the square: sines of evenly spaced angles would make vectors of two directions
        let entries = self.directions.iter_mut().enumerate();
        entries.for_each(|(at, entry)| *entry = (0.3 + 1.7 * (at * at) as f64).sin());
        for _ in 0..INVERSE_ITERATIONS {
            for direction in self.directions.chunks_exact_mut(n.max(1)) {
                direction.iter_mut().zip(&self.diagonal).for_each(|(x, scale)| *x *= scale);
                ldlt::solve(&self.factors, n, direction);
            }
            orthonormalise(&mut self.directions, n, |row| self.diagonal[row]);
        }
        self.orthonormal.copy_from_slice(&self.directions);
        orthonormalise(&mut self.orthonormal, n, |_| 1.0);
    }

    /// The directions in which W counts as singular, one after the other, with NᵀN = 1.
    pub fn singular_directions(&self) -> &[f64] {
        &self.orthonormal
    }

    /// How firmly W holds the directions in which it counts as singular: the largest NᵀWN, 1 for a row of its own.
    pub fn hold_on_directions(&mut self) -> f64 {
        let n = self.rows();
        let mut largest = 0.0_f64;
        for direction in self.directions.chunks_exact(n.max(1)) {
            self.change.fill(0.0);
            subtract_product(&self.matrix, direction, &mut self.change);
            largest = largest.max(-dot(direction, &self.change));
        }
        largest
    }

    /// Turns b into x.
    pub fn solve(&mut self, x: &mut [f64]) {
        let Self { matrix, factors, diagonal, directions, orthonormal, right, change } = self;
        let n = diagonal.len();
        right.copy_from_slice(x);
        x.fill(0.0);
        for sweep in 0..SWEEPS {
            change.copy_from_slice(right);
            if sweep > 0 {
                subtract_product(matrix, x, change);
            }
            // Pᵀ = 1 − D N Nᵀ
            for direction in directions.chunks_exact(n.max(1)) {
                let part = dot(direction, change);
                for ((change, along), scale) in change.iter_mut().zip(direction).zip(&*diagonal) {
                    *change -= part * along * scale;
                }
            }
            ldlt::solve(factors, n, change);
            x.iter_mut().zip(&*change).for_each(|(x, change)| *x += change);
            // P = 1 − N Nᵀ D; at the end the shortest is taken instead
            for direction in directions.chunks_exact(n.max(1)) {
                let scaled = direction.iter().zip(&*diagonal).zip(&*x);
                let part: f64 = scaled.map(|((along, scale), x)| along * scale * x).sum();
                x.iter_mut().zip(direction).for_each(|(x, along)| *x -= part * along);
            }
        }
        for direction in orthonormal.chunks_exact(n.max(1)) {
            let part = dot(direction, x);
            x.iter_mut().zip(direction).for_each(|(x, along)| *x -= part * along);
        }
        for (row, x) in x.iter_mut().enumerate() {
            if matrix[row * (row + 1) / 2 + row] <= 0.0 {
                *x = 0.0;
            }
        }
    }
}

/// Gram and Schmidt's process for vectors of n entries, in the metric of a diagonal matrix.
fn orthonormalise(vectors: &mut [f64], n: usize, metric: impl Fn(usize) -> f64) {
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).enumerate().map(|(row, (a, b))| a * b * metric(row)).sum()
    };
    for k in 0..vectors.len() / n.max(1) {
        let (before, rest) = vectors.split_at_mut(k * n);
        let vector = &mut rest[..n];
        // twice: what one pass leaves of nearly parallel vectors is not orthogonal
        for _ in 0..2 {
            for other in before.chunks_exact(n) {
                let part = product(other, vector);
                vector.iter_mut().zip(other).for_each(|(x, other)| *x -= part * other);
            }
        }
        let length = product(vector, vector).sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// sum −= W x, W packed.
fn subtract_product(matrix: &[f64], x: &[f64], sum: &mut [f64]) {
    for row in 0..x.len() {
        let (entries, behind) = matrix[row * (row + 1) / 2..].split_at(row);
        sum[row] -= dot(entries, &x[..row]) + behind[0] * x[row];
        for (sum, entry) in sum.iter_mut().zip(entries) {
            *sum -= entry * x[row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Aᵀ for rows of three entries.
    fn gram(rows: &[[f64; 3]]) -> Semidefinite {
        let mut matrix = Semidefinite::new(rows.len());
        let pairs = (0..rows.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        for (entry, (i, j)) in matrix.matrix_mut().iter_mut().zip(pairs) {
            *entry = dot(&rows[i], &rows[j]);
        }
        matrix
    }

    /// Aᵀx: what the solution does.
    fn combined(rows: &[[f64; 3]], x: &[f64]) -> [f64; 3] {
        [0, 1, 2].map(|column| rows.iter().zip(x).map(|(row, x)| row[column] * x).sum())
    }

    const ROWS: [[f64; 3]; 3] = [[1.0, 0.2, 0.0], [0.0, 2.0, 1.0], [0.5, 0.0, 1.0]];

    #[test]
    fn a_definite_matrix_is_solved_with() {
        let mut matrix = gram(&ROWS);
        matrix.factor(0, 0.0).unwrap();
        let expected = [0.3, -2.0, 1.0];
        let mut x: Vec<f64> =
            ROWS.iter().map(|row| dot(row, &combined(&ROWS, &expected))).collect();
        matrix.solve(&mut x);
        for (x, expected) in x.iter().zip(expected) {
            assert!((x - expected).abs() < 1e-13, "{x} and {expected}");
        }
    }

    /// A row twice, the second time three times as long: the shortest solution has three times as much of it.
    #[test]
    fn of_a_singular_one_the_shortest_solution_is_found() {
        let [a, b, c] = ROWS;
        let rows = [a, b, c.map(|entry| 3.0 * entry), c];
        let mut matrix = gram(&rows);
        matrix.factor(1, 0.0).unwrap();
        let mut x: Vec<f64> =
            rows.iter().map(|row| dot(row, &combined(&ROWS, &[1.0, -1.0, 10.0]))).collect();
        matrix.solve(&mut x);
        for (x, expected) in x.iter().zip([1.0, -1.0, 3.0, 1.0]) {
            assert!((x - expected).abs() < 1e-11, "{x} and {expected}");
        }
        assert!(matrix.hold_on_directions() < 1e-11);
        let mut regular = gram(&ROWS);
        regular.factor(1, 0.0).unwrap();
        assert!(regular.hold_on_directions() > 0.1);
    }

    /// The repeated row is a little off and so is its right side: together they say something else, and are not heard.
    #[test]
    fn equations_that_contradict_each_other_a_little_change_a_little() {
        for off in [1e-15, 1e-12, 1e-9, 1e-6, 1e-4] {
            let [a, b, c] = ROWS;
            let rows = [a, b, c, [c[0] + off, c[1] - off, c[2]]];
            let mut matrix = gram(&rows);
            matrix.factor(1, 0.0).unwrap();
            let target = combined(&ROWS, &[1.0, -1.0, 10.0]);
            let mut x: Vec<f64> = rows.iter().map(|row| dot(row, &target)).collect();
            x[3] += 7.0 * off;
            matrix.solve(&mut x);
            for (found, target) in combined(&rows, &x).iter().zip(target) {
                assert!((found - target).abs() < 1e-11 + 100.0 * off, "{off}: {found}, {target}");
            }
        }
    }

    #[test]
    fn a_direction_hardly_held_is_solved_for_as_far_as_it_can_be() {
        for held in [1e-2, 1e-4, 1e-5] {
            let rows = [[1.0, 0.0, 0.0], [1.0, held, 0.0]];
            let mut matrix = gram(&rows);
            matrix.factor(0, 0.0).unwrap();
            // a force of 1 along the second axis
            let mut x = [0.0, held];
            matrix.solve(&mut x);
            let force = rows[1][1] * x[1];
            assert!((force - 1.0).abs() < 1e-5, "{held}: {force}");
        }
        let mut matrix = gram(&[[1.0, 0.0, 0.0], [0.0; 3]]);
        matrix.factor(0, 0.0).unwrap();
        let mut x = [2.0, 7.0];
        matrix.solve(&mut x);
        assert!((x[0] - 2.0).abs() < 1e-14 && x[1] == 0.0);
    }
}
