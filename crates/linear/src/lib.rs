//! Linear algebra for small dense systems: rank, dependence of rows, least squares.

mod dependence;
mod matrix;

pub use dependence::RowDependence;
pub use matrix::Matrix;
