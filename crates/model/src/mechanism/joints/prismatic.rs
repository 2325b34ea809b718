//! The second body slides along an axis of the first and turns with it.
//!
//! # Equations
//! n·(r₂ − r₁) = 0, θ₂ − θ₁ − angle = 0
//!
//! # When to choose it
//! Slides, pistons, rams and guides: what slides does not turn against its guide, and the guide holds it by a force across it and
//! a moment. Where the block may turn on its pin as well, `pin-in-slot` holds less.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3

use super::{AXIS, FRICTION, HELD_ANGLE, JointType, LOWER_PAIR};
use crate::mechanism::free_axes::FreeAxes;

pub(super) static PRISMATIC: JointType = JointType {
    name: "prismatic",
    summary: "the second body slides along an axis of the first and turns with it",
    keys: &[&AXIS, &HELD_ANGLE, &FRICTION],
    free: Some(FreeAxes { slide: true, turn: false }),
    constraints: &["n", "angle"],
    shows_bodies: [false, true],
    ..LOWER_PAIR
};
