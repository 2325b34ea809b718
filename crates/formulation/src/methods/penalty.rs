//! Penalty: a stiff spring in the place of every constraint.
//!
//! # Equations
//! $M\dot v + \alpha\kappa\,\Phi_q^T\Phi = Q$: the potential $\kappa\tfrac\alpha2\Phi^T\Phi$ is added.
//! $\kappa = 1$ is right; $\kappa = \tfrac12$ is what a published matrix without its factor 2 amounts
//! to. $\lambda = \alpha\kappa\Phi$ is reported. For Newton's method the full tangent has
//! $\alpha\kappa(\Phi_q^T\Phi_q + \sum_k\Phi_k\nabla^2\Phi_k)$; `gauss-newton` leaves the second term
//! out, and `paper` squares the matrix of the force, $\alpha\kappa^2\Phi_q^T\Phi_q$.
//!
//! # When to choose it
//! With an implicit integrator and short steps, where constraints come and go or are redundant. The
//! error is of the order 1/α, the frequencies of the springs grow like √α: explicit methods need steps
//! to match, and the implicit midpoint rule creates energy once $\alpha h^4$ is no longer small.
//!
//! # Reference
//! A. Bazezew, *Penalty Formulation for the Nonlinear Dynamic Analysis of a Double Pendulum*,
//! Journal of EAEA 15, 1998, equation 8

use crate::catalogue::needs_constraints;
use crate::options::OptionEntry;
use crate::solvers::expressions::constraint_forces;
use crate::solvers::rhs_program::RhsProgram;
use crate::solvers::spd::{Simplified, SpdEquations, SpdFormulation};
use crate::{Approximation, Entry, Formulation, FormulationInput, Tangent};
use catena_model::CoordinateSet;
use catena_symbolic::{Expr, Number};

const ALPHA: OptionEntry = OptionEntry {
    name: "alpha",
    meaning: "stiffness of the springs: the larger, the closer to the constraint, and the stiffer",
    unit: "N/m",
    default: Some(1e6),
    may_vanish: false,
};

const KAPPA: OptionEntry = OptionEntry {
    name: "kappa",
    meaning: "factor of the spring's force; 1 is right, 1/2 repeats a misprint",
    unit: "",
    default: Some(1.0),
    may_vanish: false,
};

pub(crate) static ENTRY: Entry = Entry {
    name: "penalty",
    summary: "stiff springs in the place of constraints",
    reference: "Bazezew 1998, equation 8",
    coordinates: CoordinateSet::Absolute,
    needs_mass_matrix: true,
    approximation: Approximation::StiffSprings,
    options: &[ALPHA, KAPPA],
    tangents: &Tangent::ALL,
    refuses: needs_constraints,
    corrects_states: false,
    rhs_program: |input| RhsProgram::spd(input, equations(input)),
    build,
};

fn equations(input: &FormulationInput) -> SpdEquations {
    let [alpha, kappa] = [ALPHA, KAPPA].map(|entry| input.option(&entry));
    let e = &input.evaluator.functions().equations;
    let mut graph = e.graph.clone();
    let mut number = |value: f64| graph.number(Number::from(value));
    let (stiffness, paper) = (number(alpha * kappa), number(alpha * kappa * kappa));
    let multipliers: Vec<Expr> =
        e.constraints.iter().map(|&constraint| graph.mul(stiffness, constraint)).collect();
    let springs = constraint_forces(&mut graph, e, &multipliers);
    let right = e.forces.iter().zip(springs).map(|(&force, spring)| graph.sub(force, spring));
    SpdEquations {
        right: right.collect(),
        graph,
        matrix: e.mass_matrix.clone(),
        multipliers,
        simplified: Some(Simplified { rest: e.forces.clone(), weights: [stiffness, paper] }),
    }
}

fn build(input: FormulationInput) -> Box<dyn Formulation> {
    let equations = equations(&input);
    Box::new(SpdFormulation::new(input, equations))
}
