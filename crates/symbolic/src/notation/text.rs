//! Writing as Unicode text for the terminal.

use super::lines::{Joint, lines};
use super::name::Name;
use super::{Binding, Notation, position_text, real_text, signed_terms};
use crate::Number;

impl Notation {
    /// Unicode text; a matrix or a long equation spans several lines.
    pub fn to_text(&self) -> String {
        match lines(self) {
            None => write(self).0,
            Some(lines) => {
                let lines: Vec<String> = lines.iter().map(|line| line_text(line)).collect();
                lines.join("\n    ")
            }
        }
    }
}

/// The columns a text takes on a terminal: combining dots take none.
pub fn display_width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

fn grouped(notation: &Notation, least: Binding) -> String {
    let (text, binding) = write(notation);
    if binding < least { format!("({text})") } else { text }
}

fn write(notation: &Notation) -> (String, Binding) {
    match notation {
        Notation::Number(number) => number_text(*number),
        Notation::Pi => ("π".into(), Binding::Atom),
        Notation::Name(name) => (Name::new(name).text(), Binding::Atom),
        Notation::Elided => ("…".into(), Binding::Atom),
        Notation::Sum(terms) => (sum_text(terms), Binding::Sum),
        Notation::Negative(x) => (format!("−{}", grouped(x, Binding::Product)), Binding::Sum),
        Notation::Product(factors) => {
            let mut text = String::new();
            for (position, factor) in factors.iter().enumerate() {
                text += match factor {
                    _ if position == 0 => "",
                    Notation::Number(_) => " · ",
                    _ => " ",
                };
                text += &grouped(factor, Binding::Power);
            }
            (text, Binding::Product)
        }
        Notation::Fraction(x, y) => {
            let (x, y) = (grouped(x, Binding::Product), grouped(y, Binding::Power));
            (format!("{x}/{y}"), Binding::Product)
        }
        Notation::Power(x, y) => (power_text(x, y), Binding::Power),
        Notation::Root(x) => match write(x) {
            (text, Binding::Atom) => (format!("√{text}"), Binding::Power),
            (text, _) => (format!("√({text})"), Binding::Power),
        },
        Notation::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|x| write(x).0).collect();
            (format!("{}({})", function.name(), arguments.join(", ")), Binding::Atom)
        }
        Notation::Degrees(x) => (format!("{}°", grouped(x, Binding::Atom)), Binding::Atom),
        Notation::Equation(sides) => (equation_text(sides), Binding::Sum),
        Notation::Matrix(rows) => (matrix_lines(rows).join("\n"), Binding::Atom),
        Notation::Partial(x, y) => {
            let (x, y) = (grouped(x, Binding::Atom), grouped(y, Binding::Atom));
            (format!("∂{x}/∂{y}"), Binding::Power)
        }
        Notation::TimeDerivative(x) => (format!("d/dt({})", write(x).0), Binding::Power),
        Notation::Indexed(x, y) => {
            let index = match y.as_ref() {
                Notation::Position(_) => write(y).0,
                // the one small letter below the line that Unicode has and we need
                Notation::Name(name) if name == "t" => "ₜ".to_owned(),
                other => format!("_{}", write(other).0),
            };
            (format!("{}{index}", grouped(x, Binding::Atom)), Binding::Atom)
        }
        Notation::Position(numbers) => {
            (position_text(numbers).chars().map(super::name::subscript).collect(), Binding::Atom)
        }
        Notation::Transposed(x) => (format!("{}ᵀ", grouped(x, Binding::Atom)), Binding::Atom),
    }
}

fn number_text(number: Number) -> (String, Binding) {
    match number {
        Number::Fraction(numerator, 1) => (numerator.to_string(), Binding::Atom),
        Number::Fraction(1, 2) => ("½".into(), Binding::Atom),
        Number::Fraction(1, 3) => ("⅓".into(), Binding::Atom),
        Number::Fraction(2, 3) => ("⅔".into(), Binding::Atom),
        Number::Fraction(1, 4) => ("¼".into(), Binding::Atom),
        Number::Fraction(3, 4) => ("¾".into(), Binding::Atom),
        // in a product the fraction needs its parentheses: (7/3) m
        Number::Fraction(numerator, denominator) => {
            (format!("{numerator}/{denominator}"), Binding::Product)
        }
        Number::Real(value) => (real_text(value), Binding::Atom),
    }
}

