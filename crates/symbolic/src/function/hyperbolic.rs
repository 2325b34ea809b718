//! Hyperbolic sine, cosine and tangent.

use super::row::{keep, operator};
use super::{Feature, Function, FunctionRow, Rules, Symmetry, Unary};
use crate::{DoubleDouble, Number};

pub(super) static SINH: FunctionRow = FunctionRow {
    name: "sinh",
    style: operator(r"\sinh", "sinh"),
    rules: Rules::One(Unary {
        value: f64::sinh,
        precise_value: DoubleDouble::sinh,
        slope: |graph, x, _| graph.call(Function::COSH, x),
        symmetry: Symmetry::Odd,
        rewrite: keep,
        intrinsic: None,
        range: |x| x.rising(f64::sinh),
        feature: Feature::GrowthBothWays,
    }),
};

pub(super) static COSH: FunctionRow = FunctionRow {
    name: "cosh",
    style: operator(r"\cosh", "cosh"),
    rules: Rules::One(Unary {
        value: f64::cosh,
        precise_value: DoubleDouble::cosh,
        slope: |graph, x, _| graph.call(Function::SINH, x),
        symmetry: Symmetry::Even,
        rewrite: |graph, x| graph.is_zero(x).then(|| graph.number(Number::ONE)),
        intrinsic: None,
        range: |x| x.abs().rising(f64::cosh),
        feature: Feature::GrowthBothWays,
    }),
};

pub(super) static TANH: FunctionRow = FunctionRow {
    name: "tanh",
    style: operator(r"\tanh", "tanh"),
    rules: Rules::One(Unary {
        value: f64::tanh,
        precise_value: DoubleDouble::tanh,
        slope: |graph, _, value| {
            let one = graph.number(Number::ONE);
            let square = graph.mul(value, value);
            graph.sub(one, square)
        },
        symmetry: Symmetry::Odd,
        rewrite: keep,
        intrinsic: None,
        range: |x| x.rising(f64::tanh),
        feature: Feature::Step(2.0),
    }),
};
