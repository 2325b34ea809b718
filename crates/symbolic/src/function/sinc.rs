//! sinc x = sin x / x, which is 1 at 0, and its derivatives.
//!
//! # Equations
//! With Dₙ the n-th derivative, n derivatives of x sinc x = sin x give
//!
//! x Dₙ + n Dₙ₋₁ = sin⁽ⁿ⁾ x
//!
//! Upward, Dₙ = (sin⁽ⁿ⁾ x − n Dₙ₋₁)/x multiplies errors by n/x: it is used where |x| > n. Elsewhere the same relation is
//! used downward, Dₙ₋₁ = (sin⁽ⁿ⁾ x − x Dₙ)/n, from an order so high that what Dₙ is there no longer matters. It divides by
//! no x, so that 0 is a point like any other: (cos x − sinc x)/x would lose all digits there.

use super::row::{keep_both, operator};
use super::{Binary, Feature, Function, FunctionRow, Rules, Symmetry, Unary};
use crate::{DoubleDouble, Interval, Number};
use std::ops::{Div, Mul, Neg, Sub};

pub(super) static SINC: FunctionRow = FunctionRow {
    name: "sinc",
    style: operator(r"\operatorname{sinc}", "sinc"),
    rules: Rules::One(Unary {
        value: |x| if x == 0.0 { 1.0 } else { x.sin() / x },
        precise_value: |x| if x == DoubleDouble::ZERO { DoubleDouble::ONE } else { x.sin() / x },
        slope: |graph, x, _| {
            let one = graph.number(Number::ONE);
            graph.call2(DERIVATIVE, one, x)
        },
        symmetry: Symmetry::Even,
        rewrite: |graph, x| graph.is_zero(x).then(|| graph.number(Number::ONE)),
        intrinsic: None,
        range: |x| {
            let near = Interval::between(-0.25, 1.0);
            match x.contains(0.0) {
                true => near,
                false => (x.sin() / x).meet(near),
            }
        },
        feature: Feature::Period,
    }),
};

/// dsinc(n, x): the n-th derivative of sinc at x; NaN if n is not a whole number from 0 to [`MAX_ORDER`].
pub(super) static DSINC: FunctionRow = FunctionRow {
    name: "dsinc",
    style: operator(r"\operatorname{dsinc}", "dsinc"),
    rules: Rules::Two(Binary {
        value: |n, x| whole(n).map_or(f64::NAN, |n| derivative(n, x, x.abs(), x.sin_cos(), 1e-20)),
        precise_value: |n, x| {
            let order = if n == n.to_f64().into() { whole(n.to_f64()) } else { None };
            order.map_or(f64::NAN.into(), |n| {
                derivative(n, x, x.to_f64().abs(), (x.sin(), x.cos()), 1e-36)
            })
        },
        slopes: [
            // a whole number does not move
            |graph, _, _| graph.zero(),
            |graph, n, x| {
                let one = graph.number(Number::ONE);
                let next = graph.add(n, one);
                graph.call2(DERIVATIVE, next, x)
            },
        ],
        rewrite: keep_both,
        // |Dₙ| ≤ 1/(n + 1)
        range: |n, _| match n.lower >= 0.0 {
            true => Interval::between(-1.0, 1.0),
            false => Interval::WHOLE,
        },
        switch: None,
    }),
};

/// Derivatives of a higher order are nobody's equations of motion.
const MAX_ORDER: f64 = 64.0;

/// The function of all derivatives.
const DERIVATIVE: Function = Function::named("dsinc");

/// The order of a derivative, if the number is one.
fn whole(order: f64) -> Option<usize> {
    ((0.0..=MAX_ORDER).contains(&order) && order.fract() == 0.0).then_some(order as usize)
}

