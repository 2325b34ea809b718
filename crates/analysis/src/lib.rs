//! Questions about motions and about the methods that compute them.

mod comparison;
mod driven_mechanism;
mod kinematics;
mod penalty_map;
mod power_law;
pub mod sweep;

pub use comparison::{Candidate, Comparison, Outcome, compare};
pub use kinematics::{DeadPoint, Drive, DriveError, Driven, drive, transmission};
pub use penalty_map::{ALPHAS, Cell, PenaltyMap, Proposal, STEPS, penalty_map};
pub use power_law::exponent;
