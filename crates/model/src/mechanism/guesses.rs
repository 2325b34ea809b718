//! Where the assembly begins: bodies are placed one after the other from the ground outwards, each
//! where a joint to a placed one puts it. Angles are given, guessed, follow from joints that hold
//! them, or from two points of a body whose places are known: so the angles alone choose the branch.

use super::Mechanism;
use super::elements::Spring;
use super::free_axes::JointCoordinate;
use super::joint::{End, Joint};
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use crate::names::Role;
use crate::problem::Problem;
use crate::system::{NamedFormula, System};
use catena_symbolic::parse;

pub(super) type Vector = [f64; 2];

/// What is shorter than this, relative to the coordinates of its ends, has no direction.
const MIN_RELATIVE_LENGTH: f64 = 1e-12;

/// How well a joint determines the place of a body when the one at its other end is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Two points coincide.
    Pin,
    /// A point is on a curve around the other one, at the side that the joint chooses.
    OnCurve,
    /// Two points are near each other, or at a known distance.
    Near,
    /// It determines no place.
    Nowhere,
}

/// θ₂ − θc = ratio·(θ₁ − θc) + offset, with the angle θc of the carrier.
pub(super) struct AngleLaw {
    pub(super) ratio: f64,
    pub(super) offset: f64,
    /// None is the ground.
    pub(super) carrier: Option<usize>,
}

impl AngleLaw {
    /// θ₂ − θ₁ is this angle.
    pub(super) fn held(offset: f64) -> AngleLaw {
        AngleLaw { ratio: 1.0, offset, carrier: None }
    }
}

/// What is known about the bodies so far.
pub(super) struct Walk<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) parameter: &'a dyn Fn(&str) -> Option<f64>,
    /// x, y and angle.
    known: Vec<[Option<f64>; 3]>,
    placed: Vec<bool>,
}

impl Mechanism {
    /// Adds guesses for coordinates that have none.
    pub(crate) fn complete_guesses(
        &self,
        system: &mut System,
        parameter: &impl Fn(&str) -> Option<f64>,
        problems: &mut Vec<Problem>,
    ) {
        let mut walk = Walk {
            mechanism: self,
            parameter,
            known: vec![[None; 3]; self.bodies.len()],
            placed: vec![false; self.bodies.len()],
        };
        for entry in system.guess.iter().chain(&system.initial).filter(|entry| entry.primes == 0) {
            if let Some(Role::Coordinate(at)) = system.names.role(&entry.name) {
                let value = entry.formula.evaluate(|name, _| parameter(name).unwrap_or(f64::NAN));
                walk.known[at / 3][at % 3] = Some(value);
            }
        }
        let before = walk.known.clone();
        walk.place_all();
        for (at, coordinate) in system.coordinates.iter().enumerate() {
            let (was, is) = (before[at / 3][at % 3], walk.known[at / 3][at % 3]);
            if let (None, Some(value)) = (was, is.filter(|value| value.is_finite())) {
                let formula = parse(&format!("{value:e}")).expect("a number is a formula");
                let place = coordinate.place.clone();
                let formula = formula.placed_at(&place.span);
                let name = coordinate.name.clone();
                system.guess.push(NamedFormula { name, primes: 0, formula, place });
            }
        }
        self.check_springs(&walk, problems);
        self.check_lines_of_centres(&walk, problems);
    }

    /// Wheels whose centres lie on each other have no teeth that meet.
    fn check_lines_of_centres(&self, walk: &Walk, problems: &mut Vec<Problem>) {
        let toothed =
            |joint: &&Joint| joint.has_teeth() && joint.kind.placement == Placement::Nowhere;
        for joint in self.joints.iter().filter(toothed) {
            let [first, second] = joint.ends.each_ref().map(|end| walk.point(end));
            let size = first.iter().chain(&second).fold(1.0_f64, |size, x| size.max(x.abs()));
            if distance(first, second) <= MIN_RELATIVE_LENGTH * size {
                let kind = MechanismProblem::NoLineOfCentres { joint: joint.name.clone() };
                problems.push(Problem { kind: kind.into(), place: joint.place.clone() });
            }
        }
    }

    /// A spring whose ends lie on each other pulls nowhere.
    fn check_springs(&self, walk: &Walk, problems: &mut Vec<Problem>) {
        let at_ease = |spring: &&Spring| spring.length.is_zero() && spring.damping.is_none();
        for spring in self.elements.springs.iter().filter(|spring| !at_ease(spring)) {
            let [first, second] = spring.ends.each_ref().map(|end| walk.point(end));
            let size = first.iter().chain(&second).fold(1.0_f64, |size, x| size.max(x.abs()));
            if distance(first, second) <= MIN_RELATIVE_LENGTH * size {
                let kind = MechanismProblem::NoSpringLength { spring: spring.name.clone() };
                problems.push(Problem { kind: kind.into(), place: spring.place.clone() });
            }
        }
    }
}

