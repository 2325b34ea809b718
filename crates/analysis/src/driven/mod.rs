//! Mechanisms driven through their range: where their parts go, and what that takes.

mod dead_point;
mod driven_mechanism;
mod kinematics;
mod path;
mod path_point;

pub use kinematics::{
    ChangePoint, DeadPoint, Drive, DriveError, Driven, drive, drive_watched, transmission,
};
