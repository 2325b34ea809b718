//! The balance of forces as d'Alembert has it: what is left of the forces by the masses that they accelerate.
//!
//! # Equations
//! Where T is a sum of squares, $T=\sum_r\tfrac12m_ru_r^2$ with velocities $u_r=\sum_iJ_{ri}v_i+b_r$ of points, as energies are
//! written, Lagrange's equations are
//! $$F_i-\frac{\partial V}{\partial q_i}-\frac{\partial D}{\partial v_i}-\sum_rJ_{ri}\,m_r\dot u_r
//!   -\sum_r\Big(\dot J_{ri}-\frac{\partial u_r}{\partial q_i}\Big)m_ru_r=0,$$
//! where the last sum vanishes if $u_r$ is the rate of something. Masses with the same $J_{ri}$ go together, so that a chain of n
//! links has n products with sines and as many with cosines, whatever it hangs on; M v̇ = Q has n². What is no square is
//! differentiated as it stands.
//!
//! The accelerations are in it, unsolved, and rates $\frac{d}{dt}\sum m_ru_r$ that have names: power series differentiate a
//! series more cheaply than a formula. In numbers M v̇ = Q is shorter.

use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph, Node, Number};
use std::cmp::Reverse;

/// What is left of the forces, with names for the rates in it.
pub(crate) struct ForceBalance {
    /// One for each coordinate, affine in the accelerations and in the rates.
    pub(crate) residuals: Vec<Expr>,
    /// Symbols of the rates, each with what it is the rate of: functions of t, q and v.
    pub(crate) rates: Vec<(Expr, Expr)>,
}

/// Half of $m u^2$.
struct Square {
    mass: Expr,
    velocity: Expr,
    /// ∂u/∂v
    slopes: Vec<Expr>,
}

/// Masses that act on a coordinate through the same slope.
struct Lever {
    /// The part of the slope that never changes, and the other one.
    constant: Expr,
    moving: Expr,
    /// $\sum m_ru_r$
    momentum: Expr,
}

impl ForceBalance {
    /// The balance for equations of motion in this graph; `None` if no part of T is a square.
    pub(crate) fn new(graph: &mut Graph, e: &Equations) -> Option<ForceBalance> {
        let (q, v) = (&e.coordinates, &e.velocities);
        let moving = [q.as_slice(), v, &e.states, &[e.time]].concat();
        let one = graph.number(Number::ONE);
        let mut terms =
            Terms { moving: &moving, velocities: v, squares: Vec::new(), rest: Vec::new() };
        terms.collect(graph, e.kinetic, one);
        let Terms { mut squares, rest, .. } = terms;
        if squares.is_empty() || graph.depends_on(e.kinetic, &e.states) {
            return None;
        }
        // what many coordinates move first: sums over what hangs below begin alike
        squares.sort_by_key(|square| {
            Reverse(square.slopes.iter().filter(|slope| !graph.is_zero(**slope)).count())
        });
        let rest = graph.sum(rest);
        let lagrangian = graph.sub(rest, e.potential);
        let by_q = graph.gradient(lagrangian, q);
        let momenta = graph.gradient(rest, v);
        let mut motion: Vec<(Expr, Expr)> = q.iter().copied().zip(v.iter().copied()).collect();
        motion.push((e.time, one));
        let held = motion.clone();
        motion.extend(v.iter().copied().zip(e.accelerations.iter().copied()));
        let changes = graph.directional(&momenta, &motion);
        let damping = graph.gradient(e.dissipation, v);
        let mut balance = ForceBalance { residuals: Vec::new(), rates: Vec::new() };
        for i in 0..q.len() {
            let own = graph.add(e.applied[i], by_q[i]);
            let lost = graph.add(changes[i], damping[i]);
            let left = graph.sub(own, lost);
            let inertia = balance.inertia(graph, e, (&squares, &moving), i);
            let more = beside_rates(graph, &squares, (&held, q), i);
            let inertia = graph.add(inertia, more);
            balance.residuals.push(graph.sub(left, inertia));
        }
        Some(balance)
    }

