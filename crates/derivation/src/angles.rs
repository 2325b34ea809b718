//! Which coordinates are angles: those that enter only through sines and cosines.

use crate::Equations;
use catena_model::System;
use catena_symbolic::{Expr, Function, Graph, Node};
use rustc_hash::FxHashMap;

/// For each coordinate whether a full turn changes nothing. What the model states takes precedence.
pub fn angles(equations: &Equations, system: &System) -> Vec<bool> {
    let graph = &equations.graph;
    let mut roots = vec![equations.kinetic, equations.potential, equations.dissipation];
    roots.extend(&equations.applied);
    roots.extend(&equations.constraints);
    roots.extend(&equations.state_rates);
    let order = graph.reachable(&roots);
    let declared = system.coordinates.iter().map(|coordinate| coordinate.angle);
    equations
        .coordinates
        .iter()
        .zip(declared)
        .map(|(&q, declared)| declared.unwrap_or_else(|| is_periodic(graph, &roots, &order, q)))
        .collect()
}

/// How an expression depends on a coordinate.
#[derive(Clone, Copy, PartialEq)]
enum Dependence {
    /// Whole multiple of the coordinate plus something free of it.
    Whole(i64),
    Periodic,
    Other,
}

fn is_periodic(graph: &Graph, roots: &[Expr], order: &[Expr], q: Expr) -> bool {
    let mut known: FxHashMap<Expr, Dependence> = FxHashMap::default();
    let mut appears = false;
    for &expr in order {
        if expr == q {
            appears = true;
            known.insert(expr, Dependence::Whole(1));
            continue;
        }
        let of = |operand: Expr| known.get(&operand).copied().unwrap_or(Dependence::Whole(0));
        let node = graph.node(expr);
        let free = node.operands().all(|operand| of(operand) == Dependence::Whole(0));
        let periodic = |operand| matches!(of(operand), Dependence::Whole(0) | Dependence::Periodic);
        let dependence = match node {
            _ if free => Dependence::Whole(0),
            _ if node.operands().all(periodic) => Dependence::Periodic,
            Node::Add(a, b) => match (of(a), of(b)) {
                (Dependence::Whole(a), Dependence::Whole(b)) => Dependence::Whole(a + b),
                _ => Dependence::Other,
            },
            Node::Mul(a, b) => match (graph.as_number(a).and_then(|n| n.as_integer()), of(b)) {
                (Some(factor), Dependence::Whole(whole)) => {
                    whole.checked_mul(factor).map_or(Dependence::Other, Dependence::Whole)
                }
                _ => Dependence::Other,
            },
            Node::Call(Function::SIN | Function::COS, x) if of(x) != Dependence::Other => {
                Dependence::Periodic
            }
            _ => Dependence::Other,
        };
        known.insert(expr, dependence);
    }
    let free_or_periodic = |root: &Expr| {
        matches!(
            known.get(root).copied().unwrap_or(Dependence::Whole(0)),
            Dependence::Whole(0) | Dependence::Periodic
        )
    };
    appears && roots.iter().all(free_or_periodic)
}
