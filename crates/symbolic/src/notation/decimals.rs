//! Numbers as the user wrote them: 0.15 stays a decimal, 3/20 a fraction. The graph keeps both as one exact number.

use super::Notation;
use crate::number::greatest_common_divisor;
use crate::{Formula, FormulaNode, Number, Operator};
use rustc_hash::FxHashSet;

/// The numbers that formulas have as decimals, and those that they have as fractions.
#[derive(Clone, Debug, Default)]
pub struct Decimals {
    decimals: FxHashSet<(i64, i64)>,
    fractions: FxHashSet<(i64, i64)>,
}

impl Decimals {
    /// Takes the numbers of a formula down.
    pub fn add(&mut self, formula: &Formula) {
        let nodes = formula.nodes();
        for node in nodes {
            match *node {
                FormulaNode::Number(number) => self.decimals.extend(broken(number)),
                FormulaNode::Binary(Operator::Divide, x, y) => {
                    if let (FormulaNode::Number(x), FormulaNode::Number(y)) = (&nodes[x], &nodes[y])
                        && let Some(quotient) =
                            y.power(-1).and_then(|inverse| x.checked_mul(inverse))
                    {
                        self.fractions.extend(broken(quotient));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a fraction is written as a decimal: the user did, or it comes from decimals, as 3/10 does from 2·0.15.
    fn writes(&self, (numerator, denominator): (i64, i64)) -> bool {
        let own = (numerator, denominator);
        if self.fractions.contains(&own) || self.decimals.contains(&own) {
            return !self.fractions.contains(&own);
        }
        let of_tenths = |&(_, denominator): &(i64, i64)| denominator % 5 == 0;
        let comes_from_fraction = self.fractions.iter().any(|other| differ_by_twos(own, *other));
        of_tenths(&own)
            && is_decimal(denominator)
            && self.decimals.iter().any(of_tenths)
            && !comes_from_fraction
    }
}

/// Whether one is the other times a power of 2, as derivatives of squares and halves of sums leave it.
fn differ_by_twos((a, b): (i64, i64), (c, d): (i64, i64)) -> bool {
    let [x, y] = [i128::from(a) * i128::from(d), i128::from(b) * i128::from(c)];
    let divisor = greatest_common_divisor(x, y).max(1);
    let is_power = |value: i128| u128::try_from(value).is_ok_and(u128::is_power_of_two);
    is_power(x / divisor) && is_power(y / divisor)
}

/// Numerator and denominator of what is no whole number, without its sign.
fn broken(number: Number) -> Option<(i64, i64)> {
    match number {
        Number::Fraction(_, 1) | Number::Real(_) => None,
        Number::Fraction(numerator, denominator) => Some((numerator.checked_abs()?, denominator)),
    }
}

/// Whether a fraction with this denominator has an end as a decimal.
fn is_decimal(mut denominator: i64) -> bool {
    for prime in [2, 5] {
        while denominator % prime == 0 {
            denominator /= prime;
        }
    }
    denominator == 1
}

impl Notation {
    /// The same with decimals where the user wrote some.
    #[must_use]
    pub fn with_decimals(self, decimals: &Decimals) -> Notation {
        let all = |parts: Vec<Notation>| -> Vec<Notation> {
            parts.into_iter().map(|part| part.with_decimals(decimals)).collect()
        };
        let one = |part: Box<Notation>| Box::new(part.with_decimals(decimals));
        match self {
            Notation::Number(number) => match broken(number) {
                Some(own) if decimals.writes(own) => {
                    Notation::Number(Number::Real(number.to_f64()))
                }
                _ => Notation::Number(number),
            },
            Notation::Sum(terms) => Notation::Sum(all(terms)),
            Notation::Negative(x) => Notation::Negative(one(x)),
            Notation::Product(factors) => Notation::Product(all(factors)),
            Notation::Fraction(x, y) => Notation::Fraction(one(x), one(y)),
            Notation::Power(x, y) => Notation::Power(one(x), one(y)),
            Notation::Root(x) => Notation::Root(one(x)),
            Notation::Call(function, arguments) => Notation::Call(function, all(arguments)),
            Notation::Degrees(x) => Notation::Degrees(one(x)),
            Notation::Equation(sides) => Notation::Equation(all(sides)),
            Notation::Matrix(rows) => Notation::Matrix(rows.into_iter().map(all).collect()),
            Notation::Partial(x, y) => Notation::Partial(one(x), one(y)),
            Notation::TimeDerivative(x) => Notation::TimeDerivative(one(x)),
            Notation::Indexed(x, y) => Notation::Indexed(one(x), one(y)),
            Notation::Transposed(x) => Notation::Transposed(one(x)),
            other @ (Notation::Pi
            | Notation::Name(_)
            | Notation::Position(_)
            | Notation::Elided) => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Graph, parse};

    /// A formula through the graph and back.
    fn printed(text: &str, others: &[&str]) -> String {
        let formula = parse(text).expect("a formula");
        let mut decimals = Decimals::default();
        decimals.add(&formula);
        others.iter().for_each(|text| decimals.add(&parse(text).expect("a formula")));
        let mut graph = Graph::new();
        let expr = formula.build_plain(&mut graph);
        Notation::of(&graph, expr).with_decimals(&decimals).to_text()
    }

    #[test]
    fn decimals_stay_decimals_and_fractions_fractions() {
        assert_eq!(printed("0.15*x", &[]), "0.15 x");
        assert_eq!(printed("3/20*x", &[]), "(3/20) x");
        assert_eq!(printed("1/2*m*x", &["0.15"]), printed("1/2*m*x", &[]));
        assert_eq!(printed("2*0.15*x", &[]), "0.3 x");
        assert_eq!(printed("2/5*m*x", &["0.3"]), printed("2/5*m*x", &[]));
        assert_eq!(printed("2*2/5*m*x", &["0.15", "2/5"]), "(4/5) m x");
        assert_eq!(printed("9.81*0.15*x", &["2/5"]), "1.4715 x");
        assert_eq!(printed("m*x/3", &["0.3"]), printed("m*x/3", &[]));
    }
}
