//! The rates at which time enters the equations, as expressions of the parameters.

use catena_derivation::Equations;
use catena_symbolic::{Expr, Function, Graph, Node};
use std::collections::HashMap;

/// Rates that are smaller than this part of the largest are zero: what rounding leaves of rates that cancel.
const ZERO_RATE_RATIO: f64 = 1e-12;

/// Functions that repeat when their argument grows by a full turn.
const WAVES: [Function; 3] = [Function::SIN, Function::COS, Function::named("tan")];

/// Places and slopes of the angles in a constraint that is linear in them and in time.
type AngleSlopes<S> = Vec<(usize, S)>;

/// The rates, rad/s, at which angles of the drive grow and motors turn coordinates.
#[derive(Clone, Debug)]
pub(super) struct DriveRates {
    /// Owns the expressions, and no others.
    graph: Graph,
    /// ∂/∂t of what sines, cosines and tangents are taken of.
    angles: Vec<Expr>,
    /// Constraints Σ aⱼ qⱼ + b t = … with constant a and b, as motors and gears are: places and slopes of angles, and b.
    turns: Vec<(AngleSlopes<Expr>, Expr)>,
    /// Whether a rate depends on time, or on the motion.
    uneven: bool,
}

impl DriveRates {
    /// Those of a system; `is_rotation` says which coordinates a motor can turn on and on.
    pub(super) fn new(equations: &Equations, is_rotation: &[bool]) -> DriveRates {
        let mut graph = equations.graph.clone();
        let (roots, time) = (roots(equations), equations.time);
        let waves: Vec<(Expr, Expr)> = graph
            .reachable(&roots)
            .into_iter()
            .filter_map(|expr| match graph.node(expr) {
                Node::Call(function, angle) if WAVES.contains(&function) => {
                    graph.depends_on(angle, &[time]).then_some((expr, angle))
                }
                _ => None,
            })
            .collect();
        // an angle that itself swings goes on at the rate that is left without its swing
        let zero = graph.zero();
        let still: Vec<(Expr, Expr)> = waves.iter().map(|&(wave, _)| (wave, zero)).collect();
        let angles: Vec<Expr> = waves.iter().map(|&(_, angle)| angle).collect();
        let angles = graph.substitute(&angles, &still);
        let mut rates: Vec<Expr> = Vec::new();
        for angle in angles {
            let rate = graph.derivative(angle, time);
            if !graph.is_zero(rate) && !rates.contains(&rate) {
                rates.push(rate);
            }
        }
        let changing =
            [&equations.coordinates[..], &equations.velocities, &equations.states, &[time]]
                .concat();
        let uneven = graph.any_depends_on(&rates, &changing);
        let constraints = graph.substitute(&equations.constraints, &still);
        let turns = turns(&mut graph, equations, &constraints, is_rotation, &changing);
        DriveRates::extracted(&graph, &rates, &turns, uneven)
    }

    /// The same expressions in a graph of their own: maps ask for the rates of every cell.
    fn extracted(
        from: &Graph,
        angles: &[Expr],
        turns: &[(AngleSlopes<Expr>, Expr)],
        uneven: bool,
    ) -> DriveRates {
        let slopes = turns
            .iter()
            .flat_map(|(slopes, rate)| slopes.iter().map(|(_, slope)| *slope).chain([*rate]));
        let roots: Vec<Expr> = angles.iter().copied().chain(slopes).collect();
        let mut graph = Graph::new();
        let mut copies: HashMap<Expr, Expr> = HashMap::new();
        for expr in from.reachable(&roots) {
            let copy = match from.node(expr) {
                Node::Number(number) => graph.number(number),
                Node::Pi => graph.pi(),
                Node::Symbol(symbol) => graph.symbol(from.name(symbol)),
                Node::Add(a, b) => graph.add(copies[&a], copies[&b]),
                Node::Mul(a, b) => graph.mul(copies[&a], copies[&b]),
                Node::Power(a, b) => graph.power(copies[&a], copies[&b]),
                Node::Call(function, x) => graph.call(function, copies[&x]),
                Node::Call2(function, x, y) => graph.call2(function, copies[&x], copies[&y]),
            };
            copies.insert(expr, copy);
        }
        let copied = |expr: &Expr| copies[expr];
        let turns = turns.iter().map(|(slopes, rate)| {
            let slopes = slopes.iter().map(|(at, slope)| (*at, copied(slope))).collect();
            (slopes, copied(rate))
        });
        let (angles, turns) = (angles.iter().map(copied).collect(), turns.collect());
        DriveRates { graph, angles, turns, uneven }
    }

    /// Whether there is a rate that is not one and the same at all times.
    pub(super) fn are_uneven(&self) -> bool {
        self.uneven
    }

    /// Whether time enters by no rate at all.
    pub(super) fn is_empty(&self) -> bool {
        self.angles.is_empty() && self.turns.is_empty()
    }

    /// All rates that are not zero, rad/s.
    pub(super) fn values(&self, parameter: &dyn Fn(&str) -> f64) -> Vec<f64> {
        let mut rates: Vec<f64> = self.graph.evaluate(&self.angles, parameter);
        rates.extend(self.turning(parameter).into_iter().map(|(_, rate)| rate));
        let largest = rates.iter().map(|rate| rate.abs()).fold(0.0, f64::max);
        rates.retain(|rate| rate.abs() > ZERO_RATE_RATIO * largest);
        rates
    }