fn sum_text(terms: &[Notation]) -> String {
    let mut text = String::new();
    for (sign, term) in signed_terms(terms, ["", "−", " + ", " − "]) {
        text += sign;
        text += &grouped(term, Binding::Product);
    }
    text
}

fn power_text(base: &Notation, exponent: &Notation) -> String {
    let base = grouped(base, Binding::Atom);
    if let Notation::Number(number) = exponent
        && let Some(whole) = number.as_integer()
    {
        let superscript = |c: char| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
        };
        return format!("{base}{}", whole.to_string().chars().map(superscript).collect::<String>());
    }
    format!("{base}^{}", grouped(exponent, Binding::Atom))
}

/// Sides joined by equal signs; lines of a matrix are aligned at its middle.
fn equation_text(sides: &[Notation]) -> String {
    let blocks: Vec<Vec<String>> = sides
        .iter()
        .map(|side| match side {
            Notation::Matrix(rows) => matrix_lines(rows),
            // matrices side by side: [M Φqᵀ; Φq 0] [v̇; λ]
            Notation::Product(factors)
                if factors.iter().any(|factor| matches!(factor, Notation::Matrix(_))) =>
            {
                let factors = factors.iter().map(|factor| match factor {
                    Notation::Matrix(rows) => matrix_lines(rows),
                    other => vec![grouped(other, Binding::Power)],
                });
                side_by_side(&factors.collect::<Vec<_>>(), " ")
            }
            other => vec![write(other).0],
        })
        .collect();
    side_by_side(&blocks, " = ").join("\n")
}

/// Blocks of lines next to each other, centred, with the separator on the middle line.
fn side_by_side(blocks: &[Vec<String>], separator: &str) -> Vec<String> {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![String::new(); height];
    for (position, block) in blocks.iter().enumerate() {
        let width = block.iter().map(|line| display_width(line)).max().unwrap_or(0);
        let top = (height - block.len()) / 2;
        for (row, line) in lines.iter_mut().enumerate() {
            if position > 0 {
                let middle = row == (height - 1) / 2;
                *line += if middle { separator } else { &"   "[..separator.len()] };
            }
            let piece = row.checked_sub(top).and_then(|at| block.get(at)).map_or("", |s| s);
            *line += piece;
            *line += &" ".repeat(width - display_width(piece));
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn matrix_lines(rows: &[Vec<Notation>]) -> Vec<String> {
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|entry| write(entry).0).collect()).collect();
    let columns = cells.first().map_or(0, Vec::len);
    let width =
        |column: usize| cells.iter().map(|row| display_width(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let height = cells.len();
    let bracket = |row: usize, [top, middle, bottom, single]: [char; 4]| match (row, height) {
        (_, 1) => single,
        (0, _) => top,
        (row, height) if row + 1 == height => bottom,
        _ => middle,
    };
    let line = |(row, cells): (usize, &Vec<String>)| {
        let entries: Vec<String> = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - display_width(cell))))
            .collect();
        let left = bracket(row, ['⎡', '⎢', '⎣', '[']);
        let right = bracket(row, ['⎤', '⎥', '⎦', ']']);
        format!("{left}{}{right}", entries.join("  "))
    };
    cells.iter().enumerate().map(line).collect()
}

fn line_text(line: &[(Joint, &Notation)]) -> String {
    let mut text = String::new();
    for (joint, term) in line {
        text += if joint.equals { " = " } else { "" };
        text += joint.sign([" + ", " − ", "−"]);
        text += &grouped(term, Binding::Product);
    }
    text.trim_start().to_owned()
}
