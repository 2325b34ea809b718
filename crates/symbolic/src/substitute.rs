//! Replacing nodes, and evaluating a graph directly.

use crate::{Expr, Graph, Node};
use rustc_hash::FxHashMap;

impl Graph {
    /// The roots with every listed node replaced. Operands are replaced before their users; a
    /// replacement is not looked into again.
    pub fn substitute(&mut self, roots: &[Expr], replacements: &[(Expr, Expr)]) -> Vec<Expr> {
        let mut map: FxHashMap<Expr, Expr> = replacements.iter().copied().collect();
        for expr in self.reachable(roots) {
            if map.contains_key(&expr) {
                continue;
            }
            let node = self.node(expr);
            let rebuilt = if node.operands().all(|operand| map[&operand] == operand) {
                expr
            } else {
                self.rebuild(node, |operand| map[&operand])
            };
            map.insert(expr, rebuilt);
        }
        roots.iter().map(|root| map[root]).collect()
    }

    /// The same operation on other operands.
    pub(crate) fn rebuild(&mut self, node: Node, map: impl Fn(Expr) -> Expr) -> Expr {
        match node {
            Node::Add(a, b) => self.add(map(a), map(b)),
            Node::Mul(a, b) => self.mul(map(a), map(b)),
            Node::Power(a, b) => self.power(map(a), map(b)),
            Node::Call(function, x) => self.call(function, map(x)),
            Node::Call2(function, x, y) => self.call2(function, map(x), map(y)),
            Node::Number(_) | Node::Pi | Node::Symbol(_) => unreachable!("leaves are not rebuilt"),
        }
    }

    /// The values of the roots, each node computed once; `symbol` gives the value of a name.
    ///
    /// This is the plain reading of the graph. What runs many times is compiled into a program.
    pub fn evaluate(&self, roots: &[Expr], symbol: impl Fn(&str) -> f64) -> Vec<f64> {
        let order = self.reachable(roots);
        // operands stand before their users, so that the last node has the largest index
        let mut values = vec![f64::NAN; order.last().map_or(0, |last| last.index() + 1)];
        for expr in order {
            let at = |operand: Expr| values[operand.index()];
            values[expr.index()] = match self.node(expr) {
                Node::Number(number) => number.to_f64(),
                Node::Pi => std::f64::consts::PI,
                Node::Symbol(name) => symbol(self.name(name)),
                Node::Add(a, b) => at(a) + at(b),
                Node::Mul(a, b) => at(a) * at(b),
                Node::Power(a, b) => power(at(a), at(b)),
                Node::Call(function, x) => function.evaluate(at(x), 0.0),
                Node::Call2(function, x, y) => function.evaluate(at(x), at(y)),
            };
        }
        roots.iter().map(|root| values[root.index()]).collect()
    }
}

/// `base^exponent` with the roots and whole powers that are better than the general function.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 0.5 {
        base.sqrt()
    } else if exponent == -0.5 {
        base.sqrt().recip()
    } else if exponent.fract() == 0.0 && exponent.abs() <= 64.0 {
        base.powi(exponent as i32)
    } else {
        base.powf(exponent)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Function, Graph};

    #[test]
    fn substitution_replaces_whole_subexpressions() {
        let mut g = Graph::new();
        let (x, y, r) = (g.symbol("x"), g.symbol("y"), g.symbol("r"));
        let sum = g.add(x, y);
        let sine = g.call(Function::SIN, sum);
        let value = g.mul(sine, sum);
        let replaced = g.substitute(&[value], &[(sum, r)])[0];
        let expected = g.call(Function::SIN, r);
        assert_eq!(replaced, g.mul(expected, r));
    }
}
