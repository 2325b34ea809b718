//! Two points stay together: a pin.
//!
//! # Equations
//! r₂ − r₁ = 0

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
