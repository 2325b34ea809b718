//! The sweep of a chain as expressions: the equations of `chain_sweep.rs`, link by link.

use crate::Subject;
use crate::straight_line::{Change, Solved, StraightLine};
use catena_model::{Chain, Shape};
use catena_symbolic::{Expr, Function, Graph, Number};

/// A link in symbols of its parameters.
struct Link {
    mass: Expr,
    /// Mass times the distance of its centre from the joint.
    moment: Expr,
    length: Expr,
    /// About the joint.
    inertia: Expr,
    /// m l², beside which an inertia vanishes.
    scale: Expr,
}

type Vector = [Expr; 2];

/// The rate of relative angles, the first one counted from the horizontal.
pub(crate) fn straight_line(subject: &Subject) -> Option<StraightLine> {
    let chain = subject.model.chain.as_ref()?;
    let functions = subject.evaluator.functions();
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
    add_friction(&mut graph, subject, chain, &spins, &mut torques);
    let pivot = pivot_acceleration(&mut graph, subject);
    let links = links(&mut graph, subject, chain);
    let mut sweep = Sweep { graph: &mut graph, links: &links, angles: &angles, rates: &rates };
    let (accelerations, pivots) = sweep.accelerations(&torques, pivot);
    let mut slopes = spins.clone();
    let mut before = graph.zero();
    for &acceleration in &accelerations {
        slopes.push(graph.sub(acceleration, before));
        before = acceleration;
    }
    let change = Change { state: [turns, spins].concat(), rate: slopes, moved };
    let solved = Solved { accelerations, multipliers: Vec::new(), pivots };
    Some(StraightLine::changed(functions, graph, solved, change))
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
    subject: &Subject,
    chain: &Chain,
    spins: &[Expr],
    torques: &mut [Expr],
) {
    for (i, name) in chain.friction.iter().enumerate() {
        let friction = parameter(graph, subject, name);
        let torque = graph.mul(friction, spins[i]);
        torques[i] = graph.sub(torques[i], torque);
        if i > 0 {
            torques[i - 1] = graph.add(torques[i - 1], torque);
        }
    }
}

fn parameter(graph: &mut Graph, subject: &Subject, name: &str) -> Expr {
    let at = subject.model.parameters.iter().position(|parameter| parameter.entry.name == name);
    match at {
        Some(at) => subject.evaluator.functions().equations.parameters[at],
        None => graph.zero(),
    }
}

/// Gravity counts as an upward acceleration.
fn pivot_acceleration(graph: &mut Graph, subject: &Subject) -> Vector {
    let e = &subject.evaluator.functions().equations;
    let gravity = parameter(graph, subject, "g");
    let mut axis = |name: &str| {
        let definitions = &subject.model.joint.definitions;
        let at = definitions.iter().position(|entry| entry.name == name);
        let place = at.map_or(graph.zero(), |at| e.definitions[at]);
        let velocity = graph.derivative(place, e.time);
        graph.derivative(velocity, e.time)
    };
    let [x, y] = ["pivot_x", "pivot_y"].map(&mut axis);
    [x, graph.add(y, gravity)]
}

fn links(graph: &mut Graph, subject: &Subject, chain: &Chain) -> Vec<Link> {
    let mut link = |i: usize| {
        let mass = parameter(graph, subject, &chain.mass[i]);
        let length = parameter(graph, subject, &chain.length[i]);
        let square = graph.product([mass, length, length]);
        let moment = graph.mul(mass, length);
        match chain.shape {
            Shape::Rod => Link {
                mass,
                moment: graph.scale(Number::Fraction(1, 2), moment),
                length,
                inertia: graph.scale(Number::Fraction(1, 3), square),
                scale: square,
            },
            Shape::Bob => Link { mass, moment, length, inertia: square, scale: square },
        }
    };
    (0..chain.links).map(&mut link).collect()
}

struct Sweep<'a> {
    graph: &'a mut Graph,
    links: &'a [Link],
    angles: &'a [Expr],
    rates: &'a [Expr],
}

impl Sweep<'_> {
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
        // K and k of the link below; nothing hangs on the last one
        let (mut stiff, mut left) = ([zero; 3], [zero; 2]);
        let mut directions = Vec::with_capacity(n);
        for &angle in self.angles {
            let sine = self.graph.call(Function::Sin, angle);
            let cosine = self.graph.call(Function::Cos, angle);
            let backwards = self.graph.neg(cosine);
            directions.push(([sine, backwards], [cosine, sine]));
        }
        let mut passed = vec![([zero; 2], zero); n];
        let mut pivots = Vec::with_capacity(n);
        for i in (0..n).rev() {
            let (along, across) = directions[i];
            let Link { mass, moment, length, inertia, scale } = self.links[i];
            let square = self.graph.mul(self.rates[i], self.rates[i]);
            let inward = self.graph.neg(square);
            let (kn, ke) = (self.turned(stiff, across), self.turned(stiff, along));
            let (kn, ke) = (
                kn.map(|part| self.graph.mul(length, part)),
                ke.map(|part| self.graph.mul(length, part)),
            );
            let h = self.plus(kn, moment, across);
            let below = self.dot(kn, across);
            let below = self.graph.mul(length, below);
            let d = self.graph.add(inertia, below);
            pivots.push((d, scale));
            let one = self.graph.number(Number::ONE);
            let inverse = self.graph.div(one, d);
            // what the links below do to this one
            let push = self.plus(left, inward, ke);
            let turning = self.dot(push, across);
            let turning = self.graph.mul(length, turning);
            let torque = self.graph.sub(torques[i], turning);
            let ratio = self.graph.mul(torque, inverse);
            let own = self.graph.mul(inward, moment);
            let push = self.plus(push, own, along);
            left = self.plus(push, ratio, h);
            let share = h.map(|part| self.graph.mul(part, inverse));
            let mut less = |entry: Expr, a: Expr, b: Expr, own: Expr| {
                let product = self.graph.mul(a, b);
                let entry = self.graph.add(entry, own);
                self.graph.sub(entry, product)
            };
            stiff = [
                less(stiff[0], share[0], h[0], mass),
                less(stiff[1], share[0], h[1], zero),
                less(stiff[2], share[1], h[1], mass),
            ];
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
            let length = self.links[i].length;
            let swing = self.graph.mul(acceleration, length);
            let square = self.graph.mul(self.rates[i], self.rates[i]);
            let inward = self.graph.mul(square, length);
            let inward = self.graph.neg(inward);
            at = self.plus(at, swing, across);
            at = self.plus(at, inward, along);
        }
        (accelerations, pivots)
    }
}
