//! Dense LU factorisation with partial pivoting, real or complex, in place.
//!
//! # Equations
//! $PA=LU$ by rows; $L$ has a unit diagonal and shares the storage of $A$ with $U$. A pivot that is zero or not a number
//! makes the matrix singular.
//!
//! # Reference
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 2013, section 3.4

use crate::Complex;
use std::ops::{Div, Mul, Sub};

/// What a matrix may be made of: real or complex numbers.
pub trait LuScalar:
    Copy + Default + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A measure of size for choosing pivots.
    fn magnitude(self) -> f64;
}

impl LuScalar for f64 {
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

impl LuScalar for Complex {
    fn magnitude(self) -> f64 {
        self.l1_norm()
    }
}

/// The matrix has no inverse, or an entry that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singular;

impl Lu<f64> {
    /// The sign of the determinant, 1 or −1, and the logarithm of its absolute value, once the matrix is factored.
    pub fn log_determinant(&self) -> (f64, f64) {
        let swaps = self.pivots.iter().enumerate().filter(|(at, pivot)| at != *pivot).count();
        let first = if swaps % 2 == 0 { 1.0 } else { -1.0 };
        (0..self.n)
            .map(|at| self.entries[at * self.n + at])
            .fold((first, 0.0), |(sign, sum), pivot| {
                (sign * pivot.signum(), sum + pivot.abs().ln())
            })
    }
}

/// A square matrix and, once factored, its factors; only [`Lu::resize`] allocates.
#[derive(Debug, Default)]
pub struct Lu<S> {
    n: usize,
    entries: Vec<S>,
    pivots: Vec<usize>,
}

impl<S: LuScalar> Lu<S> {
    /// Room for an n × n matrix.
    pub fn resize(&mut self, n: usize) {
        self.n = n;
        self.entries.clear();
        self.entries.resize(n * n, S::default());
        self.pivots.clear();
        self.pivots.resize(n, 0);
    }

    /// The matrix, row by row, to be written before it is factored.
    pub fn entries_mut(&mut self) -> &mut [S] {
        &mut self.entries
    }

    /// Replaces the matrix by its factors.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let (n, a) = (self.n, &mut self.entries);
        for k in 0..n {
            let mut pivot = k;
            for row in k + 1..n {
                if a[row * n + k].magnitude() > a[pivot * n + k].magnitude() {
                    pivot = row;
                }
            }
            self.pivots[k] = pivot;
            let size = a[pivot * n + k].magnitude();
            if !(size > 0.0 && size.is_finite()) {
                return Err(Singular);
            }
            if pivot != k {
                for column in 0..n {
                    a.swap(k * n + column, pivot * n + column);
                }
            }
            let (upper, lower) = a.split_at_mut((k + 1) * n);
            let pivot_row = &upper[k * n..];
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] / pivot_row[k];
                row[k] = factor;
                // Mechanisms have many zeros (q̇ = v): rows that are already clear cost nothing.
                if factor.magnitude() != 0.0 {
                    for (entry, &above) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                        *entry = *entry - factor * above;
                    }
                }
            }
        }
        Ok(())
    }

    /// Replaces the right-hand side by the solution.
    pub fn solve(&self, b: &mut [S]) {
        let (n, a) = (self.n, &self.entries);
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for row in 1..n {
            let mut sum = b[row];
            for column in 0..row {
                sum = sum - a[row * n + column] * b[column];
            }
            b[row] = sum;
        }
        for row in (0..n).rev() {
            let mut sum = b[row];
            for column in row + 1..n {
                sum = sum - a[row * n + column] * b[column];
            }
            b[row] = sum / a[row * n + row];
        }
    }

    /// Replaces the right-hand side by the solution with the transposed matrix.
    pub fn solve_transposed(&self, b: &mut [S]) {
        let (n, a) = (self.n, &self.entries);
        for row in 0..n {
            let mut sum = b[row];
            for column in 0..row {
                sum = sum - a[column * n + row] * b[column];
            }
            b[row] = sum / a[row * n + row];
        }
        for row in (0..n).rev() {
            let mut sum = b[row];
            for column in row + 1..n {
                sum = sum - a[column * n + row] * b[column];
            }
            b[row] = sum;
        }
        for k in (0..n).rev() {
            b.swap(k, self.pivots[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transposed_matrix_is_solved_with_the_same_factors() {
        let entries = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, -1.0, 3.0];
        let mut lu = Lu::<f64>::default();
        lu.resize(3);
        lu.entries_mut().copy_from_slice(&entries);
        lu.factor().unwrap();
        let x = [1.0, -2.0, 3.0];
        let mut b: [f64; 3] =
            std::array::from_fn(|j| (0..3).map(|i| entries[3 * i + j] * x[i]).sum());
        lu.solve_transposed(&mut b);
        assert!(b.iter().zip(x).all(|(value, expected)| (value - expected).abs() < 1e-14));
    }

    #[test]
    fn a_matrix_with_a_zero_on_the_diagonal_is_solved() {
        let mut lu = Lu::<f64>::default();
        lu.resize(3);
        lu.entries_mut().copy_from_slice(&[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, -1.0, 3.0]);
        lu.factor().unwrap();
        let mut b = [0.0 * 1.0 + 2.0 * 2.0 + 3.0, 1.0 + 2.0, 4.0 - 2.0 + 9.0];
        lu.solve(&mut b);
        for (value, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn the_determinant_has_its_sign() {
        let mut lu = Lu::<f64>::default();
        lu.resize(3);
        lu.entries_mut().copy_from_slice(&[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, -1.0, 3.0]);
        lu.factor().unwrap();
        let (sign, logarithm) = lu.log_determinant();
        assert!((sign * logarithm.exp() + 11.0).abs() < 1e-13);
    }

    #[test]
    fn a_complex_matrix_is_solved() {
        let i = Complex::new;
        let mut lu = Lu::<Complex>::default();
        lu.resize(2);
        lu.entries_mut().copy_from_slice(&[i(0.0, 0.0), i(0.0, 2.0), i(1.0, 1.0), i(3.0, 0.0)]);
        lu.factor().unwrap();
        // The solution is (i, 1).
        let mut b = [i(0.0, 2.0), i(2.0, 1.0)];
        lu.solve(&mut b);
        assert_eq!(b, [i(0.0, 1.0), i(1.0, 0.0)]);
    }

    #[test]
    fn singular_and_undefined_matrices_are_refused() {
        let mut lu = Lu::<f64>::default();
        lu.resize(2);
        lu.entries_mut().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factor(), Err(Singular));
        lu.entries_mut().copy_from_slice(&[f64::NAN, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factor(), Err(Singular));
    }
}
