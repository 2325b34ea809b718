//! Simplification for people: like terms, common factors, trigonometric identities.
//!
//! An expression is expanded into a sum of products of atoms, the terms are grouped by what moves
//! (coordinates, velocities, time) with polynomials of the constants as coefficients, identities
//! are applied to the groups, and common factors are taken out. What would grow too long by
//! expanding stays as it is.

mod polynomial;
mod trigonometry;

use crate::{Expr, Function, Graph, Node, Number, Symbol};
use polynomial::{Monomial, Polynomial};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A product is multiplied out up to this many terms.
const MAX_TERMS: usize = 600;
/// A product of more factors than this stays as it is: partial products of n factors would take n² of them.
const MAX_FACTORS: usize = 100;
/// At most this many multiplications of atoms go into one expression; terms that remain then stay as they are.
const MAX_EFFORT: usize = 2_000_000;
/// A power of a sum is multiplied out up to this exponent.
const MAX_EXPONENT: i64 = 4;
/// Expanded forms up to this many terms are remembered wherever they occur. A longer one with a single user moves on
/// into it: the partial sums of n terms would take n² of them.
const MAX_REMEMBERED_TERMS: usize = 32;

/// Simplifies expressions of one graph, and remembers the parts it has seen.
#[derive(Clone, Debug, Default)]
pub struct Simplifier {
    constants: FxHashSet<Symbol>,
    /// The expanded form of each node met so far, less those that moved on into their user.
    memory: FxHashMap<Expr, Polynomial>,
    /// Whether a node is free of everything that moves, as far as it was asked.
    constant_nodes: RefCell<FxHashMap<Expr, bool>>,
    /// What the present expression has cost so far.
    effort: usize,
}

impl Simplifier {
    /// A simplifier that collects these names (the parameters) in front of what moves.
    pub fn new(constants: FxHashSet<Symbol>) -> Self {
        Simplifier { constants, ..Simplifier::default() }
    }

    /// The simplified form of an expression, for printing.
    pub fn simplify(&mut self, graph: &mut Graph, expr: Expr) -> Expr {
        self.effort = 0;
        let mut work = Work { graph, simplifier: self };
        work.expand_all(expr, true);
        let expanded = work.simplifier.memory[&expr].clone();
        work.present(&expanded)
    }
}

/// How often each node is used by those that are being expanded.
type Users = FxHashMap<Expr, usize>;

/// Terms of a sum by the moving part of each.
type Groups = BTreeMap<Monomial, Polynomial>;

struct Work<'a> {
    graph: &'a mut Graph,
    simplifier: &'a mut Simplifier,
}

