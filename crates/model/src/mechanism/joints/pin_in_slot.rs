//! A point of the second body stays on a line of the first.
//!
//! # Equations
//! n·(r₂ − r₁) = 0

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
