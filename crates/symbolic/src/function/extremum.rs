//! The smaller and the larger of two numbers; undefined where one of them is.

use super::row::operator;
use super::{Binary, Function, FunctionRow, Rules};
use crate::{DoubleDouble, Expr, Graph, Interval, Number};

pub(super) static MIN: FunctionRow = FunctionRow {
    name: "min",
    style: operator(r"\min", "min"),
    rules: Rules::Two(Binary {
        value: min,
        precise_value: DoubleDouble::min,
        slopes: [|graph, x, y| weight(graph, y, x), |graph, x, y| weight(graph, x, y)],
        rewrite: |graph, x, y| of_known(graph, x, y, Number::min),
        range: |x, y| Interval { lower: x.lower.min(y.lower), upper: x.upper.min(y.upper) },
        switch: Some(Graph::sub),
    }),
};

pub(super) static MAX: FunctionRow = FunctionRow {
    name: "max",
    style: operator(r"\max", "max"),
    rules: Rules::Two(Binary {
        value: max,
        precise_value: DoubleDouble::max,
        slopes: [|graph, x, y| weight(graph, x, y), |graph, x, y| weight(graph, y, x)],
        rewrite: |graph, x, y| of_known(graph, x, y, Number::max),
        range: |x, y| Interval { lower: x.lower.max(y.lower), upper: x.upper.max(y.upper) },
        switch: Some(Graph::sub),
    }),
};

/// `f64::min` would let a number hide that the other is undefined.
fn min(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.min(y) }
}

fn max(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.max(y) }
}

/// 1 where the first is larger, 0 where it is smaller, ½ where both meet.
fn weight(graph: &mut Graph, larger: Expr, smaller: Expr) -> Expr {
    let difference = graph.sub(larger, smaller);
    let sign = graph.call(Function::SIGN, difference);
    let one = graph.number(Number::ONE);
    let sum = graph.add(one, sign);
    graph.scale(Number::HALF, sum)
}

/// Of two numbers, or of twice the same.
fn of_known(
    graph: &mut Graph,
    x: Expr,
    y: Expr,
    choose: fn(Number, Number) -> Number,
) -> Option<Expr> {
    if let (Some(a), Some(b)) = (graph.as_number(x), graph.as_number(y)) {
        return Some(graph.number(choose(a, b)));
    }
    (x == y).then_some(x)
}
