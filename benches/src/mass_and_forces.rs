//! M (its upper triangle, as listed in the equations) and Q alone, as a program.

use catena::Equations;
use catena::symbolic::Expr;
use catena_compile::Program;

/// The program of M and Q.
pub fn mass_and_forces_program(equations: &Equations) -> Program {
    let e = equations;
    let mass: Vec<Expr> = e.mass_matrix.iter().map(|&(_, _, entry)| entry).collect();
    let inputs: [(&str, &[Expr]); 5] = [
        ("t", &[e.time]),
        ("q", &e.coordinates),
        ("v", &e.velocities),
        ("states", &e.states),
        ("parameters", &e.parameters),
    ];
    Program::lower(&e.graph, &inputs, &[("mass_matrix", &mass), ("forces", &e.forces)])
}
