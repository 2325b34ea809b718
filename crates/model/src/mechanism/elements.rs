//! What acts on bodies apart from joints: springs, forces, torques and motors.

use super::free_axes::JointCoordinate;
use super::joint::End;
use super::quantity::{Quantity, Sum};
use super::{Mechanism, Point, Written};
use crate::dimension::Dimension;
use crate::generated::generated;
use crate::source::Place;
use crate::system::NamedFormula;
use catena_symbolic::Formula;

/// Everything that acts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elements {
    /// In the order of the file, as all of them.
    pub springs: Vec<Spring>,
    /// Springs that wind up.
    pub torsion_springs: Vec<TorsionSpring>,
    /// Forces at points.
    pub forces: Vec<Force>,
    /// Torques on bodies.
    pub torques: Vec<Torque>,
    /// What prescribes the motion of joints.
    pub motors: Vec<Motor>,
}

/// V = ½ k (d − l)², D = ½ c ḋ² with the distance d of its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// As written, or `spring1`.
    pub name: String,
    /// The points it ties.
    pub ends: [End; 2],
    /// k, N/m; 0 for a damper alone.
    pub stiffness: Quantity,
    /// The free length l, m.
    pub length: Quantity,
    /// c, N s/m.
    pub damping: Option<Quantity>,
    pub(super) place: Place,
}

/// V = ½ k (θ₂ − θ₁ − angle)², D = ½ c (θ̇₂ − θ̇₁)²
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionSpring {
    /// As written, or `torsion_spring1`.
    pub name: String,
    /// The bodies it ties; none is the ground.
    pub bodies: [Option<usize>; 2],
    /// k, N m/rad; 0 for a damper alone.
    pub stiffness: Quantity,
    /// θ₂ − θ₁ where it is at ease, rad.
    pub angle: Quantity,
    /// c, N m s.
    pub damping: Option<Quantity>,
    pub(super) place: Place,
}

/// A force F at a point r, in the axes of the world: F·∂r/∂q on every coordinate q, power F·ṙ.
#[derive(Clone, Debug, PartialEq)]
pub struct Force {
    /// As written, or `force1`.
    pub name: String,
    /// The point it acts at.
    pub on: End,
    /// Along x and y of the world, N; formulas of the motion.
    pub components: [Option<Quantity>; 2],
    pub(super) place: Place,
}

/// A torque τ on a body, and its opposite on another one: power τ (θ̇₂ − θ̇₁).
#[derive(Clone, Debug, PartialEq)]
pub struct Torque {
    /// As written, or `torque1`.
    pub name: String,
    /// The body it acts on; none is the ground.
    pub on: Option<usize>,
    /// The body that gets the opposite; none is the ground.
    pub from: Option<usize>,
    /// N m, counter-clockwise; a formula of the motion.
    pub value: Quantity,
    pub(super) place: Place,
}

/// What a joint does in time: θ₂ − θ₁ − angle(t) = 0 of one that turns, a·(r₂ − r₁) − position(t) = 0 of one that slides. The
/// multiplier of that constraint is what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// As written, or `motor1`.
    pub name: String,
    /// Position in the list of joints.
    pub joint: usize,
    /// What it prescribes.
    pub(super) coordinate: JointCoordinate,
    /// As a function of time.
    pub motion: Quantity,
    pub(super) place: Place,
}

impl Motor {
    /// What it prescribes, as the file calls it: `angle` or `position`.
    pub fn drives(&self) -> &'static str {
        self.coordinate.name()
    }
}

impl Mechanism {
    /// The named points of the ground, in the world.
    pub fn ground(&self) -> &[Point] {
        &self.ground
    }

