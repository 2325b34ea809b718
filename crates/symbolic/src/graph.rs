//! Expressions as one shared graph: equal expressions are the same node.
//!
//! Nodes are stored in the order they were made, so operands always stand before the nodes that
//! use them, and every algorithm is a loop over indices: no recursion, whatever the depth.
//!
//! The constructors keep expressions small by local rules (numbers folded, `a·x + b·x` collected,
//! `xᵃ·xᵇ` joined, signs drawn out of odd functions). They never expand a product and never
//! reorder a chain of sums: the sharing that the user's definitions bring is what keeps the work
//! for n links from growing like n⁴. Expressions for people go through [`crate::Simplifier`].

use crate::function::Symmetry;
use crate::node_index::NodeIndex;
use crate::{Function, Number};
use rustc_hash::FxHashMap;

/// An expression: the index of its node in a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(u32);

impl Expr {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node. Commutative operands are sorted; a numeric factor stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number: an exact fraction, or an `f64`.
    Number(Number),
    /// The constant π.
    Pi,
    /// A name; primes belong to it (`theta1'` is a symbol of its own).
    Symbol(Symbol),
    /// A sum of two, the earlier node first.
    Add(Expr, Expr),
    /// A product of two; a numeric factor stands first, else the earlier node.
    Mul(Expr, Expr),
    /// A power; `x/y` is `x·y⁻¹` and `sqrt(x)` is `x^½`.
    Power(Expr, Expr),
    /// A function of one argument; `sqrt` is a power instead.
    Call(Function, Expr),
    /// A function of two arguments.
    Call2(Function, Expr, Expr),
}

impl Node {
    /// The operands, in order.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Expr> {
        let (operands, count) = match self {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => ([Expr(0); 2], 0),
            Node::Call(_, x) => ([x; 2], 1),
            Node::Add(x, y) | Node::Mul(x, y) | Node::Power(x, y) | Node::Call2(_, x, y) => {
                ([x, y], 2)
            }
        };
        operands.into_iter().take(count)
    }
}

