//! The terms of the equations sorted by kind: M q̈ + N q̇² + R q̇ + P + f(q, t) = 0.

use crate::Equations;
use crate::present::Presenter;
use catena_symbolic::{Expr, Graph, Node, Number};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Sorts the terms of the first rows of −Q; `None` if one fits nowhere, such as a product of two velocities.
pub(crate) fn sort_terms(
    presenter: &mut Presenter,
    equations: &Equations,
    rows: usize,
) -> Option<SortedTerms> {
    let n = equations.coordinates.len();
    let moving = Moving::new(equations);
    let zero = presenter.graph.zero();
    let mut sorted = SortedTerms {
        quadratic: vec![vec![zero; n]; rows],
        linear: vec![vec![zero; n]; rows],
        static_part: vec![zero; rows],
        timed: vec![zero; rows],
    };
    for (row, &force) in equations.forces[..rows].iter().enumerate() {
        if presenter.is_too_large(force) {
            return None;
        }
        let opposite = presenter.graph.neg(force);
        let simple = presenter.simplified(opposite);
        presenter.must_equal(opposite, simple);
        let graph = &mut presenter.graph;
        for term in moving.terms(graph, simple)? {
            let (velocity, exponent, rest) = moving.split(graph, term)?;
            let slot = match (velocity, exponent) {
                (Some(column), 2) => &mut sorted.quadratic[row][column],
                (Some(column), 1) => &mut sorted.linear[row][column],
                (Some(_), _) => return None,
                (None, _) if any_in(graph, rest, |part| part == equations.time) => {
                    &mut sorted.timed[row]
                }
                (None, _) => &mut sorted.static_part[row],
            };
            *slot = graph.add(*slot, rest);
        }
    }
    Some(sorted)
}

/// Sums with more terms than this are not sorted.
const MAX_TERMS: usize = 1000;

/// What moves, by symbol.
struct Moving {
    /// Coordinates, velocities and time.
    all: FxHashSet<Expr>,
    /// The columns of the velocities.
    velocities: FxHashMap<Expr, usize>,
}

impl Moving {
    fn new(equations: &Equations) -> Moving {
        let mut all: FxHashSet<Expr> = equations.coordinates.iter().copied().collect();
        all.extend(&equations.velocities);
        all.insert(equations.time);
        let columns = equations.velocities.iter().enumerate();
        Moving { all, velocities: columns.map(|(column, &velocity)| (velocity, column)).collect() }
    }

    /// The terms of a sum; a factor in front of a sum of moving terms is multiplied out. `None` if there
    /// are too many.
    fn terms(&self, graph: &mut Graph, expr: Expr) -> Option<Vec<Expr>> {
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
                        matches!(graph.node(factor), Node::Add(..))
                            && any_in(graph, factor, |part| self.all.contains(&part))
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

    /// Takes the velocity out of a term: its column, its exponent, the other factors.
    fn split(&self, graph: &mut Graph, term: Expr) -> Option<(Option<usize>, i64, Expr)> {
        let (mut velocity, mut exponent, mut rest) = (None, 0, Vec::new());
        for factor in factors(graph, term) {
            let (base, power) = match graph.node(factor) {
                Node::Power(base, power) => (base, graph.as_number(power)),
                _ => (factor, Some(Number::ONE)),
            };
            match self.velocities.get(&base) {
                Some(&column) if velocity.is_none() => {
                    velocity = Some(column);
                    exponent = power?.as_integer()?;
                }
                Some(_) => return None,
                None if any_in(graph, factor, |part| self.velocities.contains_key(&part)) => {
                    return None;
                }
                None => rest.push(factor),
            }
        }
        Some((velocity, exponent, graph.product(rest)))
    }
}

/// Whether the predicate holds for a part of the expression.
fn any_in(graph: &Graph, expr: Expr, predicate: impl Fn(Expr) -> bool) -> bool {
    graph.reachable(&[expr]).into_iter().any(predicate)
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