    /// What acts on the bodies apart from joints.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    pub(super) fn write_elements(&self, written: &mut Written) {
        for spring in &self.elements.springs {
            self.write_spring(spring, written);
        }
        for spring in &self.elements.torsion_springs {
            self.write_torsion_spring(spring, written);
        }
        for force in &self.elements.forces {
            self.write_force(force, written);
        }
        for torque in &self.elements.torques {
            self.write_torque(torque, written);
        }
        for motor in &self.elements.motors {
            self.write_motor(motor, written);
        }
    }

    fn write_spring(&self, spring: &Spring, written: &mut Written) {
        let (name, at) = (&spring.name, &spring.place);
        let [first, second] = spring.ends.each_ref().map(|end| self.world(end));
        let [d_x, d_y] =
            [0, 1].map(|i| Sum::default().plus(&[&second[i]]).minus(&[&first[i]]).text());
        let square = format!("({d_x})^2 + ({d_y})^2");
        let distance = format!("{name}_length");
        written.sections.definitions.push(generated(&distance, &format!("sqrt({square})"), at));
        let (stiffness, length) = (spring.stiffness.factor(), spring.length.factor());
        let stretch = Sum::default().plus(&[&distance]).minus(&[&length]).text();
        // without the root where it is not needed: ends that meet are no trouble then
        let energy = match spring.length.is_zero() {
            true => format!("1/2*{stiffness}*({square})"),
            false => format!("1/2*{stiffness}*({stretch})^2"),
        };
        written.potential.push(energy);
        let mut force = format!("{stiffness}*({stretch})");
        if let Some(damping) = spring.damping.as_ref().filter(|damping| !damping.is_zero()) {
            let damping = damping.factor();
            written.dissipation.push(format!("1/2*{damping}*{distance}'^2"));
            force += &format!(" + {damping}*{distance}'");
        }
        show(written, &format!("{name}_force"), &force, at, Dimension::FORCE);
        // the force pulls the ends together
        add_power(written, name, &format!("-{name}_force*{distance}'"), at);
        written.sections.measure(&distance, Dimension::LENGTH);
    }

    fn write_torsion_spring(&self, spring: &TorsionSpring, written: &mut Written) {
        let [first, second] = spring.bodies;
        let (stiffness, at) = (spring.stiffness.factor(), &spring.place);
        let twist = Sum::default()
            .plus(&[&self.angle(second)])
            .minus(&[&self.angle(first)])
            .minus(&[&spring.angle.factor()])
            .text();
        written.potential.push(format!("1/2*{stiffness}*({twist})^2"));
        let mut torque = format!("-{stiffness}*({twist})");
        let rate = self.relative_rate(first, second);
        if let Some(damping) = spring.damping.as_ref().filter(|damping| !damping.is_zero()) {
            let damping = damping.factor();
            written.dissipation.push(format!("1/2*{damping}*({rate})^2"));
            torque += &format!(" - {damping}*({rate})");
        }
        let name = format!("{}_torque", spring.name);
        show(written, &name, &torque, at, Dimension::MOMENT);
        add_power(written, &spring.name, &format!("{name}*({rate})"), at);
    }

    /// Fx on x, Fy on y and (r − centre) × F on the angle.
    fn write_force(&self, force: &Force, written: &mut Written) {
        let Some(body) = force.on.body.map(|body| &self.bodies[body].name) else { return };
        let (mut moment, point) = (Sum::default(), self.world(&force.on));
        let mut power = Sum::default();
        for (axis, component) in ["x", "y"].iter().zip(&force.components) {
            let Some(component) = component else { continue };
            let name = format!("{}_{axis}", force.name);
            written.sections.later_definitions.push(formula(
                &name,
                &component.formula,
                &component.place,
            ));
            written.sections.measure(&name, Dimension::FORCE);
            power = power.plus(&[&name, &format!("{}'", point[usize::from(*axis == "y")])]);
            let target = format!("{body}_{axis}");
            written.sections.forces.push(generated(&target, &name, &force.place));
            // the arm is measured across the component
            moment = match *axis {
                "x" => moment.minus(&[&format!("({} - {body}_y)", point[1]), &name]),
                _ => moment.plus(&[&format!("({} - {body}_x)", point[0]), &name]),
            };
        }
        add_power(written, &force.name, &power.text(), &force.place);
        if force.on.point.is_some() {
            let target = format!("{body}_angle");
            written.sections.forces.push(generated(&target, &moment.text(), &force.place));
        }
    }

    fn write_torque(&self, torque: &Torque, written: &mut Written) {
        let (name, at) = (&torque.name, &torque.place);
        written.sections.later_definitions.push(formula(
            name,
            &torque.value.formula,
            &torque.value.place,
        ));
        written.sections.measure(name, Dimension::MOMENT);
        let rate = self.relative_rate(torque.from, torque.on);
        add_power(written, name, &format!("{name}*({rate})"), at);
        for (body, sign) in [(torque.on, ""), (torque.from, "-")] {
            if body.is_some() {
                let text = format!("{sign}{name}");
                written.sections.forces.push(generated(&self.angle(body), &text, at));
            }
        }
    }

    /// The coordinate of the joint less its prescribed value.
    fn write_motor(&self, motor: &Motor, written: &mut Written) {
        let (name, at, joint) = (&motor.name, &motor.place, &self.joints[motor.joint]);
        let prescribed = format!("{name}_{}", motor.coordinate.name());
        let entry = formula(&prescribed, &motor.motion.formula, &motor.motion.place);
        written.sections.later_definitions.push(entry);
        let text = self.measured(joint, motor.coordinate).minus(&[&prescribed]).text();
        written.sections.constraints.push(generated(name, &text, at));
        let output = format!("{name}_{}", motor.coordinate.effort());
        written.sections.outputs.push(generated(&output, &format!("-lambda_{name}"), at));
        let (moved, effort) = motor.coordinate.dimensions();
        written.sections.measure(&prescribed, moved);
        for name in [output.clone(), format!("lambda_{name}")] {
            written.sections.measure(&name, effort);
        }
        add_power(written, name, &format!("{output}*{prescribed}'"), at);
    }
}

/// A quantity that is a column, and that formulas can use.
fn show(written: &mut Written, name: &str, text: &str, place: &Place, dimension: Dimension) {
    written.sections.definitions.push(generated(name, text, place));
    written.sections.outputs.push(generated(name, name, place));
    written.sections.measure(name, dimension);
}

/// The power that an element gives to the bodies it acts on, W.
fn add_power(written: &mut Written, element: &str, text: &str, place: &Place) {
    let name = format!("{element}_power");
    written.sections.quantities.push(generated(&name, text, place));
    written.sections.measure(&name, Dimension::POWER);
}

/// An entry with a formula that the user wrote.
fn formula(name: &str, formula: &Formula, place: &Place) -> NamedFormula {
    NamedFormula {
        name: name.to_owned(),
        primes: 0,
        formula: formula.clone(),
        place: place.clone(),
    }
}
