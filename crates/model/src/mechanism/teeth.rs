//! Forces between teeth, and the bearings that hold against them.
//!
//! # Equations
//! The multiplier of a toothed joint says how large the force is along the pitch line, Fₜ; flanks with the pressure angle α
//! push the parts apart with |Fₜ| tan α as well. Neither changes the motion: the centres of wheels are held by pins, and
//! a rack by its guide. So the constraint stays one of angles, and the force F of the teeth on a body is added where it is held:
//! its pin holds with −F, and what the pin sits on gets F. Where that is not the carrier, as for a sun wheel on the
//! axle of its carrier, the pin of the carrier at the same place hands F on to the carrier, which the
//! planet's pin loads with −F.

use super::Mechanism;
use super::joint::{End, Joint};
use super::joints::{CARRIER, PRESSURE_ANGLE};
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use crate::problem::Problem;

/// What teeth add to the reactions of a joint, on its second body: force along x and y, and moment about its second point.
pub(super) type Load = [String; 3];

/// A part with teeth on its body, its force, and where it acts relative to a point.
pub(super) struct ToothForce {
    /// On the second body, N.
    pub(super) force: [String; 2],
    /// For a rack: the point of contact in the world, and the force that the constraint has at the second end already.
    pub(super) rack: Option<RackContact>,
}

/// Where a rack touches its pinion.
pub(super) struct RackContact {
    pub(super) point: [String; 2],
    /// Along the pitch line, on the rack, N; the constraint has it at the second end.
    pub(super) tangential: [String; 2],
    /// Away from the pinion, on the rack, N.
    pub(super) radial: [String; 2],
}

impl Joint {
    /// Whether it has teeth whose force the bearings lack, because no pressure angle is given.
    pub fn lacks_tooth_force(&self) -> bool {
        self.kind.teeth.is_some() && !self.has_teeth()
    }

    pub(super) fn has_teeth(&self) -> bool {
        self.quantity(PRESSURE_ANGLE.name).is_some_and(|angle| !angle.is_zero())
    }
}

impl Mechanism {
    /// What teeth add to the reactions of every joint.
    pub(super) fn tooth_loads(&self) -> Vec<Vec<Load>> {
        let mut loads = vec![Vec::new(); self.joints.len()];
        for joint in self.joints.iter().filter(|joint| joint.has_teeth()) {
            // what cannot be found was reported when the file was read
            let _ = self.load_bearings(joint, &mut loads);
        }
        loads
    }

    /// Toothed parts whose bearings are not found.
    pub(super) fn check_teeth(&self, problems: &mut Vec<Problem>) {
        let mut loads = vec![Vec::new(); self.joints.len()];
        for joint in self.joints.iter().filter(|joint| joint.has_teeth()) {
            if let Err(kind) = self.load_bearings(joint, &mut loads) {
                problems.push(Problem { kind: kind.into(), place: joint.place.clone() });
            }
        }
    }

    fn load_bearings(
        &self,
        joint: &Joint,
        loads: &mut [Vec<Load>],
    ) -> Result<(), MechanismProblem> {
        let Some(teeth) = joint.kind.teeth else { return Ok(()) };
        let ToothForce { force, rack } = teeth(self, joint);
        let carrier = CARRIER.body_of(joint);
        match rack {
            None => {
                let [first, second] = &joint.ends;
                self.load_axle(joint, first, carrier, &negated(&force), loads)?;
                self.load_axle(joint, second, carrier, &force, loads)
            }
            Some(contact) => self.load_rack(joint, &contact, loads),
        }
    }

    /// Hands the force of the teeth on a wheel to its pin, and on to the carrier.
    fn load_axle(
        &self,
        joint: &Joint,
        end: &End,
        carrier: Option<usize>,
        force: &[String; 2],
        loads: &mut [Vec<Load>],
    ) -> Result<(), MechanismProblem> {
        if end.body == carrier {
            return Ok(());
        }
        let missing = |body: Option<usize>| MechanismProblem::NoBearing {
            joint: joint.name.clone(),
            body: self.body_words(body),
            what: "revolute joint",
        };
        let mut seat = end.clone();
        if end.body.is_some() {
            let (at, own) = self.pin_at(end, |_| true).ok_or_else(|| missing(end.body))?;
            loads[at].push(on_second(own, &negated(force), "0"));
            seat = self.joints[at].ends[1 - own].clone();
        }
        if seat.body != carrier {
            let of_carrier = |other: &End| other.body == carrier;
            let (at, own) = self.pin_at(&seat, of_carrier).ok_or_else(|| missing(carrier))?;
            loads[at].push(on_second(1 - own, force, "0"));
        }
        Ok(())
    }

