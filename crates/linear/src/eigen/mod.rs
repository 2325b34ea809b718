//! Eigenvalues behind one face: symmetric pairs of matrices, and general ones.
//!
//! Every value is refined by a Rayleigh quotient with the matrices as they were given. Values and vectors carry an estimate
//! of their own error, and values that cannot be told apart are one.

mod cluster;
mod general;
mod null_space;
mod pencil;
mod product;
mod symmetric;

pub use general::{Eigenvalue, general_eigenvalues};
pub use null_space::NullSpace;
pub use pencil::Pencil;
pub use product::{ProductEigenvalue, eigenvalues, product_eigenvalues};
pub use symmetric::{SymmetricPair, symmetric_eigenpairs};

use crate::Matrix;
use nalgebra::DMatrix;

/// Sweeps of the QR algorithm for each row of a matrix, far more than it ever needs where it converges.
const MAX_SWEEPS_PER_ROW: usize = 1000;

/// Entries below the diagonal that are smaller than this, relative to their neighbours on it, are rounding: a unit more
/// than rotations leave behind.
const SCHUR_TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// Why there are no eigenvalues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EigenError {
    /// An entry is infinite or undefined.
    #[error("a matrix has entries that are not finite")]
    NotFinite,
    /// The matrix that takes the place of the mass is singular or not positive.
    #[error("the mass matrix is not positive definite")]
    Massless,
    /// The QR algorithm did not end.
    #[error("the eigenvalues did not converge")]
    NotConverged,
}

fn dense(matrix: &Matrix) -> DMatrix<f64> {
    DMatrix::from_fn(matrix.rows(), matrix.columns(), |row, column| matrix[(row, column)])
}

fn check_finite(matrices: [&Matrix; 2]) -> Result<(), EigenError> {
    let finite = matrices.iter().all(|matrix| matrix.is_finite());
    if finite { Ok(()) } else { Err(EigenError::NotFinite) }
}
