//! The compiled model: every function a run needs, constant and shared between threads.
//!
//! All functions read one line of inputs, t, q, v, z, v̇, λ and the parameters, so that a state is
//! written down once however many of them are asked.

use crate::{Kernel, Program};
use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph};
use std::sync::{Arc, OnceLock};

/// How many of each there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// n
    pub coordinates: usize,
    /// m
    pub constraints: usize,
    /// First-order states.
    pub states: usize,
    /// Parameters.
    pub parameters: usize,
}

impl Sizes {
    /// Where q, v, z, v̇, λ and the parameters begin in the line of inputs, and its end.
    fn offsets(&self) -> [usize; 7] {
        let Sizes { coordinates: n, constraints: m, states: k, parameters: p } = *self;
        [
            1,
            1 + n,
            1 + 2 * n,
            1 + 2 * n + k,
            1 + 3 * n + k,
            1 + 3 * n + k + m,
            1 + 3 * n + k + m + p,
        ]
    }
}

/// The compiled functions of a system.
#[derive(Debug)]
pub struct Functions {
    /// How many of each there are.
    pub sizes: Sizes,
    /// M (packed rows of the lower triangle), Q, Φq (dense, row by row), γ, ż
    motion: Kernel,
    /// Φ, Φq (dense, row by row), Φt
    constraints: Kernel,
    /// h, ḣ, T, V
    balance: Kernel,
    /// The extra columns.
    outputs: Kernel,
    /// The event functions.
    events: Kernel,
    /// Derivatives of the equations by q, v and z; compiled when an implicit method first asks.
    tangent: OnceLock<Kernel>,
    equations: Equations,
    /// Whether ḣ is zero for every motion.
    pub conservative: bool,
    /// Whether M is constant.
    pub constant_mass: bool,
    /// Whether Q is free of velocities and states.
    pub velocity_free_forces: bool,
}

impl Functions {
    /// Compiles the equations.
    pub fn new(equations: &Equations) -> Functions {
        let e = equations;
        let mut graph = e.graph.clone();
        let zero = graph.zero();
        let (n, m) = (e.coordinates.len(), e.constraints.len());
        let mut mass = Vec::with_capacity(n * (n + 1) / 2);
        for row in 0..n {
            mass.extend((0..=row).map(|column| e.mass(row, column).unwrap_or(zero)));
        }
        let mut jacobian = vec![zero; m * n];
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            jacobian[row * n + column] = entry;
        }
        let kernel = |outputs: &[(&str, &[Expr])]| compile(&graph, e, outputs);
        let moving: Vec<Expr> = [e.coordinates.as_slice(), &[e.time]].concat();
        let free_of = |exprs: &[Expr], symbols: &[Expr]| {
            exprs.iter().all(|&expr| !graph.depends_on(expr, symbols))
        };
        let fast: Vec<Expr> = [e.velocities.as_slice(), &e.states].concat();
        Functions {
            sizes: Sizes {
                coordinates: n,
                constraints: m,
                states: e.states.len(),
                parameters: e.parameters.len(),
            },
            motion: kernel(&[
                ("mass_matrix", &mass),
                ("forces", &e.forces),
                ("constraint_jacobian", &jacobian),
                ("gamma", &e.gamma),
                ("state_rates", &e.state_rates),
            ]),
            constraints: kernel(&[
                ("constraints", &e.constraints),
                ("constraint_jacobian", &jacobian),
                ("constraint_rate", &e.constraint_rate),
            ]),
            balance: kernel(&[
                ("energy", &[e.energy]),
                ("power", &[e.power]),
                ("energies", &[e.kinetic, e.potential]),
            ]),
            outputs: kernel(&[("outputs", &e.outputs)]),
            events: kernel(&[("events", &e.events)]),
            tangent: OnceLock::new(),
            equations: equations.clone(),
            conservative: graph.is_zero(e.power),
            constant_mass: free_of(&mass, &[moving.as_slice(), &fast].concat()),
            velocity_free_forces: free_of(&e.forces, &fast),
        }
    }
}

