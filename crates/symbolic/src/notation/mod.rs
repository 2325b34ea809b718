//! Mathematics ready to be written: a tree with the order and grouping that people read.
//!
//! The same tree is written as Unicode text, LaTeX, MathML and in the syntax of model files.

mod decimals;
mod formula;
mod latex;
mod lines;
mod mathml;
mod name;
mod order;
mod text;

use crate::function::OperatorName;
use crate::{Expr, Formula, FormulaNode, Function, Graph, Node, Number, Operator, Style, primed};

pub use decimals::Decimals;
pub use text::display_width;

/// A name as a label of a figure: `$θ̇_{1}$`, where what stands between dollar signs is mathematics and `_{…}` is lowered.
pub fn figure_label(name: &str) -> String {
    name::Name::new(name).label()
}

/// A formula with more nodes than this, written out, helps nobody.
const MAX_SIZE: usize = 5_000;
/// A formula nested deeper than this is not written out.
const MAX_DEPTH: usize = 400;

/// Mathematics to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Notation {
    /// A number, never negative inside a sum or product.
    Number(Number),
    /// π
    Pi,
    /// A name with its primes.
    Name(String),
    /// Terms; one that is [`Notation::Negative`] is subtracted.
    Sum(Vec<Notation>),
    /// −x
    Negative(Box<Notation>),
    /// Factors, in reading order.
    Product(Vec<Notation>),
    /// The first over the second.
    Fraction(Box<Notation>, Box<Notation>),
    /// Base and exponent.
    Power(Box<Notation>, Box<Notation>),
    /// A square root.
    Root(Box<Notation>),
    /// A function of its arguments.
    Call(Function, Vec<Notation>),
    /// An angle in degrees.
    Degrees(Box<Notation>),
    /// Sides joined by equal signs.
    Equation(Vec<Notation>),
    /// Rows of a matrix.
    Matrix(Vec<Vec<Notation>>),
    /// ∂ first / ∂ second
    Partial(Box<Notation>, Box<Notation>),
    /// d/dt
    TimeDerivative(Box<Notation>),
    /// A letter with another letter as index, such as Φ with index q.
    Indexed(Box<Notation>, Box<Notation>),
    /// Row and column numbers, as an index.
    Position(Vec<usize>),
    /// A transposed matrix.
    Transposed(Box<Notation>),
    /// A formula too large to be written out.
    Elided,
}

/// How tightly a piece of writing holds together: what binds less needs parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Sum,
    Product,
    Power,
    Atom,
}

/// A number as people write it: with a power of ten where it is very large or very small.
fn real_text(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || (1e-4..1e15).contains(&size) => format!("{value}"),
        _ => format!("{value:e}"),
    }
}

/// Row and column numbers; a comma keeps 1,12 and 11,2 apart.
fn position_text(numbers: &[usize]) -> String {
    let separator = if numbers.iter().any(|&number| number > 9) { "," } else { "" };
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(separator)
}

/// The terms of a sum, each with its sign: first plus, first minus, later plus, later minus.
fn signed_terms<'a>(
    terms: &'a [Notation],
    signs: [&'static str; 4],
) -> impl Iterator<Item = (&'static str, &'a Notation)> {
    terms.iter().enumerate().map(move |(position, term)| {
        let later = if position == 0 { 0 } else { 2 };
        match term {
            Notation::Negative(term) => (signs[later + 1], term.as_ref()),
            term => (signs[later], term),
        }
    })
}

impl Notation {
    /// A name, with primes for dots.
    pub fn name(name: &str) -> Notation {
        Notation::Name(name.to_owned())
    }

    /// `left = right`
    pub fn equals(self, right: Notation) -> Notation {
        Notation::Equation(vec![self, right])
    }

    /// `∂ self / ∂ by`
    pub fn partial(self, by: Notation) -> Notation {
        Notation::Partial(Box::new(self), Box::new(by))
    }

    /// A letter with an index.
    pub fn indexed(self, index: Notation) -> Notation {
        Notation::Indexed(Box::new(self), Box::new(index))
    }

    /// An expression of the graph, its terms and factors in reading order.
    pub fn of(graph: &Graph, expr: Expr) -> Notation {
        if is_too_large(graph, expr) { Notation::Elided } else { of_expr(graph, expr) }
    }

