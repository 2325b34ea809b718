//! An expression as text that the parser reads: for model files that the program writes.

use crate::{Expr, Graph, Node, Number};
use rustc_hash::FxHashMap;

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Sum,
    Product,
    Atom,
}

impl Graph {
    /// The expression as a formula for people, if it is short: `None` where written out it has more than this many parts.
    /// What is shared may make a text grow like 2ⁿ.
    pub fn short_formula_text(&self, expr: Expr, most: usize) -> Option<String> {
        let mut sizes: FxHashMap<Expr, usize> = FxHashMap::default();
        for part in self.reachable(&[expr]) {
            let operands = self.node(part).operands().map(|operand| sizes[&operand]);
            let size = operands.fold(1_usize, usize::saturating_add);
            sizes.insert(part, size);
        }
        (sizes[&expr] <= most).then(|| self.formula_text(expr))
    }

    /// The expression as a formula. What is shared is written out wherever it is used.
    pub fn formula_text(&self, expr: Expr) -> String {
        let mut texts: FxHashMap<Expr, (String, Binding)> = FxHashMap::default();
        for part in self.reachable(&[expr]) {
            let text = |operand: &Expr, least: Binding| {
                let (text, binding) = &texts[operand];
                if *binding < least { format!("({text})") } else { text.clone() }
            };
            let written = match self.node(part) {
                Node::Number(number) => number_text(number),
                Node::Pi => ("pi".to_owned(), Binding::Atom),
                Node::Symbol(symbol) => (self.name(symbol).to_owned(), Binding::Atom),
                Node::Add(a, b) => {
                    let sum =
                        format!("{} + {}", text(&a, Binding::Sum), text(&b, Binding::Product));
                    (sum, Binding::Sum)
                }
                Node::Mul(a, b) => {
                    let product =
                        format!("{}*{}", text(&a, Binding::Product), text(&b, Binding::Atom));
                    (product, Binding::Product)
                }
                Node::Power(a, b) => {
                    let power = format!("{}^{}", text(&a, Binding::Atom), text(&b, Binding::Atom));
                    // a power of a power needs its parentheses
                    (power, Binding::Product)
                }
                Node::Call(function, x) => {
                    let call = format!("{}({})", function.name(), text(&x, Binding::Sum));
                    (call, Binding::Atom)
                }
                Node::Call2(function, x, y) => {
                    let arguments = (text(&x, Binding::Sum), text(&y, Binding::Sum));
                    let call = format!("{}({}, {})", function.name(), arguments.0, arguments.1);
                    (call, Binding::Atom)
                }
            };
            texts.insert(part, written);
        }
        texts.remove(&expr).map_or_else(String::new, |(text, _)| text)
    }
}

fn number_text(number: Number) -> (String, Binding) {
    let size = match number.abs() {
        Number::Fraction(numerator, 1) => (format!("{numerator}"), Binding::Atom),
        Number::Fraction(numerator, denominator) => {
            (format!("{numerator}/{denominator}"), Binding::Product)
        }
        Number::Real(value) => (format!("{value:?}"), Binding::Atom),
    };
    match number.is_negative() {
        true => (format!("-{}", size.0), Binding::Sum),
        false => size,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Graph, parse};

    /// Written and read again, a formula has the same value.
    #[test]
    fn what_is_written_reads_as_the_same_expression() {
        for text in [
            "a + b*t - c/2",
            "-(a - b)*(t + 1)^2",
            "eta*cos(2*pi*f*t)*(2*pi*f)^2",
            "a^(b^2) + (a^b)^2 - a^-3",
            "sqrt(a^2 + 1.5)/atan2(a, -b) + 1e-12*exp(-t)",
            "min(a, b - 3)*0.1",
        ] {
            let value = |name: &str| 0.3 + name.bytes().map(f64::from).sum::<f64>() / 300.0;
            let mut graph = Graph::new();
            let expr = parse(text).unwrap().build_plain(&mut graph);
            let written = graph.formula_text(expr);
            let again = parse(&written).unwrap_or_else(|error| panic!("{written}: {error:?}"));
            let again = again.build_plain(&mut graph);
            let [first, second] = graph.evaluate(&[expr, again], value)[..] else { panic!() };
            assert!((first - second).abs() <= 1e-14 * first.abs(), "{text}: {written}");
        }
    }
}