/// All functions read the same line of inputs.
fn compile(graph: &Graph, e: &Equations, outputs: &[(&str, &[Expr])]) -> Kernel {
    let inputs: [(&str, &[Expr]); 7] = [
        ("t", &[e.time]),
        ("q", &e.coordinates),
        ("v", &e.velocities),
        ("states", &e.states),
        ("accelerations", &e.accelerations),
        ("multipliers", &e.multipliers),
        ("parameters", &e.parameters),
    ];
    Kernel::new(&Program::lower(graph, &inputs, outputs))
}

/// Derivatives by q, v and z of Q − M v̇ − Φqᵀλ, of γ − Φq v̇ and of ż, with v̇ and λ held.
fn compile_tangent(e: &Equations) -> Kernel {
    let mut graph = e.graph.clone();
    let mut motion = e.forces.clone();
    for &(row, column, entry) in &e.mass_matrix {
        let term = graph.mul(entry, e.accelerations[column]);
        motion[row] = graph.sub(motion[row], term);
        if row != column {
            let term = graph.mul(entry, e.accelerations[row]);
            motion[column] = graph.sub(motion[column], term);
        }
    }
    let mut constraints = e.gamma.clone();
    for &(row, column, entry) in &e.constraint_jacobian.entries {
        let force = graph.mul(entry, e.multipliers[row]);
        motion[column] = graph.sub(motion[column], force);
        let term = graph.mul(entry, e.accelerations[column]);
        constraints[row] = graph.sub(constraints[row], term);
    }
    let by: Vec<Expr> = [e.coordinates.as_slice(), &e.velocities, &e.states].concat();
    let mut rows = |values: &[Expr]| -> Vec<Expr> {
        values.iter().flat_map(|&value| graph.gradient(value, &by)).collect()
    };
    let (motion, constraints, states) = (rows(&motion), rows(&constraints), rows(&e.state_rates));
    let outputs: [(&str, &[Expr]); 3] =
        [("motion", &motion), ("constraints", &constraints), ("states", &states)];
    compile(&graph, e, &outputs)
}

/// A thread's own workspace for the functions of a system.
#[derive(Clone, Debug)]
pub struct Evaluator {
    functions: Arc<Functions>,
    inputs: Vec<f64>,
    results: Vec<f64>,
    scratch: Vec<f64>,
}

/// M, Q, Φq, γ and the rates of the states at a state.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// M: rows of the lower triangle, one after the other.
    pub mass_matrix: &'a [f64],
    /// Q
    pub forces: &'a [f64],
    /// Φq, row by row.
    pub constraint_jacobian: &'a [f64],
    /// γ
    pub gamma: &'a [f64],
    /// ż
    pub state_rates: &'a [f64],
}

/// Φ, Φq and Φt at a state.
#[derive(Clone, Copy, Debug)]
pub struct Constraints<'a> {
    /// Φ
    pub values: &'a [f64],
    /// Φq, row by row.
    pub jacobian: &'a [f64],
    /// Φt
    pub rate: &'a [f64],
}

/// Derivatives of the equations by (q, v, z), each row by row.
#[derive(Clone, Copy, Debug)]
pub struct Tangents<'a> {
    /// Of Q − M v̇ − Φqᵀλ.
    pub motion: &'a [f64],
    /// Of γ − Φq v̇.
    pub constraints: &'a [f64],
    /// Of ż.
    pub states: &'a [f64],
}

/// Energies and power at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// h
    pub energy: f64,
    /// ḣ
    pub power: f64,
    /// T
    pub kinetic: f64,
    /// V
    pub potential: f64,
}

impl Evaluator {
    /// A workspace for these parameters.
    pub fn new(functions: Arc<Functions>, parameters: &[f64]) -> Evaluator {
        let f = &functions;
        let kernels = [&f.motion, &f.constraints, &f.balance, &f.outputs, &f.events];
        let most = |size: fn(&Kernel) -> usize| kernels.iter().map(|k| size(k)).max().unwrap_or(0);
        let [.., first_parameter, end] = f.sizes.offsets();
        let mut inputs = vec![0.0; end];
        inputs[first_parameter..].copy_from_slice(parameters);
        let (results, scratch) = (most(Kernel::output_len), most(Kernel::scratch_len));
        Evaluator { inputs, results: vec![0.0; results], scratch: vec![0.0; scratch], functions }
    }

