//! Where the assembly begins: bodies are placed one after the other from the ground outwards, each
//! where a joint to a placed one puts it. Angles are given, guessed, follow from joints that hold
//! them, or from two points of a body whose places are known: so the angles alone choose the branch.

use super::elements::Spring;
use super::problem::MechanismProblem;
use super::{End, JointKind, Mechanism};
use crate::names::Role;
use crate::problem::Problem;
use crate::system::{Entry, System};
use catena_symbolic::parse;

type Vector = [f64; 2];

/// A spring shorter than this, relative to what is around, has no direction.
const NO_LENGTH: f64 = 1e-12;

/// What is known about the bodies so far.
struct Walk<'a, P> {
    mechanism: &'a Mechanism,
    parameter: &'a P,
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
                system.guess.push(Entry { name, primes: 0, formula, place });
            }
        }
        self.check_springs(&walk, problems);
    }

    /// A spring whose ends lie on each other pulls nowhere.
    fn check_springs<P: Fn(&str) -> Option<f64>>(
        &self,
        walk: &Walk<P>,
        problems: &mut Vec<Problem>,
    ) {
        let at_ease = |spring: &&Spring| spring.length.is_zero() && spring.damping.is_none();
        for spring in self.elements.springs.iter().filter(|spring| !at_ease(spring)) {
            let [first, second] = spring.ends.each_ref().map(|end| walk.point(end));
            let size = first.iter().chain(&second).fold(1.0_f64, |size, x| size.max(x.abs()));
            if distance(first, second) <= NO_LENGTH * size {
                let kind = MechanismProblem::NoSpringLength { spring: spring.name.clone() };
                problems.push(Problem { kind: kind.into(), place: spring.place.clone() });
            }
        }
    }
}

impl<P: Fn(&str) -> Option<f64>> Walk<'_, P> {
    fn place_all(&mut self) {
        for body in 0..self.known.len() {
            self.placed[body] = self.known[body][..2].iter().all(Option::is_some);
        }
        loop {
            while self.follow_angles() {}
            // pins first: they say exactly where a body is
            if self.place_next(true, true) || self.turn_between_two_points() {
                continue;
            }
            if self.place_next(false, true) || self.place_next(true, false) {
                continue;
            }
            if self.place_next(false, false) {
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

    /// What a motor says at the start about the angle of a joint.
    fn driven_angle(&self, joint: usize) -> Option<f64> {
        let motors = &self.mechanism.elements.motors;
        let motion = &motors.iter().find(|motor| motor.joint == joint)?.motion;
        let value =
            motion.value(|name| if name == "t" { Some(0.0) } else { (self.parameter)(name) });
        Some(value).filter(|value| value.is_finite())
    }

    /// Angles that joints hold relative to known ones; whether one was found.
    fn follow_angles(&mut self) -> bool {
        let value = |quantity: &super::Quantity| quantity.value(self.parameter);
        for (at, joint) in self.mechanism.joints.iter().enumerate() {
            // second − carrier = ratio·(first − carrier) + offset
            let (ratio, offset, carrier) = match &joint.kind {
                JointKind::Revolute => match self.driven_angle(at) {
                    Some(angle) => (1.0, angle, Some(0.0)),
                    None => continue,
                },
                JointKind::Prismatic { angle, .. } | JointKind::Weld { angle } => {
                    (1.0, value(angle), Some(0.0))
                }
                JointKind::Gear { ratio, offset, carrier } => {
                    (value(ratio), value(offset), self.angle(*carrier))
                }
                _ => continue,
            };
            let Some(carrier) = carrier else { continue };
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
    fn place_next(&mut self, pinned: bool, angle_known: bool) -> bool {
        for joint in &self.mechanism.joints {
            let is_pin = matches!(joint.kind, JointKind::Revolute | JointKind::Weld { .. });
            if is_pin != pinned || matches!(joint.kind, JointKind::Gear { .. }) {
                continue;
            }
            let [first, second] = &joint.ends;
            for (fixed, moved) in [(first, second), (second, first)] {
                let Some(body) = moved.body.filter(|&body| !self.placed[body]) else { continue };
                if !self.is_placed(fixed) || self.known[body][2].is_some() != angle_known {
                    continue;
                }
                let position = moved.position.each_ref().map(|p| p.value(self.parameter));
                let mut target = self.point(fixed);
                if let JointKind::Distance { length } = &joint.kind {
                    self.hang(body, position, length.value(self.parameter), &mut target);
                }
                self.put(body, position, target);
                return true;
            }
        }
        false
    }

    /// Moves the place of a point from one end of a massless rod to the other: straight down, or as
    /// far down as a given x or y allows.
    fn hang(&self, body: usize, position: Vector, length: f64, target: &mut Vector) {
        let turned = turned(position, self.known[body][2].unwrap_or(0.0));
        let across = |apart: f64| (length * length - apart * apart).max(0.0).sqrt();
        match self.known[body] {
            [Some(x), None, _] => target[1] -= across(x + turned[0] - target[0]),
            [None, Some(y), _] => target[0] += across(y + turned[1] - target[1]),
            _ => target[1] -= length,
        }
    }

    /// Turns a body whose angle is open so that two of its pins point to their places.
    fn turn_between_two_points(&mut self) -> bool {
        for body in (0..self.known.len()).filter(|&body| !self.placed[body]) {
            if self.known[body][2].is_some() {
                continue;
            }
            let mut pins: Vec<(Vector, Vector)> = Vec::new();
            for joint in &self.mechanism.joints {
                let [first, second] = &joint.ends;
                for (fixed, moved) in [(first, second), (second, first)] {
                    let pin = matches!(joint.kind, JointKind::Revolute);
                    if pin && moved.body == Some(body) && self.is_placed(fixed) {
                        let own = moved.position.each_ref().map(|p| p.value(self.parameter));
                        pins.push((own, self.point(fixed)));
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

    /// Where an end is in the world.
    fn point(&self, end: &End) -> Vector {
        let position = end.position.each_ref().map(|p| p.value(self.parameter));
        let Some(body) = end.body else { return position };
        let [x, y, angle] = self.known[body].map(|value| value.unwrap_or(0.0));
        let turned = turned(position, angle);
        [x + turned[0], y + turned[1]]
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