/// A name in a [`Graph`], numbered in the order of first use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The graph that owns all nodes.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    index: NodeIndex,
    names: Vec<String>,
    symbols: FxHashMap<String, Symbol>,
    /// The node of the number 1, which nearly every product asks for.
    one: Option<Expr>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// The node of an expression.
    pub fn node(&self, expr: Expr) -> Node {
        self.nodes[expr.index()]
    }

    /// How many nodes were made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All expressions, operands before users.
    pub fn expressions(&self) -> impl Iterator<Item = Expr> + use<> {
        let len = u32::try_from(self.nodes.len()).expect("fewer than 2³² nodes fit into memory");
        (0..len).map(Expr)
    }

    /// Whether no node was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// The symbol of an expression that is one.
    pub fn as_symbol(&self, expr: Expr) -> Option<Symbol> {
        match self.node(expr) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The number of an expression that is one.
    pub fn as_number(&self, expr: Expr) -> Option<Number> {
        match self.node(expr) {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the expression is the number 0.
    pub fn is_zero(&self, expr: Expr) -> bool {
        self.as_number(expr).is_some_and(Number::is_zero)
    }

    /// All nodes that the roots are made of, operands before users, each once.
    pub fn reachable(&self, roots: &[Expr]) -> Vec<Expr> {
        let Some(last) = roots.iter().max() else { return Vec::new() };
        // a bit for each node up to the last one, looked at from there on down: users before their operands
        let mut marks = vec![0_u64; last.index() / 64 + 1];
        let mark = |marks: &mut [u64], expr: Expr| marks[expr.index() / 64] |= 1 << (expr.0 % 64);
        roots.iter().for_each(|&root| mark(&mut marks, root));
        let mut count = 0;
        for at in (0..marks.len()).rev() {
            let mut unseen = u64::MAX;
            while let Some(bit) = (marks[at] & unseen).checked_ilog2() {
                unseen = (1 << bit) - 1;
                count += 1;
                let operands = self.node(Expr(at as u32 * 64 + bit)).operands();
                operands.for_each(|operand| mark(&mut marks, operand));
            }
        }
        let mut order = Vec::with_capacity(count);
        for (at, mut left) in marks.into_iter().enumerate() {
            while left != 0 {
                order.push(Expr(at as u32 * 64 + left.trailing_zeros()));
                left &= left - 1;
            }
        }
        order
    }

    fn intern(&mut self, node: Node) -> Expr {
        Expr(self.index.find_or_push(&mut self.nodes, node))
    }

    /// The node of a number.
    pub fn number(&mut self, value: impl Into<Number>) -> Expr {
        self.intern(Node::Number(value.into()))
    }

    /// The number 0.
    pub fn zero(&mut self) -> Expr {
        self.number(Number::ZERO)
    }

    /// The number 1.
    pub fn one(&mut self) -> Expr {
        if let Some(one) = self.one {
            return one;
        }
        let one = self.number(Number::ONE);
        self.one = Some(one);
        one
    }

    /// The constant π.
    pub fn pi(&mut self) -> Expr {
        self.intern(Node::Pi)
    }

    /// The symbol of this name.
    pub fn symbol(&mut self, name: &str) -> Expr {
        let symbol = self.symbols.get(name).copied().unwrap_or_else(|| {
            let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2³² names"));
            self.names.push(name.to_owned());
            self.symbols.insert(name.to_owned(), symbol);
            symbol
        });
        self.intern(Node::Symbol(symbol))
    }

    /// Takes `c·x` apart into `(c, x)`; a plain number is `(c, 1)`.
    pub(crate) fn split_factor(&mut self, expr: Expr) -> (Number, Expr) {
        match self.node(expr) {
            Node::Number(number) => (number, self.one()),
            Node::Mul(factor, rest) => match self.as_number(factor) {
                Some(number) => (number, rest),
                None => (Number::ONE, expr),
            },
            _ => (Number::ONE, expr),
        }
    }

    /// `a + b`
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        let ((factor_a, rest_a), (factor_b, rest_b)) = (self.split_factor(a), self.split_factor(b));
        if rest_a == rest_b {
            if let Some(sum) = factor_a.checked_add(factor_b) {
                return self.scale(sum, rest_a);
            }
        } else if factor_a == factor_b && factor_a != Number::ONE {
            let sum = self.add(rest_a, rest_b);
            return self.scale(factor_a, sum);
        }
        self.intern(Node::Add(a.min(b), a.max(b)))
    }

    /// `a − b`
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        let negative = self.neg(b);
        self.add(a, negative)
    }

    /// `−a`
    pub fn neg(&mut self, a: Expr) -> Expr {
        self.scale(Number::MINUS_ONE, a)
    }

    /// The sum of all terms, 0 for none.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Expr>) -> Expr {
        let zero = self.zero();
        terms.into_iter().fold(zero, |sum, term| self.add(sum, term))
    }

    /// `factor · a` for a plain number.
    pub fn scale(&mut self, factor: Number, a: Expr) -> Expr {
        let (inner, rest) = self.split_factor(a);
        let Some(factor) = factor.checked_mul(inner) else {
            // too large to fold: keep the product as written
            let factor = self.number(factor);
            return self.intern(Node::Mul(factor, a));
        };
        if factor.is_zero() && !self.divides_by_zero(rest) {
            return self.zero();
        }
        if factor == Number::ONE {
            return rest;
        }
        if self.as_number(rest) == Some(Number::ONE) {
            return self.number(factor);
        }
        // −(x − y) is y − x: one operation less. Longer sums stay as they are: turning every sign
        // would copy the whole chain that they share.
        if factor == Number::MINUS_ONE
            && let Node::Add(x, y) = self.node(rest)
        {
            let ((factor_x, rest_x), (factor_y, rest_y)) =
                (self.split_factor(x), self.split_factor(y));
            let short = ![rest_x, rest_y].iter().any(|&e| matches!(self.node(e), Node::Add(..)));
            if short && (factor_x.is_negative() || factor_y.is_negative()) {
                let (x, y) = (self.neg(x), self.neg(y));
                return self.add(x, y);
            }
        }
        let factor = self.number(factor);
        self.intern(Node::Mul(factor, rest))
    }

    /// `a · b`
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        let ((factor_a, rest_a), (factor_b, rest_b)) = (self.split_factor(a), self.split_factor(b));
        let Some(factor) = factor_a.checked_mul(factor_b) else {
            return self.intern(Node::Mul(a.min(b), a.max(b)));
        };
        let one = self.one();
        let product = if rest_a == one {
            rest_b
        } else if rest_b == one {
            rest_a
        } else {
            self.join_powers(rest_a, rest_b)
        };
        self.scale(factor, product)
    }

    /// `xᵃ · xᵇ` is `xᵃ⁺ᵇ`; other products are plain nodes.
    fn join_powers(&mut self, a: Expr, b: Expr) -> Expr {
        let ((base_a, exponent_a), (base_b, exponent_b)) =
            (self.split_power(a), self.split_power(b));
        if base_a == base_b {
            let exponent = self.add(exponent_a, exponent_b);
            if let Some(number) = self.as_number(exponent)
                && self.keeps_domain(base_a, exponent_a, number)
            {
                return self.power(base_a, exponent);
            }
        }
        self.intern(Node::Mul(a.min(b), a.max(b)))
    }

    /// Takes `xᵃ` apart into `(x, a)`; anything else is `(x, 1)`.
    pub(crate) fn split_power(&mut self, expr: Expr) -> (Expr, Expr) {
        match self.node(expr) {
            Node::Power(base, exponent) => (base, exponent),
            _ => (expr, self.one()),
        }
    }

    /// The product of all factors, 1 for none.
    pub fn product(&mut self, factors: impl IntoIterator<Item = Expr>) -> Expr {
        let one = self.one();
        factors.into_iter().fold(one, |product, factor| self.mul(product, factor))
    }

    /// `a / b`
    pub fn div(&mut self, a: Expr, b: Expr) -> Expr {
        let inverse = self.power_number(b, Number::MINUS_ONE);
        self.mul(a, inverse)
    }

    /// `base ^ exponent` with a plain number as exponent.
    pub fn power_number(&mut self, base: Expr, exponent: Number) -> Expr {
        let exponent = self.number(exponent);
        self.power(base, exponent)
    }

    /// `base ^ exponent`
    pub fn power(&mut self, base: Expr, exponent: Expr) -> Expr {
        let Some(number) = self.as_number(exponent) else {
            return self.intern(Node::Power(base, exponent));
        };
        if number.is_zero() {
            return self.one();
        }
        if number == Number::ONE {
            return base;
        }
        if let Some(whole) = number.as_integer() {
            let (factor, rest) = self.split_factor(base);
            if self.as_number(rest) == Some(Number::ONE) {
                if let Some(value) = factor.power(whole) {
                    return self.number(value);
                }
            } else if factor != Number::ONE
                && let Some(factor) = factor.power(whole)
            {
                let rest = self.power(rest, exponent);
                return self.scale(factor, rest);
            }
            // (xᵃ)ⁿ = xᵃⁿ holds for whole n only: √(x²) is not x
            if let Node::Power(inner, inner_exponent) = self.node(base)
                && let Some(inner_number) = self.as_number(inner_exponent)
                && let Some(joined) = inner_number.checked_mul(number)
                && self.keeps_domain(inner, inner_exponent, joined)
            {
                return self.power_number(inner, joined);
            }
        } else if number == Number::HALF
            && let Some(root) = self.as_number(base).and_then(Number::exact_sqrt)
        {
            return self.number(root);
        }
        self.intern(Node::Power(base, exponent))
    }

    /// `√a`
    pub fn sqrt(&mut self, a: Expr) -> Expr {
        self.power_number(a, Number::HALF)
    }

    /// `function(x)`
    ///
    /// # Panics
    /// If the function takes two arguments.
    pub fn call(&mut self, function: Function, x: Expr) -> Expr {
        let rules = function.unary();
        if let Some(form) = (rules.rewrite)(self, x) {
            return form;
        }
        match rules.symmetry {
            Symmetry::None => self.intern(Node::Call(function, x)),
            Symmetry::Odd if self.is_zero(x) => self.zero(),
            Symmetry::Even if self.leads_negative(x) => {
                let positive = self.neg(x);
                self.intern(Node::Call(function, positive))
            }
            Symmetry::Odd if self.leads_negative(x) => {
                let positive = self.neg(x);
                let value = self.intern(Node::Call(function, positive));
                self.neg(value)
            }
            Symmetry::Even | Symmetry::Odd => self.intern(Node::Call(function, x)),
        }
    }

    /// `function(x, y)`
    ///
    /// # Panics
    /// If the function takes one argument.
    pub fn call2(&mut self, function: Function, x: Expr, y: Expr) -> Expr {
        (function.binary().rewrite)(self, x, y)
            .unwrap_or_else(|| self.intern(Node::Call2(function, x, y)))
    }

    /// c if the expression is c·π.
    pub(crate) fn as_multiple_of_pi(&mut self, expr: Expr) -> Option<Number> {
        let (factor, rest) = self.split_factor(expr);
        (self.node(rest) == Node::Pi).then_some(factor)
    }

    /// Which of x and −x is written first: decides so that sin(a − b) and sin(b − a) share.
    fn leads_negative(&mut self, x: Expr) -> bool {
        if let Node::Add(a, b) = self.node(x) {
            let ((factor_a, rest_a), (factor_b, rest_b)) =
                (self.split_factor(a), self.split_factor(b));
            let leading = if rest_a < rest_b { factor_a } else { factor_b };
            return leading.is_negative();
        }
        self.split_factor(x).0.is_negative()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_the_same_node() {
        let mut g = Graph::new();
        let (x, y) = (g.symbol("x"), g.symbol("y"));
        assert_eq!(g.add(x, y), g.add(y, x));
        assert_eq!(g.mul(x, y), g.mul(y, x));
        let (difference, opposite) = (g.sub(x, y), g.sub(y, x));
        assert_eq!(g.neg(difference), opposite);
        assert_eq!(g.call(Function::COS, difference), g.call(Function::COS, opposite));
        let sine = g.call(Function::SIN, difference);
        assert_eq!(g.call(Function::SIN, opposite), g.neg(sine));
    }

    #[test]
    fn like_terms_and_powers_collect() {
        let mut g = Graph::new();
        let x = g.symbol("x");
        let (two_x, three_x) = (g.scale(Number::from(2), x), g.scale(Number::from(3), x));
        assert_eq!(g.add(two_x, three_x), g.scale(Number::from(5), x));
        let zero = g.zero();
        assert_eq!(g.sub(x, x), zero);
        let cube = g.power_number(x, Number::from(3));
        let square = g.mul(x, x);
        assert_eq!(g.mul(x, square), cube);
        let one = g.number(1);
        assert_eq!(g.div(cube, cube), one);
    }

    #[test]
    fn the_root_of_a_square_keeps_its_sign_question() {
        let mut g = Graph::new();
        let x = g.symbol("x");
        let square = g.mul(x, x);
        assert_ne!(g.sqrt(square), x);
        let (root, size) = (g.sqrt(x), g.sqrt(square));
        assert_ne!(g.mul(root, root), x);
        assert_eq!(g.mul(size, size), square);
    }

    #[test]
    fn division_by_zero_is_kept_for_the_reader_to_report() {
        let mut g = Graph::new();
        let (zero, one) = (g.zero(), g.number(1));
        let quotient = g.div(one, zero);
        assert!(matches!(g.node(quotient), Node::Power(..)));
    }

    #[test]
    fn quarter_turns_are_exact() {
        let mut g = Graph::new();
        let pi = g.pi();
        let three_halves = g.scale(Number::fraction(3, 2), pi);
        let (minus_one, zero) = (g.number(-1), g.zero());
        assert_eq!(g.call(Function::SIN, three_halves), minus_one);
        assert_eq!(g.call(Function::COS, three_halves), zero);
        assert_eq!(g.call(Function::COS, pi), minus_one);
    }
}