/// Dₙ from x, |x|, and sine and cosine of x; what is left out is `negligible` relative to Dₙ.
fn derivative<T>(n: usize, x: T, size: f64, (sine, cosine): (T, T), negligible: f64) -> T
where
    T: Copy + From<f64> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Neg<Output = T>,
{
    let sine_derivative = |order: usize| match order % 4 {
        0 => sine,
        1 => cosine,
        2 => -sine,
        _ => -cosine,
    };
    let number = |order: usize| T::from(order as f64);
    if size > n as f64 {
        let upward = |last: T, n: usize| (sine_derivative(n) - number(n) * last) / x;
        return (1..=n).fold(sine / x, upward);
    }
    let (mut top, mut weight) = (n, 1.0);
    // derivatives of odd order are no larger than x
    while weight > negligible * size.min(1.0) {
        top += 1;
        weight *= size / top as f64;
    }
    let downward = |next: T, n: usize| (sine_derivative(n) - x * next) / number(n);
    (n + 1..=top).rev().fold(T::from(0.0), downward)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Graph, Notation, parse};

    /// x, then sinc and its first four derivatives there, computed with 400 digits.
    #[expect(clippy::excessive_precision, reason = "as computed")]
    #[rustfmt::skip]
    const VALUES: [(f64, [f64; 5]); 10] = [
        (0.0, [1.0, 0.0, -0.33333333333333333333, 0.0, 0.2]),
        (1e-200, [1.0, -3.3333333333333333333e-201, -0.33333333333333333333, 2.0e-201, 0.2]),
        (1e-8, [0.99999999999999998333, -3.3333333333333333697e-9, -0.33333333333333332333, 2.000000000000000018e-9, 0.19999999999999999286]),
        (0.001, [0.99999983333334166667, -0.00033333330000000119742, -0.33333323333333928571, 0.00019999997619047712057, 0.19999992857143320106]),
        (0.1, [0.99833416646828152288, -0.033300011902557571571, -0.33233392841713012844, 0.019976199733646196715, 0.19928617712243369864]),
        (-0.75, [0.90885168003111222231, 0.23621708154305511467, -0.27893946258296524987, -0.14017269183343315106, 0.16126399025280208331]),
        (1.0, [0.84147098480789650665, -0.30116867893975678925, -0.23913362692838292815, 0.17709857491700906705, 0.13307668513986023846]),
        (2.5, [0.23938885764158259762, -0.41621298927540652498, 0.093581533778742622365, 0.2081596056842823391, -0.093666511453269144933]),
        (10.0, [-0.05440211108893698134, -0.078466941798751547092, 0.070095499448687290759, 0.062878503073039057998, -0.07955351231815260454]),
        (100.0, [-0.0050636564110975879366, 0.0086738252869878152204, 0.0048901799053578316322, -0.00876989412003757429, -0.004712860646296084965]),
    ];

    #[test]
    fn value_and_derivatives_keep_their_digits_near_zero_and_far_from_it() {
        let mut graph = Graph::new();
        let x = graph.symbol("x");
        let mut derivatives = vec![parse("sinc(x)").unwrap().build_plain(&mut graph)];
        for order in 0..4 {
            derivatives.push(graph.derivative(derivatives[order], x));
        }
        for (x, expected) in VALUES {
            let found = graph.evaluate(&derivatives, |_| x);
            for (order, (found, expected)) in found.into_iter().zip(expected).enumerate() {
                let error = (found - expected).abs();
                assert!(error <= 2e-15 * expected.abs(), "order {order} at {x}: off by {error:e}");
            }
        }
    }

    #[test]
    fn the_precise_value_is_good_to_thirty_digits() {
        // order, x, and the derivative in two parts, computed with 400 digits
        #[rustfmt::skip]
        let values = [
            (0, 0.125, 0.9973978670818215, -2.3407579968462865e-17),
            (1, 0.0009765625, -0.0003255208022892486, 1.600490788644691e-20),
            (1, 0.75, -0.23621708154305512, 9.39437039177072e-18),
            (1, 3.5, -0.23892368798597285, 1.104183090637076e-17),
            (2, 0.125, -0.3317722859627858, -1.0679341542143779e-17),
            (2, 2.0, -0.01925093843284923, 4.911385485738163e-19),
            (3, 1.5, 0.22637392579434462, 9.131845089289103e-18),
            (5, 10.0, -0.044130396748568945, 2.2750259519632464e-18),
        ];
        for (order, x, high, low) in values {
            let found = DERIVATIVE.evaluate_precisely(f64::from(order).into(), x.into());
            let error = (found - high.into() - low.into()).to_f64().abs();
            assert!(error <= 1e-30, "order {order} at {x}: off by {error:e}");
        }
        let sinc = Function::named("sinc").evaluate_precisely(0.125.into(), DoubleDouble::ZERO);
        let derivative = DERIVATIVE.evaluate_precisely(DoubleDouble::ZERO, 0.125.into());
        assert!((sinc - derivative).to_f64().abs() < 1e-31);
    }

    #[test]
    fn an_order_that_is_no_whole_number_has_no_derivative() {
        for order in [-1.0, 0.5, MAX_ORDER + 1.0, f64::INFINITY, f64::NAN] {
            assert!(DERIVATIVE.evaluate(order, 1.0).is_nan(), "{order}");
        }
    }

    #[test]
    fn sinc_and_its_derivative_are_written_in_every_notation() {
        let mut graph = Graph::new();
        let x = graph.symbol("x");
        let value = parse("y*sinc(-x)^2").unwrap().build_plain(&mut graph);
        let notation = Notation::of(&graph, value);
        assert_eq!(notation.to_text(), "y sinc(x)²");
        assert_eq!(notation.to_latex(), r"y\,\operatorname{sinc}^{2} x");
        assert!(notation.to_mathml().contains("<msup><mi>sinc</mi><mn>2</mn></msup>"));
        let slope = graph.derivative(value, x);
        assert_eq!(Notation::of(&graph, slope).to_formula(), "2*y*sinc(x)*dsinc(1, x)");
    }
}
