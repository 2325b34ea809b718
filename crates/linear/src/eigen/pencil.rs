//! A and E of A x = λ E x, and the spaces that belong to their eigenvalues.
//!
//! # Equations
//! Inverse iteration with a shift μ finds the right space X and the left space W of the eigenvalues nearest to it, from one
//! factorisation: $X \leftarrow (A-\mu E)^{-1}EX$ and $W \leftarrow (A-\mu E)^{-H}E^HW$, orthonormal after every step. How far
//! rounding, and what is left of $(A-\lambda E)x$, turn a vector out of its space is read off
//! $$\begin{bmatrix}A-\lambda E&EX\\W^HE&0\end{bmatrix}\begin{bmatrix}\delta x\\\cdot\end{bmatrix}=\begin{bmatrix}f\\0\end{bmatrix}.$$
//!
//! # Reference
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 2013, sections 7.2 and 7.6

use super::dense;
use crate::{Complex, Lu, Matrix};
use nalgebra::{DMatrix, DVector};

/// Times that a shift at which nothing can be solved is moved, each time twice as far.
const MAX_SHIFT_CHANGES: u32 = 20;
/// Patterns of signs that a vector's rounding errors are tried with.
const ROUNDING_PATTERNS: u32 = 4;

/// The matrices of A x = λ E x.
#[derive(Clone, Debug)]
pub struct Pencil {
    pub(super) a: DMatrix<Complex>,
    pub(super) e: DMatrix<Complex>,
    a_sizes: DMatrix<f64>,
    e_sizes: DMatrix<f64>,
}

/// Right and left vectors, in columns.
#[derive(Clone, Debug)]
pub(super) struct Spaces {
    pub(super) right: DMatrix<Complex>,
    pub(super) left: DMatrix<Complex>,
}

impl Pencil {
    /// Of any real A and regular E.
    pub fn new(a: &Matrix, e: &Matrix) -> Pencil {
        let complex = |matrix: &Matrix| dense(matrix).map(Complex::from);
        Pencil { a: complex(a), e: complex(e), a_sizes: dense(a).abs(), e_sizes: dense(e).abs() }
    }

    /// The same, where the entries of A would have these sizes if nothing cancelled in them.
    #[must_use]
    pub fn with_sizes(mut self, a_sizes: &Matrix) -> Pencil {
        let sizes = dense(a_sizes);
        self.a_sizes.zip_apply(&sizes, |entry, size| *entry = entry.max(size.abs()));
        self
    }

