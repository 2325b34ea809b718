//! Derivatives on the graph: along a direction, by one symbol, of one value by many symbols.
//!
//! The forward sweep carries a tangent through every node once; the reverse sweep collects the
//! adjoint of every node once. Both cost a small multiple of the nodes they visit, and both build
//! on the sharing already there.

use crate::{Expr, ExprMap, Function, Graph, Node};
use rustc_hash::FxHashMap;

/// A sparse matrix of derivatives: what is not listed is zero everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    /// Number of differentiated values.
    pub rows: usize,
    /// Number of symbols.
    pub columns: usize,
    /// (row, column, derivative), row by row, columns ascending.
    pub entries: Vec<(usize, usize, Expr)>,
}

impl Graph {
    /// The derivative of each root when every seeded symbol moves with its given rate.
    pub fn directional(&mut self, roots: &[Expr], seeds: &[(Expr, Expr)]) -> Vec<Expr> {
        let order = self.reachable(roots);
        let mut tangents = ExprMap::for_expressions(&order);
        seeds.iter().for_each(|&(symbol, rate)| tangents.insert(symbol, rate));
        for expr in order {
            let node = self.node(expr);
            let mut sum: Option<Expr> = None;
            for (slot, operand) in node.operands().enumerate() {
                if let Some(tangent) = tangents.get(operand) {
                    let term = self.chain_rule(expr, node, slot, tangent);
                    sum = Some(sum.map_or(term, |sum| self.add(sum, term)));
                }
            }
            if let Some(sum) = sum
                && !self.is_zero(sum)
            {
                tangents.insert(expr, sum);
            }
        }
        let zero = self.zero();
        roots.iter().map(|&root| tangents.get(root).unwrap_or(zero)).collect()
    }

    /// The partial derivative by one symbol.
    pub fn derivative(&mut self, expr: Expr, symbol: Expr) -> Expr {
        let one = self.one();
        self.directional(&[expr], &[(symbol, one)])[0]
    }

    /// The partial derivatives of one value by many symbols, in one reverse sweep.
    pub fn gradient(&mut self, root: Expr, symbols: &[Expr]) -> Vec<Expr> {
        let order = self.reachable(&[root]);
        let wanted = self.depending_on(&order, symbols);
        let mut adjoints = ExprMap::for_expressions(&order);
        adjoints.insert(root, self.one());
        for &expr in order.iter().rev().filter(|expr| wanted.get(**expr).is_some()) {
            let Some(adjoint) = adjoints.get(expr) else { continue };
            let node = self.node(expr);
            for (slot, operand) in node.operands().enumerate() {
                if wanted.get(operand).is_some() {
                    let term = self.chain_rule(expr, node, slot, adjoint);
                    let sum = match adjoints.get(operand) {
                        Some(sum) => self.add(sum, term),
                        None => term,
                    };
                    adjoints.insert(operand, sum);
                }
            }
        }
        let zero = self.zero();
        symbols.iter().map(|&symbol| adjoints.get(symbol).unwrap_or(zero)).collect()
    }

    /// All first derivatives of many values, with the pattern of those that are not zero.
    pub fn jacobian(&mut self, values: &[Expr], symbols: &[Expr]) -> Jacobian {
        let places: FxHashMap<Expr, usize> =
            symbols.iter().enumerate().map(|(column, &symbol)| (symbol, column)).collect();
        let mut entries = Vec::new();
        for (row, &value) in values.iter().enumerate() {
            let used = self.reachable(&[value]).into_iter();
            let mut columns: Vec<usize> = used.filter_map(|e| places.get(&e).copied()).collect();
            columns.sort_unstable();
            let used: Vec<Expr> = columns.iter().map(|&column| symbols[column]).collect();
            for (column, entry) in columns.into_iter().zip(self.gradient(value, &used)) {
                if !self.is_zero(entry) {
                    entries.push((row, column, entry));
                }
            }
        }
        Jacobian { rows: values.len(), columns: symbols.len(), entries }
    }

    /// The nodes among `order` that depend on one of the symbols.
    fn depending_on(&self, order: &[Expr], symbols: &[Expr]) -> ExprMap<()> {
        let mut depending = ExprMap::for_expressions(order);
        symbols.iter().for_each(|&symbol| depending.insert(symbol, ()));
        for &expr in order {
            if self.node(expr).operands().any(|operand| depending.get(operand).is_some()) {
                depending.insert(expr, ());
            }
        }
        depending
    }

