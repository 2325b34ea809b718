//! The formulations: each a file with its equations and a row of the list below.

mod augmented_lagrangian;
mod baumgarte;
mod coordinate_partitioning;
mod ggl;
pub(crate) mod minimal;
pub(crate) mod multipliers;
mod null_space;
mod penalty;
mod penalty_damped;
pub(crate) mod projection;
pub(crate) mod recursive;

use crate::Entry;

/// Every formulation. The command line, comparisons and the conformance tests read this list; the table in
/// `book/methods.md` is written by hand.
pub static FORMULATIONS: &[&Entry] = &[
    &minimal::ENTRY,
    &recursive::ENTRY,
    &multipliers::ENTRY,
    &baumgarte::ENTRY,
    &projection::ENTRY,
    &ggl::ENTRY,
    &coordinate_partitioning::ENTRY,
    &null_space::ENTRY,
    &augmented_lagrangian::ENTRY,
    &penalty::ENTRY,
    &penalty_damped::ENTRY,
];
