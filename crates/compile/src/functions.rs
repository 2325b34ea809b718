//! The compiled model: every function a run needs, shared between threads.
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

/// The functions of a system, each compiled when it is first asked for.
#[derive(Debug)]
pub struct Functions {
    /// How many of each there are.
    pub sizes: Sizes,
    /// What they compute.
    pub equations: Equations,
    /// Whether ḣ is zero for every motion.
    pub conservative: bool,
    /// Whether M is constant.
    pub constant_mass: bool,
    /// Whether Q is free of velocities and states.
    pub velocity_free_forces: bool,
    /// Entries of M and Φq as listed in the equations, Q, γ, ż
    motion: OnceLock<Kernel>,
    /// Φ, Φ̇
    drift: OnceLock<Kernel>,
    /// h, ḣ, T, V
    balance: OnceLock<Kernel>,
    /// The event functions.
    events: OnceLock<Kernel>,
}

impl Functions {
    /// The functions of these equations.
    pub fn new(equations: Equations) -> Functions {
        let e = &equations;
        let graph = &e.graph;
        let moving: Vec<Expr> = [e.coordinates.as_slice(), &[e.time]].concat();
        let fast: Vec<Expr> = [e.velocities.as_slice(), &e.states].concat();
        let free_of = |exprs: &[Expr], symbols: &[Expr]| !graph.any_depends_on(exprs, symbols);
        let mass: Vec<Expr> = e.mass_matrix.iter().map(|&(_, _, entry)| entry).collect();
        Functions {
            sizes: Sizes {
                coordinates: e.coordinates.len(),
                constraints: e.constraints.len(),
                states: e.states.len(),
                parameters: e.parameters.len(),
            },
            conservative: graph.is_zero(e.power),
            constant_mass: !mass.is_empty() && free_of(&mass, &[moving.as_slice(), &fast].concat()),
            velocity_free_forces: free_of(&e.forces, &fast),
            motion: OnceLock::new(),
            drift: OnceLock::new(),
            balance: OnceLock::new(),
            events: OnceLock::new(),
            equations,
        }
    }

    /// Compiles expressions of t, q, v, z, v̇, λ and the parameters; they may live in a graph that
    /// grew out of the equations' own.
    pub fn compile(&self, graph: &Graph, outputs: &[(&str, &[Expr])]) -> Kernel {
        let e = &self.equations;
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

    fn motion(&self) -> &Kernel {
        self.motion.get_or_init(|| {
            let e = &self.equations;
            let mass: Vec<Expr> = e.mass_matrix.iter().map(|&(_, _, entry)| entry).collect();
            let jacobian: Vec<Expr> =
                e.constraint_jacobian.entries.iter().map(|&(_, _, entry)| entry).collect();
            let outputs: [(&str, &[Expr]); 5] = [
                ("mass_matrix", &mass),
                ("forces", &e.forces),
                ("constraint_jacobian", &jacobian),
                ("gamma", &e.gamma),
                ("state_rates", &e.state_rates),
            ];
            self.compile(&e.graph, &outputs)
        })
    }

    fn drift(&self) -> &Kernel {
        let e = &self.equations;
        self.drift.get_or_init(|| {
            self.compile(&e.graph, &[("values", &e.constraints), ("rates", &e.constraint_velocity)])
        })
    }

    fn balance(&self) -> &Kernel {
        let e = &self.equations;
        let all = [e.energy, e.power, e.kinetic, e.potential];
        self.balance.get_or_init(|| self.compile(&e.graph, &[("balance", &all)]))
    }

    fn events(&self) -> &Kernel {
        let e = &self.equations;
        self.events.get_or_init(|| self.compile(&e.graph, &[("events", &e.events)]))
    }
}

/// A thread's own workspace for the functions of a system. The first call of each function compiles
/// it and makes room; later ones allocate nothing.
#[derive(Clone, Debug)]
pub struct Evaluator {
    functions: Arc<Functions>,
    inputs: Vec<f64>,
    buffers: Buffers,
    /// M packed and Φq row by row, where somebody asks for them so.
    dense: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
struct Buffers {
    results: Vec<f64>,
    scratch: Vec<f64>,
}

impl Buffers {
    fn run(&mut self, kernel: &Kernel, inputs: &[f64]) -> &[f64] {
        if self.results.len() < kernel.output_len() {
            self.results.resize(kernel.output_len(), 0.0);
        }
        if self.scratch.len() < kernel.scratch_len() {
            self.scratch.resize(kernel.scratch_len(), 0.0);
        }
        kernel.run(inputs, &mut self.results, &mut self.scratch);
        &self.results[..kernel.output_len()]
    }
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

/// Φ and Φ̇ at a state.
#[derive(Clone, Copy, Debug)]
pub struct Drift<'a> {
    /// Φ
    pub values: &'a [f64],
    /// Φ̇
    pub rates: &'a [f64],
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
        let [.., first_parameter, end] = functions.sizes.offsets();
        let mut inputs = vec![0.0; end];
        inputs[first_parameter..].copy_from_slice(parameters);
        Evaluator { inputs, functions, buffers: Buffers::default(), dense: Vec::new() }
    }

