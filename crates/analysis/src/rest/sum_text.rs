//! Sums of products, written as formulas.

use super::drive_forces::Row;
use catena_linear::{Matrix, max_abs};

/// Entries smaller than this beside the largest of their matrix are rounding.
const ROUNDING: f64 = 1e-15;

/// The part that has a quadratic form.
pub(crate) fn symmetric(matrix: &Matrix) -> Matrix {
    let n = matrix.rows();
    Matrix::from_fn(n, n, |i, j| 0.5 * (matrix[(i, j)] + matrix[(j, i)]))
}

/// The part that has none.
pub(crate) fn unsymmetric(matrix: &Matrix) -> Matrix {
    let n = matrix.rows();
    Matrix::from_fn(n, n, |i, j| 0.5 * (matrix[(i, j)] - matrix[(j, i)]))
}

/// ½ xᵀ A x of a symmetric A.
pub(crate) fn quadratic(matrix: &Matrix, factors: &[String]) -> String {
    let least = ROUNDING * max_abs(matrix.entries());
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
    /// The text; 0 for a sum of nothing.
    pub(crate) fn or_zero(self) -> String {
        if self.text.is_empty() { "0".to_owned() } else { self.text }
    }

    /// A number times a factor, which may be empty.
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

    /// A row of a matrix times the factors; a sign goes before all of it.
    pub(crate) fn add_row(&mut self, matrix: &Matrix, row: usize, sign: f64, factors: &[String]) {
        let least = ROUNDING * max_abs(matrix.entries());
        for (entry, factor) in matrix.row(row).iter().zip(factors) {
            if entry.abs() > least {
                self.add_number(sign * entry, factor);
            }
        }
    }

    /// A term that is written already; nothing for an empty one.
    pub(crate) fn add_text(&mut self, term: &str) {
        if !term.is_empty() {
            let plus = if self.text.is_empty() { "" } else { " + " };
            self.text += &format!("{plus}{term}");
        }
    }

    /// What the drive does alone and with each deviation.
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
