//! `[[spring]]`, `[[torsion-spring]]`, `[[force]]`, `[[torque]]` and `[[motor]]`.

use super::elements::{Force, Motor, Spring, Torque, TorsionSpring};
use super::items::Item;
use super::joint::End;
use super::problem::MechanismProblem;
use super::quantity::Quantity;
use super::read::Resolver;

impl Resolver<'_> {
    /// Reads one of them; what it lacks is reported.
    pub(super) fn element(&mut self, item: &Item, number: usize) -> Option<()> {
        let name = self.element_name(item, number);
        match item.section {
            "spring" => self.spring(item, name),
            "torsion-spring" => self.torsion_spring(item, name),
            "force" => self.force(item, name),
            "torque" => self.torque(item, name),
            _ => self.motor(item, name),
        }
    }

    fn stiffness(&mut self, item: &Item) -> Option<Quantity> {
        let stiffness = self.optional(item, "stiffness");
        if stiffness.is_none() {
            self.missing(item, "stiffness", "for instance stiffness = 1000, or 0 for a damper");
        }
        stiffness
    }

    fn spring(&mut self, item: &Item, name: String) -> Option<()> {
        let (ends, stiffness) = (self.ends(item, &name), self.stiffness(item));
        let length = self.constant_or_zero(item, "length");
        let damping = self.optional(item, "damping");
        let (ends, stiffness, place) = (ends?, stiffness?, item.place.clone());
        let spring = Spring { name, ends, stiffness, length, damping, place };
        self.mechanism.elements.springs.push(spring);
        Some(())
    }

    fn torsion_spring(&mut self, item: &Item, name: String) -> Option<()> {
        let (ends, stiffness) = (self.ends(item, &name), self.stiffness(item));
        let angle = self.constant_or_zero(item, "angle");
        let damping = self.optional(item, "damping");
        let (bodies, stiffness) = (ends?.map(|end| end.body), stiffness?);
        let place = item.place.clone();
        let spring = TorsionSpring { name, bodies, stiffness, angle, damping, place };
        self.mechanism.elements.torsion_springs.push(spring);
        Some(())
    }

    /// What a force or a torque acts on.
    fn target(&mut self, item: &Item) -> Option<End> {
        let Some([end]) = item.ends("on") else {
            self.missing(item, "on", "what it acts on, for instance on = \"crank\"");
            return None;
        };
        self.end(end)
    }

    fn check_moves(&mut self, item: &Item, name: &str, bodies: [Option<usize>; 2]) {
        if bodies == [None, None] {
            let (what, name) = (item.section, name.to_owned());
            self.report(MechanismProblem::OnGround { what, name }, &item.place);
        }
    }

    fn force(&mut self, item: &Item, name: String) -> Option<()> {
        let components = ["x", "y"].map(|key| item.quantity(key).cloned());
        if components == [None, None] {
            self.missing(
                item,
                "x",
                "its components in the world: x = \"formula\", y = \"formula\"",
            );
        }
        let (on, place) = (self.target(item)?, item.place.clone());
        self.check_moves(item, &name, [on.body, None]);
        self.mechanism.elements.forces.push(Force { name, on, components, place });
        Some(())
    }

    fn torque(&mut self, item: &Item, name: String) -> Option<()> {
        let value = item.quantity("value").cloned();
        if value.is_none() {
            self.missing(item, "value", "the torque, for instance value = \"2*sin(t)\"");
        }
        let on = self.target(item)?.body;
        let from = match item.ends("from") {
            Some([from]) => self.end(from)?.body,
            _ => None,
        };
        self.check_moves(item, &name, [on, from]);
        let torque = Torque { name, on, from, value: value?, place: item.place.clone() };
        self.mechanism.elements.torques.push(torque);
        Some(())
    }

    fn motor(&mut self, item: &Item, name: String) -> Option<()> {
        let Some((joint, place)) = item.text("joint") else {
            self.missing(item, "joint", "the joint it drives, for instance joint = \"O\"");
            return None;
        };
        let Some(at) = self.mechanism.joints.iter().position(|known| known.name == joint) else {
            let known = self.mechanism.joints.iter().map(|joint| joint.name.clone()).collect();
            let name = joint.to_owned();
            self.report(MechanismProblem::Unknown { what: "joint", name, known }, place);
            return None;
        };
        let kind = self.mechanism.joints[at].kind;
        let Some(coordinate) = kind.driven() else {
            let (motor, joint, kind) = (name, joint.to_owned(), kind.name);
            self.report(MechanismProblem::NoFreedom { motor, joint, kind }, &item.place);
            return None;
        };
        let Some(motion) = item.quantity(coordinate.name()).cloned() else {
            let (motor, kind, key) = (name, kind.name, coordinate.name());
            self.report(MechanismProblem::MotorKey { motor, kind, key }, &item.place);
            return None;
        };
        let motor = Motor { name, joint: at, coordinate, motion, place: item.place.clone() };
        self.mechanism.elements.motors.push(motor);
        Some(())
    }
}
