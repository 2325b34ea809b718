//! Planar mechanisms: bodies tied together by joints, written out as coordinates, energies and
//! constraints like any other model.
//!
//! Every body has x, y of its centre of mass and its angle θ from +x, counter-clockwise. A point p
//! of a body, measured from the centre in the body's own axes, is at r = (x, y) + R(θ) p, and a joint
//! is made of constraints Φ between the point r₁ of its first body and r₂ of its second, with the
//! direction a of the joint turned along with the first body and n perpendicular to it:
//!
//! | joint | Φ = 0 | on the second body |
//! |---|---|---|
//! | revolute | r₂ − r₁ | force |
//! | prismatic | n·(r₂ − r₁), θ₂ − θ₁ − angle | force along n, moment |
//! | weld | r₂ − r₁, θ₂ − θ₁ − angle | force, moment |
//! | distance | (‖r₂ − r₁‖² − l²)/2l | force along r₂ − r₁ |
//! | pin-in-slot | n·(r₂ − r₁) | force along n |
//! | gear | (θ₂ − θc) − ratio·(θ₁ − θc) − offset | moment |
//! | rack | a·(r₂ − r₁) − radius·(θ₁ − θc) − offset | force along a |
//!
//! With M v̇ + Φqᵀλ = Q the force of a joint on its second body is −λ times the direction of Φ.

mod bodies;
mod checks;
mod elements;
mod guesses;
mod items;
mod joint_sections;
mod joints;
mod keys;
mod problem;
mod quantity;
mod read;
mod read_body;
mod read_element;
mod read_joint;
mod repeat;
mod tree;

pub use problem::MechanismProblem;
pub use quantity::Quantity;
pub use tree::Branch;

pub(crate) use items::MechanismDraft;
pub(crate) use keys::is_section;
pub(crate) use repeat::Sizes;

use crate::generated::{Sections, generated_sum};
use crate::source::Place;
use elements::Elements;

/// Bodies and the joints between them: what a formulation that follows the tree needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Mechanism {
    /// In the order of the file; body i has the coordinates 3i, 3i + 1, 3i + 2: x, y and angle.
    pub bodies: Vec<Body>,
    /// In the order of the file.
    pub joints: Vec<Joint>,
    ground: Vec<Point>,
    elements: Elements,
    place: Place,
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// The parameter that is its mass, kg.
    pub mass: String,
    /// The parameter that is its moment of inertia about the centre of mass, kg m².
    pub inertia: String,
    /// Its named points.
    pub points: Vec<Point>,
    /// Whether it is meant not to be joined to the ground.
    pub free: bool,
    /// Guesses of x, y and angle.
    guess: [Option<Quantity>; 3],
    place: Place,
}

/// A named point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Where it is, m: from the centre of mass in the axes of the body, or in the world.
    pub position: [Quantity; 2],
    place: Place,
}

/// One side of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Position of the body in [`Mechanism::bodies`]; none is the ground.
    pub body: Option<usize>,
    /// Where on the body, m: from the centre of mass in its axes, or in the world.
    pub position: [Quantity; 2],
    /// The point's name, if it has one.
    pub point: Option<String>,
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// What it ties.
    pub ends: [End; 2],
    /// Viscous friction on the relative rate: N m s where it turns, N s/m where it slides.
    pub friction: Option<Quantity>,
    place: Place,
}

/// What a joint prescribes; equations at the top of the page.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields carry the names of the equations")]
pub enum JointKind {
    /// Two points stay together.
    Revolute,
    /// The second slides along an axis of the first and turns with it.
    Prismatic { axis: [Quantity; 2], angle: Quantity },
    /// The second moves with the first.
    Weld { angle: Quantity },
    /// A massless rod with pins at both ends.
    Distance { length: Quantity },
    /// A point of the second stays on a line of the first.
    PinInSlot { axis: [Quantity; 2] },
    /// Angles in a fixed ratio, seen from a carrier (none: the ground).
    Gear { ratio: Quantity, offset: Quantity, carrier: Option<usize> },
    /// The second travels along an axis of the carrier as the first turns.
    Rack { axis: [Quantity; 2], radius: Quantity, offset: Quantity, carrier: Option<usize> },
}

impl JointKind {
    /// The name in model files.
    pub fn name(&self) -> &'static str {
        match self {
            JointKind::Revolute => "revolute",
            JointKind::Prismatic { .. } => "prismatic",
            JointKind::Weld { .. } => "weld",
            JointKind::Distance { .. } => "distance",
            JointKind::PinInSlot { .. } => "pin-in-slot",
            JointKind::Gear { .. } => "gear",
            JointKind::Rack { .. } => "rack",
        }
    }

    /// Endings of the names of its constraints: `B_x` is the first one of the revolute joint `B`.
    pub fn constraints(&self) -> &'static [&'static str] {
        match self {
            JointKind::Revolute => &["x", "y"],
            JointKind::Prismatic { .. } => &["n", "angle"],
            JointKind::Weld { .. } => &["x", "y", "angle"],
            JointKind::Distance { .. } | JointKind::Rack { .. } => &["d"],
            JointKind::PinInSlot { .. } => &["n"],
            JointKind::Gear { .. } => &["angle"],
        }
    }
}

impl Joint {
    /// The name of one of its constraints.
    fn constraint(&self, ending: &str) -> String {
        format!("{}_{ending}", self.name)
    }

    /// The names of its constraints, in the order in which they stand in the model.
    pub fn constraints(&self) -> Vec<String> {
        self.kind.constraints().iter().map(|ending| self.constraint(ending)).collect()
    }
}

/// The sections as they are written, with the terms of the energies.
#[derive(Default)]
struct Written {
    sections: Sections,
    kinetic: Vec<String>,
    potential: Vec<String>,
    dissipation: Vec<String>,
}

impl Mechanism {
    /// The mechanism as coordinates, energies and constraints.
    pub(crate) fn sections(&self) -> Sections {
        let mut written = Written::default();
        self.write_bodies(&mut written);
        self.write_joints(&mut written);
        self.write_elements(&mut written);
        self.summed(written)
    }

    fn summed(&self, written: Written) -> Sections {
        let Written { mut sections, kinetic, potential, dissipation } = written;
        sections.kinetic = generated_sum("kinetic", &kinetic, &self.place);
        sections.potential = generated_sum("potential", &potential, &self.place);
        sections.dissipation = generated_sum("dissipation", &dissipation, &self.place);
        sections.keep_drawings = true;
        sections
    }

    /// Position of an end in the world, as text.
    fn world(&self, end: &End) -> [String; 2] {
        let Some(body) = end.body.map(|body| &self.bodies[body]) else {
            return end.position.clone().map(|position| position.factor());
        };
        let stem = match &end.point {
            Some(point) => format!("{}_{point}", body.name),
            None => body.name.clone(),
        };
        ["x", "y"].map(|axis| format!("{stem}_{axis}"))
    }

    /// Angle of an end's body, as text.
    fn angle(&self, body: Option<usize>) -> String {
        body.map_or("0".to_owned(), |body| format!("{}_angle", self.bodies[body].name))
    }
}
