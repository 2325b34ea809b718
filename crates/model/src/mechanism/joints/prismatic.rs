//! The second body slides along an axis of the first and turns with it.
//!
//! # Equations
//! n·(r₂ − r₁) = 0, θ₂ − θ₁ − angle = 0

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
