//! Augmented Lagrangian, index 1: a penalty that an iteration makes exact.
//!
//! # Equations
//! With $\tilde\gamma = \gamma - 2\xi\omega\dot\Phi - \omega^2\Phi$ and $\lambda_0 = 0$,
//! $$(M + \Phi_q^T\alpha\Phi_q)\,\dot v_{k+1} = Q - \Phi_q^T(\lambda_k - \alpha\tilde\gamma),\qquad
//!   \lambda_{k+1} = \lambda_k + \alpha(\Phi_q\dot v_{k+1} - \tilde\gamma)$$
//! until $\dot v$ changes by less than 10⁻¹¹ of its size. The matrix is factored once. The limit is that
//! of `baumgarte`; every iteration shrinks the error by a factor of the order of 1/α. By default α is
//! 10⁵ trace M / trace ΦqᵀΦq at each state.
//!
//! With `project=1` positions and velocities return to the constraints after each step, as in `projection`. Then
//! what the constraints ask for can be met near singular poses, too, where the iteration above is slow: it becomes
//! one of conjugate gradients for $\Phi_q(M + \Phi_q^T\alpha\Phi_q)^{-1}\Phi_q^T\lambda = \Phi_q\dot v_1 -
//! \tilde\gamma$, which needs a round for each direction that is hardly held.
//!
//! # When to choose it
//! Redundant constraints, singular poses, massless bodies: the matrix stays positive definite where
//! others break down. Costs more than `baumgarte` where nothing of that kind happens. A large α saves
//! iterations and costs digits: at 10¹⁰ trace M / trace ΦqᵀΦq six are left. With `project=1` it keeps a row of
//! windows in line through its flat poses; a step that ends in one to 10⁻⁵ rad costs some energy all the same.
//!
//! # Reference
//! E. Bayo, J. García de Jalón, M. A. Serna, *A modified Lagrangian formulation for the dynamic
//! analysis of constrained mechanical systems*, 1988, section 3; E. Bayo, R. Ledesma, *Augmented Lagrangian
//! and mass-orthogonal projection methods for constrained multibody dynamics*, 1996; for the gradients M. R.
//! Hestenes, E. Stiefel, *Methods of conjugate gradients for solving linear systems*, 1952

use crate::catalogue::needs_constraints;
use crate::methods::projection::Projection;
use crate::options::{OMEGA, OptionEntry, XI};
use crate::solvers::augmented_lagrangian::AugmentedLagrangian;
use crate::solvers::kkt::KktEquations;
use crate::solvers::kkt_formulation::KktFormulation;
use crate::{Approximation, Entry, Formulation, FormulationInput, Tangent};
use catena_model::CoordinateSet;

const ALPHA: OptionEntry = OptionEntry {
    name: "alpha",
    meaning: "penalty factor: the larger, the fewer iterations, and the fewer digits",
    unit: "kg",
    default: None,
    may_vanish: false,
};

const PROJECT: OptionEntry = OptionEntry {
    name: "project",
    meaning: "1: positions and velocities return to the constraints after each step; 0: they do not",
    unit: "",
    default: Some(0.0),
    may_vanish: true,
};

pub(crate) static ENTRY: Entry = Entry {
    name: "augmented-lagrangian",
    summary: "a penalty made exact by iteration; survives redundant constraints and singular poses",
    reference: "Bayo, García de Jalón, Serna 1988",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::None,
    options: &[ALPHA, OMEGA, XI, PROJECT],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    corrects_states: false,
    rhs_program: |_| None,
    build,
};

fn build(input: FormulationInput) -> Box<dyn Formulation> {
    let [omega, xi] = [OMEGA, XI].map(|entry| input.option(&entry));
    let functions = input.evaluator.functions().clone();
    let equations = KktEquations::stabilised(&functions.equations, omega, xi);
    let mut solver = AugmentedLagrangian::new(&functions, equations, input.options.get(&ALPHA));
    if input.option(&PROJECT) > 0.0 {
        solver.insists = true;
        let metric = input.clone();
        Box::new(Projection::of(KktFormulation::new(input, solver), metric))
    } else {
        Box::new(KktFormulation::new(input, solver))
    }
}
