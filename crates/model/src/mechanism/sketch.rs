//! A mechanism as it is drawn: bodies through their points, and joints, springs and motors as engineers draw them.

use super::elements::Elements;
use super::joint::{End, Joint};
use super::joints::{AXIS, Key};
use super::{Body, Mechanism};
use crate::sketch::{Anchor, Carrier, Parameter, Shape, Sketch};

/// A mechanism on its way into a sketch.
pub(super) struct Draughtsman<'a> {
    mechanism: &'a Mechanism,
    pub(super) parameter: Parameter<'a>,
    /// One for each body.
    carriers: Vec<Carrier>,
    /// In front of everything else.
    pins: Vec<(String, Shape)>,
    sketch: &'a mut Sketch,
}

impl Sketch {
    pub(crate) fn add_mechanism(&mut self, mechanism: &Mechanism, parameter: Parameter<'_>) {
        let carriers = mechanism.bodies.iter().map(|body| {
            let names = ["x", "y", "angle"].map(|ending| format!("{}_{ending}", body.name));
            Carrier::Body(names.map(|name| self.own_track(&name)))
        });
        let carriers = carriers.collect();
        let mut draughtsman =
            Draughtsman { mechanism, parameter, carriers, pins: Vec::new(), sketch: self };
        draughtsman.bodies();
        for joint in &mechanism.joints {
            (joint.kind.draw)(&mut draughtsman, joint);
        }
        draughtsman.elements(&mechanism.elements);
        for (name, pin) in std::mem::take(&mut draughtsman.pins) {
            draughtsman.sketch.add(&name, pin);
        }
        for motor in &mechanism.elements.motors {
            let joint = &mechanism.joints[motor.joint];
            if joint.slide_axis().is_none() {
                let at = draughtsman.anchor(&joint.ends[0]);
                draughtsman.sketch.add(&motor.name, Shape::Motor(at));
            }
        }
        draughtsman.trails();
    }
}

