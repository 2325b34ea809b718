//! Recursive: articulated bodies, one pass to the ends of the tree and one back.
//!
//! # Equations
//! Of a chain, see `tree/chain_recursion.rs`. The state is the angle of each link relative to the one before it,
//! that of the first one from the horizontal, and their rates, as in the study of articulated pendulums:
//! step control sees what the joints see. Of a mechanism of bodies and joints, see `tree/coordinates.rs`,
//! `tree/recursion.rs` and, where loops are closed, `tree/loop_closure.rs`. The state is what the joints leave free.
//!
//! # When to choose it
//! For chains, the longer the better, and for open trees: the cost grows like the number of bodies,
//! nothing can drift, and no matrix is formed. Implicit integrators form one all the same. For mechanisms
//! with loops only the cut joints are constraints, the fewer the better. The recursion through a mechanism is no
//! compiled program: it is ready at once, and an evaluation takes two to three times that of `projection`.
//! It fails where a body without mass is moved by its joint alone.
//!
//! # Reference
//! R. Featherstone, *The calculation of robot dynamics using articulated-body inertias*, 1983

use crate::tree::chain::RecursiveChain;
use crate::tree::chain_rhs_program;
use crate::tree::mechanism::RecursiveMechanism;
use crate::{Approximation, Entry, Tangent};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "recursive",
    summary: "articulated bodies, up and down their tree, loops closed by multipliers: cost grows like the bodies",
    reference: "Featherstone 1983",
    coordinates: CoordinateSet::Own,
    needs_mass_matrix: false,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: |model| match (&model.chain, &model.mechanism, model.own.constraints.len()) {
        (None, None, _) => {
            Some("the model is neither a [chain] nor made of bodies and joints".to_owned())
        }
        (None, Some(_), _) | (Some(_), _, 0) => None,
        (Some(_), _, constraints) => {
            Some(format!("the chain has {constraints} constraints of its own"))
        }
    },
    corrects_states: false,
    rhs_program: chain_rhs_program::rhs_program,
    build: |input| match input.model.clone().mechanism.as_ref() {
        Some(mechanism) => Box::new(RecursiveMechanism::new(input, mechanism)),
        None => Box::new(RecursiveChain::new(input)),
    },
};
