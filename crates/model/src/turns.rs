//! Angles that look like degrees: a bare 90 where radians are meant.

use crate::problem::{Problem, ProblemKind};
use crate::source::Place;
use crate::system::{Model, NamedFormula, System};
use catena_symbolic::{Formula, FormulaNode, Operator};
use rustc_hash::FxHashSet;
use std::f64::consts::{PI, TAU};

/// Within this of a multiple of π a decimal is meant to be one.
const MULTIPLE_OF_PI: f64 = 2e-3;

/// The number, if a formula is a bare one of more than a turn, which in radians nobody means.
fn many_turns(formula: &Formula) -> Option<f64> {
    let value = match *formula.nodes() {
        [FormulaNode::Number(number)] => number.to_f64(),
        [FormulaNode::Number(number), FormulaNode::Negate(0)] => -number.to_f64(),
        _ => return None,
    };
    looks_like_degrees(value).then_some(value)
}

fn looks_like_degrees(value: f64) -> bool {
    let is_whole = value.fract() == 0.0;
    let from_multiple = (value / PI - (value / PI).round()).abs() * PI;
    value.abs() > TAU && (is_whole || from_multiple > MULTIPLE_OF_PI)
}

/// The warning about such a number.
pub(crate) fn warning(formula: &Formula, source: usize) -> Option<Problem> {
    let value = many_turns(formula)?;
    let span = formula.span(formula.nodes().len() - 1);
    Some(Problem { kind: ProblemKind::ManyTurns { value }, place: Place { source, span } })
}

/// Warnings about starts and guesses of angles that look like degrees.
pub(crate) fn of_start(model: &Model) -> Vec<Problem> {
    let system = &model.own;
    let entries = system.initial.iter().chain(&system.guess).filter(|entry| entry.primes == 0);
    let suspicious: Vec<(&NamedFormula, Problem)> = entries
        .filter_map(|entry| Some((entry, warning(&entry.formula, entry.place.source)?)))
        .filter(|(_, problem)| is_written(model, problem))
        .collect();
    if suspicious.is_empty() {
        return Vec::new();
    }
    let angles = angles(system);
    let declared = |name: &str| {
        let coordinate = system.coordinates.iter().find(|coordinate| coordinate.name == name);
        coordinate.and_then(|coordinate| coordinate.angle)
    };
    let is_angle = |name: &str| declared(name).unwrap_or_else(|| angles.contains(name));
    let of_angles = suspicious.into_iter().filter(|(entry, _)| is_angle(&entry.name));
    of_angles.map(|(_, problem)| problem).collect()
}

/// Whether the number of a warning stands in a text; what the assembly guesses by itself nobody has written.
fn is_written(model: &Model, problem: &Problem) -> bool {
    let ProblemKind::ManyTurns { value } = problem.kind else { return false };
    let source = model.sources.get(problem.place.source);
    let text = source.and_then(|source| source.text.get(problem.place.span.clone()));
    text.is_some_and(|text| text.trim().trim_matches('"').trim().parse() == Ok(value))
}

/// The names that are added up in the arguments of sines, cosines and tangents: those of angles, whether or not a full turn
/// of them changes something else, as in a torsion spring.
fn angles(system: &System) -> FxHashSet<&str> {
    let mut names = FxHashSet::default();
    for entry in formulas(system) {
        let nodes = entry.formula.nodes();
        for node in nodes {
            if let FormulaNode::Call(function, x, None) = *node
                && TURNING.contains(&function.name())
            {
                add_terms(nodes, x, &mut names);
            }
        }
    }
    // definitions use those above them only
    for definition in system.definitions.iter().rev() {
        let nodes = definition.formula.nodes();
        if names.contains(definition.name.as_str()) {
            add_terms(nodes, nodes.len() - 1, &mut names);
        }
    }
    names
}

/// The names that a sum has as terms, with numbers for factors.
fn add_terms<'a>(nodes: &'a [FormulaNode], root: usize, names: &mut FxHashSet<&'a str>) {
    let is_number = |at: usize| matches!(nodes[at], FormulaNode::Number(_));
    // sums may have any number of terms, and each is a level of the tree
    let mut terms = vec![root];
    while let Some(at) = terms.pop() {
        match nodes[at] {
            FormulaNode::Name(ref name, 0) => {
                names.insert(name);
            }
            FormulaNode::Negate(x) => terms.push(x),
            FormulaNode::Binary(Operator::Add | Operator::Subtract, x, y) => terms.extend([x, y]),
            FormulaNode::Binary(Operator::Multiply, x, y) if is_number(x) => terms.push(y),
            FormulaNode::Binary(Operator::Multiply | Operator::Divide, x, y) if is_number(y) => {
                terms.push(x);
            }
            _ => {}
        }
    }
}

/// Functions of angles.
const TURNING: [&str; 3] = ["sin", "cos", "tan"];

fn formulas(system: &System) -> impl Iterator<Item = &NamedFormula> {
    let energies = [&system.kinetic, &system.potential, &system.dissipation].into_iter().flatten();
    let lists = [
        &system.definitions,
        &system.forces,
        &system.states,
        &system.constraints,
        &system.initial,
        &system.guess,
        &system.outputs,
    ];
    energies.chain(lists.into_iter().flatten())
}

/// Warnings about sines, cosines and tangents of such numbers.
pub(crate) fn in_functions(system: &System) -> Vec<Problem> {
    formulas(system).flat_map(|entry| of_functions(&entry.formula, entry.place.source)).collect()
}

pub(crate) fn of_functions(formula: &Formula, source: usize) -> Vec<Problem> {
    let nodes = formula.nodes();
    let warning = |node: &FormulaNode| match *node {
        FormulaNode::Call(function, x, None) if TURNING.contains(&function.name()) => {
            let FormulaNode::Number(number) = nodes[x] else { return None };
            let value = Some(number.to_f64()).filter(|value| looks_like_degrees(*value))?;
            let place = Place { source, span: formula.span(x) };
            Some(Problem { kind: ProblemKind::ManyTurns { value }, place })
        }
        _ => None,
    };
    nodes.iter().filter_map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_symbolic::parse;

    #[test]
    fn bare_degrees_are_told_from_radians() {
        let looks = |text: &str| many_turns(&parse(text).expect("a formula")).is_some();
        for text in ["90", "-45", "22.5", "7", "360"] {
            assert!(looks(text), "{text}");
        }
        for text in ["90 deg", "3", "1.5708", "6.2832", "12.566", "2*pi", "-3.14", "x", "100*x"] {
            assert!(!looks(text), "{text}");
        }
        assert_eq!(of_functions(&parse("l*sin(45) + cos(3)").expect("a formula"), 0).len(), 1);
    }
}