impl Work<'_> {
    /// Expands the root and what it is made of, as far as that is not remembered. Long forms may move on into their
    /// only user where nobody further out still needs them.
    fn expand_all(&mut self, root: Expr, moves_long_forms: bool) {
        let order = self.not_remembered(root);
        let mut users = Users::default();
        if moves_long_forms {
            for operand in order.iter().flat_map(|&expr| self.graph.node(expr).operands()) {
                *users.entry(operand).or_default() += 1;
            }
        }
        for expr in order {
            // an angle that an identity asked for may have been expanded meanwhile
            if !self.simplifier.memory.contains_key(&expr) {
                let expanded = self.expand(expr, &users).unwrap_or_else(|| {
                    Polynomial::term(Monomial::atom(expr, Number::ONE), Number::ONE)
                });
                self.simplifier.memory.insert(expr, expanded);
            }
        }
    }

    /// The nodes of the root whose expanded form is not remembered, operands before users.
    fn not_remembered(&self, root: Expr) -> Vec<Expr> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(expr) = stack.pop() {
            if !self.simplifier.memory.contains_key(&expr) && seen.insert(expr) {
                stack.extend(self.graph.node(expr).operands());
            }
        }
        let mut order: Vec<Expr> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// The expanded form of an operand: moved out of the memory if it is long and has one user, else a copy.
    fn form(&mut self, operand: Expr, users: &Users) -> Polynomial {
        let memory = &mut self.simplifier.memory;
        let is_long = memory[&operand].len() > MAX_REMEMBERED_TERMS;
        let moved = (is_long && users.get(&operand) == Some(&1)).then(|| memory.remove(&operand));
        moved.flatten().unwrap_or_else(|| memory[&operand].clone())
    }

    /// The node as a sum of products, from those of its operands; `None` if it is expanded no further.
    fn expand(&mut self, expr: Expr, users: &Users) -> Option<Polynomial> {
        match self.graph.node(expr) {
            Node::Number(number) => Some(Polynomial::number(number)),
            Node::Pi | Node::Symbol(_) => None,
            Node::Add(a, b) => {
                let lengths = [a, b].map(|operand| self.simplifier.memory[&operand].len());
                let (longer, shorter) = if lengths[0] >= lengths[1] { (a, b) } else { (b, a) };
                self.form(longer, users).plus(&self.simplifier.memory[&shorter])
            }
            Node::Mul(a, b) => {
                let (a, b) = (self.form(a, users), self.form(b, users));
                self.multiply(&a, &b)
            }
            Node::Power(base, exponent) => {
                let base = self.form(base, users);
                self.expand_power(&base, exponent)
            }
            Node::Call(function, x) => {
                let argument = self.form(x, users);
                if matches!(function, Function::SIN | Function::COS) {
                    self.trigonometric(function, &argument)
                } else {
                    let argument = self.present(&argument);
                    let call = self.graph.call(function, argument);
                    Some(self.as_product(call))
                }
            }
            Node::Call2(function, x, y) => {
                let (x, y) = (self.form(x, users), self.form(y, users));
                let (x, y) = (self.present(&x), self.present(&y));
                let call = self.graph.call2(function, x, y);
                Some(self.as_product(call))
            }
        }
    }

    fn multiply(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        if a.atoms() + b.atoms() > MAX_FACTORS {
            return None;
        }
        self.simplifier.effort += a.len() * b.len() * (a.atoms() + b.atoms());
        if a.len() * b.len() <= MAX_TERMS && self.has_effort_left() {
            return a.mul(b);
        }
        // too long to multiply out: each long factor becomes an atom
        let (a, b) = (self.present(a), self.present(b));
        self.as_product(a).mul(&self.as_product(b))
    }

    fn has_effort_left(&self) -> bool {
        self.simplifier.effort < MAX_EFFORT
    }

    fn expand_power(&mut self, expanded: &Polynomial, exponent: Expr) -> Option<Polynomial> {
        let Some(number) = self.graph.as_number(exponent) else {
            let exponent = self.simplifier.memory[&exponent].clone();
            let (base, exponent) = (self.present(expanded), self.present(&exponent));
            let power = self.graph.power(base, exponent);
            return Some(self.as_product(power));
        };
        if let Some(whole) = number.as_integer() {
            if let Some((monomial, coefficient)) = expanded.single() {
                let coefficient = coefficient.power(whole)?;
                return Some(Polynomial::term(monomial.power(number)?, coefficient));
            }
            if (2..=MAX_EXPONENT).contains(&whole) && expanded.len().pow(whole as u32) <= MAX_TERMS
            {
                let mut product = expanded.clone();
                for _ in 1..whole {
                    product = product.mul(expanded)?;
                }
                return Some(product);
            }
        }
        let base = self.present(expanded);
        let power = self.graph.power(base, exponent);
        Some(self.as_product(power))
    }

    /// An expression that is already simple, as one product of atoms.
    fn as_product(&mut self, expr: Expr) -> Polynomial {
        let (coefficient, rest) = self.graph.split_factor(expr);
        let mut monomial = Monomial::default();
        let mut stack = vec![rest];
        while let Some(expr) = stack.pop() {
            match self.graph.node(expr) {
                Node::Number(number) if number == Number::ONE => {}
                Node::Mul(a, b) if monomial.factors().len() + stack.len() < MAX_FACTORS => {
                    stack.extend([a, b]);
                }
                Node::Power(base, exponent) => match self.graph.as_number(exponent) {
                    Some(number)
                        if self.graph.keeps_domain(base, exponent, Number::ONE)
                            && monomial.raise(base, number).is_some() => {}
                    _ => drop(monomial.raise(expr, Number::ONE)),
                },
                _ => drop(monomial.raise(expr, Number::ONE)),
            }
        }
        Polynomial::term(monomial, coefficient)
    }

    /// Sine or cosine of an angle given as an expression.
    fn trigonometric_call(&mut self, function: Function, argument: Expr) -> Option<Polynomial> {
        self.expand_all(argument, false);
        let argument = self.simplifier.memory[&argument].clone();
        self.trigonometric(function, &argument)
    }

    /// Sine or cosine of an expanded angle, its leading term made positive.
    fn trigonometric(&mut self, function: Function, argument: &Polynomial) -> Option<Polynomial> {
        let leading = argument.terms().min_by_key(|(monomial, _)| self.order(monomial));
        let negative = leading.is_some_and(|(_, coefficient)| coefficient.is_negative());
        let positive = if negative { argument.scale(Number::MINUS_ONE)? } else { argument.clone() };
        let argument = self.present(&positive);
        let call = self.graph.call(function, argument);
        let call = self.as_product(call);
        if negative && function == Function::SIN {
            call.scale(Number::MINUS_ONE)
        } else {
            Some(call)
        }
    }

    /// Angles before constants, then in the order of the symbols.
    fn order(&self, monomial: &Monomial) -> (bool, Vec<Expr>) {
        let atoms: Vec<Expr> = monomial.factors().iter().map(|&(atom, _)| atom).collect();
        (atoms.iter().all(|&atom| self.is_constant(atom)), atoms)
    }

    fn is_constant(&self, atom: Expr) -> bool {
        let mut known = self.simplifier.constant_nodes.borrow_mut();
        if let Some(&constant) = known.get(&atom) {
            return constant;
        }
        let mut stack = vec![atom];
        while let Some(&expr) = stack.last() {
            let node = self.graph.node(expr);
            let unknown = node.operands().find(|operand| !known.contains_key(operand));
            match (known.contains_key(&expr), unknown) {
                (false, Some(operand)) => stack.push(operand),
                (false, None) => {
                    let constant = match node {
                        Node::Symbol(symbol) => self.simplifier.constants.contains(&symbol),
                        node => node.operands().all(|operand| known[&operand]),
                    };
                    known.insert(expr, constant);
                    stack.pop();
                }
                (true, _) => drop(stack.pop()),
            }
        }
        known[&atom]
    }

    /// Adds a polynomial to the groups; returns the groups it changed.
    fn regroup(&self, groups: &mut Groups, polynomial: &Polynomial) -> Option<Vec<Monomial>> {
        let mut changed = Vec::new();
        for (monomial, coefficient) in polynomial.terms() {
            let (constant, moving) = monomial.split(|atom| self.is_constant(atom));
            let group = groups.entry(moving.clone()).or_default();
            group.accumulate(constant, coefficient)?;
            if group.is_zero() {
                groups.remove(&moving);
            }
            changed.push(moving);
        }
        Some(changed)
    }

    /// The expression that people read.
    fn present(&mut self, polynomial: &Polynomial) -> Expr {
        let mut groups = Groups::new();
        let overflow = self.regroup(&mut groups, polynomial).is_none()
            || trigonometry::combine(self, &mut groups).is_none();
        if overflow {
            return self.plain_sum(polynomial);
        }
        let (common, groups) = take_common_constant(groups);
        let mut terms = Vec::with_capacity(groups.len());
        for (moving, coefficient) in &groups {
            let coefficient = self.factored(coefficient);
            let moving = self.product(moving);
            terms.push(self.graph.mul(coefficient, moving));
        }
        let sum = self.graph.sum(terms);
        let common = self.product(&common);
        self.graph.mul(common, sum)
    }

    /// A polynomial of constants with its common factor taken out.
    fn factored(&mut self, polynomial: &Polynomial) -> Expr {
        let Some((content, common, rest)) = polynomial.factor() else {
            return self.plain_sum(polynomial);
        };
        let (common, rest) = (self.product(&common), self.plain_sum(&rest));
        let product = self.graph.mul(common, rest);
        self.graph.scale(content, product)
    }

    fn plain_sum(&mut self, polynomial: &Polynomial) -> Expr {
        let mut sum = self.graph.zero();
        for (monomial, coefficient) in polynomial.terms() {
            let product = self.product(monomial);
            let term = self.graph.scale(coefficient, product);
            sum = self.graph.add(sum, term);
        }
        sum
    }

    fn product(&mut self, monomial: &Monomial) -> Expr {
        let mut product = self.graph.number(Number::ONE);
        for &(atom, exponent) in monomial.factors() {
            let power = self.graph.power_number(atom, exponent);
            product = self.graph.mul(product, power);
        }
        product
    }
}

/// A common constant is taken out of sums up to this length; the terms of longer ones stay whole, so
/// that they can be read one by one.
const MAX_FACTORED_TERMS: usize = 4;

/// `k x − k y` reads better as `k (x − y)`; a sum with different coefficients is left as it is.
fn take_common_constant(groups: Groups) -> (Monomial, Groups) {
    let common = groups.values().map(Polynomial::common).reduce(|a, b| a.shared(&b));
    let divided = common
        .as_ref()
        .filter(|_| (2..=MAX_FACTORED_TERMS).contains(&groups.len()))
        .and_then(|common| {
            let inverse = Polynomial::term(common.power(Number::MINUS_ONE)?, Number::ONE);
            let quotient = |(moving, coefficient): (&Monomial, &Polynomial)| {
                let quotient = coefficient.mul(&inverse)?;
                quotient
                    .single()
                    .is_some_and(|(monomial, _)| monomial.factors().is_empty())
                    .then(|| (moving.clone(), quotient))
            };
            groups.iter().map(quotient).collect::<Option<Groups>>()
        });
    match (common, divided) {
        (Some(common), Some(divided)) => (common, divided),
        _ => (Monomial::default(), groups),
    }
}

#[cfg(test)]
mod tests;
