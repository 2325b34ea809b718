//! What rules see of a model: counts that its description gives away without deriving anything.

use catena_model::{Mechanism, Model};

/// How a model is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// Coordinates of the model as it is written.
    pub coordinates: usize,
    /// Its constraints in these coordinates; a chain by itself has none.
    pub constraints: usize,
    /// Links of a chain, 0 for everything else.
    pub links: usize,
    /// Bodies of a mechanism, 0 for everything else.
    pub bodies: usize,
    /// Of these, bodies without mass or without moment of inertia, at the present values of the parameters.
    pub light_bodies: usize,
    /// Constraints of a mechanism that its tree of joints does not keep: cut joints, motors and those of the file.
    pub loop_constraints: usize,
}

impl Structure {
    /// Counts.
    pub fn new(model: &Model) -> Structure {
        let constraints = model.own.constraints.len();
        let mechanism = model.mechanism.as_ref();
        let light = |mechanism: &Mechanism| {
            let vanishes = |name: &String| model.parameter(name).is_none_or(|value| value == 0.0);
            let bodies = mechanism.bodies.iter();
            bodies.filter(|body| vanishes(&body.mass) || vanishes(&body.inertia)).count()
        };
        Structure {
            coordinates: model.own.coordinates.len(),
            constraints,
            links: model.chain.as_ref().map_or(0, |chain| chain.links),
            bodies: mechanism.map_or(0, |mechanism| mechanism.bodies.len()),
            light_bodies: mechanism.map_or(0, light),
            loop_constraints: mechanism
                .map_or(0, |mechanism| constraints - mechanism.constraints_of_tree()),
        }
    }
}
