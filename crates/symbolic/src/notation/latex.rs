//! Writing as LaTeX (amsmath).

use super::lines::{Joint, lines};
use super::name::Name;
use super::{Binding, Notation, position_text, real_text, signed_terms};
use crate::{Function, Number, Style};

impl Notation {
    /// LaTeX for use inside math mode; matrices need the `amsmath` package.
    pub fn to_latex(&self) -> String {
        match lines(self) {
            None => write(self).0,
            Some(lines) => {
                let lines: Vec<String> = lines.iter().map(|line| line_latex(line)).collect();
                format!(r"\begin{{aligned}}&{}\end{{aligned}}", lines.join(r" \\ &\quad {}"))
            }
        }
    }
}

fn grouped(notation: &Notation, least: Binding) -> String {
    let (text, binding) = write(notation);
    if binding < least { parenthesised(&text) } else { text }
}

fn parenthesised(text: &str) -> String {
    // tall contents need parentheses that grow; short ones look better without
    if text.contains(r"\frac") { format!(r"\left({text}\right)") } else { format!("({text})") }
}

fn write(notation: &Notation) -> (String, Binding) {
    match notation {
        // a fraction needs parentheses as a base
        Notation::Number(number) => {
            let whole = number.as_integer().is_some();
            (number_latex(*number), if whole { Binding::Atom } else { Binding::Power })
        }
        Notation::Pi => (r"\pi".into(), Binding::Atom),
        Notation::Name(name) => (Name::new(name).latex(), Binding::Atom),
        Notation::Elided => (r"\ldots".into(), Binding::Atom),
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
                let last = position + 1 == factors.len();
                text += match factor {
                    _ if position == 0 => "",
                    Notation::Number(_) => r" \cdot ",
                    _ => r"\,",
                };
                text += &match factor {
                    // sin x y would be read as the sine of x y
                    Notation::Call(function, arguments) if !last => {
                        call_latex(*function, arguments, true).0
                    }
                    Notation::Power(base, exponent) if !last => power_latex(base, exponent, true),
                    factor => grouped(factor, Binding::Power),
                };
            }
            (text, Binding::Product)
        }
        Notation::Fraction(x, y) => {
            (format!(r"\frac{{{}}}{{{}}}", write(x).0, write(y).0), Binding::Power)
        }
        Notation::Power(x, y) => (power_latex(x, y, false), Binding::Power),
        Notation::Root(x) => (format!(r"\sqrt{{{}}}", write(x).0), Binding::Atom),
        Notation::Call(function, arguments) => call_latex(*function, arguments, false),
        Notation::Degrees(x) => (format!(r"{}^\circ", grouped(x, Binding::Atom)), Binding::Power),
        Notation::Equation(sides) => {
            let sides: Vec<String> = sides.iter().map(|side| write(side).0).collect();
            (sides.join(" = "), Binding::Sum)
        }
        Notation::Matrix(rows) => (matrix_latex(rows), Binding::Atom),
        Notation::Partial(x, y) => {
            (format!(r"\frac{{\partial {}}}{{\partial {}}}", write(x).0, write(y).0), Binding::Atom)
        }
        Notation::TimeDerivative(x) => {
            (format!(r"\frac{{d}}{{dt}}{}", parenthesised(&write(x).0)), Binding::Power)
        }
        Notation::Indexed(x, y) => {
            let base = match **x {
                // two indices in a row are an error in LaTeX
                Notation::Indexed(..) => format!("{{{}}}", write(x).0),
                _ => grouped(x, Binding::Atom),
            };
            (format!("{base}_{{{}}}", write(y).0), Binding::Atom)
        }
        Notation::Position(numbers) => (position_text(numbers), Binding::Atom),
        Notation::Transposed(x) => {
            (format!(r"{}^{{\mathsf T}}", grouped(x, Binding::Atom)), Binding::Power)
        }
    }
}

fn number_latex(number: Number) -> String {
    match number {
        Number::Fraction(numerator, 1) => numerator.to_string(),
        Number::Fraction(numerator, denominator) => {
            format!(r"\tfrac{{{numerator}}}{{{denominator}}}")
        }
        Number::Real(value) => match real_text(value).split_once('e') {
            Some((mantissa, "0")) => mantissa.to_owned(),
            Some((mantissa, exponent)) => format!(r"{mantissa}\cdot 10^{{{exponent}}}"),
            None => value.to_string(),
        },
    }
}

fn call_arguments(arguments: &[Notation]) -> String {
    let arguments: Vec<String> = arguments.iter().map(|x| write(x).0).collect();
    arguments.join(", ")
}

/// A call; `followed` by another factor, the argument of an operator needs parentheses.
fn call_latex(function: Function, arguments: &[Notation], followed: bool) -> (String, Binding) {
    match function.row().style {
        Style::Bars => (format!(r"\left|{}\right|", call_arguments(arguments)), Binding::Atom),
        Style::Root => (format!(r"\sqrt{{{}}}", call_arguments(arguments)), Binding::Atom),
        Style::Operator(operator) => {
            let arguments = match arguments {
                [name @ (Notation::Name(_) | Notation::Pi)] if !followed => {
                    format!(" {}", write(name).0)
                }
                arguments => parenthesised(&call_arguments(arguments)),
            };
            (format!("{}{arguments}", operator.latex), Binding::Power)
        }
    }
}

/// A power; `followed` by another factor, a function needs parentheses around its argument.
fn power_latex(base: &Notation, exponent: &Notation, followed: bool) -> String {
    let exponent = write(exponent).0;
    let whole = exponent.bytes().all(|b| b.is_ascii_digit());
    match base.as_operator() {
        // cos²θ, as it is written by hand
        Some((operator, arguments)) if whole => {
            let arguments = match arguments {
                [name @ Notation::Name(_)] if !followed => format!(" {}", write(name).0),
                arguments => parenthesised(&call_arguments(arguments)),
            };
            format!("{}^{{{exponent}}}{arguments}", operator.latex)
        }
        Some(_) | None => format!("{}^{{{exponent}}}", grouped(base, Binding::Atom)),
    }
}

fn matrix_latex(rows: &[Vec<Notation>]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| row.iter().map(|entry| write(entry).0).collect::<Vec<_>>().join(" & "))
        .collect();
    // the plain matrix environments stop at ten columns
    let columns = "c".repeat(rows.first().map_or(0, |row| row.matches(" & ").count() + 1));
    format!(r"\left[\begin{{array}}{{{columns}}}{}\end{{array}}\right]", rows.join(r" \\ "))
}

fn line_latex(line: &[(Joint, &Notation)]) -> String {
    let mut text = String::new();
    for (joint, term) in line {
        text += if joint.equals { " = " } else { "" };
        text += joint.sign([" + ", " - ", "-"]);
        text += &grouped(term, Binding::Product);
    }
    text
}
