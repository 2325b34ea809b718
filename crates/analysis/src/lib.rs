//! Questions about motions and about the methods that compute them.

mod comparison;
mod power_law;

pub use comparison::{Candidate, Comparison, Outcome, compare};
pub use power_law::exponent;
