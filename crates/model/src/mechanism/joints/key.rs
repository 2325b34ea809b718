//! Keys of a joint: their names, what stands behind them, and what to write where one is missing.

use super::super::joint::{Joint, JointValue};
use super::super::keys::ValueKind;
use super::super::quantity::Quantity;

/// A key of a type of joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Its name in model files.
    pub name: &'static str,
    /// What it means, with an example; it stands behind "write".
    pub help: &'static str,
    /// Whether it must be given. Numbers that are not given are 0, bodies are the ground.
    pub required: bool,
    pub(in crate::mechanism) shape: Shape,
    /// The variable of which it is a function; none is a constant.
    pub(in crate::mechanism) variable: Option<&'static str>,
}

/// What may stand behind a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::mechanism) enum Shape {
    /// A number or a formula of parameters.
    Number,
    /// One that is greater than 0.
    Positive,
    /// Two numbers that are not both 0.
    Direction,
    /// The name of a body, or the ground.
    Body,
}

impl Shape {
    /// How it is written in a file.
    pub(in crate::mechanism) fn written(self) -> ValueKind {
        match self {
            Shape::Number | Shape::Positive => ValueKind::Quantity,
            Shape::Direction => ValueKind::Pair,
            Shape::Body => ValueKind::Text,
        }
    }
}

impl Key {
    /// A number that is 0 if it is not given.
    pub(super) const fn number(name: &'static str, help: &'static str) -> Key {
        Key { name, help, required: false, shape: Shape::Number, variable: None }
    }

    /// A positive number.
    pub(super) const fn positive(name: &'static str, help: &'static str) -> Key {
        Key { name, help, required: true, shape: Shape::Positive, variable: None }
    }

    pub(super) const fn direction(name: &'static str, help: &'static str) -> Key {
        Key { name, help, required: true, shape: Shape::Direction, variable: None }
    }

    /// A body that is the ground if it is not given.
    pub(super) const fn body(name: &'static str, help: &'static str) -> Key {
        Key { name, help, required: false, shape: Shape::Body, variable: None }
    }

    pub(super) const fn required(self) -> Key {
        Key { required: true, ..self }
    }

    /// The number that a joint was given for it.
    pub(super) fn of<'a>(&self, joint: &'a Joint) -> &'a Quantity {
        joint.quantity(self.name).expect("the reader gives a joint all numbers of its type")
    }

    /// The direction that a joint was given for it.
    pub(super) fn direction_of<'a>(&self, joint: &'a Joint) -> &'a [Quantity; 2] {
        joint.direction(self.name).expect("the reader gives a joint all directions of its type")
    }

    /// The body that a joint was given for it; none is the ground.
    pub(in crate::mechanism) fn body_of(&self, joint: &Joint) -> Option<usize> {
        match joint.value(self.name) {
            Some(JointValue::Body(body)) => *body,
            Some(JointValue::Quantity(_) | JointValue::Direction(_)) | None => None,
        }
    }
}
