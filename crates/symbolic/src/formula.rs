//! A formula as the user wrote it: the syntax tree, in the order of the text.
//!
//! The tree is a flat list in which operands stand before the nodes that use them. It keeps the
//! user's own order of terms for printing, and is the one thing that the derivation and its
//! independent check have in common.

use crate::{Expr, Function, Graph, Number};
use std::ops::Range;

/// A place in a text, in bytes.
pub type Span = Range<usize>;

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the operation of its name")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A node; operands are positions in [`Formula::nodes`].
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaNode {
    /// A number as written.
    Number(Number),
    /// The constant π.
    Pi,
    /// A name followed by this many primes.
    Name(String, usize),
    /// `−x`
    Negate(usize),
    /// `x deg`: degrees turned into radians.
    Degrees(usize),
    /// `x + y`, `x − y`, `x·y`, `x/y`, `x^y`
    Binary(Operator, usize, usize),
    /// A function of one or two arguments.
    Call(Function, usize, Option<usize>),
}

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub(crate) nodes: Vec<FormulaNode>,
    pub(crate) spans: Vec<Span>,
}

impl Formula {
    /// The formula that is one number.
    pub fn number(value: Number) -> Formula {
        Formula { nodes: vec![FormulaNode::Number(value)], spans: vec![Span::default()] }
    }

    /// The nodes, operands first; the last one is the whole formula.
    pub fn nodes(&self) -> &[FormulaNode] {
        &self.nodes
    }

    /// Where a node stands in the text that was parsed.
    pub fn span(&self, node: usize) -> Span {
        self.spans[node].clone()
    }

    /// The same formula as part of a longer text in which it starts at this byte.
    pub fn starting_at(mut self, offset: usize) -> Formula {
        for span in &mut self.spans {
            *span = span.start + offset..span.end + offset;
        }
        self
    }

    /// The same formula with one place for all of it: a formula that nobody wrote.
    pub fn placed_at(mut self, place: &Span) -> Formula {
        self.spans.fill(place.clone());
        self
    }

    /// The name and its primes, if the formula is nothing else.
    pub fn as_name(&self) -> Option<(&str, usize)> {
        match self.nodes.as_slice() {
            [FormulaNode::Name(name, primes)] => Some((name, *primes)),
            _ => None,
        }
    }

    /// All names with their primes and places.
    pub fn names(&self) -> impl Iterator<Item = (&str, usize, Span)> {
        self.nodes.iter().zip(&self.spans).filter_map(|(node, span)| match node {
            FormulaNode::Name(name, primes) => Some((name.as_str(), *primes, span.clone())),
            _ => None,
        })
    }

    /// Builds the expression; `resolve` turns a name with its primes into an expression.
    pub fn build<E>(
        &self,
        graph: &mut Graph,
        mut resolve: impl FnMut(&mut Graph, &str, usize, Span) -> Result<Expr, E>,
    ) -> Result<Expr, E> {
        let mut built: Vec<Expr> = Vec::with_capacity(self.nodes.len());
        for (node, span) in self.nodes.iter().zip(&self.spans) {
            let expr = match *node {
                FormulaNode::Number(number) => graph.number(number),
                FormulaNode::Pi => graph.pi(),
                FormulaNode::Name(ref name, primes) => resolve(graph, name, primes, span.clone())?,
                FormulaNode::Negate(x) => graph.neg(built[x]),
                FormulaNode::Degrees(x) => {
                    let pi = graph.pi();
                    let degree = graph.scale(Number::fraction(1, 180), pi);
                    graph.mul(built[x], degree)
                }
                FormulaNode::Binary(operator, x, y) => {
                    let (x, y) = (built[x], built[y]);
                    match operator {
                        Operator::Add => graph.add(x, y),
                        Operator::Subtract => graph.sub(x, y),
                        Operator::Multiply => graph.mul(x, y),
                        Operator::Divide => graph.div(x, y),
                        Operator::Power => graph.power(x, y),
                    }
                }
                FormulaNode::Call(function, x, None) => graph.call(function, built[x]),
                FormulaNode::Call(function, x, Some(y)) => {
                    graph.call2(function, built[x], built[y])
                }
            };
            built.push(expr);
        }
        Ok(*built.last().expect("a formula has at least one node"))
    }

    /// The value of the formula as written: nothing is simplified, so that 0/0 stays undefined.
    pub fn evaluate(&self, value: impl Fn(&str, usize) -> f64) -> f64 {
        let mut values: Vec<f64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let result = match *node {
                FormulaNode::Number(number) => number.to_f64(),
                FormulaNode::Pi => std::f64::consts::PI,
                FormulaNode::Name(ref name, primes) => value(name, primes),
                FormulaNode::Negate(x) => -values[x],
                FormulaNode::Degrees(x) => values[x].to_radians(),
                FormulaNode::Binary(operator, x, y) => {
                    let (x, y) = (values[x], values[y]);
                    match operator {
                        Operator::Add => x + y,
                        Operator::Subtract => x - y,
                        Operator::Multiply => x * y,
                        Operator::Divide => x / y,
                        Operator::Power => x.powf(y),
                    }
                }
                FormulaNode::Call(function, x, y) => {
                    function.evaluate(values[x], y.map_or(0.0, |y| values[y]))
                }
            };
            values.push(result);
        }
        values.pop().unwrap_or(f64::NAN)
    }

    /// Builds the expression with every name as a symbol of its own, primes included.
    pub fn build_plain(&self, graph: &mut Graph) -> Expr {
        let symbols = |graph: &mut Graph, name: &str, primes: usize, _: Span| {
            Ok::<_, std::convert::Infallible>(graph.symbol(&primed(name, primes)))
        };
        let Ok(expr) = self.build(graph, symbols);
        expr
    }
}

/// The name with its primes: `theta1''`.
pub fn primed(name: &str, primes: usize) -> String {
    let mut all = String::with_capacity(name.len() + primes);
    all.push_str(name);
    all.extend(std::iter::repeat_n('\'', primes));
    all
}
