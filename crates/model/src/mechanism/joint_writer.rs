//! Joints written as constraints, definitions and outputs: what all types share.

use super::joint::{End, Joint};
use super::quantity::{Quantity, Sum};
use super::teeth::Load;
use super::{Mechanism, Written};
use crate::dimension::Dimension;
use crate::generated::{Sections, generated, generated_point};
use crate::system::Drawing;

/// Takes down what one joint writes; everything is named after the joint.
pub(super) struct Writer<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) joint: &'a Joint,
    pub(super) sections: &'a mut Sections,
    /// What teeth add to its reactions.
    pub(super) loads: &'a [Load],
}

impl Mechanism {
    pub(super) fn write_joints(&self, written: &mut Written) {
        for (joint, loads) in self.joints.iter().zip(self.tooth_loads()) {
            self.write_joint(joint, &loads, &mut written.sections);
            written.dissipation.extend(self.friction(joint));
        }
    }

    /// Its constraints, and what they define and show.
    pub(super) fn write_joint(&self, joint: &Joint, loads: &[Load], sections: &mut Sections) {
        let before = sections.constraints.len();
        (joint.kind.write)(&mut Writer { mechanism: self, joint, sections, loads });
        debug_assert_eq!(
            sections.constraints[before..].iter().map(|entry| &entry.name).collect::<Vec<_>>(),
            joint.constraints().iter().collect::<Vec<_>>(),
            "a {} joint writes the constraints that its row names",
            joint.kind.name,
        );
    }

    /// The unit vector along an axis of a body in the world, as text.
    pub(super) fn unit_vector(&self, body: Option<usize>, axis: &[Quantity; 2]) -> [String; 2] {
        let [a_x, a_y] = axis.each_ref().map(Quantity::factor);
        let sizes = axis.each_ref().map(|component| component.as_number().map(f64::abs));
        let is_unit = matches!(sizes, [Some(1.0), Some(0.0)] | [Some(0.0), Some(1.0)]);
        let [a_x, a_y] = match is_unit {
            true => [a_x, a_y],
            false => {
                let length = format!("sqrt(({a_x})^2 + ({a_y})^2)");
                [a_x, a_y].map(|component| format!("{component}/{length}"))
            }
        };
        if body.is_none() {
            return [a_x, a_y];
        }
        let angle = self.angle(body);
        let (sine, cosine) = (format!("sin({angle})"), format!("cos({angle})"));
        let x = Sum::default().plus(&[&a_x, &cosine]).minus(&[&a_y, &sine]);
        let y = Sum::default().plus(&[&a_x, &sine]).plus(&[&a_y, &cosine]);
        [x.text(), y.text()]
    }
}

impl Writer<'_> {
    pub(super) fn constraint(&mut self, ending: &str, text: &str) {
        let name = self.joint.named(ending);
        self.sections.constraints.push(generated(&name, text, &self.joint.place));
        // constraints are lengths, but for those between angles
        let dimension = if ending == "angle" { Dimension::MOMENT } else { Dimension::FORCE };
        self.sections.measure(&format!("lambda_{name}"), dimension);
    }

    /// A reaction: forces `fx` and `fy` and the moment `m` have what teeth add to them.
    pub(super) fn output(&mut self, ending: &str, text: &str) {
        let name = self.joint.named(ending);
        let mut sum = Sum::default().plus(&[&format!("({text})")]);
        let text = match ["fx", "fy", "m"].iter().position(|column| *column == ending) {
            Some(column) if !self.loads.is_empty() => {
                for load in self.loads {
                    sum = sum.plus(&[&load[column]]);
                }
                sum.text()
            }
            _ => text.to_owned(),
        };
        self.sections.outputs.push(generated(&name, &text, &self.joint.place));
        let dimension = if ending == "m" { Dimension::MOMENT } else { Dimension::FORCE };
        self.sections.measure(&name, dimension);
    }

    /// Defines a name and returns it.
    pub(super) fn definition(&mut self, ending: &str, text: &str) -> String {
        let name = self.joint.named(ending);
        self.sections.definitions.push(generated(&name, text, &self.joint.place));
        name
    }

    /// λ of a constraint.
    pub(super) fn multiplier(&self, ending: &str) -> String {
        format!("lambda_{}", self.joint.named(ending))
    }

    /// The force −λ times the direction of the constraint, on the second body.
    pub(super) fn force(&mut self, ending: &str, [x, y]: [&str; 2]) {
        let multiplier = self.multiplier(ending);
        self.output("fx", &Sum::default().minus(&[&multiplier, x]).text());
        self.output("fy", &Sum::default().minus(&[&multiplier, y]).text());
    }

    /// The moment −λ of the constraint `angle`, on the second body.
    pub(super) fn moment(&mut self) {
        let multiplier = self.multiplier("angle");
        self.output("m", &format!("-{multiplier}"));
    }

    /// r₂ − r₁
    pub(super) fn difference(&self) -> [String; 2] {
        let [first, second] = self.ends().map(|end| self.mechanism.world(end));
        [0, 1].map(|axis| Sum::default().plus(&[&second[axis]]).minus(&[&first[axis]]).text())
    }

    fn ends(&self) -> [&End; 2] {
        self.joint.ends.each_ref()
    }

    /// r₂ − r₁ = 0, with its two forces.
    pub(super) fn pin(&mut self) {
        for (axis, text) in ["x", "y"].into_iter().zip(self.difference()) {
            self.constraint(axis, &text);
        }
        for axis in ["x", "y"] {
            let multiplier = self.multiplier(axis);
            self.output(&format!("f{axis}"), &format!("-{multiplier}"));
        }
    }

    /// n·(r₂ − r₁) = 0, and the sliding displacement a·(r₂ − r₁).
    pub(super) fn slide(&mut self, axis: &[Quantity; 2]) {
        let [d_x, d_y] = self.difference().map(|text| format!("({text})"));
        let [a_x, a_y] = self.direction(self.joint.ends[0].body, axis);
        let across = Sum::default().plus(&[&a_x, &d_y]).minus(&[&a_y, &d_x]);
        self.constraint("n", &across.text());
        let along = Sum::default().plus(&[&a_x, &d_x]).plus(&[&a_y, &d_y]);
        let position = self.definition("position", &along.text());
        self.sections.measure(&position, Dimension::LENGTH);
        let backwards = Sum::default().minus(&[&a_y]).text();
        self.force("n", [&format!("({backwards})"), &a_x]);
    }

    /// The unit vector along an axis of a body in the world; one that turns is given names.
    pub(super) fn direction(&mut self, body: Option<usize>, axis: &[Quantity; 2]) -> [String; 2] {
        let [x, y] = self.mechanism.unit_vector(body, axis);
        match body {
            None => [x, y],
            Some(_) => [self.definition("axis_x", &x), self.definition("axis_y", &y)],
        }
    }

    /// The angle of a body relative to the carrier, as a factor.
    pub(super) fn angle_on(&self, carrier: Option<usize>, body: Option<usize>) -> String {
        let [body, carrier] = [body, carrier].map(|body| self.mechanism.angle(body));
        format!("({})", Sum::default().plus(&[&body]).minus(&[&carrier]).text())
    }

    /// A line between the two ends.
    pub(super) fn draw(&mut self) {
        let place = &self.joint.place;
        let points = self.ends().map(|end| generated_point(&self.mechanism.world(end), place));
        let (name, place) = (self.joint.name.clone(), place.clone());
        self.sections.drawings.push(Drawing { name, points: points.to_vec(), place });
    }
}
