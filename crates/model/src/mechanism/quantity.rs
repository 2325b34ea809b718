//! Constants of a mechanism, and sums of products written as text: formulas that people can read
//! leave out what is zero or one.

use crate::source::Place;
use catena_symbolic::{Formula, FormulaNode, parse};

/// A constant: a number, or a formula of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Its value as a formula of parameters.
    pub formula: Formula,
    pub(super) text: String,
    pub(super) place: Place,
}

impl Quantity {
    /// A constant that the mechanism writes by itself.
    pub(super) fn generated(text: &str, place: &Place) -> Quantity {
        let formula = parse(text).expect("a mechanism writes well-formed formulas");
        Quantity {
            formula: formula.placed_at(&place.span),
            text: text.to_owned(),
            place: place.clone(),
        }
    }

    pub(super) fn zero(place: &Place) -> Quantity {
        Quantity::generated("0", place)
    }

    /// Whether it is the number 0, whatever the parameters are.
    pub(super) fn is_zero(&self) -> bool {
        matches!(self.formula.nodes(), [FormulaNode::Number(number)] if number.is_zero())
    }

    /// Its value, if it is a plain number.
    pub(super) fn as_number(&self) -> Option<f64> {
        match self.formula.nodes() {
            [FormulaNode::Number(number)] => Some(number.to_f64()),
            [FormulaNode::Number(number), FormulaNode::Negate(0)] => Some(-number.to_f64()),
            _ => None,
        }
    }

    /// The text as a factor of a product.
    pub(super) fn factor(&self) -> String {
        let text = self.text.trim();
        // only products and quotients of plain things can be factors as they are
        match text.contains(['+', '-', '−', '^']) || text.contains("deg") {
            true => format!("({text})"),
            false => text.to_owned(),
        }
    }

    /// Whether a minus stands before it, and the rest as a factor.
    fn signed_factor(&self) -> (bool, String) {
        let rest = self.text.trim().strip_prefix('-').map(str::trim);
        let is_product =
            |text: &&str| !text.contains(['+', '-', '−', '^']) && !text.contains("deg");
        match rest.filter(is_product) {
            Some(rest) => (true, rest.to_owned()),
            None => (false, self.factor()),
        }
    }

    /// This less another one.
    pub(super) fn less(&self, other: &Quantity) -> Quantity {
        if other.is_zero() {
            return self.clone();
        }
        let sum = Sum::default().plus(&[&self.factor()]).minus(&[&other.factor()]);
        Quantity::generated(&sum.text(), &self.place)
    }

    /// Its value with these parameters.
    pub fn value(&self, parameter: impl Fn(&str) -> Option<f64>) -> f64 {
        self.formula.evaluate(|name, _| parameter(name).unwrap_or(f64::NAN))
    }
}

/// A sum of products.
#[derive(Default)]
pub(super) struct Sum {
    text: String,
}

impl Sum {
    pub(super) fn plus(self, factors: &[&str]) -> Sum {
        self.add(false, factors)
    }

    pub(super) fn minus(self, factors: &[&str]) -> Sum {
        self.add(true, factors)
    }

    /// Takes a constant times a factor off, or adds it; a minus before the constant goes before the
    /// product.
    pub(super) fn with(self, taken_off: bool, constant: &Quantity, factor: &str) -> Sum {
        let (negative, size) = constant.signed_factor();
        self.add(negative != taken_off, &[&size, factor])
    }

    /// Factors are names, numbers, products or stand in parentheses.
    fn add(mut self, mut negative: bool, factors: &[&str]) -> Sum {
        let mut product: Vec<&str> = Vec::new();
        for factor in factors {
            let inside = factor.trim_matches(['(', ')']);
            match inside.parse::<f64>() {
                Ok(0.0) => return self,
                Ok(1.0) => {}
                Ok(-1.0) => negative = !negative,
                _ => product.push(factor),
            }
        }
        self.text += match (self.text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        self.text += &if product.is_empty() { "1".to_owned() } else { product.join("*") };
        self
    }

    /// The sum, 0 if nothing is left of it.
    pub(super) fn text(self) -> String {
        if self.text.is_empty() { "0".to_owned() } else { self.text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_vanish_and_ones_are_not_written() {
        let sum = Sum::default().plus(&["x"]).plus(&["1", "cos(a)"]).minus(&["0", "sin(a)"]);
        assert_eq!(sum.text(), "x + cos(a)");
        let sum = Sum::default().plus(&["(-1)", "y"]).minus(&["-1", "z"]).plus(&["(-0.5)", "w"]);
        assert_eq!(sum.text(), "-y + z + (-0.5)*w");
        assert_eq!(Sum::default().minus(&["0.0", "x"]).text(), "0");
        let half = Quantity::generated("-l/2", &Place::default());
        let sum = Sum::default().with(true, &half, "cos(a)").with(false, &half, "sin(a)");
        assert_eq!(sum.text(), "l/2*cos(a) - l/2*sin(a)");
    }

    #[test]
    fn a_sum_stands_in_parentheses_where_it_is_a_factor() {
        let quantity = |text| Quantity::generated(text, &Place::default());
        assert_eq!(quantity("a + b").factor(), "(a + b)");
        assert_eq!(quantity("-a").factor(), "(-a)");
        assert_eq!(quantity("2^-1").factor(), "(2^-1)");
        assert_eq!(quantity("60 deg").factor(), "(60 deg)");
        assert_eq!(quantity("l/2").factor(), "l/2");
        assert_eq!(quantity("a").less(&quantity("b - c")).text, "a - (b - c)");
        assert_eq!(quantity("a").less(&quantity("0")).text, "a");
    }
}
