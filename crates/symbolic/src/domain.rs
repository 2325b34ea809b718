//! Where expressions are defined: what the graph may join without giving a value to what has none.
//!
//! - A root of a negative number is undefined, and so is every power of it: √y⁴ is y² only where y cannot be negative.
//! - A number divided by the number 0 is undefined, whatever it is multiplied with.
//! - A factor above and below the line cancels: z/z is 1 and 0/z is 0. At z = 0 that is the limit.

use crate::{Expr, Function, Graph, Node, Number};

/// Expressions are looked into up to this many nodes.
const MAX_EXAMINED_NODES: usize = 100;

impl Graph {
    /// Whether a power of the base, joined from powers of which one has this exponent, is undefined where they are.
    pub(crate) fn keeps_domain(&self, base: Expr, exponent: Expr, joined: Number) -> bool {
        let is_root = self.as_number(exponent).is_some_and(|number| number.as_integer().is_none());
        !is_root || joined.as_integer().is_none() || self.is_never_negative(base)
    }

    /// Whether the expression is a product with the reciprocal of the number 0 among its first factors.
    pub(crate) fn divides_by_zero(&self, expr: Expr) -> bool {
        let mut stack = vec![expr];
        let mut examined = 0;
        while let Some(expr) = stack.pop() {
            examined += 1;
            match self.node(expr) {
                Node::Power(base, exponent)
                    if self.is_zero(base)
                        && self.as_number(exponent).is_some_and(Number::is_negative) =>
                {
                    return true;
                }
                Node::Mul(a, b) if examined < MAX_EXAMINED_NODES => stack.extend([a, b]),
                _ => {}
            }
        }
        false
    }

    /// Whether the expression is seen to be 0 or more wherever it is defined: squares, roots, sums and products of such.
    pub(crate) fn is_never_negative(&self, expr: Expr) -> bool {
        let mut stack = vec![expr];
        let mut examined = 0;
        while let Some(expr) = stack.pop() {
            examined += 1;
            if examined > MAX_EXAMINED_NODES {
                return false;
            }
            match self.node(expr) {
                Node::Number(number) if !number.is_negative() => {}
                Node::Pi | Node::Call(Function::EXP | Function::COSH | Function::ABS, _) => {}
                Node::Add(a, b) | Node::Mul(a, b) => stack.extend([a, b]),
                Node::Power(base, exponent) => {
                    match self.as_number(exponent).map(Number::as_integer) {
                        // an even power, or a root
                        Some(None) => {}
                        Some(Some(whole)) if whole % 2 == 0 => {}
                        _ => stack.push(base),
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{Graph, parse};

    fn value(text: &str, y: f64) -> f64 {
        let mut graph = Graph::new();
        let expr = parse(text).unwrap().build_plain(&mut graph);
        graph.evaluate(&[expr], |_| y)[0]
    }

    #[test]
    fn powers_of_a_root_are_undefined_where_the_root_is() {
        for text in [
            "sqrt(y)^2",
            "sqrt(y)^4",
            "sqrt(y)*sqrt(y)",
            "sqrt(y)/sqrt(y)",
            "(y^1.5)^2",
            "y^0.5*y^1.5",
        ] {
            assert!(value(text, -4.0).is_nan(), "{text} is {}", value(text, -4.0));
            assert!(value(text, 4.0).is_finite(), "{text}");
        }
    }

    #[test]
    fn roots_of_what_cannot_be_negative_join() {
        let mut graph = Graph::new();
        for (root, square) in [
            ("sqrt(x^2 + y^2)^2", "x^2 + y^2"),
            ("sqrt(exp(x)*y^4)^4", "(exp(x)*y^4)^2"),
            ("sqrt(abs(y))*sqrt(abs(y))", "abs(y)"),
            ("sqrt(2)^2", "2"),
        ] {
            let [root, square] =
                [root, square].map(|text| parse(text).unwrap().build_plain(&mut graph));
            assert_eq!(root, square);
        }
    }

    #[test]
    fn a_division_by_the_number_zero_stays_undefined() {
        for text in ["0/0", "0*(1/0)", "2*(0/0)", "0/0 - 0/0", "y*0/0", "0*(y/0)", "max(0/0, y)"] {
            assert!(value(text, 3.0).is_nan(), "{text} is {}", value(text, 3.0));
        }
    }

    #[test]
    fn a_factor_above_and_below_the_line_cancels_also_at_zero() {
        for (text, limit) in [("y/y", 1.0), ("0/y", 0.0), ("y^3/y", 0.0), ("y/y^2*y", 1.0)] {
            assert_eq!(value(text, 0.0), limit, "{text}");
        }
        assert!(value("sin(y)/y", 0.0).is_nan());
        assert!(value("1/y", 0.0).is_infinite());
    }
}
