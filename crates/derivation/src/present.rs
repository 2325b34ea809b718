//! Expressions for people: simplified, with the user's definitions by name.

use crate::check::{AGREEMENT_TOLERANCE, Random};
use crate::{CheckError, Equations};
use catena_model::System;
use catena_symbolic::{Expr, Graph, Node, Notation, Number, Simplifier};
use rustc_hash::FxHashMap;

/// An expression with more nodes than this is not written out: nobody would read it.
const MAX_NODES: usize = 15_000;

/// Turns expressions of the equations into notation.
pub(crate) struct Presenter {
    pub(crate) graph: Graph,
    simplifier: Simplifier,
    /// The name for each body of a definition that is worth one.
    named: FxHashMap<Expr, Expr>,
    /// For a definition that is a power, by its base: the exponent, and the name.
    named_powers: FxHashMap<Expr, (Number, Expr)>,
    /// What was written so far: entries above and below a diagonal are the same.
    written: FxHashMap<Expr, Notation>,
    /// Derived and printed expressions that must be equal.
    pairs: Vec<(Expr, Expr)>,
}

impl Presenter {
    pub(crate) fn new(equations: &Equations, system: &System) -> Self {
        let mut graph = equations.graph.clone();
        let constants =
            equations.parameters.iter().filter_map(|&parameter| graph.as_symbol(parameter));
        let simplifier = Simplifier::new(constants.collect());
        let (mut named, mut named_powers) = (FxHashMap::default(), FxHashMap::default());
        for (definition, &body) in system.definitions.iter().zip(&equations.definitions) {
            if body_is_worth_a_name(&graph, body) {
                let name = graph.symbol(&definition.name);
                named.insert(body, name);
                if let Node::Power(base, exponent) = graph.node(body)
                    && let Some(exponent) = graph.as_number(exponent)
                {
                    named_powers.entry(base).or_insert((exponent, name));
                }
            }
        }
        let (written, pairs) = (FxHashMap::default(), Vec::new());
        Presenter { graph, simplifier, named, named_powers, written, pairs }
    }

    /// The expression without definitions, simplified.
    pub(crate) fn simplified(&mut self, expr: Expr) -> Expr {
        self.simplifier.simplify(&mut self.graph, expr)
    }

    /// Whether an expression is not written out.
    pub(crate) fn is_too_large(&self, expr: Expr) -> bool {
        self.graph.reachable(&[expr]).len() > MAX_NODES
    }

    /// The expression as people read it, with or without the definitions' names: the shorter.
    pub(crate) fn notation(&mut self, expr: Expr) -> Notation {
        if let Some(notation) = self.written.get(&expr) {
            return notation.clone();
        }
        let notation = self.shorter_notation(expr);
        self.written.insert(expr, notation.clone());
        notation
    }

    fn shorter_notation(&mut self, expr: Expr) -> Notation {
        if self.is_too_large(expr) {
            return Notation::Elided;
        }
        let simple = self.simplified(expr);
        let plain = Notation::of(&self.graph, simple);
        let folded = self.with_names(expr);
        if folded != expr {
            let short = self.simplified(folded);
            let notation = Notation::of(&self.graph, short);
            if notation.size() <= plain.size() {
                self.must_equal(expr, short);
                return notation;
            }
        }
        self.must_equal(expr, simple);
        plain
    }

    /// Remembers that an expression for people stands for a derived one.
    pub(crate) fn must_equal(&mut self, derived: Expr, printed: Expr) {
        if derived != printed {
            self.pairs.push((derived, printed));
        }
    }

    /// The largest difference between derived and printed expressions at random values of all
    /// symbols, relative to the value or to 1.
    pub(crate) fn verify(&self) -> Result<f64, CheckError> {
        let mut random = Random::new(7);
        let (derived, printed): (Vec<Expr>, Vec<Expr>) = self.pairs.iter().copied().unzip();
        let mut largest = 0.0_f64;
        for _ in 0..3 {
            let mut values: FxHashMap<&str, f64> = FxHashMap::default();
            for expr in self.graph.reachable(&derived) {
                if let Some(symbol) = self.graph.as_symbol(expr) {
                    values.insert(self.graph.name(symbol), random.between(0.3, 1.7));
                }
            }
            let (bodies, names): (Vec<Expr>, Vec<Expr>) = self.named.iter().unzip();
            let value = |name: &str| values.get(name).copied().unwrap_or(f64::NAN);
            let definitions = self.graph.evaluate(&bodies, value);
            let derived = self.graph.evaluate(&derived, value);
            for (name, value) in names.into_iter().zip(definitions) {
                if let Some(symbol) = self.graph.as_symbol(name) {
                    values.insert(self.graph.name(symbol), value);
                }
            }
            let printed = self.graph.evaluate(&printed, |name| values[name]);
            for (a, b) in derived.into_iter().zip(printed) {
                // outside the domain of a root or a logarithm there is nothing to compare
                if a.is_finite() && b.is_finite() {
                    largest = largest.max((a - b).abs() / a.abs().max(1.0));
                }
            }
        }
        if largest > AGREEMENT_TOLERANCE {
            return Err(CheckError::Disagreement { object: "printed form", difference: largest });
        }
        Ok(largest)
    }

    /// The expression with every body of a definition replaced by its name.
    fn with_names(&mut self, expr: Expr) -> Expr {
        let mut replacements = Vec::new();
        for node in self.graph.reachable(&[expr]) {
            let power = match self.graph.node(node) {
                Node::Power(base, exponent) => self.power_of_named(base, exponent),
                _ => None,
            };
            if let Some(name) = power.or_else(|| self.named.get(&node).copied()) {
                replacements.push((node, name));
            }
        }
        if replacements.is_empty() {
            return expr;
        }
        self.graph.substitute(&[expr], &replacements)[0]
    }

    /// With r = uᵃ, the power uᵏᵃ is rᵏ.
    fn power_of_named(&mut self, base: Expr, exponent: Expr) -> Option<Expr> {
        let exponent = self.graph.as_number(exponent)?;
        let &(named_exponent, name) = self.named_powers.get(&base)?;
        let ratio = exponent.checked_mul(named_exponent.power(-1)?)?;
        ratio.as_integer()?;
        Some(self.graph.power_number(name, ratio))
    }
}

fn body_is_worth_a_name(graph: &Graph, body: Expr) -> bool {
    !matches!(graph.node(body), Node::Number(_) | Node::Pi | Node::Symbol(_))
}
