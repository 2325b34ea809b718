//! The articulated-body recursion of a chain as expressions: the equations of `chain_recursion.rs`, link by link.
//!
//! With $n' = l\,n$, $e' = l\,e$ and $K' = K_{i+1} + \tfrac{mc}{l}$ they need fewer operations:
//! $h = K'n'$, $D = I - mcl + n'\cdot h$, $p = k_{i+1} - \omega^2K'e'$, $\tau' = \tau - n'\cdot p$,
//! $K = K' + (m - \tfrac{mc}{l}) - hh^T/D$ and $k = p + h\,\tau'/D$, because e' and n' are at right angles.

use crate::FormulationInput;
use crate::solvers::rhs_program::{Change, RhsProgram, Solved};
use catena_model::{Chain, Shape};
use catena_symbolic::{Expr, Function, Graph, Number};

/// A link in symbols of its parameters.
struct Link {
    length: Expr,
    /// m c/l, what a mass at the far end would have to be for the same moment about the joint; what is missing from m.
    share_of_mass: Expr,
    rest_of_mass: Expr,
    /// I − m c l, what such a mass leaves of the moment of inertia about the joint.
    rest_of_inertia: Expr,
    /// m l², relative to which an inertia vanishes.
    scale: Expr,
}

type Vector = [Expr; 2];

/// The rate of relative angles, the first one counted from the horizontal.
pub(crate) fn rhs_program(input: &FormulationInput) -> Option<RhsProgram> {
    let chain = input.model.chain.as_ref()?;
    let functions = input.evaluator.functions();
    let e = &functions.equations;
    let mut graph = e.graph.clone();
    let n = chain.links;
    let names = |prefix: &str| -> Vec<String> { (0..n).map(|i| format!("{prefix} {i}")).collect() };
    let mut symbols = |prefix: &str| -> Vec<Expr> {
        names(prefix).iter().map(|name| graph.symbol(name)).collect()
    };
    let (turns, spins) = (symbols("relative angle"), symbols("relative rate"));
    let quarter = {
        let (pi, half) = (graph.pi(), graph.number(Number::Fraction(1, 2)));
        graph.mul(half, pi)
    };
    let zero = graph.zero();
    let angles = sums(&mut graph, quarter, &turns);
    let rates = sums(&mut graph, zero, &spins);
    let moved = [angles.as_slice(), &rates].concat();
    let replaced: Vec<(Expr, Expr)> =
        e.coordinates.iter().chain(&e.velocities).copied().zip(moved.iter().copied()).collect();
    let mut torques = graph.substitute(&e.applied, &replaced);
    add_friction(&mut graph, input, chain, &spins, &mut torques);
    let pivot = pivot_acceleration(&mut graph, input);
    let links = links(&mut graph, input, chain);
    let mut recursion =
        Recursion { graph: &mut graph, links: &links, angles: &angles, rates: &rates };
    let (accelerations, pivots) = recursion.accelerations(&torques, pivot);
    let mut slopes = spins.clone();
    let mut before = graph.zero();
    for &acceleration in &accelerations {
        slopes.push(graph.sub(acceleration, before));
        before = acceleration;
    }
    let change = Change { state: [turns, spins].concat(), rate: slopes, moved };
    let solved = Solved { accelerations, multipliers: Vec::new(), pivots };
    Some(RhsProgram::changed(functions, graph, solved, change))
}

/// Sums of the entries so far.
fn sums(graph: &mut Graph, first: Expr, relative: &[Expr]) -> Vec<Expr> {
    let mut sum = first;
    let mut sums = Vec::with_capacity(relative.len());
    for &part in relative {
        sum = graph.add(sum, part);
        sums.push(sum);
    }
    sums
}

fn add_friction(
    graph: &mut Graph,
    input: &FormulationInput,
    chain: &Chain,
    spins: &[Expr],
    torques: &mut [Expr],
) {
    for (i, name) in chain.friction.iter().enumerate() {
        let friction = parameter(graph, input, name);
        let torque = graph.mul(friction, spins[i]);
        torques[i] = graph.sub(torques[i], torque);
        if i > 0 {
            torques[i - 1] = graph.add(torques[i - 1], torque);
        }
    }
}

fn parameter(graph: &mut Graph, input: &FormulationInput, name: &str) -> Expr {
    match input.parameter_place(name) {
        Some(place) => input.evaluator.functions().equations.parameters[place],
        None => graph.zero(),
    }
}

/// Gravity counts as an upward acceleration.
fn pivot_acceleration(graph: &mut Graph, input: &FormulationInput) -> Vector {
    let e = &input.evaluator.functions().equations;
    let gravity = parameter(graph, input, "g");
    let mut axis = |name: &str| {
        let definitions = &input.model.own.definitions;
        let at = definitions.iter().position(|entry| entry.name == name);
        let place = at.map_or(graph.zero(), |at| e.definitions[at]);
        let velocity = graph.derivative(place, e.time);
        graph.derivative(velocity, e.time)
    };
    let [x, y] = ["pivot_x", "pivot_y"].map(&mut axis);
    [x, graph.add(y, gravity)]
}

