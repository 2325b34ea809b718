//! The exponential function and the natural logarithm.

use super::row::operator;
use super::{Feature, FunctionRow, Rules, Symmetry, Unary};
use crate::{DoubleDouble, Interval, Number};

pub(super) static EXP: FunctionRow = FunctionRow {
    name: "exp",
    style: operator(r"\exp", "exp"),
    rules: Rules::One(Unary {
        value: f64::exp,
        precise_value: DoubleDouble::exp,
        slope: |_, _, value| value,
        symmetry: Symmetry::None,
        rewrite: |graph, x| graph.is_zero(x).then(|| graph.number(Number::ONE)),
        intrinsic: None,
        range: |x| x.rising(f64::exp),
        feature: Feature::Growth,
    }),
};

pub(super) static LOG: FunctionRow = FunctionRow {
    name: "log",
    style: operator(r"\log", "log"),
    rules: Rules::One(Unary {
        value: f64::ln,
        precise_value: DoubleDouble::log,
        slope: |graph, x, _| {
            let one = graph.number(Number::ONE);
            graph.div(one, x)
        },
        symmetry: Symmetry::None,
        rewrite: |graph, x| (graph.as_number(x) == Some(Number::ONE)).then(|| graph.zero()),
        intrinsic: None,
        range: |x| match x.upper > 0.0 {
            true => Interval { lower: x.lower.max(0.0), ..x }.rising(f64::ln),
            false => Interval::WHOLE,
        },
        feature: Feature::Pole,
    }),
};
