//! The compiled model: all functions of a mechanical system from one program.

use crate::{Kernel, Program};
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
            ("energies", &[e.kinetic, e.potential]),
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

/// The functions of a system at one state, matrices dense and row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// M, n × n.
    pub mass_matrix: Vec<f64>,
    /// Q, n.
    pub forces: Vec<f64>,
    /// Φ, m.
    pub constraints: Vec<f64>,
    /// Φq, m × n.
    pub constraint_jacobian: Vec<f64>,
    /// Φt, m.
    pub constraint_rate: Vec<f64>,
    /// γ, m.
    pub gamma: Vec<f64>,
    /// T
    pub kinetic: f64,
    /// V
    pub potential: f64,
    /// Rates of the first-order states.
    pub state_rates: Vec<f64>,
}

/// A compiled model with its parameters and the values at the state evaluated last.
#[derive(Debug)]
pub struct Dynamics {
    kernel: Kernel,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    scratch: Vec<f64>,
    mass_pattern: Vec<(usize, usize)>,
    jacobian_pattern: Vec<(usize, usize)>,
    coordinates: usize,
    values: Values,
}

impl Dynamics {
    /// Compiles the equations for these parameters.
    pub fn new(equations: &Equations, parameters: &[f64]) -> Self {
        let pattern = |entries: &[(usize, usize, Expr)]| -> Vec<(usize, usize)> {
            entries.iter().map(|&(row, column, _)| (row, column)).collect()
        };
        let (n, m) = (equations.coordinates.len(), equations.constraints.len());
        let kernel = Kernel::new(&dynamics_program(equations));
        let mut inputs = vec![0.0; kernel.input_len()];
        let first_parameter = inputs.len() - parameters.len();
        inputs[first_parameter..].copy_from_slice(parameters);
        Dynamics {
            inputs,
            outputs: vec![0.0; kernel.output_len()],
            scratch: vec![0.0; kernel.scratch_len()],
            kernel,
            mass_pattern: pattern(&equations.mass_matrix),
            jacobian_pattern: pattern(&equations.constraint_jacobian.entries),
            coordinates: n,
            values: Values {
                mass_matrix: vec![0.0; n * n],
                forces: vec![0.0; n],
                constraints: vec![0.0; m],
                constraint_jacobian: vec![0.0; m * n],
                constraint_rate: vec![0.0; m],
                gamma: vec![0.0; m],
                kinetic: 0.0,
                potential: 0.0,
                state_rates: vec![0.0; equations.states.len()],
            },
        }
    }

    /// Takes other values of the parameters.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        let first = self.inputs.len() - parameters.len();
        self.inputs[first..].copy_from_slice(parameters);
    }

    /// All functions at a state: time, coordinates, velocities, first-order states.
    pub fn evaluate(&mut self, t: f64, q: &[f64], v: &[f64], states: &[f64]) -> &Values {
        let (n, values) = (self.coordinates, &mut self.values);
        let (m, z) = (values.constraints.len(), states.len());
        self.inputs[0] = t;
        self.inputs[1..=n].copy_from_slice(q);
        self.inputs[n + 1..=2 * n].copy_from_slice(v);
        self.inputs[2 * n + 1..][..z].copy_from_slice(states);
        self.kernel.run(&self.inputs, &mut self.outputs, &mut self.scratch);
        let mut rest = self.outputs.as_slice();
        let mut take = |count: usize| {
            let (taken, behind) = rest.split_at(count);
            rest = behind;
            taken
        };
        for (&(i, j), &entry) in self.mass_pattern.iter().zip(take(self.mass_pattern.len())) {
            values.mass_matrix[i * n + j] = entry;
            values.mass_matrix[j * n + i] = entry;
        }
        values.forces.copy_from_slice(take(n));
        values.constraints.copy_from_slice(take(m));
        let entries = take(self.jacobian_pattern.len());
        for (&(i, j), &entry) in self.jacobian_pattern.iter().zip(entries) {
            values.constraint_jacobian[i * n + j] = entry;
        }
        values.constraint_rate.copy_from_slice(take(m));
        values.gamma.copy_from_slice(take(m));
        [values.kinetic, values.potential] = [take(1)[0], take(1)[0]];
        values.state_rates.copy_from_slice(take(z));
        values
    }
}
