//! Words and equations in comments: one line each, of a length that is read.

use crate::exported_model::ExportedModel;
use crate::routine::Entry;
use catena_symbolic::{Notation, display_width};

/// Columns of a line of source.
pub(crate) const LINE_WIDTH: usize = 100;
/// Columns of an equation in a comment; what is longer ends in dots.
const MAX_EQUATION_WIDTH: usize = 96;

/// Text that a comment can hold in any language: one line, nothing that ends or continues it.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let text = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    // a question mark twice begins a trigraph in C, a backslash at the end continues the line
    text.replace("??", "? ?").replace("*/", "* /").trim_end_matches('\\').to_owned()
}

/// The same in lines of at most this many columns.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in one_line(text).split(' ') {
        match lines.last_mut() {
            Some(line) if display_width(line) + 1 + display_width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `M[0][1] = m l cos(θ)`, shortened where it is long; nothing where nobody wrote it out, or where it is a number. What
/// has no name in the model is called by its place.
pub(crate) fn equation(entry: &Entry, place: &str) -> Option<String> {
    if matches!(entry.equation, Notation::Elided | Notation::Number(_)) {
        return None;
    }
    let name = match &entry.name {
        Notation::Name(_) => entry.name.to_text(),
        _ => place.to_owned(),
    };
    Some(shortened(&one_line(&format!("{name} = {}", entry.equation.to_text()))))
}

fn shortened(text: &str) -> String {
    if display_width(text) <= MAX_EQUATION_WIDTH {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if display_width(&short) + display_width(word) + 2 > MAX_EQUATION_WIDTH {
            break;
        }
        short += word;
        short.push(' ');
    }
    short + "…"
}

/// A formula in lines of at most [`LINE_WIDTH`] columns, broken before signs; later ones begin with the indentation.
pub(crate) fn broken(text: &str, indentation: &str, line_end: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for (position, word) in text.split(' ').enumerate() {
        let may_break = matches!(word, "+" | "-" | "=") || position == 0;
        // an operator and what follows it stay together
        if position > 0 {
            if may_break && width > LINE_WIDTH - 30 && word != "=" {
                out += line_end;
                out.push('\n');
                out += indentation;
                width = indentation.len();
            } else {
                out.push(' ');
                width += 1;
            }
        }
        out += word;
        width += word.len();
    }
    out
}

/// A list that is broken where it is too long for a line, and goes on under its beginning.
pub(crate) fn listed(begin: &str, items: &[String], end: &str) -> String {
    let mut out = begin.to_owned();
    let mut width = begin.len();
    for (at, item) in items.iter().enumerate() {
        let comma = if at + 1 < items.len() { "," } else { end };
        if at > 0 && width + item.len() + 3 > LINE_WIDTH {
            out += &format!("\n{}", " ".repeat(begin.len()));
            width = begin.len();
        } else if at > 0 {
            out.push(' ');
            width += 1;
        }
        out += item;
        out += comma;
        width += item.len() + 1;
    }
    if items.is_empty() { out + end } else { out }
}

/// The lines at the head of every source: what it is, where it comes from, what the letters mean.
pub(crate) fn heading(exported: &ExportedModel<'_>) -> Vec<String> {
    let model = exported.model;
    let [n, m, k] = exported.sizes();
    let mut lines = Vec::new();
    let title = if model.title.is_empty() { exported.name } else { &model.title };
    lines.push(one_line(title));
    lines.push(String::new());
    if !model.description.is_empty() {
        lines.extend(wrapped(&model.description, LINE_WIDTH - 3));
        lines.push(String::new());
    }
    lines.push(format!(
        "Written by Catena {} from the model with the hash {:016x}.",
        env!("CARGO_PKG_VERSION"),
        model.hash()
    ));
    if let Some(agreement) = &exported.derivation.agreement {
        let largest = agreement.figures().iter().map(|(_, figure)| *figure).fold(0.0, f64::max);
        lines.push(format!(
            "The derivation agrees with numerical differentiation to {largest:.0e} at {} random states.",
            agreement.states
        ));
    }
    lines.push(String::new());
    match (n, m) {
        (0, _) => lines.push("Equations:  dz/dt = f(t, z)".to_owned()),
        (_, 0) => lines.push("Equations of motion:  dq/dt = v,  M a = Q,  a = dv/dt".to_owned()),
        _ => {
            lines.push(
                "Equations of motion:  dq/dt = v,  M a + Φqᵀ λ = Q,  Φq a = γ,  a = dv/dt"
                    .to_owned(),
            );
            lines.push(
                "on the constraints Φ(t, q) = 0; −Φqᵀ λ are the forces of the constraints."
                    .to_owned(),
            );
        }
    }
    if n > 0 && k > 0 {
        lines.push("First-order states:  dz/dt = f(t, q, v, z)".to_owned());
    }
    lines.push("Units are those of the model: SI, angles in radians.".to_owned());
    for remark in exported.remarks() {
        lines.extend(wrapped(&remark, LINE_WIDTH - 3));
    }
    lines.push(String::new());
    lines
}

/// What coordinates, constraints and states are: letter with its place, name, meaning. `place` writes an index.
pub(crate) fn legend(
    exported: &ExportedModel<'_>,
    place: impl Fn(&str, usize) -> String,
) -> Vec<String> {
    let system = exported.system;
    let units = &exported.derivation.coordinate_legend;
    let mut rows: Vec<[String; 3]> = Vec::new();
    for (at, coordinate) in system.coordinates.iter().enumerate() {
        let unit = units.get(at).map_or("", |row| row.unit);
        let meaning = [one_line(&coordinate.text), unit.to_owned()];
        let meaning: Vec<String> = meaning.into_iter().filter(|part| !part.is_empty()).collect();
        rows.push([place("q", at), coordinate.name.clone(), meaning.join(", ")]);
    }
    for (at, state) in system.states.iter().enumerate() {
        rows.push([place("z", at), state.name.clone(), "first-order state".to_owned()]);
    }
    for (at, constraint) in system.constraints.iter().enumerate() {
        let text = Notation::of_formula(&constraint.formula).to_text();
        rows.push([place("Phi", at), constraint.name.clone(), shortened(&one_line(&text))]);
    }
    let widths =
        [0, 1].map(|column| rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0));
    let padded =
        |text: &str, width: usize| format!("{text}{}", " ".repeat(width - display_width(text)));
    let line = |[letter, name, meaning]: &[String; 3]| {
        let line =
            format!("  {}  {}  {meaning}", padded(letter, widths[0]), padded(name, widths[1]));
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_comments_whatever_a_model_says() {
        assert_eq!(one_line("two\nlines \t and a tail \\"), "two lines and a tail ");
        assert_eq!(one_line("what??/ */ \u{7}x"), "what? ?/ * / x");
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    }

    #[test]
    fn long_formulas_are_broken_before_a_sign() {
        let text = ["some_name*other_name"; 8].join(" + ");
        let lines = broken(&text, "    ", " ...");
        assert!(lines.lines().all(|line| line.len() <= LINE_WIDTH + 10), "{lines}");
        assert_eq!(lines.replace(" ...\n    ", " "), text);
        assert!(lines.contains(" ...\n    + some_name"));
    }
}
