//! Sums of products, written as formulas.

use super::drive_forces::Row;
use catena_linear::{Matrix, max_abs};

/// Entries smaller than this, relative to the largest of their matrix, are rounding.
const ENTRY_ROUNDING: f64 = 1e-15;

/// The symmetric part of a matrix, which has a quadratic form.
pub(crate) fn symmetric(matrix: &Matrix) -> Matrix {
    let n = matrix.rows();
    Matrix::from_fn(n, n, |i, j| 0.5 * (matrix[(i, j)] + matrix[(j, i)]))
}

/// The skew-symmetric part of a matrix, which has no quadratic form.
pub(crate) fn skew_symmetric(matrix: &Matrix) -> Matrix {
    let n = matrix.rows();
    Matrix::from_fn(n, n, |i, j| 0.5 * (matrix[(i, j)] - matrix[(j, i)]))
}

/// ½ xᵀ A x of a symmetric A.
pub(crate) fn quadratic(matrix: &Matrix, factors: &[String]) -> String {
    let least = ENTRY_ROUNDING * max_abs(matrix.entries());
    let mut sum = Sum::default();
    for i in 0..matrix.rows() {
        for j in (i..matrix.rows()).filter(|&j| matrix[(i, j)].abs() > least) {
            let (half, factor) = match i == j {
                true => (0.5, format!("{}^2", factors[i])),
                false => (1.0, format!("{}*{}", factors[i], factors[j])),
            };
            sum.add_number(half * matrix[(i, j)], &factor);
        }
    }
    sum.or_zero()
}

/// A sum that is being written.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) text: String,
}

impl Sum {
    /// The text; 0 for an empty sum.
    pub(crate) fn or_zero(self) -> String {
        if self.text.is_empty() { "0".to_owned() } else { self.text }
    }

    /// Adds a number times a factor, which may be empty.
    pub(crate) fn add_number(&mut self, number: f64, factor: &str) {
        if number == 0.0 {
            return;
        }
        let sign = match (self.text.is_empty(), number < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let star = if factor.is_empty() { "" } else { "*" };
        self.text += &format!("{sign}{:?}{star}{factor}", number.abs());
    }

    /// Adds a row of a matrix times the factors, all of it times a sign.
    pub(crate) fn add_row(&mut self, matrix: &Matrix, row: usize, sign: f64, factors: &[String]) {
        let least = ENTRY_ROUNDING * max_abs(matrix.entries());
        for (entry, factor) in matrix.row(row).iter().zip(factors) {
            if entry.abs() > least {
                self.add_number(sign * entry, factor);
            }
        }
    }

    /// Adds a term that is written already; an empty one adds nothing.
    pub(crate) fn add_text(&mut self, term: &str) {
        if !term.is_empty() {
            let plus = if self.text.is_empty() { "" } else { " + " };
            self.text += &format!("{plus}{term}");
        }
    }

    /// The terms of the drive: alone, and as factors of the deviations.
    pub(crate) fn add_formulas(
        &mut self,
        drive: &Row,
        positions: &[String],
        velocities: &[String],
        states: &[String],
    ) {
        self.add_text(&drive.alone);
        let factors = positions.iter().chain(velocities).chain(states);
        for (formula, factor) in drive.with.iter().zip(factors).filter(|(f, _)| !f.is_empty()) {
            self.add_text(&format!("({formula})*{factor}"));
        }
    }
}