    /// A formula in the order in which the user wrote it.
    pub fn of_formula(formula: &Formula) -> Notation {
        if formula.nodes().len() > MAX_SIZE {
            return Notation::Elided;
        }
        let mut built: Vec<Notation> = Vec::with_capacity(formula.nodes().len());
        for node in formula.nodes() {
            // every node is used once, so that its notation can be moved into the user
            let mut take = |at: usize| std::mem::replace(&mut built[at], Notation::Elided);
            let notation = match *node {
                // a number with a denominator was written as a decimal: fractions are quotients
                FormulaNode::Number(number @ Number::Fraction(_, 2..)) => {
                    Notation::Number(Number::Real(number.to_f64()))
                }
                FormulaNode::Number(number) => Notation::Number(number),
                FormulaNode::Pi => Notation::Pi,
                FormulaNode::Name(ref name, primes) => Notation::Name(primed(name, primes)),
                FormulaNode::Negate(x) => Notation::Negative(Box::new(take(x))),
                FormulaNode::Degrees(x) => Notation::Degrees(Box::new(take(x))),
                FormulaNode::Binary(operator, x, y) => {
                    let (x, y) = (take(x), take(y));
                    match operator {
                        Operator::Add => sum_of(x, y),
                        Operator::Subtract => sum_of(x, Notation::Negative(Box::new(y))),
                        Operator::Multiply => product_of(x, y),
                        Operator::Divide => quotient_of(x, y),
                        Operator::Power => Notation::Power(Box::new(x), Box::new(y)),
                    }
                }
                FormulaNode::Call(function, x, y) => match function.row().style {
                    Style::Root => Notation::Root(Box::new(take(x))),
                    Style::Operator(_) | Style::Bars => {
                        let arguments = std::iter::once(x).chain(y).map(&mut take).collect();
                        Notation::Call(function, arguments)
                    }
                },
            };
            built.push(notation);
        }
        built.pop().expect("a formula has at least one node")
    }

    /// How many symbols are written: the measure by which the shorter of two forms is chosen.
    pub fn size(&self) -> usize {
        use Notation::*;
        match self {
            Number(_) | Pi | Name(_) | Position(_) => 1,
            Elided => MAX_SIZE,
            Negative(x) | Root(x) | Degrees(x) | TimeDerivative(x) | Transposed(x) => 1 + x.size(),
            Fraction(x, y) | Power(x, y) | Partial(x, y) | Indexed(x, y) => 1 + x.size() + y.size(),
            Sum(parts) | Product(parts) | Equation(parts) | Call(_, parts) => {
                1 + parts.iter().map(Notation::size).sum::<usize>()
            }
            Matrix(rows) => 1 + rows.iter().flatten().map(Notation::size).sum::<usize>(),
        }
    }

    /// The operator and its arguments, if this is a function written with its name before them.
    fn as_operator(&self) -> Option<(&'static OperatorName, &[Notation])> {
        let Notation::Call(function, arguments) = self else { return None };
        match &function.row().style {
            Style::Operator(operator) => Some((operator, arguments)),
            Style::Bars | Style::Root => None,
        }
    }

    /// Whether this is the number 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Notation::Number(number) if number.is_zero())
    }
}

fn sum_of(x: Notation, y: Notation) -> Notation {
    let mut terms = match x {
        Notation::Sum(terms) => terms,
        other => vec![other],
    };
    terms.push(y);
    Notation::Sum(terms)
}

fn product_of(x: Notation, y: Notation) -> Notation {
    // −x·y is written with its sign in front
    if let Notation::Negative(x) = x {
        return Notation::Negative(Box::new(product_of(*x, y)));
    }
    let mut factors = match x {
        Notation::Product(factors) => factors,
        other => vec![other],
    };
    factors.push(y);
    Notation::Product(factors)
}

