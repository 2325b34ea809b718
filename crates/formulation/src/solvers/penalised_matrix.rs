//! The mass matrix with a penalty, factored: by the compiled program where it is sparse, else in loops.

use crate::solvers::unrolled;
use catena_linear::ldlt;
use catena_symbolic::{Expr, Factors};

/// M + α ΦqᵀΦq, factored.
#[derive(Clone)]
pub(crate) enum PenalisedMatrix {
    /// Factored by the compiled program.
    Sparse {
        /// In the order of elimination: a row, and where its part of `lower` begins and ends.
        rows: Vec<(usize, usize, usize)>,
        /// 1/D by row.
        inverse: Vec<f64>,
        /// L by column: the row of each entry, and the entry.
        lower: Vec<(usize, f64)>,
    },
    /// Factored in loops: the place of each entry of the program in the packed matrix.
    Dense { places: Vec<usize>, packed: Vec<f64> },
}

impl PenalisedMatrix {
    /// Room for the factors as a program writes them.
    pub(crate) fn sparse(factors: &Factors) -> PenalisedMatrix {
        let mut lower = Vec::new();
        let mut rows = Vec::new();
        for &row in &factors.order {
            let begin = lower.len();
            lower.extend(factors.lower[row].iter().map(|&(below, _)| (below, 0.0)));
            rows.push((row, begin, lower.len()));
        }
        PenalisedMatrix::Sparse { inverse: vec![0.0; rows.len()], rows, lower }
    }

    /// Room for a matrix of which these entries, row ≥ column, are written by a program.
    pub(crate) fn dense(n: usize, entries: &[(usize, usize, Expr)]) -> PenalisedMatrix {
        let places = entries.iter().map(|&(row, column, _)| row * (row + 1) / 2 + column).collect();
        PenalisedMatrix::Dense { places, packed: vec![0.0; n * (n + 1) / 2] }
    }

    /// Takes over what the program wrote; `Err` with a row that has no pivot.
    pub(crate) fn read(&mut self, written: &[f64], work: &mut [f64]) -> Result<(), usize> {
        match self {
            PenalisedMatrix::Sparse { rows, inverse, lower } => {
                let (below, rest) = written.split_at(lower.len());
                let (inverses, pivots) = rest.split_at(inverse.len());
                for (entry, &value) in lower.iter_mut().zip(below) {
                    entry.1 = value;
                }
                inverse.copy_from_slice(inverses);
                let last = rows.last().map_or(0, |(row, ..)| *row);
                if unrolled::pivots_are_sound(pivots) { Ok(()) } else { Err(last) }
            }
            PenalisedMatrix::Dense { places, packed } => {
                packed.fill(0.0);
                for (&place, &value) in places.iter().zip(written) {
                    packed[place] = value;
                }
                ldlt::factor(packed, work.len(), work).map_err(|at| at.row)
            }
        }
    }

    /// The solution, in the place of the right side.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        match self {
            PenalisedMatrix::Sparse { rows, inverse, lower } => {
                for &(row, begin, end) in rows {
                    let value = x[row];
                    for &(below, factor) in &lower[begin..end] {
                        x[below] -= factor * value;
                    }
                }
                for (x, inverse) in x.iter_mut().zip(inverse) {
                    *x *= inverse;
                }
                for &(row, begin, end) in rows.iter().rev() {
                    let mut value = x[row];
                    for &(below, factor) in &lower[begin..end] {
                        value -= factor * x[below];
                    }
                    x[row] = value;
                }
            }
            PenalisedMatrix::Dense { packed, .. } => ldlt::solve(packed, x.len(), x),
        }
    }
}
