//! Arc sine, arc cosine, arc tangent, and the angle of a point.

use super::row::{keep, keep_both, operator};
use super::{Binary, FunctionRow, Rules, Symmetry, Unary};
use crate::{DoubleDouble, Expr, Graph, Number};

pub(super) static ASIN: FunctionRow = FunctionRow {
    name: "asin",
    style: operator(r"\arcsin", "arcsin"),
    rules: Rules::One(Unary {
        value: f64::asin,
        precise_value: DoubleDouble::asin,
        slope: |graph, x, _| reciprocal_of_cosine(graph, x),
        symmetry: Symmetry::Odd,
        rewrite: keep,
        intrinsic: None,
    }),
};

pub(super) static ACOS: FunctionRow = FunctionRow {
    name: "acos",
    style: operator(r"\arccos", "arccos"),
    rules: Rules::One(Unary {
        value: f64::acos,
        precise_value: DoubleDouble::acos,
        slope: |graph, x, _| {
            let slope = reciprocal_of_cosine(graph, x);
            graph.neg(slope)
        },
        symmetry: Symmetry::None,
        rewrite: keep,
        intrinsic: None,
    }),
};

pub(super) static ATAN: FunctionRow = FunctionRow {
    name: "atan",
    style: operator(r"\arctan", "arctan"),
    rules: Rules::One(Unary {
        value: f64::atan,
        precise_value: DoubleDouble::atan,
        slope: |graph, x, _| {
            let one = graph.number(Number::ONE);
            let square = graph.mul(x, x);
            let sum = graph.add(one, square);
            graph.div(one, sum)
        },
        symmetry: Symmetry::Odd,
        rewrite: keep,
        intrinsic: None,
    }),
};

/// atan2(x, y): the angle whose sine goes with x and whose cosine goes with y.
pub(super) static ATAN2: FunctionRow = FunctionRow {
    name: "atan2",
    style: operator(r"\operatorname{atan2}", "atan2"),
    rules: Rules::Two(Binary {
        value: f64::atan2,
        precise_value: DoubleDouble::atan2,
        slopes: [
            |graph, x, y| {
                let square = sum_of_squares(graph, x, y);
                graph.div(y, square)
            },
            |graph, x, y| {
                let square = sum_of_squares(graph, x, y);
                let numerator = graph.neg(x);
                graph.div(numerator, square)
            },
        ],
        rewrite: keep_both,
    }),
};

/// 1/√(1 − x²)
fn reciprocal_of_cosine(graph: &mut Graph, x: Expr) -> Expr {
    let one = graph.number(Number::ONE);
    let square = graph.mul(x, x);
    let rest = graph.sub(one, square);
    graph.power_number(rest, Number::fraction(-1, 2))
}

fn sum_of_squares(graph: &mut Graph, x: Expr, y: Expr) -> Expr {
    let (x_square, y_square) = (graph.mul(x, x), graph.mul(y, y));
    graph.add(x_square, y_square)
}
