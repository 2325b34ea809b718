//! Lagrange multipliers, index 1: the constraints are asked for at the level of accelerations.
//!
//! # Equations
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & 0 \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma \end{bmatrix}$$
//! Where constraints are redundant the shortest λ is taken.
//!
//! # When to choose it
//! For constraints, when the run is not long: nothing keeps Φ itself at zero, so it drifts. Only a motion that came near a
//! singular pose returns to its constraints from then on, because drift decides there on which branch it goes on.
//!
//! # Reference
//! E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, 1989, section 6.3

use crate::catalogue::needs_constraints;
use crate::solvers::kkt::KktEquations;
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::rhs_program::RhsProgram;
use crate::{Approximation, Entry, Tangent};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "multipliers",
    summary: "constraints at the level of accelerations, with their forces as multipliers",
    reference: "Haug 1989, section 6.3",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: false,
    rhs_program: |input| {
        RhsProgram::kkt(input, KktEquations::plain(&input.evaluator.functions().equations))
    },
    build: |input| Box::new(KktFormulation::plain(input)),
};
