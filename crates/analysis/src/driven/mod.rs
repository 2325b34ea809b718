//! Mechanisms driven through their range: where their parts go, and what that takes.

mod driven_mechanism;
mod kinematics;

pub use kinematics::{DeadPoint, Drive, DriveError, Driven, drive, drive_watched, transmission};
