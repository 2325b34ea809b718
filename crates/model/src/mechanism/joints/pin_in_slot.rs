//! A point of the second body stays on a line of the first.
//!
//! # Equations
//! n·(r₂ − r₁) = 0
//!
//! # When to choose it
//! A pin or a roller in a slot, a foot on a rail, a collar that may turn on its rod: free to slide and to turn, held across the
//! line alone. Friction in the slot is viscous; the constraint holds in both directions, as between two rails.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3

use super::{AXIS, FRICTION, JointType, LOWER_PAIR};
use crate::mechanism::free_axes::FreeAxes;

pub(super) static PIN_IN_SLOT: JointType = JointType {
    name: "pin-in-slot",
    summary: "a point of the second body stays on a line of the first",
    keys: &[&AXIS, &FRICTION],
    free: Some(FreeAxes { slide: true, turn: true }),
    constraints: &["n"],
    shows_bodies: [false, true],
    ..LOWER_PAIR
};
