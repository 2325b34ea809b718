//! Angles that look like degrees: a bare 90 where radians are meant.

use crate::problem::{Problem, ProblemKind};
use crate::source::Place;
use crate::system::System;
use catena_symbolic::{Formula, FormulaNode};
use std::f64::consts::{PI, TAU};

/// Within this of a multiple of π a decimal is meant to be one.
const MULTIPLE_OF_PI: f64 = 2e-3;

/// The number, if a formula is a bare one of more than a turn, which in radians nobody means.
pub fn many_turns(formula: &Formula) -> Option<f64> {
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

/// Warnings about sines, cosines and tangents of such numbers.
pub(crate) fn in_functions(system: &System) -> Vec<Problem> {
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
    let entries = energies.chain(lists.into_iter().flatten());
    entries.flat_map(|entry| of_functions(&entry.formula, entry.place.source)).collect()
}

pub(crate) fn of_functions(formula: &Formula, source: usize) -> Vec<Problem> {
    let nodes = formula.nodes();
    let warning = |node: &FormulaNode| match *node {
        FormulaNode::Call(function, x, None)
            if ["sin", "cos", "tan"].contains(&function.name()) =>
        {
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