    /// $\sum_rJ_{ri}\,m_r\dot u_r$
    fn inertia(
        &mut self,
        graph: &mut Graph,
        e: &Equations,
        (squares, moving): (&[Square], &[Expr]),
        i: usize,
    ) -> Expr {
        let mut levers: Vec<Lever> = Vec::new();
        for square in squares {
            let momentum = graph.mul(square.mass, square.velocity);
            for slope in summands(graph, square.slopes[i]) {
                if graph.is_zero(slope) {
                    continue;
                }
                let (constant, moving) = apart(graph, slope, moving);
                match levers
                    .iter_mut()
                    .find(|lever| (lever.constant, lever.moving) == (constant, moving))
                {
                    Some(lever) => lever.momentum = graph.add(lever.momentum, momentum),
                    None => levers.push(Lever { constant, moving, momentum }),
                }
            }
        }
        let mut sums: Vec<(Expr, Expr)> = Vec::new();
        for Lever { constant, moving, momentum } in levers {
            let rate = self.rate(graph, e, momentum);
            let torque = graph.mul(moving, rate);
            match sums.iter_mut().find(|(common, _)| *common == constant) {
                Some((_, sum)) => *sum = graph.add(*sum, torque),
                None => sums.push((constant, torque)),
            }
        }
        let sums: Vec<Expr> =
            sums.into_iter().map(|(constant, sum)| graph.mul(constant, sum)).collect();
        graph.sum(sums)
    }

    /// The name of the rate of a momentum.
    fn rate(&mut self, graph: &mut Graph, e: &Equations, momentum: Expr) -> Expr {
        if !graph.depends_on(momentum, &e.coordinates) && !graph.depends_on(momentum, &[e.time]) {
            let rates: Vec<(Expr, Expr)> =
                e.velocities.iter().copied().zip(e.accelerations.iter().copied()).collect();
            return graph.directional(&[momentum], &rates)[0];
        }
        if let Some((rate, _)) = self.rates.iter().find(|(_, known)| *known == momentum) {
            return *rate;
        }
        let rate = graph.symbol(&format!("rate of momentum {}", self.rates.len()));
        self.rates.push((rate, momentum));
        rate
    }
}

/// $\sum_r(\dot J_{ri}-\partial u_r/\partial q_i)\,m_ru_r$, with `held` velocities: exactly zero where u is the rate of something.
fn beside_rates(
    graph: &mut Graph,
    squares: &[Square],
    (held, q): (&[(Expr, Expr)], &[Expr]),
    i: usize,
) -> Expr {
    let slopes: Vec<Expr> = squares.iter().map(|square| square.slopes[i]).collect();
    let turns = graph.directional(&slopes, held);
    let mut sum = graph.zero();
    for (square, turn) in squares.iter().zip(turns) {
        let drift = graph.derivative(square.velocity, q[i]);
        let beside = graph.sub(turn, drift);
        let momentum = graph.mul(square.mass, square.velocity);
        let term = graph.mul(beside, momentum);
        sum = graph.add(sum, term);
    }
    sum
}

/// A kinetic energy taken apart.
struct Terms<'a> {
    moving: &'a [Expr],
    velocities: &'a [Expr],
    squares: Vec<Square>,
    rest: Vec<Expr>,
}

impl Terms<'_> {
    /// Collects the terms of a constant times an expression.
    fn collect(&mut self, graph: &mut Graph, expr: Expr, factor: Expr) {
        for term in summands(graph, expr) {
            let (constant, rest) = apart(graph, term, self.moving);
            let factor = graph.mul(factor, constant);
            match graph.node(rest) {
                Node::Add(..) => self.collect(graph, rest, factor),
                Node::Power(base, exponent)
                    if graph.as_number(exponent).and_then(Number::as_integer) == Some(2) =>
                {
                    let slopes = graph.gradient(base, self.velocities);
                    if graph.any_depends_on(&slopes, self.velocities) {
                        let term = graph.mul(factor, rest);
                        self.rest.push(term);
                        continue;
                    }
                    let mass = graph.scale(Number::from(2), factor);
                    self.squares.push(Square { mass, velocity: base, slopes });
                }
                _ => {
                    let term = graph.mul(factor, rest);
                    self.rest.push(term);
                }
            }
        }
    }
}

/// The terms of a sum, in their order.
fn summands(graph: &Graph, expr: Expr) -> Vec<Expr> {
    let (mut found, mut left) = (Vec::new(), vec![expr]);
    while let Some(expr) = left.pop() {
        match graph.node(expr) {
            Node::Add(a, b) => left.extend([b, a]),
            _ => found.push(expr),
        }
    }
    found
}

