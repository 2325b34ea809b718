//! The terms of the equations sorted by kind: M q̈ + N q̇² + R q̇ + P + f(q, t) = 0.

use crate::Equations;
use crate::present::Presenter;
use catena_symbolic::{Expr, Graph, Node, Number};

/// Everything but M q̈, sorted by how the velocities and the time enter.
pub(crate) struct SortedTerms {
    /// N: coefficients of squared velocities.
    pub(crate) quadratic: Vec<Vec<Expr>>,
    /// R: coefficients of velocities.
    pub(crate) linear: Vec<Vec<Expr>>,
    /// P: free of velocities and time.
    pub(crate) static_part: Vec<Expr>,
    /// f: free of velocities, with explicit time.
    pub(crate) timed: Vec<Expr>,
}

/// Sorts the terms of −Q; `None` if one fits nowhere, such as a product of two velocities.
pub(crate) fn sort_terms(presenter: &mut Presenter, equations: &Equations) -> Option<SortedTerms> {
    let n = equations.coordinates.len();
    let zero = presenter.graph.zero();
    let mut sorted = SortedTerms {
        quadratic: vec![vec![zero; n]; n],
        linear: vec![vec![zero; n]; n],
        static_part: vec![zero; n],
        timed: vec![zero; n],
    };
    for (row, &force) in equations.forces.iter().enumerate() {
        if presenter.is_too_large(force) {
            return None;
        }
        let opposite = presenter.graph.neg(force);
        let simple = presenter.simplified(opposite);
        presenter.must_equal(opposite, simple);
        let graph = &mut presenter.graph;
        for term in terms(graph, simple, equations)? {
            let (velocity, exponent, rest) = split(graph, term, equations)?;
            let slot = match (velocity, exponent) {
                (Some(column), 2) => &mut sorted.quadratic[row][column],
                (Some(column), 1) => &mut sorted.linear[row][column],
                (Some(_), _) => return None,
                (None, _) if graph.depends_on(rest, &[equations.time]) => &mut sorted.timed[row],
                (None, _) => &mut sorted.static_part[row],
            };
            *slot = graph.add(*slot, rest);
        }
    }
    Some(sorted)
}

/// Sums with more terms than this are not sorted.
const MAX_TERMS: usize = 1000;

/// The terms of a sum; a factor in front of a sum of moving terms is multiplied out. `None` if there
/// are too many.
fn terms(graph: &mut Graph, expr: Expr, equations: &Equations) -> Option<Vec<Expr>> {
    let mut moving = equations.coordinates.clone();
    moving.extend(&equations.velocities);
    moving.push(equations.time);
    let (mut terms, mut stack) = (Vec::new(), vec![expr]);
    while let Some(expr) = stack.pop() {
        if terms.len() + stack.len() > MAX_TERMS {
            return None;
        }
        match graph.node(expr) {
            Node::Add(a, b) => stack.extend([a, b]),
            Node::Mul(..) => {
                let factors = factors(graph, expr);
                let inner = factors.iter().position(|&factor| {
                    matches!(graph.node(factor), Node::Add(..)) && graph.depends_on(factor, &moving)
                });
                match inner {
                    None => terms.push(expr),
                    Some(inner) => {
                        let Node::Add(a, b) = graph.node(factors[inner]) else { continue };
                        for part in [a, b] {
                            let product = (0..factors.len())
                                .map(|k| if k == inner { part } else { factors[k] });
                            let product: Vec<Expr> = product.collect();
                            let product = graph.product(product);
                            stack.push(product);
                        }
                    }
                }
            }
            _ if graph.is_zero(expr) => {}
            _ => terms.push(expr),
        }
    }
    Some(terms)
}

fn factors(graph: &Graph, product: Expr) -> Vec<Expr> {
    let (mut factors, mut stack) = (Vec::new(), vec![product]);
    while let Some(expr) = stack.pop() {
        match graph.node(expr) {
            Node::Mul(a, b) => stack.extend([a, b]),
            _ => factors.push(expr),
        }
    }
    factors
}

/// Takes the velocity out of a term: its column, its exponent, the other factors.
fn split(
    graph: &mut Graph,
    term: Expr,
    equations: &Equations,
) -> Option<(Option<usize>, i64, Expr)> {
    let (mut velocity, mut exponent, mut rest) = (None, 0, Vec::new());
    for factor in factors(graph, term) {
        let (base, power) = match graph.node(factor) {
            Node::Power(base, power) => (base, graph.as_number(power)),
            _ => (factor, Some(Number::ONE)),
        };
        match equations.velocities.iter().position(|&v| v == base) {
            Some(column) if velocity.is_none() => {
                velocity = Some(column);
                exponent = power?.as_integer()?;
            }
            Some(_) => return None,
            None if graph.depends_on(factor, &equations.velocities) => return None,
            None => rest.push(factor),
        }
    }
    Some((velocity, exponent, graph.product(rest)))
}
