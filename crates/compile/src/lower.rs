//! From the graph to a program.
//!
//! Sharing is already in the graph. What is chosen here: differences instead of negated sums,
//! quotients instead of reciprocals that are used once, products instead of whole powers, and each
//! operation at most once.

use crate::builder::Builder;
use crate::program::{Operation, Program, ValueGroup};
use catena_symbolic::{Expr, ExprMap, Graph, Intrinsic, Node, Number};

impl Program {
    /// The program that computes groups of expressions from groups of symbols.
    ///
    /// # Panics
    /// If an expression uses a symbol that is not among the inputs.
    pub fn lower(
        graph: &Graph,
        inputs: &[(&str, &[Expr])],
        outputs: &[(&str, &[Expr])],
    ) -> Program {
        let roots: Vec<Expr> = outputs.iter().flat_map(|(_, exprs)| exprs.to_vec()).collect();
        let order = graph.reachable(&roots);
        let mut lowering = Lowering::new(graph, inputs, &order, &roots);
        for &expr in &order {
            if !lowering.is_left_to_its_user(expr) {
                lowering.value(expr);
            }
        }
        let groups = outputs.iter().map(|(name, exprs)| ValueGroup {
            name: (*name).to_owned(),
            values: exprs.iter().map(|&expr| lowering.value(expr)).collect(),
        });
        let groups = groups.collect();
        lowering.builder.finish(groups)
    }
}

struct Lowering<'a> {
    graph: &'a Graph,
    builder: Builder,
    values: ExprMap<u32>,
    /// How many nodes and outputs use each node.
    users: ExprMap<u32>,
}

impl<'a> Lowering<'a> {
    fn new(graph: &'a Graph, inputs: &[(&str, &[Expr])], order: &[Expr], roots: &[Expr]) -> Self {
        let mut values = ExprMap::for_expressions(order);
        let mut builder = Builder::for_operations(order.len());
        for (name, symbols) in inputs {
            let numbers = builder.inputs(name, symbols.len());
            symbols.iter().zip(numbers).for_each(|(&symbol, number)| values.insert(symbol, number));
        }
        let mut users = ExprMap::for_expressions(order);
        let mut count = |used: Expr| users.insert(used, users.get(used).unwrap_or(0) + 1);
        for &expr in order {
            graph.node(expr).operands().for_each(&mut count);
        }
        roots.iter().copied().for_each(count);
        Lowering { graph, builder, values, users }
    }

    /// `−x` and a reciprocal with one user become part of a difference or a quotient; numbers are
    /// written down where an operation needs them.
    fn is_left_to_its_user(&self, expr: Expr) -> bool {
        self.graph.as_number(expr).is_some()
            || self.negated(expr).is_some()
            || self.reciprocal_used_once(expr).is_some()
    }

    /// x if the expression is −x.
    fn negated(&self, expr: Expr) -> Option<Expr> {
        match self.graph.node(expr) {
            Node::Mul(factor, rest) if self.is_number(factor, Number::MINUS_ONE) => Some(rest),
            _ => None,
        }
    }

    /// x if the expression is 1/x for one user only; with several users one division serves all.
    fn reciprocal_used_once(&self, expr: Expr) -> Option<Expr> {
        match self.graph.node(expr) {
            Node::Power(base, exponent)
                if self.is_number(exponent, Number::MINUS_ONE)
                    && self.users.get(expr) == Some(1) =>
            {
                Some(base)
            }
            _ => None,
        }
    }

    fn is_number(&self, expr: Expr, number: Number) -> bool {
        self.graph.as_number(expr) == Some(number)
    }

    fn constant(&mut self, value: f64) -> u32 {
        self.builder.constant(value)
    }

    fn emit(&mut self, operation: Operation) -> u32 {
        self.builder.emit(operation)
    }

    /// The number of the value of a node whose operands come earlier.
    fn value(&mut self, expr: Expr) -> u32 {
        if let Some(value) = self.values.get(expr) {
            return value;
        }
        let value = match self.graph.node(expr) {
            Node::Number(number) => self.constant(number.to_f64()),
            Node::Pi => self.constant(std::f64::consts::PI),
            Node::Symbol(symbol) => panic!("no input gives `{}`", self.graph.name(symbol)),
            Node::Add(a, b) => self.sum(a, b),
            Node::Mul(a, b) => self.product(a, b),
            Node::Power(base, exponent) => self.power(base, exponent),
            Node::Call(function, x) => {
                let x = self.value(x);
                self.emit(match function.unary().intrinsic {
                    None => Operation::Call(function, x),
                    Some(Intrinsic::Sine) => Operation::Sine(x),
                    Some(Intrinsic::Cosine) => Operation::Cosine(x),
                    Some(Intrinsic::SquareRoot) => Operation::SquareRoot(x),
                })
            }
            Node::Call2(function, x, y) => {
                let (x, y) = (self.value(x), self.value(y));
                self.emit(Operation::Call2(function, x, y))
            }
        };
        self.values.insert(expr, value);
        value
    }

    fn sum(&mut self, a: Expr, b: Expr) -> u32 {
        let (a, b) = if self.negated(a).is_some() { (b, a) } else { (a, b) };
        let first = self.value(a);
        match self.negated(b) {
            Some(b) => {
                let second = self.value(b);
                self.emit(Operation::Subtract(first, second))
            }
            None => {
                let second = self.value(b);
                self.emit(Operation::Add(first, second))
            }
        }
    }

    fn product(&mut self, a: Expr, b: Expr) -> u32 {
        if self.is_number(a, Number::MINUS_ONE) {
            let b = self.value(b);
            return self.emit(Operation::Negate(b));
        }
        let (a, b) = if self.reciprocal_used_once(a).is_some() { (b, a) } else { (a, b) };
        let first = self.value(a);
        match self.reciprocal_used_once(b) {
            Some(b) => {
                let second = self.value(b);
                self.emit(Operation::Divide(first, second))
            }
            None => {
                let second = self.value(b);
                self.emit(Operation::Multiply(first, second))
            }
        }
    }

    fn power(&mut self, base: Expr, exponent: Expr) -> u32 {
        let base = self.value(base);
        let number = self.graph.as_number(exponent);
        if let Some(whole) = number.and_then(Number::as_integer)
            && whole.unsigned_abs() <= 64
        {
            let power = self.whole_power(base, whole.unsigned_abs());
            return if whole < 0 { self.reciprocal(power) } else { power };
        }
        if let Some(Number::Fraction(halves, 2)) = number
            && halves.unsigned_abs() <= 64
        {
            let root = self.emit(Operation::SquareRoot(base));
            let power = match halves.unsigned_abs() / 2 {
                0 => root,
                whole => {
                    let power = self.whole_power(base, whole);
                    self.emit(Operation::Multiply(power, root))
                }
            };
            return if halves < 0 { self.reciprocal(power) } else { power };
        }
        let exponent = self.value(exponent);
        self.emit(Operation::Power(base, exponent))
    }

    fn reciprocal(&mut self, value: u32) -> u32 {
        let one = self.constant(1.0);
        self.emit(Operation::Divide(one, value))
    }

    /// A whole power from 1 up, by repeated squaring.
    fn whole_power(&mut self, base: u32, exponent: u64) -> u32 {
        if exponent <= 1 {
            return base;
        }
        let half = self.whole_power(base, exponent / 2);
        let square = self.emit(Operation::Multiply(half, half));
        if exponent.is_multiple_of(2) {
            square
        } else {
            self.emit(Operation::Multiply(square, base))
        }
    }
}
