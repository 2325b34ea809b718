//! Every type of joint: one file and one row each.
//!
//! A type is a row of data and functions. The reader asks it for its keys, the model for its
//! constraints and reactions, the tree for what it leaves free, and the start for where its bodies
//! are. In the equations of the files the first end of a joint is the point r₁ of a body with the
//! angle θ₁, the second r₂ with θ₂; a is the direction `axis`, which turns with the first body, and
//! n is perpendicular to it.

mod cam_follower;
mod distance;
mod gear;
mod key;
mod pin_in_slot;
mod prismatic;
mod rack;
mod revolute;
mod weld;

pub use key::Key;

pub(super) use key::Shape;

use super::Mechanism;
use super::free_axes::{self, FreeAxes, JointCoordinate};
use super::guesses::{AngleLaw, Placement, Vector, Walk};
use super::joint::Joint;
use super::joint_writer::Writer;
use super::sketch::Draughtsman;
use super::teeth::ToothForce;
use crate::problem::Problem;
use crate::sketch::Shape as Drawn;
use std::fmt;

/// Every type of joint. The reader, its messages, the tree and the book's table follow this list.
pub static JOINTS: &[&JointType] = &[
    &revolute::REVOLUTE,
    &prismatic::PRISMATIC,
    &weld::WELD,
    &distance::DISTANCE,
    &pin_in_slot::PIN_IN_SLOT,
    &gear::GEAR,
    &rack::RACK,
    &cam_follower::CAM_FOLLOWER,
];

/// A type of joint.
pub struct JointType {
    /// Its name in model files.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// The keys of a joint of this type in addition to `name`, `type` and `between`; required ones first.
    pub keys: &'static [&'static Key],
    /// The relative motions that it allows; none for higher pairs, on which no body can hang in the tree.
    pub free: Option<FreeAxes>,
    pub(super) constraints: &'static [&'static str],
    /// Writes its constraints in their order, its reactions and what else it defines.
    pub(super) write: fn(&mut Writer),
    /// How the angles of its bodies depend on each other, where they do.
    pub(super) angles: fn(&Joint, &Walk) -> Option<AngleLaw>,
    /// How well it determines the place of one of its bodies when the other one is known.
    pub placement: Placement,
    /// What is wrong with a joint of this type, beyond its single values.
    pub(super) check: fn(&Joint) -> Result<(), Problem>,
    /// Where the point of the end with this number belongs, given where that of the other end is.
    pub(super) opposite: fn(&Joint, &Walk, usize, Vector) -> Vector,
    /// Draws it.
    pub(super) draw: fn(&mut Draughtsman, &Joint),
    /// Which of its two bodies its drawing shows, so that they need no other.
    pub(super) shows_bodies: [bool; 2],
    /// The force between its teeth, of types that have some.
    pub(super) teeth: Option<fn(&Mechanism, &Joint) -> ToothForce>,
}

/// What lower pairs have in common: their free axes determine everything.
const LOWER_PAIR: JointType = JointType {
    name: "",
    summary: "",
    keys: &[],
    free: None,
    constraints: &[],
    write: free_axes::write,
    angles: |joint, walk| joint.held_angle().map(|angle| AngleLaw::held(walk.value(angle))),
    placement: Placement::Near,
    check: |_| Ok(()),
    opposite: |_, _, _, other| other,
    draw: draw_lower_pair,
    shows_bodies: [false, false],
    teeth: None,
};

/// What higher pairs have in common: they leave angles alone.
const HIGHER_PAIR: JointType = JointType { angles: |_, _| None, ..LOWER_PAIR };

/// A guide or a slot where something slides, a pin where nothing does.
fn draw_lower_pair(draughtsman: &mut Draughtsman, joint: &Joint) {
    let [guide, block] = draughtsman.ends(joint);
    if joint.slide_axis().is_none() {
        return draughtsman.pin(joint, [guide, block]);
    }
    let turns = joint.held_angle().is_none();
    let axis = draughtsman.axis(joint);
    draughtsman.add(joint, Drawn::Slide { guide, axis, block, turns });
    draughtsman.pin(joint, [block, block]);
}

/// The direction of a joint, in the axes of the body that carries it.
pub(super) const AXIS: Key = Key::direction("axis", "its direction, for instance axis = [1, 0]");
/// θ₂ − θ₁ of a pair that does not turn, rad.
pub(super) const HELD_ANGLE: Key = Key::number(
    "angle",
    "the angle of the second body from the first, for instance angle = \"90 deg\"",
);
/// Viscous, on the relative rate: N m s where a joint turns, N s/m where it slides.
pub(super) const FRICTION: Key =
    Key::number("friction", "its viscous friction, for instance friction = 0.1");
/// The body that holds the axles of a pair of toothed parts.
pub(super) const CARRIER: Key =
    Key::body("carrier", "the body that holds the axles, for instance carrier = \"arm\"");
/// Between the normal of the flanks and the pitch line; without one the teeth push no bearing.
pub(super) const PRESSURE_ANGLE: Key = Key::number(
    "pressure_angle",
    "the angle of the flanks, for instance pressure_angle = \"20 deg\"",
);
/// How the teeth meet.
const OFFSET: Key = Key::number("offset", "how the teeth meet, for instance offset = 0.1");

impl JointType {
    /// Endings of the names of its constraints: `B_x` is the first one of the revolute joint `B`.
    pub fn constraints(&self) -> &'static [&'static str] {
        self.constraints
    }

    /// The coordinate that a motor can prescribe.
    pub(super) fn driven(&self) -> Option<JointCoordinate> {
        self.free.and_then(FreeAxes::driven)
    }

    /// Its keys in a file in addition to `name`, `type` and `between`.
    pub(super) fn key_names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }
}

impl PartialEq for JointType {
    fn eq(&self, other: &JointType) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for JointType {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_name_of_its_own() {
        for (at, kind) in JOINTS.iter().enumerate() {
            assert!(!kind.name.is_empty() && !kind.summary.is_empty());
            assert!(JOINTS[..at].iter().all(|other| other.name != kind.name), "{}", kind.name);
        }
    }

    /// The reader knows the keys of an item before it knows the type.
    #[test]
    fn a_key_has_one_shape_in_all_types() {
        let keys = || JOINTS.iter().flat_map(|kind| kind.keys.iter().map(move |key| (kind, key)));
        for (kind, key) in keys() {
            for (other, same) in keys().filter(|(_, same)| same.name == key.name) {
                let (kind, other) = (kind.name, other.name);
                assert_eq!(
                    same.shape.written(),
                    key.shape.written(),
                    "{kind}, {other}: {}",
                    key.name
                );
            }
        }
    }

    #[test]
    fn free_axes_have_the_keys_and_constraints_they_need() {
        for kind in JOINTS {
            let Some(free) = kind.free else { continue };
            let has = |key: &Key| kind.key_names().any(|name| name == key.name);
            assert_eq!(has(&AXIS), free.slide, "{}", kind.name);
            assert_eq!(has(&HELD_ANGLE), !free.turn, "{}", kind.name);
            assert_eq!(has(&FRICTION), free.slide || free.turn, "{}", kind.name);
            let held = 3 - usize::from(free.slide) - usize::from(free.turn);
            assert_eq!(kind.constraints().len(), held, "{}", kind.name);
        }
    }
}
