//! The absolute value and its derivative, the sign.

use super::row::operator;
use super::{Feature, Function, FunctionRow, Rules, Style, Symmetry, Unary};
use crate::{DoubleDouble, Graph, Interval, Number};

pub(super) static ABS: FunctionRow = FunctionRow {
    name: "abs",
    style: Style::Bars,
    rules: Rules::One(Unary {
        value: f64::abs,
        precise_value: DoubleDouble::abs,
        slope: |graph, x, _| graph.call(Function::SIGN, x),
        symmetry: Symmetry::Even,
        rewrite: |graph, x| {
            let size = graph.as_number(x)?.abs();
            Some(graph.number(size))
        },
        intrinsic: None,
        range: Interval::abs,
        feature: Feature::Switch(|_, x| x),
    }),
};

/// −1, 0 or 1.
pub(super) static SIGN: FunctionRow = FunctionRow {
    name: "sign",
    style: operator(r"\operatorname{sign}", "sign"),
    rules: Rules::One(Unary {
        value: sign,
        precise_value: DoubleDouble::sign,
        slope: |graph: &mut Graph, _, _| graph.zero(),
        symmetry: Symmetry::Odd,
        rewrite: |graph, x| match graph.as_number(x)? {
            number if number.is_zero() => Some(graph.zero()),
            number if number.is_negative() => Some(graph.number(Number::MINUS_ONE)),
            _ => Some(graph.number(Number::ONE)),
        },
        intrinsic: None,
        range: |x| Interval { lower: sign(x.lower), upper: sign(x.upper) },
        feature: Feature::Switch(|_, x| x),
    }),
};

/// `f64::signum` of 0 is 1; the sign of nothing is 0.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