fn quotient_of(x: Notation, y: Notation) -> Notation {
    match (x, y) {
        (Notation::Number(x), Notation::Number(y))
            if x.as_integer().is_some() && y.as_integer().is_some_and(|y| y > 0) =>
        {
            let (x, y) = (x.as_integer().unwrap_or(0), y.as_integer().unwrap_or(1));
            Notation::Number(Number::fraction(x, y))
        }
        (Notation::Negative(x), y) => Notation::Negative(Box::new(quotient_of(*x, y))),
        // L/2 is ½ L, as in derived formulas
        (x, Notation::Number(Number::Fraction(y @ 1.., 1))) => {
            product_of(Notation::Number(Number::fraction(1, y)), x)
        }
        (Notation::Fraction(x, z), y) => Notation::Fraction(x, Box::new(product_of(*z, y))),
        (x, y) => Notation::Fraction(Box::new(x), Box::new(y)),
    }
}

/// Size and depth as a tree, found without walking the tree.
fn is_too_large(graph: &Graph, root: Expr) -> bool {
    let mut measures = rustc_hash::FxHashMap::default();
    for expr in graph.reachable(&[root]) {
        let (mut size, mut depth) = (1_usize, 1_usize);
        for operand in graph.node(expr).operands() {
            let (operand_size, operand_depth): (usize, usize) = measures[&operand];
            size = size.saturating_add(operand_size);
            depth = depth.max(operand_depth + 1);
        }
        measures.insert(expr, (size, depth));
    }
    let (size, depth) = measures[&root];
    size > MAX_SIZE || depth > MAX_DEPTH
}

fn of_expr(graph: &Graph, expr: Expr) -> Notation {
    match graph.node(expr) {
        Node::Number(number) => signed(number.is_negative(), Notation::Number(number.abs())),
        Node::Pi => Notation::Pi,
        Node::Symbol(symbol) => Notation::Name(graph.name(symbol).to_owned()),
        Node::Add(..) => {
            let terms = order::terms(graph, expr).into_iter();
            Notation::Sum(terms.map(|(factor, term)| of_product(graph, factor, term)).collect())
        }
        Node::Mul(..) | Node::Power(..) => of_product(graph, Number::ONE, expr),
        Node::Call(function, x) => Notation::Call(function, vec![of_expr(graph, x)]),
        Node::Call2(function, x, y) => {
            Notation::Call(function, vec![of_expr(graph, x), of_expr(graph, y)])
        }
    }
}

fn signed(negative: bool, notation: Notation) -> Notation {
    if negative { Notation::Negative(Box::new(notation)) } else { notation }
}

/// A number times a product, the sign in front, negative powers below the line.
fn of_product(graph: &Graph, factor: Number, expr: Expr) -> Notation {
    let mut coefficient = factor;
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for (base, exponent) in order::factors(graph, expr) {
        let Some(exponent) = exponent else {
            match graph.as_number(base).and_then(|number| coefficient.checked_mul(number)) {
                Some(product) => coefficient = product,
                None => upper.push(of_expr(graph, base)),
            }
            continue;
        };
        match graph.as_number(exponent) {
            Some(number) if number.is_negative() => {
                lower.push(of_power(graph, base, Notation::Number(number.negated())));
            }
            _ => upper.push(of_power(graph, base, of_expr(graph, exponent))),
        }
    }
    let negative = coefficient.is_negative();
    let coefficient = Notation::Number(coefficient.abs());
    if lower.is_empty() {
        if coefficient != Notation::Number(Number::ONE) {
            upper.insert(0, coefficient);
        }
        return signed(negative, product(upper));
    }
    // a whole coefficient stands above the line, a fraction before it: 2 x/y, ½ x/y
    let whole = matches!(coefficient, Notation::Number(number) if number.as_integer().is_some());
    if whole && coefficient != Notation::Number(Number::ONE) {
        upper.insert(0, coefficient.clone());
    }
    let quotient = Notation::Fraction(Box::new(product(upper)), Box::new(product(lower)));
    let quotient = if whole { quotient } else { Notation::Product(vec![coefficient, quotient]) };
    signed(negative, quotient)
}

fn product(mut factors: Vec<Notation>) -> Notation {
    match factors.len() {
        0 => Notation::Number(Number::ONE),
        1 => factors.remove(0),
        _ => Notation::Product(factors),
    }
}

fn of_power(graph: &Graph, base: Expr, exponent: Notation) -> Notation {
    let base = of_expr(graph, base);
    match exponent {
        Notation::Number(number) if number == Number::ONE => base,
        Notation::Number(number) if number == Number::HALF => Notation::Root(Box::new(base)),
        exponent => Notation::Power(Box::new(base), Box::new(exponent)),
    }
}
