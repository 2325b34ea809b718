//! Two bodies turn in a fixed ratio on a carrier with the angle θc.
//!
//! # Equations
//! (θ₂ − θc) − ratio·(θ₁ − θc) − offset = 0

use super::{CARRIER, HIGHER_PAIR, JointType, Key, OFFSET};
use crate::mechanism::guesses::{AngleLaw, Placement};
use crate::mechanism::joint_writer::Writer;
use crate::mechanism::quantity::Sum;

const RATIO: Key =
    Key::number("ratio", "how far the second turns for one turn of the first, as ratio = -2")
        .required();

pub(super) static GEAR: JointType = JointType {
    name: "gear",
    summary: "two bodies turn in a fixed ratio",
    keys: &[&RATIO, &OFFSET, &CARRIER],
    constraints: &["angle"],
    write,
    angles: |joint, walk| {
        Some(AngleLaw {
            ratio: walk.value(RATIO.of(joint)),
            offset: walk.value(OFFSET.of(joint)),
            carrier: CARRIER.body_of(joint),
        })
    },
    placement: Placement::Nowhere,
    ..HIGHER_PAIR
};

fn write(writer: &mut Writer) {
    let joint = writer.joint;
    let [first, second] =
        joint.ends.each_ref().map(|end| writer.angle_on(CARRIER.body_of(joint), end.body));
    let sum = Sum::default()
        .plus(&[&second])
        .minus(&[&RATIO.of(joint).factor(), &first])
        .minus(&[&OFFSET.of(joint).factor()]);
    writer.constraint("angle", &sum.text());
    writer.moment();
}
