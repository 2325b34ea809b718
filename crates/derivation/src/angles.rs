//! Which coordinates are angles: those that enter only through sines and cosines.
//!
//! When a coordinate makes a full turn an expression comes back to its value, or goes on by whole turns: its *winding*.
//! The coordinate itself has winding 1, sums add windings, whole factors multiply them, and sines and cosines of whole
//! turns have none. Everything else that a winding enters tells that the coordinate is no angle.

use crate::Equations;
use catena_model::System;
use catena_symbolic::{Expr, Function, Graph, Node};
use rustc_hash::FxHashMap;

/// For each coordinate whether a full turn changes nothing. What the model says wins.
pub fn angles(equations: &Equations, system: &System) -> Vec<bool> {
    let graph = &equations.graph;
    let mut roots = vec![equations.kinetic, equations.potential, equations.dissipation];
    roots.extend(&equations.applied);
    roots.extend(&equations.constraints);
    roots.extend(&equations.state_rates);
    let mut windings = Windings::new(equations);
    for expr in graph.reachable(&roots) {
        windings.visit(graph, expr);
    }
    roots.iter().for_each(|root| windings.refuse(*root));
    let declared = system.coordinates.iter().map(|coordinate| coordinate.angle);
    declared
        .zip(&windings.coordinates)
        .map(|(declared, found)| declared.unwrap_or(*found == Found::Periodic))
        .collect()
}

/// What is known about a coordinate.
#[derive(Clone, Copy, PartialEq)]
enum Found {
    Absent,
    Periodic,
    Other,
}

/// By how many turns expressions go on when coordinates make one.
struct Windings {
    places: FxHashMap<Expr, usize>,
    coordinates: Vec<Found>,
    /// Coordinates and turns, in the order of the coordinates; expressions that come back to their value are left out.
    turns: FxHashMap<Expr, Vec<(usize, i64)>>,
}

impl Windings {
    fn new(equations: &Equations) -> Windings {
        let coordinates = equations.coordinates.iter();
        Windings {
            places: coordinates.enumerate().map(|(at, &q)| (q, at)).collect(),
            coordinates: vec![Found::Absent; equations.coordinates.len()],
            turns: FxHashMap::default(),
        }
    }

    /// Looks at an expression whose operands were looked at.
    fn visit(&mut self, graph: &Graph, expr: Expr) {
        if let Some(&at) = self.places.get(&expr) {
            self.coordinates[at] = Found::Periodic;
            self.turns.insert(expr, vec![(at, 1)]);
            return;
        }
        let node = graph.node(expr);
        let turns = match node {
            Node::Add(a, b) => self.sum(a, b),
            Node::Mul(a, b) => match graph.as_number(a).and_then(|n| n.as_integer()) {
                Some(factor) => self.multiple(factor, b),
                None => None,
            },
            Node::Call(Function::SIN | Function::COS, _) => Some(Vec::new()),
            _ => None,
        };
        match turns {
            Some(turns) if turns.is_empty() => {}
            Some(turns) => drop(self.turns.insert(expr, turns)),
            None => node.operands().for_each(|operand| self.refuse(operand)),
        }
    }

    /// The coordinates that an expression does not come back to its value for are no angles.
    fn refuse(&mut self, expr: Expr) {
        for &(at, _) in self.turns.get(&expr).into_iter().flatten() {
            self.coordinates[at] = Found::Other;
        }
    }

    fn of(&self, expr: Expr) -> &[(usize, i64)] {
        self.turns.get(&expr).map_or(&[], Vec::as_slice)
    }

    /// None where a number of turns is too large to count.
    fn multiple(&self, factor: i64, of: Expr) -> Option<Vec<(usize, i64)>> {
        let times = |&(at, turns): &(usize, i64)| Some((at, turns.checked_mul(factor)?));
        self.of(of).iter().map(times).collect()
    }

    fn sum(&self, a: Expr, b: Expr) -> Option<Vec<(usize, i64)>> {
        let mut sum = self.of(a).to_vec();
        for &(at, turns) in self.of(b) {
            match sum.binary_search_by_key(&at, |(at, _)| *at) {
                Err(place) => sum.insert(place, (at, turns)),
                Ok(place) => sum[place].1 = sum[place].1.checked_add(turns)?,
            }
        }
        sum.retain(|(_, turns)| *turns != 0);
        Some(sum)
    }
}
