//! Two points stay together: a pin.
//!
//! # Equations
//! r₂ − r₁ = 0
//!
//! # When to choose it
//! Hinges, pins, bearings, and pivots on the ground: the two bodies turn about the point that they share. With two pins between
//! the same bodies nothing turns any more; take a `weld`, whose reactions are unique.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3

use super::{FRICTION, JointType, LOWER_PAIR};
use crate::mechanism::free_axes::FreeAxes;
use crate::mechanism::guesses::Placement;

pub(super) static REVOLUTE: JointType = JointType {
    name: "revolute",
    summary: "two points stay together",
    keys: &[&FRICTION],
    free: Some(FreeAxes { slide: false, turn: true }),
    constraints: &["x", "y"],
    placement: Placement::Pin,
    ..LOWER_PAIR
};