    /// How many of each there are.
    pub fn sizes(&self) -> Sizes {
        self.functions.sizes
    }

    /// The shared functions.
    pub fn functions(&self) -> &Arc<Functions> {
        &self.functions
    }

    /// Writes a state down for the calls that follow.
    pub fn set_state(&mut self, t: f64, q: &[f64], v: &[f64], states: &[f64]) {
        let [first_q, first_v, first_z, end, ..] = self.functions.sizes.offsets();
        self.inputs[0] = t;
        self.inputs[first_q..first_v].copy_from_slice(q);
        self.inputs[first_v..first_z].copy_from_slice(v);
        self.inputs[first_z..end].copy_from_slice(states);
    }

    /// Writes accelerations and multipliers down for the calls that follow.
    pub fn set_reactions(&mut self, accelerations: &[f64], multipliers: &[f64]) {
        let [.., first_a, first_l, first_p, _] = self.functions.sizes.offsets();
        self.inputs[first_a..first_l].copy_from_slice(accelerations);
        self.inputs[first_l..first_p].copy_from_slice(multipliers);
    }

    /// M, Q, Φq, γ, ż
    pub fn motion(&mut self) -> Motion<'_> {
        let Sizes { coordinates: n, constraints: m, states: k, .. } = self.functions.sizes;
        self.functions.motion.run(&self.inputs, &mut self.results, &mut self.scratch);
        let (mass_matrix, rest) = self.results.split_at(n * (n + 1) / 2);
        let (forces, rest) = rest.split_at(n);
        let (constraint_jacobian, rest) = rest.split_at(m * n);
        let (gamma, rest) = rest.split_at(m);
        Motion { mass_matrix, forces, constraint_jacobian, gamma, state_rates: &rest[..k] }
    }

    /// Φ, Φq, Φt
    pub fn constraints(&mut self) -> Constraints<'_> {
        let Sizes { coordinates: n, constraints: m, .. } = self.functions.sizes;
        self.functions.constraints.run(&self.inputs, &mut self.results, &mut self.scratch);
        let (values, rest) = self.results.split_at(m);
        let (jacobian, rest) = rest.split_at(m * n);
        Constraints { values, jacobian, rate: &rest[..m] }
    }

    /// Derivatives of the equations; needs the reactions. The first call compiles and allocates.
    pub fn tangents(&mut self) -> Tangents<'_> {
        let Sizes { coordinates: n, constraints: m, states: k, .. } = self.functions.sizes;
        let kernel =
            self.functions.tangent.get_or_init(|| compile_tangent(&self.functions.equations));
        if self.results.len() < kernel.output_len() {
            self.results.resize(kernel.output_len(), 0.0);
        }
        if self.scratch.len() < kernel.scratch_len() {
            self.scratch.resize(kernel.scratch_len(), 0.0);
        }
        kernel.run(&self.inputs, &mut self.results, &mut self.scratch);
        let columns = 2 * n + k;
        let (motion, rest) = self.results.split_at(n * columns);
        let (constraints, rest) = rest.split_at(m * columns);
        Tangents { motion, constraints, states: &rest[..k * columns] }
    }

    /// Energies and power; needs the reactions.
    pub fn balance(&mut self) -> Balance {
        self.functions.balance.run(&self.inputs, &mut self.results, &mut self.scratch);
        let [energy, power, kinetic, potential] = [0, 1, 2, 3].map(|i| self.results[i]);
        Balance { energy, power, kinetic, potential }
    }

    /// The extra columns; needs the reactions.
    pub fn outputs(&mut self) -> &[f64] {
        self.functions.outputs.run(&self.inputs, &mut self.results, &mut self.scratch);
        &self.results[..self.functions.outputs.output_len()]
    }

    /// The event functions.
    pub fn events(&mut self) -> &[f64] {
        self.functions.events.run(&self.inputs, &mut self.results, &mut self.scratch);
        &self.results[..self.functions.events.output_len()]
    }
}
