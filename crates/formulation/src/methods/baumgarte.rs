//! Baumgarte's stabilisation: the acceleration constraint is asked to forget its error.
//!
//! # Equations
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & 0 \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma - 2\xi\omega\dot\Phi - \omega^2\Phi \end{bmatrix}$$
//!
//! # When to choose it
//! Long runs with constraints at little cost: drift is damped, not removed, and stays near what the
//! integrator makes in the time 1/ω. A large ω makes the system stiff; ω = 0 is `multipliers`.
//!
//! # Reference
//! J. Baumgarte, *Stabilization of constraints and integrals of motion in dynamical systems*, 1972

use crate::catalogue::needs_constraints;
use crate::options::{OMEGA, XI};
use crate::solvers::kkt::KktEquations;
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::rhs_program::RhsProgram;
use crate::{Approximation, Entry, FormulationInput, Tangent};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "baumgarte",
    summary: "multipliers with constraint errors damped away",
    reference: "Baumgarte 1972",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[OMEGA, XI],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: false,
    rhs_program: |input| RhsProgram::kkt(input, equations(input)),
    build: |input| {
        let equations = equations(&input);
        Box::new(KktFormulation::by_blocks(input, equations))
    },
};

fn equations(input: &FormulationInput) -> KktEquations {
    let [omega, xi] = [OMEGA, XI].map(|entry| input.option(&entry));
    KktEquations::stabilised(&input.evaluator.functions().equations, omega, xi)
}
