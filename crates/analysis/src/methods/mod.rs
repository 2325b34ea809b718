//! What formulations and integrators cost on a model, and how wrong they are.

mod bench;
mod bench_tables;
mod candidates;
mod comparison;
mod penalty_map;
mod preparations;
mod reference;

pub(crate) use bench::bench_shown;
pub use bench::{BenchError, BenchOutcome, BenchRequest, BenchResult, bench};
pub use bench_tables::{BenchCell, BenchTable, bench_tables};
pub use candidates::CompareRequest;
pub(crate) use comparison::compare_shown;
pub use comparison::{Comparison, Outcome, compare};
pub use penalty_map::{ALPHAS, Cell, PenaltyMap, Proposal, STEPS, penalty_map};
pub use reference::Reference;
