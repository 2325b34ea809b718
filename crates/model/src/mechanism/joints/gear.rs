//! Two bodies turn in a fixed ratio on a carrier with the angle θc.
//!
//! # Equations
//! (θ₂ − θc) − ratio·(θ₁ − θc) − offset = 0
//!
//! With a pressure angle α the ends are the centres of the wheels, d = r₂ − r₁ apart. Where both have the same velocity, on
//! the line of centres, the teeth push the second wheel across it with Fₜ = λ (1 − ratio)/|d|, and along it with
//! |Fₜ| tan α: apart, or, where one is inside the other, together.
//!
//! # When to choose it
//! Pairs of wheels, belts (with a positive ratio) and planetary sets, for which `carrier` names the arm. The axles are pins of their
//! own. Give the pressure angle as soon as bearing forces matter: without one they lack the force of the teeth.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, chapter 3; G. Niemann, H. Winter,
//! *Maschinenelemente II*, 2003 (forces of teeth)

use super::{CARRIER, HIGHER_PAIR, JointType, Key, OFFSET, PRESSURE_ANGLE};
use crate::mechanism::Mechanism;
use crate::mechanism::guesses::{AngleLaw, Placement};
use crate::mechanism::joint::Joint;
use crate::mechanism::joint_writer::Writer;
use crate::mechanism::quantity::Sum;
use crate::mechanism::sketch::Draughtsman;
use crate::mechanism::teeth::ToothForce;
use crate::sketch::Shape;

const RATIO: Key =
    Key::number("ratio", "how far the second turns for one turn of the first, as ratio = -2")
        .required();

pub(super) static GEAR: JointType = JointType {
    name: "gear",
    summary: "two bodies turn in a fixed ratio",
    keys: &[&RATIO, &OFFSET, &CARRIER, &PRESSURE_ANGLE],
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
    draw,
    shows_bodies: [true, true],
    teeth: Some(teeth),
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
    if joint.has_teeth() {
        let [x, y] = teeth(writer.mechanism, joint).force;
        writer.output("fx", &x);
        writer.output("fy", &y);
    }
}

fn teeth(mechanism: &Mechanism, joint: &Joint) -> ToothForce {
    let [first, second] = joint.ends.each_ref().map(|end| mechanism.world(end));
    let [d_x, d_y] = [0, 1].map(|axis| format!("(({}) - ({}))", second[axis], first[axis]));
    let (ratio, angle) = (RATIO.of(joint).factor(), PRESSURE_ANGLE.of(joint).factor());
    let across = format!("lambda_{}*(1 - {ratio})/({d_x}^2 + {d_y}^2)", joint.named("angle"));
    let along = format!("sign({ratio})*abs({across})*tan({angle})");
    let force =
        [format!("(-{across}*{d_y} - {along}*{d_x})"), format!("({across}*{d_x} - {along}*{d_y})")];
    ToothForce { force, rack: None }
}

fn draw(draughtsman: &mut Draughtsman, joint: &Joint) {
    let ratio = draughtsman.number(joint, &RATIO);
    let centres = draughtsman.ends(joint);
    draughtsman.add(joint, Shape::Gears { centres, ratio });
}
