//! Two points keep their distance l: a massless rod with pins at both ends.
//!
//! # Equations
//! (‖r₂ − r₁‖² − l²)/2l = 0, whose gradient is the direction of the rod.
//!
//! # When to choose it
//! Rods whose mass does not matter: three coordinates and one pin fewer than a body with two pins, and the force along the rod is
//! the only one. The points must not coincide; for that there is `revolute`.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3

use super::{HIGHER_PAIR, JointType, Key};
use crate::mechanism::guesses::{Vector, Walk};
use crate::mechanism::joint::Joint;
use crate::mechanism::joint_writer::Writer;
use crate::mechanism::sketch::Draughtsman;
use crate::sketch::Shape;

const LENGTH: Key = Key::positive("length", "the distance of its ends, for instance length = 0.5");

pub(super) static DISTANCE: JointType = JointType {
    name: "distance",
    summary: "two points keep their distance: a massless rod",
    keys: &[&LENGTH],
    constraints: &["d"],
    write,
    opposite,
    draw,
    ..HIGHER_PAIR
};

fn write(writer: &mut Writer) {
    let l = LENGTH.of(writer.joint).factor();
    let [d_x, d_y] = writer.difference();
    writer.constraint("d", &format!("(({d_x})^2 + ({d_y})^2 - ({l})^2)/(2*({l}))"));
    let share = |d: &str| format!("({d})/({l})");
    writer.force("d", [&share(&d_x), &share(&d_y)]);
}

/// Straight below the other end, or as far down as a given x or y of the body allows.
fn opposite(joint: &Joint, walk: &Walk, end: usize, [x, y]: Vector) -> Vector {
    let length = walk.value(LENGTH.of(joint));
    let across = |apart: f64| (length * length - apart * apart).max(0.0).sqrt();
    let [arm_x, arm_y] = walk.arm(&joint.ends[end]);
    match walk.pose(joint.ends[end].body) {
        [Some(own_x), None, _] => [x, y - across(own_x + arm_x - x)],
        [None, Some(own_y), _] => [x + across(own_y + arm_y - y), y],
        [Some(_), Some(_), _] | [None, None, _] => [x, y - length],
    }
}

fn draw(draughtsman: &mut Draughtsman, joint: &Joint) {
    let ends = draughtsman.ends(joint);
    draughtsman.add(joint, Shape::Rod(ends));
    draughtsman.pin(joint, [ends[1]; 2]);
}
