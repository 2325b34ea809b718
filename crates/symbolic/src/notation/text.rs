//! Writing as Unicode text for the terminal.

use super::name::Name;
use super::{Binding, Notation, signed_terms};
use crate::Number;

/// A matrix wider than this is written entry by entry.
const MAX_WIDTH: usize = 120;

impl Notation {
    /// Unicode text; a matrix spans several lines.
    pub fn to_text(&self) -> String {
        write(self).0
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
            let factors: Vec<String> =
                factors.iter().map(|factor| grouped(factor, Binding::Power)).collect();
            (factors.join(" "), Binding::Product)
        }
        Notation::Fraction(x, y) => {
            let (x, y) = (grouped(x, Binding::Product), grouped(y, Binding::Power));
            (format!("{x}/{y}"), Binding::Product)
        }
        Notation::Power(x, y) => (power_text(x, y), Binding::Power),
        Notation::Root(x) => match write(x) {
            (text, Binding::Atom) => (format!("√{text}"), Binding::Atom),
            (text, _) => (format!("√({text})"), Binding::Atom),
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
            let index = write(y).0;
            let index = match index.as_str() {
                // the indices that Unicode has as small letters below the line
                "t" => "ₜ".to_owned(),
                digits if digits.bytes().all(|b| b.is_ascii_digit()) => {
                    digits.chars().map(super::name::subscript).collect()
                }
                other => format!("_{other}"),
            };
            (format!("{}{index}", grouped(x, Binding::Atom)), Binding::Atom)
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
        Number::Real(value) => (format!("{value}"), Binding::Atom),
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
    if let [name, Notation::Matrix(rows)] = sides
        && let Err(cells) = drawn_matrix(rows)
    {
        return entry_lines(&write(name).0, &cells).join("\n");
    }
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
                beside(&factors.collect::<Vec<_>>(), " ")
            }
            other => vec![write(other).0],
        })
        .collect();
    beside(&blocks, " = ").join("\n")
}

/// Blocks of lines next to each other, centred, with the separator on the middle line.
fn beside(blocks: &[Vec<String>], separator: &str) -> Vec<String> {
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
    drawn_matrix(rows).unwrap_or_else(|cells| entry_lines("", &cells))
}

/// The matrix in brackets, or its cells if it is too wide for the page.
fn drawn_matrix(rows: &[Vec<Notation>]) -> Result<Vec<String>, Vec<Vec<String>>> {
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|entry| write(entry).0).collect()).collect();
    let columns = cells.first().map_or(0, Vec::len);
    let width =
        |column: usize| cells.iter().map(|row| display_width(&row[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    if widths.iter().map(|width| width + 2).sum::<usize>() > MAX_WIDTH {
        return Err(cells);
    }
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
    Ok(cells.iter().enumerate().map(line).collect())
}

/// A matrix too wide for the page: its entries that are not zero, one on a line. Of a symmetric
/// one, those up to the diagonal.
fn entry_lines(name: &str, cells: &[Vec<String>]) -> Vec<String> {
    let (rows, columns) = (cells.len(), cells.first().map_or(0, Vec::len));
    let symmetric = rows == columns
        && rows > 1
        && (0..rows).all(|i| (0..i).all(|j| cells[i][j] == cells[j][i]));
    let mut lines = Vec::new();
    for (i, row) in cells.iter().enumerate() {
        let first = if symmetric { i } else { 0 };
        for (j, cell) in row.iter().enumerate().skip(first).filter(|(_, cell)| *cell != "0") {
            lines.push(match columns {
                1 => format!("{name}[{}] = {cell}", i + 1),
                _ => format!("{name}[{}, {}] = {cell}", i + 1, j + 1),
            });
        }
    }
    lines.push(match (symmetric, columns) {
        (true, _) => format!("{name} is symmetric; entries that are not listed are 0"),
        (false, 1) if lines.len() == rows => return lines,
        _ => "entries that are not listed are 0".to_owned(),
    });
    lines
}
