//! Writing as MathML Core, which browsers draw without a script.

use super::lines::{Joint, lines};
use super::name::Name;
use super::{Notation, position_text, real_text, signed_terms};
use crate::{Function, Number, Style};

impl Notation {
    /// A `<math>` element on a line of its own.
    pub fn to_mathml(&self) -> String {
        let inner = match lines(self) {
            None => write(self),
            Some(lines) => {
                let rows: String = lines.iter().enumerate().map(broken_line).collect();
                format!("<mtable class=\"lines\" displaystyle=\"true\">{rows}</mtable>")
            }
        };
        format!("<math display=\"block\">{inner}</math>")
    }
}

/// Text with the characters that HTML reserves written as entities.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn row(inner: &str) -> String {
    format!("<mrow>{inner}</mrow>")
}

/// In parentheses, which grow with what is tall: on a line of letters they would only stand apart.
pub(super) fn fenced(inner: &str) -> String {
    let is_tall = ["<mfrac", "<mtable", "<msqrt", "<mstyle"].iter().any(|tag| inner.contains(tag));
    let stretchy = if is_tall { "" } else { " stretchy=\"false\"" };
    row(&format!("<mo{stretchy}>(</mo>{inner}<mo{stretchy}>)</mo>"))
}

/// Between factors, as LaTeX sets them apart.
const TIMES: &str = "<mo>&#x2062;</mo><mspace width=\"0.17em\"/>";

/// A line of a broken equation; those after the first are set in a little.
fn broken_line((number, line): (usize, &Vec<(Joint, &Notation)>)) -> String {
    let mut inner = String::new();
    if number > 0 {
        inner += "<mspace width=\"2em\"/>";
    }
    for (joint, term) in line {
        inner += if joint.equals { "<mo>=</mo>" } else { "" };
        inner +=
            joint.sign(["<mo form=\"infix\">+</mo>", "<mo form=\"infix\">−</mo>", "<mo>−</mo>"]);
        inner += &factor(term);
    }
    format!("<mtr><mtd style=\"text-align: left\">{}</mtd></mtr>", row(&inner))
}

/// A term of a sum as factor or base: in parentheses.
fn factor(notation: &Notation) -> String {
    match notation {
        Notation::Sum(_) | Notation::Negative(_) => fenced(&write(notation)),
        _ => write(notation),
    }
}

fn base(notation: &Notation) -> String {
    match notation {
        Notation::Product(_) | Notation::Power(..) | Notation::Fraction(..) => {
            fenced(&write(notation))
        }
        Notation::Number(Number::Fraction(_, denominator)) if *denominator != 1 => {
            fenced(&write(notation))
        }
        _ => factor(notation),
    }
}

fn joined(parts: &[Notation], separator: &str, write: impl Fn(&Notation) -> String) -> String {
    parts.iter().map(write).collect::<Vec<_>>().join(separator)
}

