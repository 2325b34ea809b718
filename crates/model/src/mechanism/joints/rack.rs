//! The second body slides along an axis a of the carrier, with the angle θc, as the first one turns.
//!
//! # Equations
//! a·(r₂ − r₁) − radius·(θ₁ − θc) − offset = 0
//!
//! With a pressure angle α the first end is the centre of the pinion, and the teeth meet at r₁ − radius·n. There they push the
//! rack along a with −λ, and away from the pinion with |λ| tan α.
//!
//! # When to choose it
//! Racks and pinions, belts and cables on drums, wheels that roll without slip on a straight way. The rack has a guide of its own and
//! the pinion a pin. Give the pressure angle as soon as bearing forces matter.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3

use super::{AXIS, CARRIER, HIGHER_PAIR, JointType, Key, OFFSET, PRESSURE_ANGLE};
use crate::mechanism::Mechanism;
use crate::mechanism::joint::Joint;
use crate::mechanism::joint_writer::Writer;
use crate::mechanism::quantity::Sum;
use crate::mechanism::sketch::Draughtsman;
use crate::mechanism::teeth::{RackContact, ToothForce, moment_about};
use crate::sketch::Shape;

const RADIUS: Key =
    Key::number("radius", "the radius of the pinion, for instance radius = 0.1").required();

pub(super) static RACK: JointType = JointType {
    name: "rack",
    summary: "the second body slides along an axis as the first one turns",
    keys: &[&AXIS, &RADIUS, &OFFSET, &CARRIER, &PRESSURE_ANGLE],
    constraints: &["d"],
    write,
    draw,
    shows_bodies: [true, true],
    teeth: Some(teeth),
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
    if !joint.has_teeth() {
        return writer.force("d", [&a_x, &a_y]);
    }
    let ToothForce { force, rack } = teeth(writer.mechanism, joint);
    writer.output("fx", &force[0]);
    writer.output("fy", &force[1]);
    if let Some(RackContact { point, .. }) = rack {
        let second = writer.mechanism.world(&joint.ends[1]);
        writer.output("m", &moment_about(&second, &point, &force));
    }
}

fn teeth(mechanism: &Mechanism, joint: &Joint) -> ToothForce {
    let [a_x, a_y] = mechanism.unit_vector(CARRIER.body_of(joint), AXIS.direction_of(joint));
    let (radius, angle) = (RADIUS.of(joint).factor(), PRESSURE_ANGLE.of(joint).factor());
    let lambda = format!("lambda_{}", joint.named("d"));
    let [x, y] = mechanism.world(&joint.ends[0]);
    let tangential = [format!("(-{lambda}*({a_x}))"), format!("(-{lambda}*({a_y}))")];
    let apart = format!("sign({radius})*abs({lambda})*tan({angle})");
    let radial = [format!("({apart}*({a_y}))"), format!("(-{apart}*({a_x}))")];
    let point = [format!("({x} + {radius}*({a_y}))"), format!("({y} - {radius}*({a_x}))")];
    let force = [0, 1].map(|axis| format!("({} + {})", tangential[axis], radial[axis]));
    ToothForce { force, rack: Some(RackContact { point, tangential, radial }) }
}

fn draw(draughtsman: &mut Draughtsman, joint: &Joint) {
    let [pinion, rack] = draughtsman.ends(joint);
    let radius = draughtsman.number(joint, &RADIUS);
    let (carrier, centre) = (pinion.carrier, pinion.at);
    let wheel = Shape::Wheel { carrier, centre, radius: radius.abs(), toothed: true };
    draughtsman.add(joint, wheel);
    let axis = (draughtsman.carrier(CARRIER.body_of(joint)), draughtsman.axis(joint));
    draughtsman.add(joint, Shape::Rack { pinion, rack, axis, radius });
}