/// A product as that of its constant factors and that of the others.
fn apart(graph: &mut Graph, expr: Expr, moving: &[Expr]) -> (Expr, Expr) {
    let one = graph.number(Number::ONE);
    let (mut constant, mut rest, mut left) = (one, one, vec![expr]);
    while let Some(expr) = left.pop() {
        match graph.node(expr) {
            _ if !graph.depends_on(expr, moving) => constant = graph.mul(constant, expr),
            Node::Mul(a, b) => left.extend([b, a]),
            _ => rest = graph.mul(rest, expr),
        }
    }
    (constant, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::{Model, Source};

    const HEAD: &str =
        "parameters = { m = 2, l = 3, k = 0.7 }\ncoordinates = { a = \"one\", b = \"two\" }\n";

    /// Compares with Q − M v̇ at numbers; returns how many rates have a name.
    fn compared(text: &str) -> Option<usize> {
        let model = Model::read(Source::new("model.toml", format!("{HEAD}{text}")), &[]).unwrap();
        let e = Equations::derive(&model, &model.own);
        let mut graph = e.graph.clone();
        let balance = ForceBalance::new(&mut graph, &e)?;
        let mut motion: Vec<(Expr, Expr)> = Vec::new();
        motion.extend(e.coordinates.iter().copied().zip(e.velocities.iter().copied()));
        motion.extend(e.velocities.iter().copied().zip(e.accelerations.iter().copied()));
        motion.push((e.time, graph.number(Number::ONE)));
        let (names, of): (Vec<Expr>, Vec<Expr>) = balance.rates.iter().copied().unzip();
        let rates = graph.directional(&of, &motion);
        let meanings: Vec<(Expr, Expr)> = names.iter().copied().zip(rates).collect();
        let found = graph.substitute(&balance.residuals, &meanings);
        let mut expected = e.forces.clone();
        for (row, force) in expected.iter_mut().enumerate() {
            for column in 0..e.coordinates.len() {
                let Some(mass) = e.mass(row, column) else { continue };
                let inertia = graph.mul(mass, e.accelerations[column]);
                *force = graph.sub(*force, inertia);
            }
        }
        let number = |name: &str| 0.3 + 0.17 * name.bytes().map(f64::from).sum::<f64>().sin();
        let [found, expected] = [found, expected].map(|exprs| graph.evaluate(&exprs, number));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12, "{text}: {found} and {expected}");
        }
        Some(names.len())
    }

    #[test]
    fn what_is_left_of_the_forces_is_what_the_masses_leave() {
        let links = "[definitions]\nx = \"k*sin(t) + l*sin(a)\"\ny = \"-l*cos(a)\"\n\
             u = \"x + l*sin(a + b)\"\nw = \"y - l*cos(a + b)\"\n[energy]\n\
             kinetic = \"1/2*m*(x'^2 + y'^2 + u'^2 + w'^2) + 1/4*m*(a' + b')^2\"\n\
             potential = \"m*9.81*(y + w)\"\ndissipation = \"1/2*k*a'^2\"\n[forces]\nb = \"-k*b*sin(t)\"\n";
        assert!(compared(links).is_some_and(|rates| rates > 0));
        // neither is the rate of something
        let turning = "[energy]\nkinetic = \"1/2*m*(a'*cos(b))^2 + 1/2*k*(b' + l*sin(a)*a')^2\"\n";
        assert!(compared(turning).is_some_and(|rates| rates > 0));
        // a part is no square, and another is none of what is linear in the velocities
        let mixed =
            "[energy]\nkinetic = \"1/2*m*a'^2 + (2 + sin(a))*b'^2 + 1/9*a'*b' + (t + a'^2)^2/9\"\n";
        assert_eq!(compared(mixed), Some(0));
    }

    #[test]
    fn an_energy_without_squares_has_no_balance_of_its_own() {
        assert_eq!(compared("[energy]\nkinetic = \"(1 + a^2)*a'^2/b + b'*a'\"\n"), None);
    }

    #[test]
    fn links_of_a_chain_share_their_rates() {
        let links = "[definitions]\nx = \"l*sin(a)\"\ny = \"-l*cos(a)\"\nu = \"x + l*sin(b)\"\nw = \"y - l*cos(b)\"\n\
             [energy]\nkinetic = \"1/2*m*(x'^2 + y'^2) + 1/2*m*(u'^2 + w'^2)\"\n";
        // of all below the first, and of all below the second, in two directions
        assert_eq!(compared(links), Some(4));
    }
}