    /// The coordinates that motors turn, with their rates, rad/s.
    pub(super) fn turning(&self, parameter: &dyn Fn(&str) -> f64) -> Vec<(usize, f64)> {
        // elimination, the last angle of a row first: what a motor turns stands behind what carries the motor
        let mut solved: Vec<(usize, AngleSlopes<f64>, f64)> = Vec::new();
        for (slopes, rate) in &self.turns {
            let places: Vec<usize> = slopes.iter().map(|(at, _)| *at).collect();
            let exprs: Vec<Expr> = slopes.iter().map(|(_, slope)| *slope).chain([*rate]).collect();
            let values = self.graph.evaluate(&exprs, parameter);
            let mut row: Vec<(usize, f64)> =
                places.into_iter().zip(values.iter().copied()).collect();
            let mut right = -values[row.len()];
            for (pivot, others, rate) in &solved {
                let Some(found) = row.iter().position(|(at, _)| at == pivot) else { continue };
                let (_, slope) = row.remove(found);
                right -= slope * rate;
                for (at, other) in others {
                    match row.iter_mut().find(|(place, _)| place == at) {
                        Some((_, value)) => *value -= slope * other,
                        None => row.push((*at, -slope * other)),
                    }
                }
            }
            row.retain(|(_, slope)| *slope != 0.0);
            row.sort_by_key(|(at, _)| *at);
            if let Some((pivot, slope)) = row.pop() {
                row.iter_mut().for_each(|(_, other)| *other /= slope);
                solved.push((pivot, row, right / slope));
            }
        }
        // what no motor turns stands still
        let mut rates: HashMap<usize, f64> = HashMap::new();
        for (pivot, others, rate) in solved.iter().rev() {
            let carried: f64 = others
                .iter()
                .map(|(at, slope)| slope * rates.get(at).copied().unwrap_or(0.0))
                .sum();
            rates.insert(*pivot, rate - carried);
        }
        let mut rates: Vec<(usize, f64)> =
            rates.into_iter().filter(|(_, rate)| *rate != 0.0).collect();
        rates.sort_by_key(|(at, _)| *at);
        rates
    }
}

/// Everything that moves the system.
fn roots(e: &Equations) -> Vec<Expr> {
    let matrices = e.mass_matrix.iter().chain(&e.constraint_jacobian.entries);
    let lists = [&e.forces, &e.constraints, &e.gamma, &e.state_rates, &e.constraint_rate];
    matrices.map(|(_, _, entry)| entry).chain(lists.into_iter().flatten()).copied().collect()
}

/// Constraints that are linear in angles and in time, where any of them depends on time.
fn turns(
    graph: &mut Graph,
    equations: &Equations,
    constraints: &[Expr],
    is_rotation: &[bool],
    changing: &[Expr],
) -> Vec<(AngleSlopes<Expr>, Expr)> {
    let mut turns = Vec::new();
    for &constraint in constraints {
        let rate = graph.derivative(constraint, equations.time);
        let slopes = graph.gradient(constraint, &equations.coordinates);
        let slopes: Vec<(usize, Expr)> =
            slopes.into_iter().enumerate().filter(|(_, slope)| !graph.is_zero(*slope)).collect();
        let all: Vec<Expr> = slopes.iter().map(|(_, slope)| *slope).chain([rate]).collect();
        let angles_alone = slopes.iter().all(|(at, _)| is_rotation[*at]);
        if angles_alone && !slopes.is_empty() && !graph.any_depends_on(&all, changing) {
            turns.push((slopes, rate));
        }
    }
    match turns.iter().any(|(_, rate)| !graph.is_zero(*rate)) {
        true => turns,
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_derivation::rotations;
    use catena_model::{Model, Source};

    fn rates(text: &str) -> DriveRates {
        let model = Model::read(Source::new("drive.toml", text), &[]).expect("a model");
        let equations = Equations::derive(&model, &model.own);
        let is_rotation = rotations(&equations, &model, &model.own);
        DriveRates::new(&equations, &is_rotation)
    }

    fn forced(force: &str) -> DriveRates {
        rates(&format!(
            "parameters = {{ w = 2 }}\ncoordinates = {{ a = \"\" }}\n\
             energy = {{ kinetic = \"a'^2/2\", potential = \"-cos(a)\" }}\n\
             forces = {{ a = \"{force}\" }}\n"
        ))
    }

    fn value(name: &str) -> f64 {
        assert_eq!(name, "w", "nothing else is a parameter");
        2.0
    }

    #[test]
    fn rates_are_those_of_the_angles_whatever_they_are_made_of() {
        assert_eq!(forced("cos(3*w*t + 1)").values(&value), [6.0]);
        assert_eq!(forced("cos(a - w*t)").values(&value), [-2.0]);
        assert_eq!(forced("sin(w*t) + abs(cos(3*w*t))").values(&value), [2.0, 6.0]);
        assert_eq!(forced("sin(5*w*t + 0.3*cos(w*t))").values(&value), [2.0, 10.0]);
        assert!(forced("-a'").values(&value).is_empty());
        assert!(forced("sin(w*t^2)").are_uneven());
        assert!(!forced("sin(w*t)").are_uneven());
    }

    #[test]
    fn motors_and_gears_turn_what_they_lead() {
        let turned = rates(
            r#"
            parameters = { w = 2 }
            coordinates = { a = "crank", b = "on the crank", c = "geared", x = "slides" }
            energy = { kinetic = "a'^2 + b'^2 + c'^2 + x'^2", potential = "cos(a) + cos(b) + cos(c)" }
            [constraints]
            motor = "a - w*t - 0.1*sin(w*t)"
            second = "b - a + 3*w*t"
            gear = "c - a/2"
            slide = "x - a"
            "#,
        );
        assert_eq!(turned.turning(&value), [(0, 2.0), (1, -4.0), (2, 1.0)]);
    }
}
