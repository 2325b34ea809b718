//! What a lower pair leaves free between its bodies. It determines the constraints of the pair, the joint
//! coordinates of a body that hangs on it, and what friction and motors act on.

use super::joint::Joint;
use super::joint_writer::Writer;
use super::joints::{FRICTION, HELD_ANGLE};
use super::quantity::Sum;
use crate::dimension::Dimension;

/// The relative motions that a joint allows. A body can hang on such a joint in the tree.
///
/// The constraints that remain stand in this order: `x`, `y` without a slide, `n` across it with one;
/// then `angle` where the joint does not turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeAxes {
    /// The second body slides along an axis of the first, whose key is `axis`.
    pub slide: bool,
    /// The second body turns on the first; otherwise the key `angle` is θ₂ − θ₁.
    pub turn: bool,
}

/// A coordinate of a joint that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointCoordinate {
    /// θ₂ − θ₁, rad
    Angle,
    /// The sliding displacement a·(r₂ − r₁), m
    Position,
}

impl JointCoordinate {
    /// Key of a motor, and ending of the name of what it prescribes.
    pub(super) fn name(self) -> &'static str {
        match self {
            JointCoordinate::Angle => "angle",
            JointCoordinate::Position => "position",
        }
    }

    /// What it is measured in, and what its motor's effort is measured in.
    pub(super) fn dimensions(self) -> (Dimension, Dimension) {
        match self {
            JointCoordinate::Angle => (Dimension::ANGLE, Dimension::MOMENT),
            JointCoordinate::Position => (Dimension::LENGTH, Dimension::FORCE),
        }
    }

    /// What a motor needs to prescribe it.
    pub(super) fn effort(self) -> &'static str {
        match self {
            JointCoordinate::Angle => "torque",
            JointCoordinate::Position => "force",
        }
    }
}

impl FreeAxes {
    /// Whether at least two of three relative motions are held: one coordinate determines where the body is.
    pub(super) fn holds_two(self) -> bool {
        !(self.slide && self.turn)
    }

    /// The coordinate that a motor can prescribe: the only one there is.
    pub(super) fn driven(self) -> Option<JointCoordinate> {
        self.rubbing().filter(|_| self.holds_two())
    }

    /// The coordinate whose rate friction resists.
    pub(super) fn rubbing(self) -> Option<JointCoordinate> {
        match (self.slide, self.turn) {
            (true, _) => Some(JointCoordinate::Position),
            (false, true) => Some(JointCoordinate::Angle),
            (false, false) => None,
        }
    }
}

/// Writes the constraints and reactions of a lower pair.
pub(super) fn write(writer: &mut Writer) {
    let joint = writer.joint;
    match joint.slide_axis() {
        Some(axis) => writer.slide(axis),
        None => writer.pin(),
    }
    if let Some(angle) = joint.held_angle() {
        let [first, second] = &joint.ends;
        let turn = Sum::default()
            .plus(&[&writer.mechanism.angle(second.body)])
            .minus(&[&writer.mechanism.angle(first.body)]);
        writer.constraint(HELD_ANGLE.name, &turn.minus(&[&angle.factor()]).text());
        writer.moment();
    }
}

impl super::Mechanism {
    /// ½ c (relative rate)², where the joint has friction.
    pub(super) fn friction(&self, joint: &Joint) -> Option<String> {
        let coordinate = joint.kind.free?.rubbing()?;
        let friction = joint.quantity(FRICTION.name).filter(|friction| !friction.is_zero())?;
        let rate = match coordinate {
            JointCoordinate::Angle => {
                let [first, second] = joint.ends.each_ref().map(|end| end.body);
                self.relative_rate(first, second)
            }
            JointCoordinate::Position => format!("{}'", joint.named("position")),
        };
        Some(format!("1/2*{}*({rate})^2", friction.factor()))
    }

    /// A coordinate of a joint, in the names of the model.
    pub(super) fn measured(&self, joint: &Joint, coordinate: JointCoordinate) -> Sum {
        match coordinate {
            JointCoordinate::Angle => Sum::default()
                .plus(&[&self.angle(joint.ends[1].body)])
                .minus(&[&self.angle(joint.ends[0].body)]),
            JointCoordinate::Position => Sum::default().plus(&[&joint.named("position")]),
        }
    }

    /// θ̇₂ − θ̇₁
    pub(super) fn relative_rate(&self, first: Option<usize>, second: Option<usize>) -> String {
        let rate = |body: Option<usize>| match self.angle(body) {
            angle if angle == "0" => angle,
            angle => format!("{angle}'"),
        };
        Sum::default().plus(&[&rate(second)]).minus(&[&rate(first)]).text()
    }
}
