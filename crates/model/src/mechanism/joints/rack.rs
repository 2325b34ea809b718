//! The second body slides along an axis a of the carrier, with the angle θc, as the first one turns.
//!
//! # Equations
//! a·(r₂ − r₁) − radius·(θ₁ − θc) − offset = 0

use super::{AXIS, CARRIER, HIGHER_PAIR, JointType, Key, OFFSET};
use crate::mechanism::joint_writer::Writer;
use crate::mechanism::quantity::Sum;

const RADIUS: Key =
    Key::number("radius", "the radius of the pinion, for instance radius = 0.1").required();

pub(super) static RACK: JointType = JointType {
    name: "rack",
    summary: "the second body slides along an axis as the first one turns",
    keys: &[&AXIS, &RADIUS, &OFFSET, &CARRIER],
    constraints: &["d"],
    write,
    ..HIGHER_PAIR
};

fn write(writer: &mut Writer) {
    let (joint, carrier) = (writer.joint, CARRIER.body_of(writer.joint));
    let [d_x, d_y] = writer.difference();
    let [a_x, a_y] = writer.direction(carrier, AXIS.direction_of(joint));
    let sum = Sum::default()
        .plus(&[&a_x, &format!("({d_x})")])
        .plus(&[&a_y, &format!("({d_y})")])
        .minus(&[&RADIUS.of(joint).factor(), &writer.angle_on(carrier, joint.ends[0].body)])
        .minus(&[&OFFSET.of(joint).factor()]);
    writer.constraint("d", &sum.text());
    writer.force("d", [&a_x, &a_y]);
}
