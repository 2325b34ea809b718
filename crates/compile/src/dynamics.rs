//! The programs of a mechanical system.

use crate::Program;
use catena_derivation::Equations;
use catena_symbolic::Expr;

/// M (its upper triangle, as listed in the equations) and Q alone.
pub fn mass_and_forces_program(equations: &Equations) -> Program {
    let mass = mass_entries(equations);
    lower(equations, &[("mass_matrix", &mass), ("forces", &equations.forces)])
}

/// Everything a formulation asks for: M, Q, Φ, Φq, Φt, γ (entries as listed in the equations), the
/// energies and the rates of the states.
pub fn dynamics_program(equations: &Equations) -> Program {
    let e = equations;
    let mass = mass_entries(e);
    let jacobian: Vec<Expr> =
        e.constraint_jacobian.entries.iter().map(|&(_, _, entry)| entry).collect();
    lower(
        e,
        &[
            ("mass_matrix", &mass),
            ("forces", &e.forces),
            ("constraints", &e.constraints),
            ("constraint_jacobian", &jacobian),
            ("constraint_rate", &e.constraint_rate),
            ("gamma", &e.gamma),
            ("kinetic", &[e.kinetic]),
            ("potential", &[e.potential]),
            ("state_rates", &e.state_rates),
        ],
    )
}

fn mass_entries(equations: &Equations) -> Vec<Expr> {
    equations.mass_matrix.iter().map(|&(_, _, entry)| entry).collect()
}

fn lower(e: &Equations, outputs: &[(&str, &[Expr])]) -> Program {
    let inputs: [(&str, &[Expr]); 5] = [
        ("t", &[e.time]),
        ("q", &e.coordinates),
        ("v", &e.velocities),
        ("states", &e.states),
        ("parameters", &e.parameters),
    ];
    Program::lower(&e.graph, &inputs, outputs)
}
