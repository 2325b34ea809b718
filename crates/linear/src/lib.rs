//! Linear algebra for small dense systems: factorisation, rank, dependence of rows, shortest solutions,
//! eigenvalues; and what computes several states side by side.

mod column_partition;
mod complex;
mod eigen;
mod golden_section;
pub mod gram_schmidt;
mod lanes;
pub mod ldlt;
mod lu;
mod matrix;
mod multiply_add;
mod null_vector;
mod row_space;
mod semidefinite;
mod skyline;
mod vector;

pub use column_partition::ColumnPartition;
pub use complex::{Complex, solve_complex};
pub use eigen::{
    EigenError, Eigenvalue, NullSpace, Pencil, ProductEigenvalue, SymmetricPair, eigenvalues,
    general_eigenvalues, product_eigenvalues, symmetric_eigenpairs,
};
pub use golden_section::GoldenSection;
pub use lanes::{Aligned, InstructionSet, processor};
pub use lu::{Lu, LuScalar, Singular};
pub use matrix::Matrix;
pub use multiply_add::MultiplyAdd;
pub use null_vector::null_vector;
pub use row_space::{DependentRow, RowSpace};
pub use semidefinite::Semidefinite;
pub use skyline::Skyline;
pub use vector::{dot, dot_in_fours, max_abs, max_abs_or_nan, norm, scaled_norm};
