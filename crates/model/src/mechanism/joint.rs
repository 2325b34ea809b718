//! A joint of a mechanism: its type, its two ends and the values of its keys.

use super::joints::{AXIS, HELD_ANGLE, JointType};
use super::quantity::Quantity;
use crate::source::Place;

/// One side of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Position of the body in [`Mechanism::bodies`](super::Mechanism::bodies); none is the ground.
    pub body: Option<usize>,
    /// Where on the body, m: from the centre of mass in its axes, or in the world.
    pub position: [Quantity; 2],
    /// The point's name, if it has one.
    pub point: Option<String>,
}

/// A joint between two ends, each on a body or on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique among the joints and elements of the mechanism; constraints and outputs begin with it.
    pub name: String,
    /// What it prescribes, writes and leaves free.
    pub kind: &'static JointType,
    /// The point on the first body and that on the second.
    pub ends: [End; 2],
    /// One for every key of the type, in the order of the type.
    pub(super) values: Vec<(&'static str, JointValue)>,
    pub(super) place: Place,
}

/// What stands behind a key of a joint.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JointValue {
    Quantity(Quantity),
    Direction([Quantity; 2]),
    /// None is the ground.
    Body(Option<usize>),
}

impl Joint {
    /// The name of a constraint, definition or output of this joint.
    pub(super) fn named(&self, ending: &str) -> String {
        format!("{}_{ending}", self.name)
    }

    /// The names of its constraints, in the order in which they stand in the model.
    pub fn constraints(&self) -> Vec<String> {
        self.kind.constraints().iter().map(|ending| self.named(ending)).collect()
    }

    pub(super) fn value(&self, key: &str) -> Option<&JointValue> {
        self.values.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The number behind a key, `length` or `ratio` for instance, if the type has that key.
    pub fn quantity(&self, key: &str) -> Option<&Quantity> {
        match self.value(key)? {
            JointValue::Quantity(quantity) => Some(quantity),
            JointValue::Direction(_) | JointValue::Body(_) => None,
        }
    }

    /// The direction behind a key, in the axes of the body that carries it and of any length.
    pub fn direction(&self, key: &str) -> Option<&[Quantity; 2]> {
        match self.value(key)? {
            JointValue::Direction(direction) => Some(direction),
            JointValue::Quantity(_) | JointValue::Body(_) => None,
        }
    }

    /// The body behind a key, `carrier` for instance; none is the ground.
    pub fn body(&self, key: &str) -> Option<usize> {
        match self.value(key)? {
            JointValue::Body(body) => *body,
            JointValue::Quantity(_) | JointValue::Direction(_) => None,
        }
    }

    /// The axis along which the second body slides on the first, in the axes of the first.
    pub fn slide_axis(&self) -> Option<&[Quantity; 2]> {
        self.kind.free.filter(|free| free.slide).and_then(|_| self.direction(AXIS.name))
    }

    /// θ₂ − θ₁, rad, of a lower pair that does not turn.
    pub fn held_angle(&self) -> Option<&Quantity> {
        self.kind.free.filter(|free| !free.turn).and_then(|_| self.quantity(HELD_ANGLE.name))
    }
}
