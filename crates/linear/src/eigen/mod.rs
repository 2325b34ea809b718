//! Eigenvalues behind one face: symmetric pairs of matrices, and general ones.
//!
//! Every value is refined by a Rayleigh quotient with the matrices as they were given, and carries an
//! estimate of its own error.

mod general;
mod symmetric;

pub use general::{EigenPair, general_eigenpairs};
pub use symmetric::{SymmetricPair, symmetric_eigenpairs};

use crate::Matrix;
use nalgebra::DMatrix;

/// Sweeps of the QR algorithm for each row of a matrix, far more than it ever needs.
const SWEEPS: usize = 1000;

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