    /// Whether the expression contains one of the symbols.
    pub fn depends_on(&self, expr: Expr, symbols: &[Expr]) -> bool {
        self.any_depends_on(&[expr], symbols)
    }

    /// Whether one of the expressions contains one of the symbols.
    pub fn any_depends_on(&self, exprs: &[Expr], symbols: &[Expr]) -> bool {
        let order = self.reachable(exprs);
        symbols.iter().any(|symbol| order.binary_search(symbol).is_ok())
    }

    /// `weight · ∂node/∂operand`, the operand being the one in this slot.
    fn chain_rule(&mut self, expr: Expr, node: Node, slot: usize, weight: Expr) -> Expr {
        match node {
            Node::Add(..) => weight,
            Node::Mul(a, b) => self.mul(if slot == 0 { b } else { a }, weight),
            Node::Power(base, exponent) if slot == 0 => {
                let one = self.one();
                let lower = self.sub(exponent, one);
                let power = self.power(base, lower);
                let slope = self.mul(exponent, power);
                self.mul(slope, weight)
            }
            Node::Power(base, _) => {
                let logarithm = self.call(Function::LOG, base);
                let slope = self.mul(expr, logarithm);
                self.mul(slope, weight)
            }
            Node::Call(function, x) => {
                let slope = (function.unary().slope)(self, x, expr);
                self.mul(slope, weight)
            }
            Node::Call2(function, x, y) => {
                let slope = (function.binary().slopes[slot])(self, x, y);
                self.mul(slope, weight)
            }
            Node::Number(_) | Node::Pi | Node::Symbol(_) => unreachable!("leaves have no operands"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn expression(graph: &mut Graph, text: &str) -> Expr {
        parse(text).unwrap().build_plain(graph)
    }

    /// Every function at a point where it is smooth, against a difference quotient.
    #[test]
    fn derivatives_of_all_functions_match_difference_quotients() {
        let formulas = [
            "sin(x)*cos(2*x)",
            "tan(x)",
            "asin(x/2)",
            "acos(x/2)",
            "atan(x)",
            "atan2(x, y)",
            "atan2(y, x)",
            "sinh(x)+cosh(x)*tanh(x)",
            "exp(x*y)",
            "log(x+y)",
            "sqrt(x*y)",
            "abs(x-2)",
            "x*sign(x)",
            "min(x, y)*max(x, 2*y)",
            "max(x, y)+min(y, x)",
            "x^3/(1+x)^2",
            "x^y",
            "y^x",
        ];
        for text in formulas {
            let mut g = Graph::new();
            let (x, y) = (g.symbol("x"), g.symbol("y"));
            let value = expression(&mut g, text);
            let forward = [g.derivative(value, x), g.derivative(value, y)];
            let reverse = g.gradient(value, &[x, y]);
            let at =
                |e: Expr, a: f64, b: f64| g.evaluate(&[e], |n| if n == "x" { a } else { b })[0];
            let (a, b, h) = (0.7, 1.3, 1e-5);
            let slopes = [
                (at(value, a + h, b) - at(value, a - h, b)) / (2.0 * h),
                (at(value, a, b + h) - at(value, a, b - h)) / (2.0 * h),
            ];
            for k in 0..2 {
                for derivative in [forward[k], reverse[k]] {
                    let difference = at(derivative, a, b) - slopes[k];
                    assert!(difference.abs() < 1e-8, "{text}: d/d{k} differs by {difference}");
                }
            }
        }
    }

    #[test]
    fn a_jacobian_lists_only_what_is_not_zero() {
        let mut g = Graph::new();
        let symbols = [g.symbol("x"), g.symbol("y"), g.symbol("z")];
        let values = [expression(&mut g, "x*y"), expression(&mut g, "sin(z)")];
        let jacobian = g.jacobian(&values, &symbols);
        let pattern: Vec<_> = jacobian.entries.iter().map(|&(i, j, _)| (i, j)).collect();
        assert_eq!(pattern, [(0, 0), (0, 1), (1, 2)]);
    }

    #[test]
    fn the_gradient_of_a_shared_chain_stays_small() {
        // xₖ = xₖ₋₁·sin(xₖ₋₁): expanded text doubles with every link, the graph does not
        let mut g = Graph::new();
        let x = g.symbol("x");
        let mut value = x;
        for _ in 0..200 {
            let sine = g.call(Function::SIN, value);
            value = g.mul(value, sine);
        }
        g.gradient(value, &[x]);
        assert!(g.len() < 2000, "{} nodes", g.len());
    }
}
