//! Questions about motions and about the methods that compute them.

mod comparison;
mod driven_mechanism;
mod kinematics;
mod power_law;

pub use comparison::{Candidate, Comparison, Outcome, compare};
pub use kinematics::{DeadPoint, Drive, DriveError, Driven, drive, transmission};
pub use power_law::exponent;
