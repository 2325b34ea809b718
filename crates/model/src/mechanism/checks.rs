//! Checks of a mechanism as a whole, and of its numbers.

use super::Mechanism;
use super::guesses::Placement;
use super::joint::Joint;
use super::joints::{HELD_ANGLE, PRESSURE_ANGLE, Shape};
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use crate::problem::{Problem, ProblemKind};
use crate::source::Place;
use crate::turns;

impl Mechanism {
    /// Bodies that no joint leads to from the ground, and that are not meant to be free.
    pub(super) fn check_joined(&self, problems: &mut Vec<Problem>) {
        let ground = self.bodies.len();
        let mut group: Vec<usize> = (0..=ground).collect();
        for joint in &self.joints {
            // a joint that tells no place, like a gear, does not lead to one
            if joint.kind.placement != Placement::Nowhere {
                let [a, b] = joint.ends.each_ref().map(|end| group[end.body.unwrap_or(ground)]);
                group.iter_mut().filter(|group| **group == b).for_each(|group| *group = a);
            }
        }
        for (first, &its) in group[..ground].iter().enumerate() {
            let members: Vec<usize> = (0..ground).filter(|&body| group[body] == its).collect();
            let free = members.iter().any(|&body| self.bodies[body].free);
            if its != group[ground] && !free && members[0] == first {
                let bodies = members.iter().map(|&body| self.bodies[body].name.clone()).collect();
                let kind = MechanismProblem::Floating { bodies }.into();
                problems.push(Problem { kind, place: self.bodies[first].place.clone() });
            }
        }
    }

    /// Angles of springs and joints that look like degrees.
    pub(crate) fn many_turns(&self) -> Vec<Problem> {
        let springs = self.elements.torsion_springs.iter().map(|spring| &spring.angle);
        let angles = [&HELD_ANGLE, &PRESSURE_ANGLE];
        let joints = self
            .joints
            .iter()
            .flat_map(|joint| angles.into_iter().filter_map(|key| joint.quantity(key.name)));
        springs
            .chain(joints)
            .filter_map(|angle| turns::warning(&angle.formula, angle.place.source))
            .collect()
    }

    /// Numbers that no body and no joint can have.
    pub(crate) fn check_numbers(
        &self,
        parameter: &impl Fn(&str) -> Option<f64>,
        problems: &mut Vec<Problem>,
    ) {
        let mut report = |kind: ProblemKind, place: &Place| {
            problems.push(Problem { kind, place: place.clone() });
        };
        for body in &self.bodies {
            let value = |name: &str| parameter(name).unwrap_or(f64::NAN);
            let (mass, inertia) = (value(&body.mass), value(&body.inertia));
            let name = || body.name.clone();
            if let Some((length, place)) = &body.length
                && value(length) <= 0.0
            {
                let (name, value) = ("length".to_owned(), value(length));
                report(ProblemKind::NotPositive { name, value }, place);
            }
            let (kind, place) = if mass < 0.0 {
                let kind = MechanismProblem::NegativeMass { body: name(), value: mass };
                (kind, &body.mass_place)
            } else if inertia < 0.0 {
                let kind = MechanismProblem::NegativeInertia { body: name(), value: inertia };
                (kind, &body.inertia_place)
            } else if mass == 0.0 && inertia > 0.0 {
                (MechanismProblem::InertiaWithoutMass { body: name() }, &body.place)
            } else {
                continue;
            };
            report(kind.into(), place);
        }
        for joint in &self.joints {
            joint.check_numbers(parameter, &mut report);
        }
    }
}

impl Joint {
    fn check_numbers(
        &self,
        parameter: &impl Fn(&str) -> Option<f64>,
        report: &mut impl FnMut(ProblemKind, &Place),
    ) {
        for key in self.kind.keys {
            match key.shape {
                Shape::Positive => {
                    let constant = self.quantity(key.name).filter(|_| key.variable.is_none());
                    let Some(quantity) = constant else { continue };
                    let (name, value) = (key.name.to_owned(), quantity.value(parameter));
                    if value <= 0.0 {
                        report(ProblemKind::NotPositive { name, value }, &quantity.place);
                    }
                }
                Shape::Direction => {
                    let Some(axis) = self.direction(key.name) else { continue };
                    let is_zero = |component: &Quantity| component.value(parameter) == 0.0;
                    if axis.iter().all(is_zero) {
                        let kind = MechanismProblem::NoDirection { joint: self.name.clone() };
                        report(kind.into(), &axis[0].place);
                    }
                }
                Shape::Number | Shape::Body => {}
            }
        }
    }
}
