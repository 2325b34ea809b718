//! The second body moves with the first.
//!
//! # Equations
//! r₂ − r₁ = 0, θ₂ − θ₁ − angle = 0
//!
//! # When to choose it
//! To build a body of several parts, or to clamp one to the ground, and to read force and moment of the seam: `B_fx`, `B_fy`, `B_m`.
//! What is never taken apart is cheaper as one body.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3

use super::{HELD_ANGLE, JointType, LOWER_PAIR};
use crate::mechanism::free_axes::FreeAxes;
use crate::mechanism::guesses::Placement;

pub(super) static WELD: JointType = JointType {
    name: "weld",
    summary: "the second body moves with the first",
    keys: &[&HELD_ANGLE],
    free: Some(FreeAxes { slide: false, turn: false }),
    constraints: &["x", "y", "angle"],
    placement: Placement::Pin,
    ..LOWER_PAIR
};
