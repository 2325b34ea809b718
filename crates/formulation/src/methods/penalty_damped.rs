//! Penalty with mass and dashpot: constraint errors behave like damped oscillators.
//!
//! # Equations
//! $M\dot v + \Phi_q^T\alpha(\ddot\Phi + 2\xi\omega\dot\Phi + \omega^2\Phi) = Q$. The bracket times α is
//! λ, and with $\ddot\Phi = \Phi_q\dot v - \gamma$
//! $$\begin{bmatrix} M & \Phi_q^T \\ \Phi_q & -1/\alpha \end{bmatrix}\begin{bmatrix} \dot v \\ \lambda
//!   \end{bmatrix} = \begin{bmatrix} Q \\ \gamma - 2\xi\omega\dot\Phi - \omega^2\Phi \end{bmatrix}.$$
//! Solved for $\dot v$ alone the matrix is $M + \alpha\Phi_q^T\Phi_q$, in which a large α drowns M in
//! rounding; in this form α may be as large as one likes.
//!
//! # When to choose it
//! Redundant constraints, singular poses and massless bodies do it no harm, and it is not stiff: the
//! errors decay at the rate ω, whatever α. Accelerations miss those of the constrained system by the
//! order 1/α.
//!
//! # Reference
//! E. Bayo, J. García de Jalón, M. A. Serna, *A modified Lagrangian formulation for the dynamic
//! analysis of constrained mechanical systems*, 1988, section 2

use crate::catalogue::needs_constraints;
use crate::options::{OMEGA, OptionEntry, XI};
use crate::solvers::kkt::KktEquations;
use crate::solvers::kkt_formulation::KktFormulation;
use crate::solvers::rhs_program::RhsProgram;
use crate::{Approximation, Entry, FormulationInput, Tangent};
use catena_model::CoordinateSet;

const ALPHA: OptionEntry = OptionEntry {
    name: "alpha",
    meaning: "mass in the place of a constraint: the larger, the closer to the constraint",
    unit: "kg",
    default: Some(1e6),
    may_vanish: false,
};

pub(crate) static ENTRY: Entry = Entry {
    name: "penalty-damped",
    summary: "springs, dashpots and masses in the place of constraints",
    reference: "Bayo, García de Jalón, Serna 1988",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::DampedSprings,
    options: &[ALPHA, OMEGA, XI],
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
    let [alpha, omega, xi] = [ALPHA, OMEGA, XI].map(|entry| input.option(&entry));
    let stabilised = KktEquations::stabilised(&input.evaluator.functions().equations, omega, xi);
    KktEquations { compliance: 1.0 / alpha, ..stabilised }
}
