//! Linear algebra for small dense systems: factorisation, rank, dependence of rows, shortest solutions.

mod column_partition;
mod dependence;
pub mod ldlt;
mod matrix;
mod row_space;
mod skyline;

pub use column_partition::ColumnPartition;
pub use dependence::RowDependence;
pub use matrix::Matrix;
pub use row_space::RowSpace;
pub use skyline::Skyline;
