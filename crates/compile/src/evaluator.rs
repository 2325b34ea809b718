//! The functions of a system at a state, with the parameters of a run: a thread's own workspace.

use crate::Kernel;
use crate::functions::{Functions, Sizes};
use catena_derivation::Equations;
use catena_model::{Model, System};
use std::sync::Arc;

/// A thread's own workspace for the functions of a system. The first call of each function compiles
/// it and makes room; later ones allocate nothing.
#[derive(Clone, Debug)]
pub struct Evaluator {
    functions: Arc<Functions>,
    inputs: Vec<f64>,
    buffers: Buffers,
    /// M packed and Φq row by row, where somebody asks for them so.
    dense: Vec<f64>,
    /// Φq row by row, where somebody asks for it alone.
    jacobian: Vec<f64>,
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
pub struct MotionFunctions<'a> {
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

/// Φ, Φq and Φt at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a> {
    /// Φ
    pub constraints: &'a [f64],
    /// Φq, row by row.
    pub constraint_jacobian: &'a [f64],
    /// Φt
    pub constraint_rate: &'a [f64],
}

/// All functions of a system at one state, matrices dense and row by row.
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

/// Energies and power at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
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
        let buffers = Buffers::default();
        Evaluator { inputs, functions, buffers, dense: Vec::new(), jacobian: Vec::new() }
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

    /// Derives a system of a model, with the model's parameters.
    pub fn derived(model: &Model, system: &System) -> Evaluator {
        let functions = Functions::new(Equations::derive(model, system));
        Evaluator::new(Arc::new(functions), &model.parameter_values())
    }

    /// How many of each there are.
    pub fn sizes(&self) -> Sizes {
        self.functions.sizes
    }

    /// What the functions compute.
    pub fn equations(&self) -> &Equations {
        &self.functions.equations
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

    /// q, v and z as they were written down, one after the other.
    pub fn joined_state(&self) -> &[f64] {
        let [_, _, _, end, ..] = self.functions.sizes.offsets();
        &self.inputs[1..end]
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
    pub fn motion(&mut self) -> MotionFunctions<'_> {
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
        MotionFunctions { mass_matrix, forces, constraint_jacobian, gamma, state_rates: &rest[..k] }
    }

    /// Φ, Φ̇
    pub fn drift(&mut self) -> Drift<'_> {
        let results = self.buffers.run(self.functions.drift(), &self.inputs);
        let (values, rates) = results.split_at(self.functions.sizes.constraints);
        Drift { values, rates }
    }

    /// Energies and power; needs the reactions.
    pub fn energies(&mut self) -> Energies {
        let results = self.buffers.run(self.functions.energies(), &self.inputs);
        let [energy, power, kinetic, potential] = [0, 1, 2, 3].map(|i| results[i]);
        Energies { energy, power, kinetic, potential }
    }

    /// The power alone; needs the reactions.
    pub fn power(&mut self) -> f64 {
        self.buffers.run(self.functions.power(), &self.inputs)[0]
    }

    /// The event functions.
    pub fn events(&mut self) -> &[f64] {
        self.buffers.run(self.functions.events(), &self.inputs)
    }

    /// Φ, Φq, Φt
    pub fn pose(&mut self) -> Pose<'_> {
        let Sizes { coordinates: n, constraints: m, .. } = self.functions.sizes;
        let entries = &self.functions.equations.constraint_jacobian.entries;
        self.jacobian.resize(m * n, 0.0);
        let results = self.buffers.run(self.functions.pose(), &self.inputs);
        let (constraints, rest) = results.split_at(m);
        let (jacobian, constraint_rate) = rest.split_at(entries.len());
        for (&(row, column, _), &entry) in entries.iter().zip(jacobian) {
            self.jacobian[row * n + column] = entry;
        }
        Pose { constraints, constraint_jacobian: &self.jacobian, constraint_rate }
    }

    /// [`Evaluator::values`] at a state.
    pub fn values_at(&mut self, t: f64, q: &[f64], v: &[f64], states: &[f64]) -> Values {
        self.set_state(t, q, v, states);
        self.values()
    }

    /// Everything at once, for looking at a model; motions ask for less, and do not allocate.
    pub fn values(&mut self) -> Values {
        let Sizes { coordinates: n, constraints: m, states, .. } = self.functions.sizes;
        let e = &self.functions.equations;
        let mut rest = self.buffers.run(self.functions.values(), &self.inputs);
        let mut take = |count: usize| {
            let (taken, behind) = rest.split_at(count);
            rest = behind;
            taken
        };
        let mut mass_matrix = vec![0.0; n * n];
        for (&(row, column, _), &entry) in e.mass_matrix.iter().zip(take(e.mass_matrix.len())) {
            mass_matrix[row * n + column] = entry;
            mass_matrix[column * n + row] = entry;
        }
        let forces = take(n).to_vec();
        let constraints = take(m).to_vec();
        let mut constraint_jacobian = vec![0.0; m * n];
        let listed = &e.constraint_jacobian.entries;
        for (&(row, column, _), &entry) in listed.iter().zip(take(listed.len())) {
            constraint_jacobian[row * n + column] = entry;
        }
        Values {
            mass_matrix,
            forces,
            constraints,
            constraint_jacobian,
            constraint_rate: take(m).to_vec(),
            gamma: take(m).to_vec(),
            kinetic: take(1)[0],
            potential: take(1)[0],
            state_rates: take(states).to_vec(),
        }
    }
}
