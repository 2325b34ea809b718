//! Recursive: articulated bodies, one sweep to the ends of the tree and one back.
//!
//! # Equations
//! Of a chain, see `chain_sweep.rs`. The state is the angle of each link relative to the one before it,
//! that of the first one from the horizontal, and their rates, as in the study of articulated pendulums:
//! step control sees what the joints see. Of a mechanism of bodies and joints, see `tree_coordinates.rs`,
//! `tree_sweep.rs` and, where loops are closed, `tree_loops.rs`. The state is what the joints leave free.
//!
//! # When to choose it
//! For chains, the longer the better, and for open trees: the cost grows like the number of bodies,
//! nothing can drift, and no matrix is formed. Implicit integrators form one all the same. For mechanisms
//! with loops only the cuts are constraints, the fewer the better. The sweep through a mechanism is no
//! compiled program: it is ready at once, and an evaluation takes two to three times that of `projection`.
//! It fails where a body without mass is moved by its joint alone.
//!
//! # Reference
//! R. Featherstone, *The calculation of robot dynamics using articulated-body inertias*, 1983

use crate::methods::minimal;
use crate::tree::chain_recursion::{ChainRecursion, Link};
use crate::tree::chain_rhs_program;
use crate::tree::mechanism::RecursiveMechanism;
use crate::{Breakdown, Entry, Formulation, FormulationInput, Tangent};
use catena_compile::{Evaluator, Kernel};
use catena_model::{CoordinateSet, Shape};
use catena_symbolic::Expr;

pub(crate) static ENTRY: Entry = Entry {
    name: "recursive",
    summary: "a sweep up and down the tree of bodies, loops closed by multipliers: cost grows like the bodies",
    reference: "Featherstone 1983",
    coordinates: CoordinateSet::Own,
    needs_mass_matrix: false,
    options: &[],
    tangents: &[Tangent::Full],
    refuses: |model| match (&model.chain, &model.mechanism, model.own.constraints.len()) {
        (None, None, _) => {
            Some("the model is neither a [chain] nor made of bodies and joints".to_owned())
        }
        (None, Some(_), _) | (Some(_), _, 0) => None,
        (Some(_), _, constraints) => {
            Some(format!("the chain has {constraints} constraints of its own"))
        }
    },
    rhs_program: chain_rhs_program::rhs_program,
    build: |input| match input.model.clone().mechanism.as_ref() {
        Some(mechanism) => Box::new(RecursiveMechanism::new(input, mechanism)),
        None => Box::new(Recursive::new(input)),
    },
};

/// Angles of the model count from the downward vertical.
const HORIZONTAL: f64 = std::f64::consts::FRAC_PI_2;

#[derive(Clone)]
struct Recursive {
    input: FormulationInput,
    recursion: ChainRecursion,
    gravity: f64,
    /// Acceleration of the pivot, torques of the model's own forces, ż; none of them for most chains.
    drive: Option<Kernel>,
    angles: Vec<f64>,
    rates: Vec<f64>,
    torques: Vec<f64>,
    accelerations: Vec<f64>,
    state_rates: Vec<f64>,
    /// The same motion with its mass matrix, once an implicit method asks for derivatives.
    dense: Option<Box<dyn Formulation>>,
    /// State and derivatives on the way between absolute and relative angles.
    work: [Vec<f64>; 2],
}

impl Recursive {
    fn new(input: FormulationInput) -> Recursive {
        let sizes = input.evaluator.sizes();
        let n = sizes.coordinates;
        Recursive {
            recursion: ChainRecursion::new(links(&input)),
            gravity: gravity(&input),
            drive: drive(&input),
            angles: vec![0.0; n],
            rates: vec![0.0; n],
            torques: vec![0.0; n],
            accelerations: vec![0.0; n],
            state_rates: vec![0.0; sizes.states],
            dense: None,
            work: [Vec::new(), Vec::new()],
            input,
        }
    }

    /// Absolute angles and rates of a state.
    fn set_angles(&mut self, y: &[f64]) {
        let n = self.angles.len();
        add_up(HORIZONTAL, &y[..n], &mut self.angles);
        add_up(0.0, &y[n..2 * n], &mut self.rates);
    }
}

/// m/s²
fn gravity(input: &FormulationInput) -> f64 {
    input.parameter("g").unwrap_or(0.0)
}

fn links(input: &FormulationInput) -> Vec<Link> {
    let Some(chain) = &input.model.chain else { return Vec::new() };
    let value = |name: &String| input.parameter(name).unwrap_or(f64::NAN);
    (0..chain.links)
        .map(|i| {
            let (mass, length) = (value(&chain.mass[i]), value(&chain.length[i]));
            let friction = chain.friction.get(i).map_or(0.0, value);
            let (centre, inertia) = match chain.shape {
                Shape::Rod => (length / 2.0, mass * length * length / 3.0),
                Shape::Bob => (length, mass * length * length),
            };
            Link { mass, centre, length, inertia, friction }
        })
        .collect()
}

