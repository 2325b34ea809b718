//! Writing in the syntax of model files, so that what was derived can be read again.

use super::{Binding, Notation, position_text, real_text, signed_terms};
use crate::Number;

impl Notation {
    /// The text in the syntax of model files. Matrices, equations and derivative signs, which model
    /// files do not have, are written as lists and names.
    pub fn to_formula(&self) -> String {
        write(self).0
    }
}

fn grouped(notation: &Notation, least: Binding) -> String {
    let (text, binding) = write(notation);
    if binding < least { format!("({text})") } else { text }
}

fn joined<'a>(parts: impl IntoIterator<Item = &'a Notation>, separator: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| write(part).0).collect();
    parts.join(separator)
}

fn write(notation: &Notation) -> (String, Binding) {
    match notation {
        Notation::Number(Number::Fraction(numerator, 1)) => (numerator.to_string(), Binding::Atom),
        Notation::Number(Number::Fraction(numerator, denominator)) => {
            (format!("{numerator}/{denominator}"), Binding::Product)
        }
        Notation::Number(Number::Real(value)) => (real_text(*value), Binding::Atom),
        Notation::Pi => ("pi".into(), Binding::Atom),
        Notation::Name(name) => (name.clone(), Binding::Atom),
        Notation::Elided => ("...".into(), Binding::Atom),
        Notation::Sum(terms) => {
            let mut text = String::new();
            for (sign, term) in signed_terms(terms, ["", "-", " + ", " - "]) {
                text += sign;
                text += &grouped(term, Binding::Product);
            }
            (text, Binding::Sum)
        }
        Notation::Negative(x) => (format!("-{}", grouped(x, Binding::Product)), Binding::Sum),
        Notation::Product(factors) => {
            let mut text = String::new();
            for (position, factor) in factors.iter().enumerate() {
                // a quotient may only stand first without parentheses: a/b*c is (a/b)·c
                let least = if position == 0 { Binding::Product } else { Binding::Power };
                let factor = match factor {
                    Notation::Fraction(x, y) if position > 0 => {
                        let (x, y) = (grouped(x, Binding::Product), grouped(y, Binding::Power));
                        format!("{x}/{y}")
                    }
                    factor => grouped(factor, least),
                };
                text += if position == 0 { "" } else { "*" };
                text += &factor;
            }
            (text, Binding::Product)
        }
        Notation::Fraction(x, y) => {
            let (x, y) = (grouped(x, Binding::Product), grouped(y, Binding::Power));
            (format!("{x}/{y}"), Binding::Product)
        }
        Notation::Power(x, y) => {
            let (x, y) = (grouped(x, Binding::Atom), grouped(y, Binding::Atom));
            (format!("{x}^{y}"), Binding::Power)
        }
        Notation::Root(x) => (format!("sqrt({})", write(x).0), Binding::Atom),
        Notation::Call(function, arguments) => {
            (format!("{}({})", function.name(), joined(arguments, ", ")), Binding::Atom)
        }
        Notation::Degrees(x) => (format!("({}) deg", write(x).0), Binding::Power),
        Notation::Equation(sides) => (joined(sides, " = "), Binding::Sum),
        Notation::Matrix(rows) => {
            let rows: Vec<String> =
                rows.iter().map(|row| format!("[{}]", joined(row, ", "))).collect();
            (format!("[{}]", rows.join(", ")), Binding::Atom)
        }
        Notation::Partial(x, y) => (format!("d({})/d({})", write(x).0, write(y).0), Binding::Atom),
        Notation::TimeDerivative(x) => (format!("d({})/dt", write(x).0), Binding::Atom),
        Notation::Indexed(x, y) => (format!("{}_{}", write(x).0, write(y).0), Binding::Atom),
        Notation::Position(numbers) => (position_text(numbers), Binding::Atom),
        Notation::Transposed(x) => (format!("{}^T", grouped(x, Binding::Atom)), Binding::Atom),
    }
}
