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

use crate::methods::multipliers::Multipliers;
use crate::options::{OMEGA, XI};
use crate::solvers::block_elimination::BlockElimination;
use crate::solvers::expressions::stabilised_gamma;
use crate::solvers::kkt::KktEquations;
use crate::solvers::rhs_program::RhsProgram;
use crate::{Entry, Formulation, FormulationInput, Tangent, needs_constraints};
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "baumgarte",
    summary: "multipliers with constraint errors damped away",
    reference: "Baumgarte 1972",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[OMEGA, XI],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    rhs_program: |input| RhsProgram::kkt(input, equations(input)),
    build,
};

fn equations(input: &FormulationInput) -> KktEquations {
    let [omega, xi] = [OMEGA, XI].map(|entry| input.option(&entry));
    let e = &input.evaluator.functions().equations;
    let mut graph = e.graph.clone();
    let lower = stabilised_gamma(&mut graph, e, omega, xi);
    KktEquations { graph, upper: e.forces.clone(), lower, compliance: 0.0 }
}

fn build(input: FormulationInput) -> Box<dyn Formulation> {
    let solver = BlockElimination::new(input.evaluator.functions(), equations(&input));
    Box::new(Multipliers::new(input, solver))
}
