//! Which forces redundant constraints determine, and which they share in an arbitrary way.
//!
//! M v̇ + Φqᵀλ = Q fixes Φqᵀλ. If constraints depend on one another, Φqᵀ N = 0 has solutions N ≠ 0, and λ + N
//! does as well as λ: a multiplier is determined if no N has a part along it. The motion is the same for all.

use catena_model::{Model, System};
use std::fmt;

/// The joints, or constraints, of a model whose constraints are redundant.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedForces {
    /// Whether the names are those of joints; else they are those of constraints.
    pub of_joints: bool,
    /// Those whose forces are one choice of many.
    pub shared: Vec<String>,
    /// Those whose forces are unique.
    pub determined: Vec<String>,
}

/// More names than this are counted, not listed.
const MAX_LISTED_NAMES: usize = 9;

impl SharedForces {
    /// The names for constraints that are marked, and for those that are not; nothing if none is.
    pub(crate) fn new(model: &Model, system: &System, shared: &[bool]) -> Option<SharedForces> {
        let joints = model.mechanism.as_ref().map_or(&[][..], |mechanism| &mechanism.joints);
        let mut found = SharedForces {
            of_joints: !joints.is_empty(),
            shared: Vec::new(),
            determined: Vec::new(),
        };
        let marked = |name: &str| {
            let mut constraints = system.constraints.iter().zip(shared);
            constraints.any(|(constraint, shared)| constraint.name == name && *shared)
        };
        let mut of_joints = Vec::new();
        for joint in joints {
            let constraints = joint.constraints();
            found.sort_in(&joint.name, constraints.iter().any(|name| marked(name)));
            of_joints.extend(constraints);
        }
        // motors, and constraints that the model writes down itself, belong to no joint
        for constraint in system.constraints.iter().filter(|c| !of_joints.contains(&c.name)) {
            found.sort_in(&constraint.name, marked(&constraint.name));
        }
        (!found.shared.is_empty()).then_some(found)
    }

    fn sort_in(&mut self, name: &str, shared: bool) {
        let names = if shared { &mut self.shared } else { &mut self.determined };
        names.push(name.to_owned());
    }
}

impl fmt::Display for SharedForces {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let what = if self.of_joints { "forces" } else { "multipliers" };
        let shared = listed(&self.shared, MAX_LISTED_NAMES);
        write!(
            out,
            "the {what} of {shared} are shared arbitrarily, and one way of many is shown; "
        )?;
        match self.determined.as_slice() {
            [] => write!(out, "none are determined"),
            determined => {
                write!(out, "those of {} are determined", listed(determined, MAX_LISTED_NAMES))
            }
        }
    }
}

/// Names in quotes; what is more than `most` is counted.
pub(crate) fn listed(names: &[String], most: usize) -> String {
    let mut list: Vec<String> = names.iter().take(most).map(|name| format!("`{name}`")).collect();
    if names.len() > most {
        list.push(format!("{} more", names.len() - most));
    }
    list.join(", ")
}