impl Draughtsman<'_> {
    /// What moves with a body; nobody is the ground.
    pub(super) fn carrier(&self, body: Option<usize>) -> Carrier {
        body.map_or(Carrier::Ground, |body| self.carriers[body])
    }

    fn anchor(&self, end: &End) -> Anchor {
        let at = end.position.each_ref().map(|position| position.value(self.parameter));
        Anchor { carrier: self.carrier(end.body), at }
    }

    /// The number behind a key of a joint.
    pub(super) fn number(&self, joint: &Joint, key: &Key) -> f64 {
        joint.quantity(key.name).map_or(0.0, |quantity| quantity.value(self.parameter))
    }

    /// The axis of a joint, of length 1.
    pub(super) fn axis(&self, joint: &Joint) -> [f64; 2] {
        let [x, y] = joint.direction(AXIS.name).map_or([1.0, 0.0], |axis| {
            axis.each_ref().map(|component| component.value(self.parameter))
        });
        let length = x.hypot(y);
        [x / length, y / length]
    }

    fn bodies(&mut self) {
        for (at, body) in self.mechanism.bodies.iter().enumerate() {
            let carrier = self.carriers[at];
            let points = self.outline(at, body);
            let is_shown_by_joint = points.len() < 2 && self.has_shape_of_its_own(at);
            if !is_shown_by_joint {
                self.sketch.add(&body.name, Shape::Link { carrier, points });
            }
            let centre = Anchor { carrier, at: [0.0, 0.0] };
            self.sketch.add(&body.name, Shape::CentreOfMass(centre));
        }
    }

    /// The points of a body and of what is fastened to it, each once; a single one that is off the centre with it.
    fn outline(&self, at: usize, body: &Body) -> Vec<[f64; 2]> {
        let value = |position: &[super::Quantity; 2]| {
            position.each_ref().map(|component| component.value(self.parameter))
        };
        let ends = self.mechanism.joints.iter().flat_map(|joint| &joint.ends);
        let springs = self.mechanism.elements.springs.iter().flat_map(|spring| &spring.ends);
        let fastened = ends.chain(springs).filter(|end| end.body == Some(at));
        let all = body.points.iter().map(|point| value(&point.position));
        let mut points: Vec<[f64; 2]> = Vec::new();
        for point in all.chain(fastened.map(|end| value(&end.position))) {
            if !points.contains(&point) {
                points.push(point);
            }
        }
        match points.as_slice() {
            [] => vec![[0.0, 0.0]],
            [only] if *only != [0.0, 0.0] => vec![[0.0, 0.0], *only],
            _ => points,
        }
    }

    /// Whether a joint shows the body: as a wheel, a block in a guide or a cam.
    fn has_shape_of_its_own(&self, body: usize) -> bool {
        self.mechanism.joints.iter().any(|joint| {
            let ends = joint.ends.iter().zip(joint.kind.shows_bodies);
            ends.filter(|(_, shown)| *shown).any(|(end, _)| end.body == Some(body))
        })
    }

    /// The anchors of a joint's ends.
    pub(super) fn ends(&self, joint: &Joint) -> [Anchor; 2] {
        joint.ends.each_ref().map(|end| self.anchor(end))
    }

    /// A pin through both ends, with the force on the second body.
    pub(super) fn pin(&mut self, joint: &Joint, ends: [Anchor; 2]) {
        let force = Some(self.sketch.force_tracks(&joint.name));
        let welded = joint.held_angle().is_some() && joint.slide_axis().is_none();
        self.pins.push((joint.name.clone(), Shape::Pin { ends, force, welded }));
    }

    /// A part that belongs to a joint.
    pub(super) fn add(&mut self, joint: &Joint, shape: Shape) {
        self.sketch.add(&joint.name, shape);
    }

    fn elements(&mut self, elements: &Elements) {
        for spring in &elements.springs {
            let ends = spring.ends.each_ref().map(|end| self.anchor(end));
            let coil = !spring.stiffness.is_zero();
            let damper = spring.damping.as_ref().is_some_and(|damping| !damping.is_zero());
            self.sketch.add(&spring.name, Shape::Spring { ends, coil, damper });
        }
        for spring in &elements.torsion_springs {
            let between = |joint: &&Joint| {
                let bodies = joint.ends.each_ref().map(|end| end.body);
                bodies.iter().all(|body| spring.bodies.contains(body))
            };
            if let Some(joint) = self.mechanism.joints.iter().find(between) {
                let at = self.anchor(&joint.ends[0]);
                self.sketch.add(&spring.name, Shape::TorsionSpring(at));
            }
        }
        for force in &elements.forces {
            let components = ["x", "y"].into_iter().zip(&force.components);
            let tracks = components.map(|(axis, component)| match component {
                Some(_) => self.sketch.own_track(&format!("{}_{axis}", force.name)),
                None => self.sketch.own_track("0"),
            });
            if let Ok(components) = <[usize; 2]>::try_from(tracks.collect::<Vec<_>>()) {
                let at = self.anchor(&force.on);
                self.sketch.add(&force.name, Shape::Force { at, components });
            }
        }
    }

    /// Points that nothing is fastened to are there to be watched.
    fn trails(&mut self) {
        for (at, body) in self.mechanism.bodies.iter().enumerate() {
            for point in &body.points {
                let mut ends = self.mechanism.joints.iter().flat_map(|joint| &joint.ends);
                let is_used = ends.any(|end| {
                    end.body == Some(at) && end.point.as_deref() == Some(point.name.as_str())
                });
                if !is_used {
                    let position = point.position.each_ref();
                    let position = position.map(|component| component.value(self.parameter));
                    let anchor = Anchor { carrier: self.carriers[at], at: position };
                    let name = format!("{}.{}", body.name, point.name);
                    self.sketch.add(&name, Shape::Trail(anchor));
                }
            }
        }
    }
}