impl Walk<'_> {
    fn place_all(&mut self) {
        for body in 0..self.known.len() {
            self.placed[body] = self.known[body][..2].iter().all(Option::is_some);
        }
        loop {
            while self.follow_angles() {}
            // pins first: they say exactly where a body is
            if self.place_next(Placement::Pin, true)
                || self.turn_between_two_points()
                || self.place_next(Placement::OnCurve, true)
                || self.place_next(Placement::Near, true)
                || self.place_next(Placement::Pin, false)
                || self.place_next(Placement::OnCurve, false)
                || self.place_next(Placement::Near, false)
            {
                continue;
            }
            // a tree that is free begins with its first body
            match (0..self.known.len()).find(|&body| !self.placed[body]) {
                Some(body) => self.put(body, [0.0, 0.0], [0.0, 0.0]),
                None => return,
            }
        }
    }

    fn is_placed(&self, end: &End) -> bool {
        end.body.is_none_or(|body| self.placed[body])
    }

    fn angle(&self, body: Option<usize>) -> Option<f64> {
        body.map_or(Some(0.0), |body| self.known[body][2])
    }

    /// The value of a constant.
    pub(super) fn value(&self, quantity: &Quantity) -> f64 {
        quantity.value(self.parameter)
    }

    /// x, y and angle of a body as far as they are known; those of the ground are 0.
    pub(super) fn pose(&self, body: Option<usize>) -> [Option<f64>; 3] {
        body.map_or([Some(0.0); 3], |body| self.known[body])
    }

    /// The angle of a joint at the start, where a motor prescribes it.
    fn driven_angle(&self, joint: usize) -> Option<AngleLaw> {
        let motors = &self.mechanism.elements.motors;
        let motor = motors.iter().find(|motor| motor.joint == joint)?;
        let time_or_parameter =
            |name: &str| if name == "t" { Some(0.0) } else { (self.parameter)(name) };
        match motor.coordinate {
            JointCoordinate::Angle => {
                let angle = motor.motion.value(time_or_parameter);
                angle.is_finite().then(|| AngleLaw::held(angle))
            }
            JointCoordinate::Position => None,
        }
    }

    /// Angles that joints hold relative to known ones; whether one was found.
    fn follow_angles(&mut self) -> bool {
        for (at, joint) in self.mechanism.joints.iter().enumerate() {
            let law = (joint.kind.angles)(joint, self).or_else(|| self.driven_angle(at));
            let Some(AngleLaw { ratio, offset, carrier }) = law else { continue };
            let Some(carrier) = self.angle(carrier) else { continue };
            let [first, second] = joint.ends.each_ref().map(|end| end.body);
            match (self.angle(first), self.angle(second), first, second) {
                (Some(first), None, _, Some(second)) => {
                    self.known[second][2] = Some(carrier + ratio * (first - carrier) + offset);
                    return true;
                }
                (None, Some(second), Some(first), _) if ratio != 0.0 => {
                    self.known[first][2] = Some(carrier + (second - carrier - offset) / ratio);
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Places the first body that a joint ties to a placed one; whether there was one.
    fn place_next(&mut self, placement: Placement, angle_known: bool) -> bool {
        let is_such = |joint: &&Joint| joint.kind.placement == placement;
        for joint in self.mechanism.joints.iter().filter(is_such) {
            for (fixed, moved) in [(0, 1), (1, 0)] {
                let end = &joint.ends[moved];
                let Some(body) = end.body.filter(|&body| !self.placed[body]) else { continue };
                if !self.is_placed(&joint.ends[fixed])
                    || self.known[body][2].is_some() != angle_known
                {
                    continue;
                }
                let other = self.point(&joint.ends[fixed]);
                let target = (joint.kind.opposite)(joint, self, moved, other);
                self.put(body, self.own_position(end), target);
                return true;
            }
        }
        false
    }

    /// Turns a body whose angle is open so that two of its pins point to their places.
    fn turn_between_two_points(&mut self) -> bool {
        for body in (0..self.known.len()).filter(|&body| !self.placed[body]) {
            if self.known[body][2].is_some() {
                continue;
            }
            let mut pins: Vec<(Vector, Vector)> = Vec::new();
            for joint in &self.mechanism.joints {
                let turns = joint.kind.free.is_some_and(|free| free.turn);
                if !turns || joint.kind.placement != Placement::Pin {
                    continue;
                }
                let [first, second] = &joint.ends;
                for (fixed, moved) in [(first, second), (second, first)] {
                    if moved.body == Some(body) && self.is_placed(fixed) {
                        pins.push((self.own_position(moved), self.point(fixed)));
                    }
                }
            }
            if let [(own, target), (other, far), ..] = pins[..]
                && distance(own, other) > 0.0
                && distance(target, far) > 0.0
            {
                self.known[body][2] = Some(direction(target, far) - direction(own, other));
                self.put(body, own, target);
                return true;
            }
        }
        false
    }

    /// Puts a point of a body, measured from its centre, to a place; what is given stays.
    fn put(&mut self, body: usize, position: Vector, target: Vector) {
        let angle = *self.known[body][2].get_or_insert(0.0);
        let turned = turned(position, angle);
        for axis in 0..2 {
            self.known[body][axis].get_or_insert(target[axis] - turned[axis]);
        }
        self.placed[body] = true;
    }

    /// Where an end is on its body, from the centre in the axes of the body.
    fn own_position(&self, end: &End) -> Vector {
        end.position.each_ref().map(|component| self.value(component))
    }

    /// From the centre of the body to the end, in the world; an unknown angle is taken to be 0.
    pub(super) fn arm(&self, end: &End) -> Vector {
        turned(self.own_position(end), self.angle(end.body).unwrap_or(0.0))
    }

    /// Where an end is in the world.
    fn point(&self, end: &End) -> Vector {
        let Some(body) = end.body else { return self.own_position(end) };
        let ([x, y, _], arm) = (self.known[body].map(|value| value.unwrap_or(0.0)), self.arm(end));
        [x + arm[0], y + arm[1]]
    }
}

fn turned([x, y]: Vector, angle: f64) -> Vector {
    let (sine, cosine) = angle.sin_cos();
    [x * cosine - y * sine, x * sine + y * cosine]
}

fn distance(from: Vector, to: Vector) -> f64 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}

fn direction(from: Vector, to: Vector) -> f64 {
    (to[1] - from[1]).atan2(to[0] - from[0])
}
