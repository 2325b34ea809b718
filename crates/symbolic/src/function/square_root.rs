//! The square root: in the graph it is the power ½, so that √x·√x is x where x cannot be negative.

use super::{Feature, FunctionRow, Intrinsic, Rules, Style, Symmetry, Unary};
use crate::{DoubleDouble, Interval, Number};

pub(super) static SQRT: FunctionRow = FunctionRow {
    name: "sqrt",
    style: Style::Root,
    rules: Rules::One(Unary {
        value: f64::sqrt,
        precise_value: DoubleDouble::sqrt,
        slope: |graph, _, value| {
            let half = graph.number(Number::HALF);
            graph.div(half, value)
        },
        symmetry: Symmetry::None,
        rewrite: |graph, x| Some(graph.sqrt(x)),
        intrinsic: Some(Intrinsic::SquareRoot),
        range: Interval::sqrt,
        feature: Feature::Pole,
    }),
};