    /// D⁻¹AD and D⁻¹ED, for a D of powers of two.
    pub(super) fn scaled(&self, diagonal: &DVector<f64>) -> Pencil {
        let real = |matrix: &DMatrix<f64>| {
            DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
                matrix[(i, j)] * diagonal[j] / diagonal[i]
            })
        };
        let [a, e] = self.real().map(|matrix| real(&matrix).map(Complex::from));
        Pencil { a, e, a_sizes: real(&self.a_sizes), e_sizes: real(&self.e_sizes) }
    }

    pub(super) fn len(&self) -> usize {
        self.a.nrows()
    }

    pub(super) fn real(&self) -> [DMatrix<f64>; 2] {
        [self.a.map(|entry| entry.re), self.e.map(|entry| entry.re)]
    }

    pub(super) fn a_sizes(&self) -> &DMatrix<f64> {
        &self.a_sizes
    }

    /// How large (A − λE)X would be if nothing cancelled, times the unit of rounding.
    pub(super) fn rounding(&self, value: Complex, x: &DMatrix<Complex>) -> DMatrix<f64> {
        let absolute = x.map(|x| x.norm());
        let unit = f64::EPSILON * self.len() as f64;
        (&self.a_sizes * &absolute + &self.e_sizes * absolute * value.norm()) * unit
    }

    /// Inverse iteration towards the spaces of the `m` eigenvalues nearest the shift; none if nothing can be solved there.
    pub(super) fn spaces(&self, shift: Complex, m: usize, iterations: usize) -> Option<Spaces> {
        let first = Spaces { right: starts(self.len(), m), left: starts(self.len(), m) };
        (0..MAX_SHIFT_CHANGES).find_map(|change| {
            // at the exact eigenvalue of the matrix as it is stored there is a pivot of zero
            let size = self.a.norm() / self.e.norm();
            let away = f64::EPSILON * shift.norm().max(f64::EPSILON * size);
            let factor = if change == 0 { 0.0 } else { f64::from(1 << change) };
            self.iterated(shift + away * factor, first.clone(), iterations)
        })
    }

    fn iterated(&self, shift: Complex, mut found: Spaces, iterations: usize) -> Option<Spaces> {
        let shifted = &self.a - &self.e * shift;
        let factors = factored(&shifted)?;
        let (mut best, mut residuals) = (found.clone(), [f64::INFINITY; 2]);
        for _ in 0..iterations {
            let mut right = &self.e * &found.right;
            // with the conjugates on both sides: (A − μE)ᵀ w̄ = Eᵀ w̄
            let mut left = self.e.transpose() * found.left.conjugate();
            for mut column in right.column_iter_mut() {
                factors.solve(column.as_mut_slice());
            }
            for mut column in left.column_iter_mut() {
                factors.solve_transposed(column.as_mut_slice());
            }
            found = Spaces { right: orthonormal(right)?, left: orthonormal(left.conjugate())? };
            if found.right.ncols() > 1 {
                continue;
            }
            // where vectors coincide a good one leads to a bad one: its own left vector has nothing of it
            let right = (&shifted * &found.right).norm();
            let left = (found.left.adjoint() * &shifted).norm();
            if right < residuals[0] {
                (residuals[0], best.right) = (right, found.right.clone());
            }
            if left < residuals[1] {
                (residuals[1], best.left) = (left, found.left.clone());
            }
        }
        Some(if found.right.ncols() > 1 { found } else { best })
    }

    /// For each entry of an eigenvector within these spaces how far it may be off.
    pub(super) fn vector_errors(
        &self,
        value: Complex,
        spaces: &Spaces,
        x: &DVector<Complex>,
    ) -> Vec<f64> {
        let (n, m) = spaces.right.shape();
        let shifted = &self.a - &self.e * value;
        let mut bordered = DMatrix::zeros(n + m, n + m);
        bordered.view_mut((0, 0), (n, n)).copy_from(&shifted);
        bordered.view_mut((0, n), (n, m)).copy_from(&(&self.e * &spaces.right));
        bordered.view_mut((n, 0), (m, n)).copy_from(&(spaces.left.adjoint() * &self.e));
        let Some(factors) = factored(&bordered) else { return vec![f64::INFINITY; n] };
        let residual = &shifted * x;
        let column = DMatrix::from_columns(std::slice::from_ref(x));
        let rounding = self.rounding(value, &column);
        let mut errors = vec![0.0_f64; n];
        for pattern in 0..ROUNDING_PATTERNS {
            let mut right: Vec<Complex> = (0..n + m)
                .map(|i| {
                    let size = if i < n { rounding[i].max(residual[i].norm()) } else { 0.0 };
                    Complex::from_polar(size, (i as f64 * 2.4 + 1.0) * f64::from(pattern))
                })
                .collect();
            factors.solve(&mut right);
            for (error, change) in errors.iter_mut().zip(&right) {
                *error = error.max(change.norm());
            }
        }
        errors
    }
}

fn factored(matrix: &DMatrix<Complex>) -> Option<Lu<Complex>> {
    let mut factors = Lu::default();
    factors.resize(matrix.nrows());
    // row by row
    factors.entries_mut().copy_from_slice(matrix.transpose().as_slice());
    factors.factor().ok().map(|()| factors)
}

/// An orthonormal basis of the same space; none if an entry is not finite.
fn orthonormal(mut columns: DMatrix<Complex>) -> Option<DMatrix<Complex>> {
    for mut column in columns.column_iter_mut() {
        // first by its largest entry: the square of a solution near an eigenvalue may overflow
        let largest = column.iter().fold(0.0, |most: f64, x| most.max(x.norm()));
        if !(largest.is_finite() && largest > 0.0) {
            return None;
        }
        column /= Complex::from(largest);
    }
    let q = columns.qr().q();
    q.iter().all(|x| x.is_finite()).then_some(q)
}

/// Columns that have something of every vector.
fn starts(n: usize, m: usize) -> DMatrix<Complex> {
    let entry = |i: usize, j: usize| (1.0 + (i * i) as f64 * 1.3 + j as f64 * 0.7 * i as f64).sin();
    let offset = |i: usize, j: usize| if j == 0 { 1.1 } else { ((i * j) as f64 * 2.7).cos() };
    DMatrix::from_fn(n, m, |i, j| Complex::from(entry(i, j) + offset(i, j)))
}
