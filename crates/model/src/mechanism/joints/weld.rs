//! The second body moves with the first.
//!
//! # Equations
//! r₂ − r₁ = 0, θ₂ − θ₁ − angle = 0

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
