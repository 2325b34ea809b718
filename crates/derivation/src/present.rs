//! Expressions for people: simplified, with the user's definitions by name.

use crate::Equations;
use catena_model::System;
use catena_symbolic::{Expr, Graph, Node, Notation, Symbol, simplify};
use rustc_hash::FxHashSet;

/// Turns expressions of the equations into notation.
pub(crate) struct Presenter {
    pub(crate) graph: Graph,
    constants: FxHashSet<Symbol>,
    /// Body and name of each definition that is worth naming.
    named: Vec<(Expr, Expr)>,
}

impl Presenter {
    pub(crate) fn new(equations: &Equations, system: &System) -> Self {
        let mut graph = equations.graph.clone();
        let constants =
            equations.parameters.iter().filter_map(|&parameter| graph.as_symbol(parameter));
        let constants = constants.collect();
        let mut named = Vec::new();
        for (definition, &body) in system.definitions.iter().zip(&equations.definitions) {
            if body_is_worth_a_name(&graph, body) {
                named.push((body, graph.symbol(&definition.name)));
            }
        }
        Presenter { graph, constants, named }
    }

    /// The expression without definitions, simplified.
    pub(crate) fn simplified(&mut self, expr: Expr) -> Expr {
        simplify(&mut self.graph, &[expr], &self.constants)[0]
    }

    /// The expression as people read it, with or without the definitions' names: the shorter.
    pub(crate) fn notation(&mut self, expr: Expr) -> Notation {
        let plain = self.simplified(expr);
        let plain = Notation::of(&self.graph, plain);
        let folded = self.with_names(expr);
        if folded == expr {
            return plain;
        }
        let folded = self.simplified(folded);
        let folded = Notation::of(&self.graph, folded);
        if folded.size() <= plain.size() { folded } else { plain }
    }

    /// The expression with every body of a definition replaced by its name.
    fn with_names(&mut self, expr: Expr) -> Expr {
        let mut replacements = self.named.clone();
        for node in self.graph.reachable(&[expr]) {
            if let Node::Power(base, exponent) = self.graph.node(node)
                && let Some(power) = self.power_of_named(base, exponent)
            {
                replacements.push((node, power));
            }
        }
        self.graph.substitute(&[expr], &replacements)[0]
    }

    /// With r = uᵃ, the power uᵏᵃ is rᵏ.
    fn power_of_named(&mut self, base: Expr, exponent: Expr) -> Option<Expr> {
        let exponent = self.graph.as_number(exponent)?;
        for position in 0..self.named.len() {
            let (body, name) = self.named[position];
            if let Node::Power(named_base, named_exponent) = self.graph.node(body)
                && named_base == base
            {
                let inverse = self.graph.as_number(named_exponent)?.power(-1)?;
                let ratio = exponent.checked_mul(inverse)?;
                ratio.as_integer()?;
                return Some(self.graph.power_number(name, ratio));
            }
        }
        None
    }
}

fn body_is_worth_a_name(graph: &Graph, body: Expr) -> bool {
    !matches!(graph.node(body), Node::Number(_) | Node::Pi | Node::Symbol(_))
}
