//! The mechanism in the coordinates of its joints: what the tree leaves free is a coordinate, the other
//! positions and angles of bodies are definitions by the same names, and constraints are left for the cut joints alone.
//!
//! A body hangs on its parent at r = r_p ± s a − R(θ) c with the point c of its own, the sliding displacement s
//! along the axis a of a slide, and the parent's point r_p; see `tree.rs` for what hangs on what.

use super::joint::Joint;
use super::joint_writer::Writer;
use super::quantity::Sum;
use super::tree::TreeNode;
use super::{Mechanism, Written};
use crate::dimension::Dimension;
use crate::generated::{Sections, generated};
use crate::source::Place;
use crate::system::Coordinate;

impl Mechanism {
    /// The mechanism as coordinates of its joints, definitions, energies, and constraints for the cut joints.
    /// What only a run needs is left out: the forces in joints are no multipliers here.
    pub(crate) fn joint_sections(&self) -> Sections {
        let mut written = Written::default();
        for point in &self.ground {
            self.define_ground(point, &mut written.sections);
        }
        let tree = self.tree();
        for child in &tree {
            self.write_child(child, &mut written);
            self.write_body(&self.bodies[child.body], &mut written);
        }
        for (at, joint) in self.joints.iter().enumerate() {
            if tree.iter().all(|child| child.joint != Some(at)) {
                self.write_joint(joint, &[], &mut written.sections);
            }
            written.dissipation.extend(self.friction(joint));
        }
        self.write_elements(&mut written);
        let mut sections = self.summed(written);
        sections.outputs.clear();
        sections.drawings.clear();
        sections
    }

    /// Coordinates of a body, and definitions for what follows from its parent.
    fn write_child(&self, child: &TreeNode, written: &mut Written) {
        let body = &self.bodies[child.body];
        let name = &body.name;
        let sections = &mut written.sections;
        let angle_text = format!("{name}, angle from +x, counter-clockwise");
        let Some(joint) = child.joint.map(|at| &self.joints[at]) else {
            for axis in ["x", "y"] {
                let text = format!("{name}, centre of mass, {axis}");
                add_coordinate(sections, &format!("{name}_{axis}"), text, &body.place);
            }
            return add_coordinate(sections, &format!("{name}_angle"), angle_text, &body.place);
        };
        if joint.slide_axis().is_some() {
            let text = format!("{}, sliding displacement", joint.name);
            add_coordinate(sections, &joint.named("position"), text, &joint.place);
            sections.measure(&joint.named("position"), Dimension::LENGTH);
        }
        match joint.held_angle() {
            Some(angle) => {
                let sum = Sum::default().plus(&[&self.angle(child.parent)]);
                let sum = match child.reversed {
                    true => sum.minus(&[&angle.factor()]),
                    false => sum.plus(&[&angle.factor()]),
                };
                let angle = generated(&format!("{name}_angle"), &sum.text(), &body.place);
                sections.definitions.push(angle);
            }
            None => add_coordinate(sections, &format!("{name}_angle"), angle_text, &body.place),
        }
        self.define_centre(child, joint, sections);
    }

    /// x and y of a body from the point of its parent.
    fn define_centre(&self, child: &TreeNode, joint: &Joint, sections: &mut Sections) {
        let body = &self.bodies[child.body];
        let [first, second] = &joint.ends;
        let (fixed, own) = if child.reversed { (second, first) } else { (first, second) };
        let mut centre = self.world(fixed).map(|text| Sum::default().plus(&[&text]));
        if let Some(axis) = joint.slide_axis() {
            let position = joint.named("position");
            let mut writer =
                Writer { mechanism: self, joint, sections: &mut *sections, loads: &[] };
            let direction = writer.direction(first.body, axis);
            for (sum, along) in centre.iter_mut().zip(&direction) {
                let before = std::mem::take(sum);
                *sum = match child.reversed {
                    true => before.minus(&[&position, along]),
                    false => before.plus(&[&position, along]),
                };
            }
        }
        let [px, py] = &own.position;
        let angle = format!("{}_angle", body.name);
        let (sine, cosine) = (format!("sin({angle})"), format!("cos({angle})"));
        let [x, y] = centre;
        let x = x.with(true, px, &cosine).with(false, py, &sine);
        let y = y.with(true, px, &sine).with(true, py, &cosine);
        for (axis, sum) in [("x", x), ("y", y)] {
            let name = format!("{}_{axis}", body.name);
            sections.definitions.push(generated(&name, &sum.text(), &body.place));
        }
    }
}

fn add_coordinate(sections: &mut Sections, name: &str, text: String, place: &Place) {
    let (name, place) = (name.to_owned(), place.clone());
    sections.coordinates.push(Coordinate { name, text, angle: None, place });
}
