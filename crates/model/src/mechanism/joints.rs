//! Joints as constraints, friction and outputs.

use super::quantity::{Quantity, Sum};
use super::{Joint, JointKind, Mechanism, Written};
use crate::generated::{Sections, generated, generated_point};
use crate::system::Drawing;

/// What one joint writes.
struct Writer<'a> {
    joint: &'a Joint,
    sections: &'a mut Sections,
}

impl Writer<'_> {
    fn constraint(&mut self, ending: &str, text: &str) {
        let name = self.joint.constraint(ending);
        self.sections.constraints.push(generated(&name, text, &self.joint.place));
    }

    fn output(&mut self, ending: &str, text: &str) {
        let name = self.joint.constraint(ending);
        self.sections.outputs.push(generated(&name, text, &self.joint.place));
    }

    fn definition(&mut self, ending: &str, text: &str) -> String {
        let name = self.joint.constraint(ending);
        self.sections.definitions.push(generated(&name, text, &self.joint.place));
        name
    }

    /// −λ of a constraint, as a factor.
    fn multiplier(&self, ending: &str) -> String {
        format!("lambda_{}", self.joint.constraint(ending))
    }

    /// The force −λ along a direction.
    fn force(&mut self, ending: &str, [x, y]: [&str; 2]) {
        let multiplier = self.multiplier(ending);
        self.output("fx", &Sum::default().minus(&[&multiplier, x]).text());
        self.output("fy", &Sum::default().minus(&[&multiplier, y]).text());
    }

    fn moment(&mut self) {
        let multiplier = self.multiplier("angle");
        self.output("m", &format!("-{multiplier}"));
    }
}

impl Mechanism {
    pub(super) fn write_joints(&self, written: &mut Written) {
        for joint in &self.joints {
            self.write_joint(joint, &mut written.sections);
            written.dissipation.extend(self.friction(joint));
        }
    }

    /// Its constraints, and what they define and show.
    pub(super) fn write_joint(&self, joint: &Joint, sections: &mut Sections) {
        let writer = &mut Writer { joint, sections };
        let [first, second] = &joint.ends;
        let [d_x, d_y] = self.difference(joint);
        let turn =
            Sum::default().plus(&[&self.angle(second.body)]).minus(&[&self.angle(first.body)]);
        match &joint.kind {
            JointKind::Revolute => {
                self.write_pin(writer, [&d_x, &d_y]);
            }
            JointKind::Weld { angle } => {
                self.write_pin(writer, [&d_x, &d_y]);
                writer.constraint("angle", &turn.minus(&[&angle.factor()]).text());
                writer.moment();
            }
            JointKind::Prismatic { axis, angle } => {
                self.write_slide(writer, axis);
                writer.constraint("angle", &turn.minus(&[&angle.factor()]).text());
                writer.moment();
            }
            JointKind::PinInSlot { axis } => self.write_slide(writer, axis),
            JointKind::Distance { length } => {
                let l = length.factor();
                let square = format!("(({d_x})^2 + ({d_y})^2 - ({l})^2)/(2*({l}))");
                writer.constraint("d", &square);
                let share = |d: &str| format!("({d})/({l})");
                writer.force("d", [&share(&d_x), &share(&d_y)]);
                let points = [first, second].map(|end| self.world(end));
                let points = points.iter().map(|end| generated_point(end, &joint.place)).collect();
                let (name, place) = (joint.name.clone(), joint.place.clone());
                writer.sections.drawings.push(Drawing { name, points, place });
            }
            JointKind::Gear { ratio, offset, carrier } => {
                let seen = |body| self.seen_from(*carrier, body);
                let sum = Sum::default()
                    .plus(&[&seen(second.body)])
                    .minus(&[&ratio.factor(), &seen(first.body)])
                    .minus(&[&offset.factor()]);
                writer.constraint("angle", &sum.text());
                writer.moment();
            }
            JointKind::Rack { axis, radius, offset, carrier } => {
                let [a_x, a_y] = self.direction(joint, writer.sections, *carrier, axis);
                let sum = Sum::default()
                    .plus(&[&a_x, &format!("({d_x})")])
                    .plus(&[&a_y, &format!("({d_y})")])
                    .minus(&[&radius.factor(), &self.seen_from(*carrier, first.body)])
                    .minus(&[&offset.factor()]);
                writer.constraint("d", &sum.text());
                writer.force("d", [&a_x, &a_y]);
            }
        }
    }

