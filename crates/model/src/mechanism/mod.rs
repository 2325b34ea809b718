//! Planar mechanisms: bodies tied together by joints, written out as coordinates, energies and
//! constraints like any other model.
//!
//! Every body has x, y of its centre of mass and its angle θ from +x, counter-clockwise. A point p
//! of a body, measured from the centre in the body's own axes, is at r = (x, y) + R(θ) p, and a joint
//! is made of constraints Φ between a point of its first body and one of its second: see `joints`,
//! which has one file for each type. With M v̇ + Φqᵀλ = Q the force of a joint on its second body is
//! −λ times the direction of Φ.

mod bodies;
mod checks;
mod elements;
mod free_axes;
mod guesses;
mod items;
mod joint;
mod joint_sections;
mod joint_writer;
mod joints;
mod keys;
mod problem;
mod quantity;
mod read;
mod read_body;
mod read_element;
mod read_joint;
mod repeat;
mod sketch;
mod teeth;
mod tree;

pub use elements::{Elements, Force, Motor, Spring, Torque, TorsionSpring};
pub use free_axes::FreeAxes;
pub use guesses::Placement;
pub use joint::{End, Joint};
pub use joints::{JOINTS, JointType, Key};
pub use problem::MechanismProblem;
pub use quantity::Quantity;
pub use tree::TreeNode;

pub(crate) use items::MechanismDraft;
pub(crate) use keys::key_names;
pub(crate) use repeat::Sizes;

use crate::dimension::Dimension;
use crate::generated::{Sections, generated_sum};
use crate::source::Place;

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

/// A rigid body in the plane: T = ½ m (ẋ² + ẏ²) + ½ I θ̇², V = m g y of its centre of mass; a point p of its own axes is at
/// (x, y) + R(θ) p.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique among bodies; its coordinates begin with it: `crank_x`.
    pub name: String,
    /// The parameter that is its mass, kg.
    pub mass: String,
    /// The parameter that is its moment of inertia about the centre of mass, kg m².
    pub inertia: String,
    /// Its named points.
    pub points: Vec<Point>,
    /// The centre of mass in the axes in which the file writes points, m.
    pub centre: [Quantity; 2],
    /// Whether it is meant not to be joined to the ground.
    pub free: bool,
    /// Guesses of x, y and angle.
    guess: [Option<Quantity>; 3],
    /// The parameter that is its length, m, and where that is written.
    length: Option<(String, Place)>,
    mass_place: Place,
    inertia_place: Place,
    place: Place,
}

/// A named point of a body or of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Unique on its body; with the body's name it is a definition: `crank_B_x`.
    pub name: String,
    /// Where it is, m: from the centre of mass in the axes of the body, or in the world.
    pub position: [Quantity; 2],
    place: Place,
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
        sections.measure("g", Dimension::ACCELERATION);
        sections.add_resultants();
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
