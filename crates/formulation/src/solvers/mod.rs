//! What formulations are made of: linear systems and ways to solve them, and the way back to the constraints.

pub(crate) mod augmented_lagrangian;
pub(crate) mod block_elimination;
pub(crate) mod block_program;
pub(crate) mod constraint_projection;
pub(crate) mod constraint_values;
pub(crate) mod expressions;
pub(crate) mod force_balance;
pub(crate) mod kkt;
pub(crate) mod kkt_formulation;
pub(crate) mod mass_orthogonal;
pub(crate) mod null_space;
pub(crate) mod occurrences;
pub(crate) mod penalised_matrix;
pub(crate) mod rhs_program;
pub(crate) mod rotation_metric;
pub(crate) mod spd;
pub(crate) mod structural_rank;
pub(crate) mod unrolled;
pub(crate) mod variational;
pub(crate) mod weighted_change;