    /// r₂ − r₁
    pub(super) fn difference(&self, joint: &Joint) -> [String; 2] {
        let [first, second] = &joint.ends;
        let (first, second) = (self.world(first), self.world(second));
        [0, 1].map(|axis| Sum::default().plus(&[&second[axis]]).minus(&[&first[axis]]).text())
    }

    fn write_pin(&self, writer: &mut Writer, difference: [&str; 2]) {
        for (axis, text) in ["x", "y"].into_iter().zip(difference) {
            writer.constraint(axis, text);
        }
        for axis in ["x", "y"] {
            let multiplier = writer.multiplier(axis);
            writer.output(&format!("f{axis}"), &format!("-{multiplier}"));
        }
    }

    /// n·(r₂ − r₁) = 0, and how far the second has travelled, a·(r₂ − r₁).
    fn write_slide(&self, writer: &mut Writer, axis: &[Quantity; 2]) {
        let joint = writer.joint;
        let [d_x, d_y] = self.difference(joint).map(|text| format!("({text})"));
        let [a_x, a_y] = self.direction(joint, writer.sections, joint.ends[0].body, axis);
        let across = Sum::default().plus(&[&a_x, &d_y]).minus(&[&a_y, &d_x]);
        writer.constraint("n", &across.text());
        let along = Sum::default().plus(&[&a_x, &d_x]).plus(&[&a_y, &d_y]);
        writer.definition("position", &along.text());
        let backwards = Sum::default().minus(&[&a_y]).text();
        writer.force("n", [&format!("({backwards})"), &a_x]);
    }

    /// The unit vector along the axis in the world; one that turns with a body is given names.
    pub(super) fn direction(
        &self,
        joint: &Joint,
        sections: &mut Sections,
        body: Option<usize>,
        axis: &[Quantity; 2],
    ) -> [String; 2] {
        let [a_x, a_y] = axis.clone().map(|component| component.factor());
        let size = |text: &str| text.trim_matches(['(', ')']).parse::<f64>().map(f64::abs);
        let is_unit = matches!((size(&a_x), size(&a_y)), (Ok(1.0), Ok(0.0)) | (Ok(0.0), Ok(1.0)));
        let [a_x, a_y] = match is_unit {
            true => [a_x, a_y],
            false => {
                let length = format!("sqrt(({a_x})^2 + ({a_y})^2)");
                [a_x, a_y].map(|component| format!("{component}/{length}"))
            }
        };
        let Some(body) = body else { return [a_x, a_y] };
        let angle = self.angle(Some(body));
        let (sine, cosine) = (format!("sin({angle})"), format!("cos({angle})"));
        let x = Sum::default().plus(&[&a_x, &cosine]).minus(&[&a_y, &sine]);
        let y = Sum::default().plus(&[&a_x, &sine]).plus(&[&a_y, &cosine]);
        let mut writer = Writer { joint, sections };
        [writer.definition("axis_x", &x.text()), writer.definition("axis_y", &y.text())]
    }

    /// The angle of a body less that of the carrier, as a factor.
    fn seen_from(&self, carrier: Option<usize>, body: Option<usize>) -> String {
        let sum = Sum::default().plus(&[&self.angle(body)]).minus(&[&self.angle(carrier)]);
        format!("({})", sum.text())
    }

    /// ½ c (relative rate)²
    pub(super) fn friction(&self, joint: &Joint) -> Option<String> {
        let friction = joint.friction.as_ref().filter(|friction| !friction.is_zero())?.factor();
        let rate = match joint.kind {
            JointKind::Revolute => self.relative_rate(joint.ends[0].body, joint.ends[1].body),
            _ => format!("{}'", joint.constraint("position")),
        };
        Some(format!("1/2*{friction}*({rate})^2"))
    }

    /// θ̇₂ − θ̇₁
    pub(super) fn relative_rate(&self, first: Option<usize>, second: Option<usize>) -> String {
        let rate = |body: Option<usize>| match self.angle(body) {
            angle if angle == "0" => angle,
            angle => format!("{angle}'"),
        };
        Sum::default().plus(&[&rate(second)]).minus(&[&rate(first)]).text()
    }
}
