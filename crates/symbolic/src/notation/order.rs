//! The order of terms and factors: numbers, constants, functions, then what moves fastest last.

use crate::{Expr, Graph, Node, Number};

/// The terms of a sum with numbers in front of inner sums multiplied out: accelerations first, then
/// powers of velocities, positions, time, numbers.
pub(super) fn terms(graph: &Graph, sum: Expr) -> Vec<(Number, Expr)> {
    let mut terms = Vec::new();
    let mut stack = vec![(Number::ONE, sum)];
    while let Some((factor, expr)) = stack.pop() {
        match graph.node(expr) {
            Node::Add(a, b) => stack.extend([(factor, b), (factor, a)]),
            Node::Mul(number, rest) if matches!(graph.node(rest), Node::Add(..)) => {
                match graph.as_number(number).and_then(|number| number.checked_mul(factor)) {
                    Some(product) => stack.push((product, rest)),
                    None => terms.push((factor, expr)),
                }
            }
            _ => terms.push((factor, expr)),
        }
    }
    terms.sort_by_cached_key(|&(_, term)| term_key(graph, term));
    terms
}

/// The factors of a product as base and exponent (none for 1), in reading order.
pub(super) fn factors(graph: &Graph, product: Expr) -> Vec<(Expr, Option<Expr>)> {
    let mut factors = Vec::new();
    let mut stack = vec![product];
    while let Some(expr) = stack.pop() {
        match graph.node(expr) {
            Node::Mul(a, b) => stack.extend([b, a]),
            Node::Power(base, exponent) => factors.push((base, Some(exponent))),
            _ => factors.push((expr, None)),
        }
    }
    factors.sort_by_cached_key(|&(base, _)| factor_key(graph, base));
    factors
}

/// Rank of the kind of factor, then the order of the symbols.
fn factor_key(graph: &Graph, base: Expr) -> (u8, Vec<usize>) {
    let rank = match graph.node(base) {
        Node::Number(_) => 0,
        Node::Pi => 1,
        Node::Symbol(symbol) if graph.name(symbol).ends_with('\'') => 5,
        Node::Symbol(_) => 2,
        Node::Add(..) | Node::Mul(..) => 3,
        Node::Power(..) | Node::Call(..) | Node::Call2(..) => 4,
    };
    (rank, symbols(graph, base))
}

/// Symbols in the order of their numbers.
fn symbols(graph: &Graph, expr: Expr) -> Vec<usize> {
    let mut symbols: Vec<usize> = graph
        .reachable(&[expr])
        .into_iter()
        .filter_map(|e| graph.as_symbol(e).map(|s| s.index()))
        .collect();
    symbols.sort_unstable();
    symbols
}

type TermKey = (std::cmp::Reverse<(usize, i64)>, bool, bool, Option<usize>, Vec<usize>, Expr);

fn term_key(graph: &Graph, term: Expr) -> TermKey {
    let (mut order, mut degree, mut call) = (0, 0_i64, false);
    for (base, exponent) in factors(graph, term) {
        match graph.node(base) {
            Node::Symbol(symbol) => {
                let name = graph.name(symbol);
                let primes = name.len() - name.trim_end_matches('\'').len();
                order = order.max(primes);
                if primes > 0 {
                    let number = exponent.and_then(|exponent| graph.as_number(exponent));
                    degree += number.and_then(Number::as_integer).unwrap_or(1);
                }
            }
            Node::Call(..) | Node::Call2(..) => call = true,
            _ => {}
        }
    }
    let symbols = symbols(graph, term);
    let number = symbols.is_empty();
    // accelerations first, then velocities by their degree; among equals the term that needs the
    // later symbol comes later, which sorts a row of a matrix by its columns and puts time last
    let last = symbols.last().copied();
    let degree = if order == 1 { degree } else { 0 };
    (std::cmp::Reverse((order, degree)), number, call, last, symbols, term)
}
