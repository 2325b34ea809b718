//! The direction in which a nearly singular square matrix is most nearly singular.
//!
//! # Equations
//! Inverse iteration with $A^TA$ from one factorisation, $x \leftarrow (A^TA)^{-1}x/|\cdot|$. Where the last pivot is zero
//! to rounding, that is what makes the step long: the matrix is moved by a rounding so that there is one.
//!
//! # Reference
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 2013, section 7.6

use crate::vector::{max_abs, norm};
use crate::{Lu, Matrix};

/// Steps of the iteration: each gains the ratio of the two smallest singular values, squared.
const ITERATIONS: usize = 6;

/// A vector of length 1 that a nearly singular square matrix makes as short as it can; `None` where an entry is not finite.
pub fn null_vector(matrix: &Matrix) -> Option<Vec<f64>> {
    let n = matrix.rows();
    if n == 0 || !matrix.is_finite() {
        return None;
    }
    let mut lu = Lu::<f64>::default();
    lu.resize(n);
    lu.entries_mut().copy_from_slice(matrix.entries());
    if lu.factor().is_err() {
        lu.entries_mut().copy_from_slice(matrix.entries());
        let rounding = 4.0 * f64::EPSILON * max_abs(matrix.entries()).max(f64::MIN_POSITIVE);
        (0..n).for_each(|at| {
            lu.entries_mut()[at * n + at] += rounding * (1.0 + at as f64 / n as f64)
        });
        lu.factor().ok()?;
    }
    let mut x: Vec<f64> = (0..n).map(|at| 1.0 + 0.3 * (1.0 + at as f64).sin()).collect();
    for _ in 0..ITERATIONS {
        lu.solve_transposed(&mut x);
        scale(&mut x)?;
        lu.solve(&mut x);
        scale(&mut x)?;
    }
    Some(x)
}

fn scale(x: &mut [f64]) -> Option<()> {
    let largest = max_abs(x.iter());
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    x.iter_mut().for_each(|entry| *entry /= largest);
    let length = norm(x);
    x.iter_mut().for_each(|entry| *entry /= length);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_null_vector_of_a_singular_matrix_is_found() {
        let entries = [[2.0, 1.0, 3.0], [0.0, 1.0, 1.0], [2.0, 2.0, 4.0]];
        let x = null_vector(&Matrix::from_fn(3, 3, |i, j| entries[i][j])).expect("it is finite");
        // along (1, 1, −1)
        for (entry, expected) in x.iter().zip([1.0, 1.0, -1.0]) {
            assert!((entry / x[0] - expected).abs() < 1e-13, "{x:?}");
        }
        assert_eq!(null_vector(&Matrix::from_fn(1, 1, |_, _| f64::NAN)), None);
    }
}