    /// Takes other parameters and forgets the state and the reactions: as if it had just been made.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        let [.., first_parameter, _] = self.functions.sizes.offsets();
        self.inputs[..first_parameter].fill(0.0);
        self.inputs[first_parameter..].copy_from_slice(parameters);
    }

    /// The parameters, in the order of the model.
    pub fn parameters(&self) -> &[f64] {
        let [.., first_parameter, _] = self.functions.sizes.offsets();
        &self.inputs[first_parameter..]
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

    /// The same with q, v and z one after the other.
    pub fn set_joined_state(&mut self, t: f64, y: &[f64]) {
        self.inputs[0] = t;
        self.inputs[1..=y.len()].copy_from_slice(y);
    }

    /// The time written down.
    pub fn time(&self) -> f64 {
        self.inputs[0]
    }

    /// Writes accelerations and multipliers down for the calls that follow.
    pub fn set_reactions(&mut self, accelerations: &[f64], multipliers: &[f64]) {
        let [.., first_a, first_l, first_p, _] = self.functions.sizes.offsets();
        self.inputs[first_a..first_l].copy_from_slice(accelerations);
        self.inputs[first_l..first_p].copy_from_slice(multipliers);
    }

    /// Any kernel compiled by [`Functions::compile`], at the state and reactions written down.
    pub fn run(&mut self, kernel: &Kernel) -> &[f64] {
        self.buffers.run(kernel, &self.inputs)
    }

    /// M, Q, Φq, γ, ż, matrices filled out.
    pub fn motion(&mut self) -> Motion<'_> {
        let Sizes { coordinates: n, constraints: m, states: k, .. } = self.functions.sizes;
        let e = &self.functions.equations;
        let packed = n * (n + 1) / 2;
        self.dense.resize(packed + m * n, 0.0);
        let results = self.buffers.run(self.functions.motion(), &self.inputs);
        let (mass, rest) = results.split_at(e.mass_matrix.len());
        let (forces, rest) = rest.split_at(n);
        let (jacobian, rest) = rest.split_at(e.constraint_jacobian.entries.len());
        let (gamma, rest) = rest.split_at(m);
        for (&(row, column, _), &entry) in e.mass_matrix.iter().zip(mass) {
            self.dense[column * (column + 1) / 2 + row] = entry;
        }
        for (&(row, column, _), &entry) in e.constraint_jacobian.entries.iter().zip(jacobian) {
            self.dense[packed + row * n + column] = entry;
        }
        let (mass_matrix, constraint_jacobian) = self.dense.split_at(packed);
        Motion { mass_matrix, forces, constraint_jacobian, gamma, state_rates: &rest[..k] }
    }

    /// Φ, Φ̇
    pub fn drift(&mut self) -> Drift<'_> {
        let results = self.buffers.run(self.functions.drift(), &self.inputs);
        let (values, rates) = results.split_at(self.functions.sizes.constraints);
        Drift { values, rates }
    }

    /// Energies and power; needs the reactions.
    pub fn balance(&mut self) -> Balance {
        let results = self.buffers.run(self.functions.balance(), &self.inputs);
        let [energy, power, kinetic, potential] = [0, 1, 2, 3].map(|i| results[i]);
        Balance { energy, power, kinetic, potential }
    }

    /// The event functions.
    pub fn events(&mut self) -> &[f64] {
        self.buffers.run(self.functions.events(), &self.inputs)
    }
}
