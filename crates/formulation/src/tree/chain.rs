//! The recursive formulation of chains: relative angles inside, absolute ones outside.

use crate::methods::minimal;
use crate::tree::chain_recursion::{ChainRecursion, Link};
use crate::{Base, Breakdown, Formulation, FormulationInput, Tangent};
use catena_compile::Kernel;
use catena_model::Shape;
use catena_symbolic::Expr;

/// Angles of the model count from the downward vertical.
const HORIZONTAL: f64 = std::f64::consts::FRAC_PI_2;

/// The motion of a chain.
#[derive(Clone)]
pub(crate) struct RecursiveChain {
    base: Base,
    recursion: ChainRecursion,
    gravity: f64,
    /// Acceleration of the pivot, torques of the model's own forces, ż; none of them for most chains.
    drive: Option<Kernel>,
    angles: Vec<f64>,
    rates: Vec<f64>,
    torques: Vec<f64>,
    /// The same motion with its mass matrix, once an implicit method asks for derivatives.
    dense: Option<Box<dyn Formulation>>,
    /// State and derivatives on the way between absolute and relative angles.
    work: [Vec<f64>; 2],
}

impl RecursiveChain {
    pub(crate) fn new(input: FormulationInput) -> RecursiveChain {
        let n = input.evaluator.sizes().coordinates;
        RecursiveChain {
            recursion: ChainRecursion::new(links(&input)),
            gravity: gravity(&input),
            drive: drive(&input),
            angles: vec![0.0; n],
            rates: vec![0.0; n],
            torques: vec![0.0; n],
            dense: None,
            work: [Vec::new(), Vec::new()],
            base: Base::new(input),
        }
    }

    /// Absolute angles and rates of a state.
    fn set_angles(&mut self, y: &[f64]) {
        add_up(y, &mut self.angles, &mut self.rates);
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
                Shape::Rod => (0.5, mass * length * length / 3.0),
                Shape::Bob => (1.0, mass * length * length),
            };
            Link { mass, centre, length, inertia, friction }
        })
        .collect()
}

/// What the model adds to the plain chain, as a program; `None` if it adds nothing.
fn drive(input: &FormulationInput) -> Option<Kernel> {
    let functions = input.evaluator.functions();
    let e = &functions.equations;
    let definitions = &input.model.own.definitions;
    let pivot = ["pivot_x", "pivot_y"]
        .map(|name| definitions.iter().position(|definition| definition.name == name));
    let free = e.state_rates.is_empty() && e.applied.iter().all(|&force| e.graph.is_zero(force));
    if free && pivot == [None; 2] {
        return None;
    }
    let mut graph = e.graph.clone();
    let pivot = pivot.map(|at| {
        let place = at.map_or(graph.zero(), |at| e.definitions[at]);
        let velocity = graph.derivative(place, e.time);
        graph.derivative(velocity, e.time)
    });
    if free && pivot.iter().all(|&acceleration| graph.is_zero(acceleration)) {
        return None;
    }
    let outputs: [(&str, &[Expr]); 3] =
        [("pivot", &pivot), ("torques", &e.applied), ("state_rates", &e.state_rates)];
    Some(functions.compile(&graph, &outputs))
}

/// Absolute angles and rates: sums of the relative ones so far, both in one pass, so that neither waits for the other.
fn add_up(y: &[f64], angles: &mut [f64], rates: &mut [f64]) {
    let n = angles.len();
    let (turns, spins) = y[..2 * n].split_at(n);
    let (mut angle, mut rate) = (HORIZONTAL, 0.0);
    let absolute = angles.iter_mut().zip(&mut rates[..n]);
    for ((to_angle, to_rate), (turn, spin)) in absolute.zip(turns.iter().zip(spins)) {
        angle += turn;
        rate += spin;
        (*to_angle, *to_rate) = (angle, rate);
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

impl Formulation for RecursiveChain {
    fn base(&self) -> &Base {
        &self.base
    }

    fn base_mut(&mut self) -> &mut Base {
        &mut self.base
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.angles.len();
        self.set_angles(y);
        let Self { base: Base { input, found }, recursion, angles, rates, torques, .. } = self;
        input.evaluator.set_state(t, angles, rates, &y[2 * n..]);
        let mut pivot = [0.0, self.gravity];
        if let Some(drive) = &self.drive {
            let results = input.evaluator.run(drive);
            pivot = [results[0], results[1] + self.gravity];
            let (driven, state_rates) = results[2..].split_at(n);
            torques.copy_from_slice(driven);
            found.state_rates.copy_from_slice(state_rates);
        }
        let accelerations = &mut found.accelerations;
        let passed = recursion.accelerations(angles, rates, torques, pivot, accelerations);
        input.check_finite(accelerations, &found.state_rates)?;
        passed.map_err(|link| Breakdown::Singular {
            matrix: "the inertia of the chain",
            cause: format!("nothing resists a turn of `{}`", input.coordinates[link]),
        })?;
        rate[..n].copy_from_slice(&y[n..2 * n]);
        take_apart(0.0, accelerations, &mut rate[n..2 * n]);
        rate[2 * n..].copy_from_slice(&found.state_rates);
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
        let (n, size) = (self.angles.len(), self.base.state_len());
        self.set_angles(y);
        let dense = self.dense.get_or_insert_with(|| self.base.input.rebuilt(&minimal::ENTRY));
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

    fn boxed_clone(&self) -> Box<dyn Formulation> {
        Box::new(self.clone())
    }

    fn begin(&mut self, parameters: &[f64]) {
        self.base.begin(parameters);
        self.recursion = ChainRecursion::new(links(&self.base.input));
        self.gravity = gravity(&self.base.input);
        self.torques.fill(0.0);
        if let Some(dense) = &mut self.dense {
            dense.begin(parameters);
        }
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        let n = q.len();
        take_apart(HORIZONTAL, q, &mut y[..n]);
        take_apart(0.0, v, &mut y[n..2 * n]);
        y[2 * n..2 * n + states.len()].copy_from_slice(states);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        let (n, k) = (q.len(), states.len());
        add_up(y, q, v);
        states.copy_from_slice(&y[2 * n..2 * n + k]);
    }
}
