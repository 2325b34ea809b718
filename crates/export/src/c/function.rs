//! A function of the model in C.

use super::SYNTAX;
use crate::routine::{Group, Routine, Shape};
use crate::scope::Scope;
use crate::straight_line::StraightLine;
use crate::words::{broken, equation, listed};

/// How an argument is declared.
pub(super) fn argument(group: Group, name: &str) -> String {
    match group {
        Group::Time => format!("double {name}"),
        Group::Coordinates | Group::Velocities | Group::Accelerations => {
            format!("const double {name}[COORDINATES]")
        }
        Group::States => format!("const double {name}[STATES]"),
        Group::Multipliers => format!("const double {name}[CONSTRAINTS]"),
        Group::Parameters => format!("const Parameters *{name}"),
    }
}

/// Brackets with the lengths of a result.
fn extent(routine: &Routine) -> &'static str {
    match (routine.shape, routine.kind.name) {
        (Shape::Number, _) => "",
        (Shape::Symmetric(_), _) => "[COORDINATES][COORDINATES]",
        (Shape::Matrix(..), _) => "[CONSTRAINTS][COORDINATES]",
        (_, "definitions") => "[DEFINITIONS]",
        (_, "outputs") => "[OUTPUTS]",
        (_, "quantities") => "[QUANTITIES]",
        (_, "forces") => "[COORDINATES]",
        (_, "state_rates") => "[STATES]",
        _ => "[CONSTRAINTS]",
    }
}

pub(super) fn function(routine: &Routine, scope: &Scope) -> String {
    let code = StraightLine::new(routine, &scope.names, &scope.taken, &SYNTAX);
    let result = scope.result(routine);
    let mut arguments: Vec<String> =
        routine.arguments.iter().map(|&group| argument(group, scope.argument(group))).collect();
    let is_number = routine.shape == Shape::Number;
    if !is_number {
        arguments.push(format!("double {result}{}", extent(routine)));
    }
    let kind = if is_number { "double" } else { "void" };
    let mut out = format!("// {}\n", routine.kind.summary);
    let begin = format!("{kind} {}(", routine.kind.name);
    out += &listed(&begin, &arguments, ")");
    out += "\n{\n";
    for &group in &routine.arguments {
        if !code.inputs.iter().any(|(used, ..)| *used == group) {
            out += &format!("    (void){};\n", scope.argument(group));
        }
    }
    for (group, place, name) in &code.inputs {
        let from = scope.argument(*group);
        out += &match group {
            Group::Time => continue,
            Group::Parameters => format!("    const double {name} = {from}->{name};\n"),
            _ => format!("    const double {name} = {from}[{place}];\n"),
        };
    }
    for (name, formula) in &code.locals {
        out += &format!("    const double {name} = {};\n", broken(formula, "        ", ""));
    }
    if !(code.inputs.is_empty() && code.locals.is_empty()) {
        out.push('\n');
    }
    let is_sparse = is_sparse(routine, &code);
    if is_sparse {
        let entries = extent(routine).replace("][", "*");
        let entries = entries.trim_matches(|c| c == '[' || c == ']').to_owned();
        out += &format!("    memset({result}, 0, {entries}*sizeof(double));\n");
    }
    for (entry, formula) in routine.entries.iter().zip(&code.results) {
        if is_sparse && formula == ZERO {
            continue;
        }
        let (i, j) = (entry.row, entry.column);
        let place = match routine.shape {
            Shape::Number => routine.kind.letter.to_owned(),
            Shape::Vector(_) => format!("{result}[{i}]"),
            _ => format!("{result}[{i}][{j}]"),
        };
        if let Some(text) = equation(entry, &place) {
            out += &format!("    // {text}\n");
        }
        let formula = broken(formula, "        ", "");
        out += &match routine.shape {
            Shape::Number => format!("    return {formula};\n"),
            Shape::Symmetric(_) if i != j => {
                format!("    {place} = {result}[{j}][{i}] = {formula};\n")
            }
            _ => format!("    {place} = {formula};\n"),
        };
    }
    out + "}\n\n"
}

/// A result that is not worth a line.
const ZERO: &str = "0.0";
/// Vectors with more zeros than this have them written at once.
const MAX_LISTED_ZEROS: usize = 3;

/// Whether most of a result is set to zero beforehand.
fn is_sparse(routine: &Routine, code: &StraightLine) -> bool {
    match routine.shape {
        Shape::Number => false,
        Shape::Vector(_) => {
            code.results.iter().filter(|formula| *formula == ZERO).count() > MAX_LISTED_ZEROS
        }
        Shape::Matrix(rows, columns) => routine.entries.len() < rows * columns,
        Shape::Symmetric(n) => routine.entries.len() < n * (n + 1) / 2,
    }
}