fn write(notation: &Notation) -> String {
    match notation {
        Notation::Number(Number::Fraction(numerator, 1)) => format!("<mn>{numerator}</mn>"),
        Notation::Number(Number::Fraction(numerator, denominator)) => {
            let fraction = format!("<mfrac><mn>{numerator}</mn><mn>{denominator}</mn></mfrac>");
            format!("<mstyle displaystyle=\"false\">{fraction}</mstyle>")
        }
        Notation::Number(Number::Real(value)) => match real_text(*value).split_once('e') {
            None => format!("<mn>{value}</mn>"),
            Some((digits, exponent)) => row(&format!(
                "<mn>{digits}</mn><mo>·</mo><msup><mn>10</mn><mn>{}</mn></msup>",
                exponent.replace('-', "−")
            )),
        },
        Notation::Pi => "<mi>π</mi>".into(),
        Notation::Name(name) => Name::new(name).mathml(None),
        Notation::Elided => "<mo>…</mo>".into(),
        Notation::Sum(terms) => {
            let mut inner = String::new();
            for (sign, term) in signed_terms(terms, ["", "<mo>−</mo>", "<mo>+</mo>", "<mo>−</mo>"])
            {
                inner += sign;
                inner += &factor(term);
            }
            row(&inner)
        }
        Notation::Negative(x) => row(&format!("<mo>−</mo>{}", factor(x))),
        Notation::Product(factors) => {
            let mut inner = String::new();
            for (position, part) in factors.iter().enumerate() {
                let last = position + 1 == factors.len();
                inner += match part {
                    _ if position == 0 => "",
                    Notation::Number(_) => "<mo>·</mo>",
                    _ => TIMES,
                };
                inner += &match part {
                    // sin x y would be read as the sine of x y
                    Notation::Call(function, arguments) if !last => {
                        call(*function, arguments, true)
                    }
                    Notation::Power(base, exponent) if !last => power(base, exponent, true),
                    part => factor(part),
                };
            }
            row(&inner)
        }
        Notation::Fraction(x, y) => format!("<mfrac>{}{}</mfrac>", write(x), write(y)),
        Notation::Power(x, y) => power(x, y, false),
        Notation::Root(x) => format!("<msqrt>{}</msqrt>", write(x)),
        Notation::Call(function, arguments) => call(*function, arguments, false),
        Notation::Degrees(x) => row(&format!("{}<mo>°</mo>", base(x))),
        Notation::Equation(sides) => row(&joined(sides, "<mo>=</mo>", write)),
        Notation::Matrix(rows) => {
            let row_of = |entries: &Vec<Notation>| {
                let cells = entries.iter().map(|entry| format!("<mtd>{}</mtd>", write(entry)));
                format!("<mtr>{}</mtr>", cells.collect::<String>())
            };
            let rows: String = rows.iter().map(row_of).collect();
            let bracket = |sign: char, form: &str| {
                let fence = "fence=\"true\" stretchy=\"true\" symmetric=\"true\"";
                format!("<mo class=\"bracket\" form=\"{form}\" {fence}>{sign}</mo>")
            };
            let (open, close) = (bracket('[', "prefix"), bracket(']', "postfix"));
            row(&format!("{open}<mtable class=\"matrix\">{rows}</mtable>{close}"))
        }
        Notation::Partial(x, y) => {
            let part = |x: &Notation| row(&format!("<mo>∂</mo>{}", base(x)));
            format!("<mfrac>{}{}</mfrac>", part(x), part(y))
        }
        Notation::TimeDerivative(x) => {
            let operator = "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>";
            row(&format!("{operator}{}", fenced(&write(x))))
        }
        Notation::Indexed(x, y) => format!("<msub>{}{}</msub>", base(x), write(y)),
        Notation::Position(numbers) => format!("<mn>{}</mn>", position_text(numbers)),
        Notation::Transposed(x) => match x.as_ref() {
            Notation::Indexed(x, y) => {
                format!("<msubsup>{}{}<mi>T</mi></msubsup>", base(x), write(y))
            }
            x => format!("<msup>{}<mi>T</mi></msup>", base(x)),
        },
    }
}

/// A call; `followed` by another factor, the argument of an operator needs parentheses.
fn call(function: Function, arguments: &[Notation], followed: bool) -> String {
    match function.row().style {
        Style::Bars => row(&format!("<mo>|</mo>{}<mo>|</mo>", joined(arguments, "", write))),
        Style::Root => format!("<msqrt>{}</msqrt>", joined(arguments, "", write)),
        Style::Operator(operator) => {
            called(&format!("<mi>{}</mi>", operator.mathml), arguments, followed)
        }
    }
}

/// An operator with its arguments; `followed` by another factor, they need parentheses.
fn called(name: &str, arguments: &[Notation], followed: bool) -> String {
    let arguments = match arguments {
        [argument @ (Notation::Name(_) | Notation::Pi)] if !followed => {
            format!("<mspace width=\"0.17em\"/>{}", write(argument))
        }
        arguments => fenced(&joined(arguments, "<mo>,</mo>", write)),
    };
    row(&format!("{name}<mo>&#x2061;</mo>{arguments}"))
}

fn power(x: &Notation, y: &Notation, followed: bool) -> String {
    if let Notation::Name(name) = x {
        return Name::new(name).mathml(Some(&write(y)));
    }
    match x.as_operator() {
        Some((operator, arguments)) if matches!(y, Notation::Number(_)) => {
            let name = format!("<msup><mi>{}</mi>{}</msup>", operator.mathml, write(y));
            called(&name, arguments, followed)
        }
        Some(_) | None => format!("<msup>{}{}</msup>", base(x), write(y)),
    }
}
