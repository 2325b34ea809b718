//! The formulations, each a file with its equations and a row of the catalogue.

pub(crate) mod augmented_lagrangian;
pub(crate) mod baumgarte;
pub(crate) mod coordinate_partitioning;
pub(crate) mod ggl;
pub(crate) mod minimal;
pub(crate) mod multipliers;
pub(crate) mod null_space;
pub(crate) mod penalty;
pub(crate) mod penalty_damped;
pub(crate) mod projection;
pub(crate) mod recursive;
