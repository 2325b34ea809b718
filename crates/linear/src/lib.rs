//! Linear algebra for small dense systems: factorisation, rank, dependence of rows, shortest solutions,
//! eigenvalues; and what computes several states side by side.

mod column_partition;
mod complex;
mod dependence;
mod eigen;
mod lanes;
pub mod ldlt;
mod lu;
mod matrix;
mod row_space;
mod skyline;

pub use column_partition::ColumnPartition;
pub use complex::{Complex, solve_complex};
pub use dependence::RowDependence;
pub use eigen::{EigenError, EigenPair, SymmetricPair, general_eigenpairs, symmetric_eigenpairs};
pub use lanes::{Aligned, InstructionSet};
pub use lu::{Lu, LuScalar, Singular};
pub use matrix::Matrix;
pub use row_space::RowSpace;
pub use skyline::Skyline;
