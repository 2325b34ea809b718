//! Arc sine, arc cosine, arc tangent, and the angle of a point.

use super::row::{keep, keep_both, operator};
use super::{Binary, Feature, FunctionRow, Rules, Symmetry, Unary};
use crate::{DoubleDouble, Expr, Graph, Interval, Number};
use std::f64::consts::PI;

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
        range: |x| x.meet(Interval::between(-1.0, 1.0)).rising(f64::asin),
        feature: Feature::Even,
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
        range: |x| x.meet(Interval::between(-1.0, 1.0)).falling(f64::acos),
        feature: Feature::Even,
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
        range: |x| x.rising(f64::atan),
        feature: Feature::Step(PI),
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
        range: angle_of_box,
        // the cut beside the negative axis
        switch: Some(|_, x, _| x),
    }),
};

/// The angles of the points of a box: those of its corners, unless the cut or the origin is in it.
fn angle_of_box(x: Interval, y: Interval) -> Interval {
    if x.contains(0.0) && y.lower <= 0.0 {
        return Interval::between(-PI, PI).rising(|angle| angle);
    }
    let angle = |x: f64, y: f64| Interval::point(x.atan2(y));
    let corners = angle(x.lower, y.lower).hull(angle(x.lower, y.upper));
    corners.hull(angle(x.upper, y.lower)).hull(angle(x.upper, y.upper)).rising(|angle| angle)
}

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
