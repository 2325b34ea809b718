//! Complex numbers, and one linear system of complex equations.

use nalgebra::{DMatrix, DVector};

/// A complex number.
pub type Complex = nalgebra::Complex<f64>;

/// Solves A x = b by elimination with pivots; A row by row, as many rows as b has entries. `None` if A is
/// singular or the solution is not finite.
pub fn solve_complex(matrix: &[Complex], right: &[Complex]) -> Option<Vec<Complex>> {
    let n = right.len();
    if n == 0 {
        return Some(Vec::new());
    }
    let factors = DMatrix::from_row_slice(n, n, matrix).lu();
    let solution = factors.solve(&DVector::from_column_slice(right))?;
    solution.iter().all(|x| x.is_finite()).then(|| solution.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_the_equations() {
        let [a, b, c, d] =
            [(1.0, 2.0), (0.0, -1.0), (3.0, 0.5), (2.0, 2.0)].map(|(re, im)| Complex::new(re, im));
        let x = [Complex::new(0.3, -0.7), Complex::new(-2.0, 1.0)];
        let right = [a * x[0] + b * x[1], c * x[0] + d * x[1]];
        let found = solve_complex(&[a, b, c, d], &right).unwrap();
        assert!(found.iter().zip(&x).all(|(found, x)| (found - x).norm() < 1e-14));
        let none = Complex::ZERO;
        assert_eq!(solve_complex(&[a, b, none, none], &right), None);
        assert_eq!(solve_complex(&[], &[]), Some(vec![]));
    }
}