/// What the model adds to the plain chain, as a program; none if it adds nothing.
fn drive(input: &FormulationInput) -> Option<Kernel> {
    let functions = input.evaluator.functions();
    let e = &functions.equations;
    let mut graph = e.graph.clone();
    let mut pivot = Vec::new();
    for name in ["pivot_x", "pivot_y"] {
        let definitions = &input.model.own.definitions;
        let at = definitions.iter().position(|entry| entry.name == name);
        let place = at.map_or(graph.zero(), |at| e.definitions[at]);
        let velocity = graph.derivative(place, e.time);
        pivot.push(graph.derivative(velocity, e.time));
    }
    let plain = pivot.iter().chain(&e.applied).all(|&expr| graph.is_zero(expr));
    if plain && e.state_rates.is_empty() {
        return None;
    }
    let outputs: [(&str, &[Expr]); 3] =
        [("pivot", &pivot), ("torques", &e.applied), ("state_rates", &e.state_rates)];
    Some(functions.compile(&graph, &outputs))
}

/// Sums of the entries so far.
fn add_up(first: f64, relative: &[f64], absolute: &mut [f64]) {
    let mut sum = first;
    for (absolute, relative) in absolute.iter_mut().zip(relative) {
        sum += relative;
        *absolute = sum;
    }
}

/// Differences of neighbours.
fn take_apart(first: f64, absolute: &[f64], relative: &mut [f64]) {
    let mut before = first;
    for (relative, absolute) in relative.iter_mut().zip(absolute) {
        *relative = absolute - before;
        before = *absolute;
    }
}

impl Formulation for Recursive {
    fn begin(&mut self, parameters: &[f64]) {
        self.input.evaluator.set_parameters(parameters);
        self.recursion = ChainRecursion::new(links(&self.input));
        self.gravity = gravity(&self.input);
        for found in [&mut self.torques, &mut self.accelerations, &mut self.state_rates] {
            found.fill(0.0);
        }
        if let Some(dense) = &mut self.dense {
            dense.begin(parameters);
        }
    }

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn state_len(&self) -> usize {
        2 * self.angles.len() + self.state_rates.len()
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        let n = q.len();
        take_apart(HORIZONTAL, q, &mut y[..n]);
        take_apart(0.0, v, &mut y[n..2 * n]);
        y[2 * n..2 * n + states.len()].copy_from_slice(states);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        let (n, k) = (q.len(), states.len());
        add_up(HORIZONTAL, &y[..n], q);
        add_up(0.0, &y[n..2 * n], v);
        states.copy_from_slice(&y[2 * n..2 * n + k]);
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.angles.len();
        self.set_angles(y);
        let evaluator = &mut self.input.evaluator;
        evaluator.set_state(t, &self.angles, &self.rates, &y[2 * n..]);
        let mut pivot = [0.0, self.gravity];
        if let Some(drive) = &self.drive {
            let results = evaluator.run(drive);
            pivot = [results[0], results[1] + self.gravity];
            let (torques, state_rates) = results[2..].split_at(n);
            self.torques.copy_from_slice(torques);
            self.state_rates.copy_from_slice(state_rates);
        }
        let Self { recursion, angles, rates, torques, accelerations, .. } = self;
        let found = recursion.accelerations(angles, rates, torques, pivot, accelerations);
        self.input.check_finite(&self.accelerations, &self.state_rates)?;
        found.map_err(|link| Breakdown::Singular {
            matrix: "the inertia of the chain",
            cause: format!("nothing resists a turn of `{}`", self.input.coordinates[link]),
        })?;
        rate[..n].copy_from_slice(&y[n..2 * n]);
        take_apart(0.0, &self.accelerations, &mut rate[n..2 * n]);
        rate[2 * n..].copy_from_slice(&self.state_rates);
        Ok(())
    }

    /// T J T⁻¹ with J of the absolute angles and T the difference of neighbours.
    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        let (n, size) = (self.angles.len(), self.state_len());
        self.set_angles(y);
        let dense = self.dense.get_or_insert_with(|| self.input.rebuilt(&minimal::ENTRY));
        let [absolute, inner] = &mut self.work;
        absolute.resize(size, 0.0);
        inner.resize(size * size, 0.0);
        dense.pack(&self.angles, &self.rates, &y[2 * n..], absolute);
        dense.jacobian(t, absolute, tangent, inner)?;
        // J T⁻¹: a relative angle moves all links behind it
        for row in inner.chunks_exact_mut(size) {
            for block in row[..2 * n].chunks_exact_mut(n) {
                for i in (0..n - 1).rev() {
                    block[i] += block[i + 1];
                }
            }
        }
        jacobian.copy_from_slice(inner);
        for block in 0..2 {
            for i in 1..n {
                for column in 0..size {
                    let place = (block * n + i) * size + column;
                    jacobian[place] -= inner[place - size];
                }
            }
        }
        Ok(())
    }

    fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    fn multipliers(&self) -> &[f64] {
        &[]
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.input.evaluator
    }
}