    /// Hands the force of the teeth to the pin of the pinion and to the guide of the rack.
    fn load_rack(
        &self,
        joint: &Joint,
        contact: &RackContact,
        loads: &mut [Vec<Load>],
    ) -> Result<(), MechanismProblem> {
        let [pinion, rack] = &joint.ends;
        let RackContact { point, tangential, radial } = contact;
        let missing = |body: Option<usize>, what: &'static str| MechanismProblem::NoBearing {
            joint: joint.name.clone(),
            body: self.body_words(body),
            what,
        };
        let mut seats = [None, None];
        if pinion.body.is_some() {
            let (at, own) = self
                .pin_at(pinion, |_| true)
                .ok_or_else(|| missing(pinion.body, "revolute joint"))?;
            loads[at].push(on_second(own, radial, "0"));
            seats[0] = self.joints[at].ends[1 - own].body;
        }
        if rack.body.is_some() {
            let holds = |guide: &Joint| {
                let slides = guide.kind.free.is_some_and(|free| free.slide && !free.turn);
                guide.ends.iter().position(|end| slides && end.body == rack.body)
            };
            let mut guides = self.joints.iter().enumerate();
            let found = guides.find_map(|(at, guide)| Some((at, holds(guide)?)));
            let (at, own) = found.ok_or_else(|| missing(rack.body, "prismatic joint"))?;
            let seat = self.world(&self.joints[at].ends[1]);
            let moment = format!(
                "(-({}) - ({}))",
                moment_about(&seat, point, radial),
                moment_about(&self.world(rack), point, tangential)
            );
            loads[at].push(on_second(own, &negated(radial), &moment));
            seats[1] = self.joints[at].ends[1 - own].body;
        }
        match seats[0] == seats[1] {
            true => Ok(()),
            false => Err(missing(rack.body, "prismatic joint on what carries the pinion")),
        }
    }

    /// The revolute joint that holds a point, and which of its ends is there.
    fn pin_at(&self, place: &End, suits: impl Fn(&End) -> bool) -> Option<(usize, usize)> {
        let pins = self
            .joints
            .iter()
            .enumerate()
            .filter(|(_, joint)| joint.kind.free.is_some_and(|free| free.turn && !free.slide));
        pins.into_iter().find_map(|(at, joint)| {
            let own = [0, 1]
                .into_iter()
                .find(|&own| same_place(&joint.ends[own], place) && suits(&joint.ends[1 - own]))?;
            Some((at, own))
        })
    }

    fn body_words(&self, body: Option<usize>) -> String {
        body.map_or("the ground".to_owned(), |body| format!("`{}`", self.bodies[body].name))
    }
}

/// A force and a moment of a joint on the body at one of its ends, as they are on the second.
fn on_second(own: usize, force: &[String; 2], moment: &str) -> Load {
    match own {
        1 => [force[0].clone(), force[1].clone(), moment.to_owned()],
        _ => {
            let [x, y] = negated(force);
            [x, y, format!("(-{moment})")]
        }
    }
}

fn negated([x, y]: &[String; 2]) -> [String; 2] {
    [format!("(-{x})"), format!("(-{y})")]
}

/// (point − origin) × force
pub(super) fn moment_about(
    origin: &[String; 2],
    point: &[String; 2],
    force: &[String; 2],
) -> String {
    let arm = |axis: usize| format!("({} - ({}))", point[axis], origin[axis]);
    format!("{}*{} - {}*{}", arm(0), force[1], arm(1), force[0])
}

/// Whether two ends are one point of one body.
fn same_place(a: &End, b: &End) -> bool {
    let same = |a: &Quantity, b: &Quantity| match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => a == b,
        _ => a.text.trim() == b.text.trim(),
    };
    a.body == b.body && a.position.iter().zip(&b.position).all(|(a, b)| same(a, b))
}