fn links(graph: &mut Graph, input: &FormulationInput, chain: &Chain) -> Vec<Link> {
    let (half, less) = (Number::Fraction(1, 2), Number::Fraction(-1, 6));
    let mut link = |i: usize| {
        let mass = parameter(graph, input, &chain.mass[i]);
        let length = parameter(graph, input, &chain.length[i]);
        let scale = graph.product([mass, length, length]);
        let zero = graph.zero();
        let (share_of_mass, rest_of_mass, rest_of_inertia) = match chain.shape {
            // c = l/2, I = m l²/3
            Shape::Rod => {
                (graph.scale(half, mass), graph.scale(half, mass), graph.scale(less, scale))
            }
            // c = l, I = m l²
            Shape::Bob => (mass, zero, zero),
        };
        Link { length, share_of_mass, rest_of_mass, rest_of_inertia, scale }
    };
    (0..chain.links).map(&mut link).collect()
}

struct Recursion<'a> {
    graph: &'a mut Graph,
    links: &'a [Link],
    angles: &'a [Expr],
    rates: &'a [Expr],
}

impl Recursion<'_> {
    fn dot(&mut self, a: Vector, b: Vector) -> Expr {
        let products = [self.graph.mul(a[0], b[0]), self.graph.mul(a[1], b[1])];
        self.graph.sum(products)
    }

    /// a + factor·b
    fn plus(&mut self, a: Vector, factor: Expr, b: Vector) -> Vector {
        [0, 1].map(|axis| {
            let part = self.graph.mul(factor, b[axis]);
            self.graph.add(a[axis], part)
        })
    }

    /// K b with K = (xx, xy, yy)
    fn turned(&mut self, [xx, xy, yy]: [Expr; 3], b: Vector) -> Vector {
        [self.dot([xx, xy], b), self.dot([xy, yy], b)]
    }

    fn accelerations(&mut self, torques: &[Expr], pivot: Vector) -> (Vec<Expr>, Vec<(Expr, Expr)>) {
        let n = self.links.len();
        let zero = self.graph.zero();
        let one = self.graph.number(Number::ONE);
        let directions: Vec<(Vector, Vector)> = (0..n).map(|i| self.directions(i)).collect();
        let inward: Vec<Expr> = self.rates.iter().map(|&rate| self.inward(rate)).collect();
        // K and k of the link below; nothing hangs on the last one
        let (mut stiff, mut left) = ([zero; 3], [zero; 2]);
        let mut passed = vec![([zero; 2], zero); n];
        let mut pivots = Vec::with_capacity(n);
        for i in (0..n).rev() {
            let (along, across) = directions[i];
            let Link { share_of_mass, rest_of_mass, rest_of_inertia, scale, .. } = self.links[i];
            let held = self.with_diagonal(stiff, share_of_mass);
            let (h, w) = (self.turned(held, across), self.turned(held, along));
            let d = self.dot(h, across);
            let d = self.graph.add(rest_of_inertia, d);
            pivots.push((d, scale));
            let inverse = self.graph.div(one, d);
            let push = self.plus(left, inward[i], w);
            let turning = self.dot(push, across);
            let torque = self.graph.sub(torques[i], turning);
            let ratio = self.graph.mul(torque, inverse);
            left = self.plus(push, ratio, h);
            let share = h.map(|part| self.graph.mul(part, inverse));
            stiff = self.with_diagonal(held, rest_of_mass);
            for (entry, [a, b]) in stiff.iter_mut().zip([[0, 0], [0, 1], [1, 1]]) {
                let product = self.graph.mul(share[a], h[b]);
                *entry = self.graph.sub(*entry, product);
            }
            passed[i] = (share, ratio);
        }
        let mut at = pivot;
        let mut accelerations = Vec::with_capacity(n);
        for i in 0..n {
            let (along, across) = directions[i];
            let (share, ratio) = passed[i];
            let held = self.dot(share, at);
            let acceleration = self.graph.sub(ratio, held);
            accelerations.push(acceleration);
            at = self.plus(at, acceleration, across);
            at = self.plus(at, inward[i], along);
        }
        (accelerations, pivots)
    }

    /// l e and l n of a link.
    fn directions(&mut self, link: usize) -> (Vector, Vector) {
        let length = self.links[link].length;
        let [sine, cosine] = [Function::SIN, Function::COS].map(|function| {
            let value = self.graph.call(function, self.angles[link]);
            self.graph.mul(length, value)
        });
        let backwards = self.graph.neg(cosine);
        ([sine, backwards], [cosine, sine])
    }

    /// −ω²
    fn inward(&mut self, rate: Expr) -> Expr {
        let square = self.graph.mul(rate, rate);
        self.graph.neg(square)
    }

    /// K + m 1
    fn with_diagonal(&mut self, [xx, xy, yy]: [Expr; 3], mass: Expr) -> [Expr; 3] {
        [self.graph.add(xx, mass), xy, self.graph.add(yy, mass)]
    }
}
