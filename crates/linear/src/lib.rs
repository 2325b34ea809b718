//! Linear algebra for small dense systems: factorisation, rank, dependence of rows, shortest solutions.

mod dependence;
pub mod ldlt;
mod matrix;

pub use dependence::RowDependence;
pub use matrix::Matrix;
