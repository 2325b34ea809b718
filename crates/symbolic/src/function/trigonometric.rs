//! Sine, cosine and tangent.

use super::row::{keep, operator};
use super::{Feature, Function, FunctionRow, Intrinsic, Rules, Symmetry, Unary};
use crate::{DoubleDouble, Expr, Graph, Interval, Number};

pub(super) static SIN: FunctionRow = FunctionRow {
    name: "sin",
    style: operator(r"\sin", "sin"),
    rules: Rules::One(Unary {
        value: f64::sin,
        precise_value: DoubleDouble::sin,
        slope: |graph, x, _| graph.call(Function::COS, x),
        symmetry: Symmetry::Odd,
        rewrite: |graph, x| sine_of_quarter_turns(graph, x, 0),
        intrinsic: Some(Intrinsic::Sine),
        range: Interval::sin,
        feature: Feature::Period,
    }),
};

pub(super) static COS: FunctionRow = FunctionRow {
    name: "cos",
    style: operator(r"\cos", "cos"),
    rules: Rules::One(Unary {
        value: f64::cos,
        precise_value: DoubleDouble::cos,
        slope: |graph, x, _| {
            let sine = graph.call(Function::SIN, x);
            graph.neg(sine)
        },
        symmetry: Symmetry::Even,
        rewrite: |graph, x| sine_of_quarter_turns(graph, x, 1),
        intrinsic: Some(Intrinsic::Cosine),
        range: Interval::cos,
        feature: Feature::Period,
    }),
};

pub(super) static TAN: FunctionRow = FunctionRow {
    name: "tan",
    style: operator(r"\tan", "tan"),
    rules: Rules::One(Unary {
        value: f64::tan,
        precise_value: DoubleDouble::tan,
        slope: |graph, _, value| {
            let one = graph.number(Number::ONE);
            let square = graph.mul(value, value);
            graph.add(one, square)
        },
        symmetry: Symmetry::Odd,
        rewrite: keep,
        intrinsic: None,
        range: Interval::tan,
        feature: Feature::Poles(|graph, x| graph.call(Function::COS, x)),
    }),
};

/// The sine of x plus `more` quarter turns, if x is a whole number of quarter turns itself.
fn sine_of_quarter_turns(graph: &mut Graph, x: Expr, more: i64) -> Option<Expr> {
    let half_turns = if graph.is_zero(x) { Number::ZERO } else { graph.as_multiple_of_pi(x)? };
    let turns = half_turns.checked_mul(Number::from(2))?.as_integer()?;
    let sine = [0, 1, 0, -1][(turns.rem_euclid(4) + more) as usize % 4];
    Some(graph.number(Number::from(sine)))
}
