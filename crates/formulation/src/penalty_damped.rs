//! Penalty with mass and dashpot: constraint errors behave like damped oscillators.
//!
//! # Equations
//! $M\dot v + \Phi_q^T\alpha(\ddot\Phi + 2\xi\omega\dot\Phi + \omega^2\Phi) = Q$, and with
//! $\ddot\Phi = \Phi_q\dot v - \gamma$
//! $$(M + \alpha\Phi_q^T\Phi_q)\,\dot v = Q + \alpha\Phi_q^T(\gamma - 2\xi\omega\dot\Phi - \omega^2\Phi).$$
//! The bracket times α is reported as λ.
//!
//! # When to choose it
//! Redundant constraints, singular poses and massless bodies do it no harm, and it is not stiff: the
//! errors decay at the rate ω, whatever α. Accelerations miss those of the constrained system by the
//! order 1/α; α beyond 10¹⁰ or so drowns M in rounding.
//!
//! # Reference
//! E. Bayo, J. García de Jalón, M. A. Serna, *A modified Lagrangian formulation for the dynamic
//! analysis of constrained mechanical systems*, 1988, section 2

use crate::definite::{Definite, DefiniteEquations, constraint_forces, penalised_mass};
use crate::options::{ALPHA, OMEGA, XI};
use crate::{Entry, Formulation, Subject, Tangent, needs_constraints, stabilised_gamma};
use catena_model::CoordinateSet;
use catena_symbolic::{Expr, Number};

pub(crate) static ENTRY: Entry = Entry {
    name: "penalty-damped",
    summary: "springs, dashpots and masses in the place of constraints",
    reference: "Bayo, García de Jalón, Serna 1988",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    options: &[ALPHA, OMEGA, XI],
    tangents: &[Tangent::Full],
    refuses: needs_constraints,
    build,
};

fn build(subject: Subject) -> Box<dyn Formulation> {
    let [alpha, omega, xi] = [ALPHA, OMEGA, XI].map(|entry| subject.option(&entry));
    let e = &subject.evaluator.functions().equations;
    let mut graph = e.graph.clone();
    let alpha = graph.number(Number::from(alpha));
    let gamma = stabilised_gamma(&mut graph, e, omega, xi);
    let weights: Vec<Expr> = gamma.iter().map(|&gamma| graph.mul(alpha, gamma)).collect();
    let pushes = constraint_forces(&mut graph, e, &weights);
    let right = e.forces.iter().zip(pushes).map(|(&force, push)| graph.add(force, push)).collect();
    // λ = α (Φq v̇ − γ̃)
    let mut multipliers: Vec<Expr> = gamma.iter().map(|&gamma| graph.neg(gamma)).collect();
    for &(row, column, entry) in &e.constraint_jacobian.entries {
        let term = graph.mul(entry, e.accelerations[column]);
        multipliers[row] = graph.add(multipliers[row], term);
    }
    for multiplier in &mut multipliers {
        *multiplier = graph.mul(alpha, *multiplier);
    }
    let matrix = penalised_mass(&mut graph, e, alpha);
    let equations = DefiniteEquations { graph, matrix, right, multipliers, simplified: None };
    Box::new(Definite::new(subject, equations))
}
