//! The rules by which coefficients follow from each other.
//!
//! A sum of products begins in the middle, where the orders of both factors are low, and ends with the two that hold
//! coefficients of the highest order: what waits for accelerations is little, and all else is there when they become known.

use super::expansion::{Expansion, Slope};
use crate::program::Operation;
use std::cmp::Reverse;
use std::ops::Range;

impl Expansion {
    /// The coefficient of order 0: the value itself, by the same operation.
    pub(super) fn value(&mut self, operation: Operation) -> Option<u32> {
        let zero = self.builder.constant(0.0);
        let first = |operand: u32| self.coefficient(operand, 0);
        // accelerations that are not known yet
        let is_open = |operand: u32| !self.constant[operand as usize] && first(operand).is_none();
        if operation.operands().any(is_open) {
            let operands: Vec<Option<u32>> = operation.operands().map(first).collect();
            return self.linear(operation, &operands);
        }
        let operation = operation.map(|operand| first(operand).unwrap_or(zero));
        Some(self.builder.emit(match operation {
            // in either order the same
            Operation::Multiply(a, b) => Operation::Multiply(a.min(b), a.max(b)),
            operation => operation,
        }))
    }

    /// An operation on numbers of which some are exactly zero.
    pub(super) fn linear(&mut self, operation: Operation, operands: &[Option<u32>]) -> Option<u32> {
        match (operation, operands) {
            (Operation::Add(..), &[a, b]) => self.sum(a, b),
            (Operation::Subtract(..), &[a, b]) => self.difference(a, b),
            (Operation::Negate(_), &[a]) => self.difference(None, a),
            (Operation::Multiply(..), &[a, b]) => self.multiply(a, b),
            (Operation::Divide(..), &[a, b]) => {
                let reciprocal = self.reciprocal(b);
                self.multiply(a, reciprocal)
            }
            _ => unreachable!("equations are linear in accelerations"),
        }
    }

    /// The coefficient of order k ≥ 1 of a series that is not constant.
    pub(super) fn next(&mut self, series: u32, operation: Operation, k: usize) -> Option<u32> {
        match operation {
            Operation::Add(a, b) => {
                let (a, b) = (self.coefficient(a, k), self.coefficient(b, k));
                self.sum(a, b)
            }
            Operation::Subtract(a, b) => {
                let (a, b) = (self.coefficient(a, k), self.coefficient(b, k));
                self.difference(a, b)
            }
            Operation::Negate(a) => {
                let a = self.coefficient(a, k)?;
                Some(self.builder.emit(Operation::Negate(a)))
            }
            Operation::Multiply(a, b) => self.product(a, b, k),
            Operation::Divide(a, b) => self.quotient(series, a, b, k),
            Operation::SquareRoot(a) => self.square_root(series, a, k),
            Operation::Power(x, y) if self.constant[y as usize] => self.power(series, x, y, k),
            Operation::MultiplyAdd(..)
            | Operation::MultiplySubtract(..)
            | Operation::NegatedMultiplyAdd(..)
            | Operation::Guard(..) => unreachable!("programs are read before fusing"),
            _ => self.function(series, k),
        }
    }

    /// $\sum u_jv_{k-j}$
    fn product(&mut self, u: u32, v: u32, k: usize) -> Option<u32> {
        if u == v {
            return self.square(u, 0, k);
        }
        // in either order the same, and what waits for accelerations last
        let rank = |series: u32| (self.waits[series as usize], series);
        let (u, v) = if rank(u) < rank(v) { (u, v) } else { (v, u) };
        let terms = from_the_middle(0..k + 1, k);
        let terms = terms.map(|j| (self.coefficient(u, j), self.coefficient(v, k - j)));
        let terms: Vec<_> = terms.collect();
        self.products(&terms)
    }

    /// $\sum u_ju_{k-j}$ from j = `first` to k − `first`, in which every product but one stands twice.
    fn square(&mut self, u: u32, first: usize, k: usize) -> Option<u32> {
        let terms = (first..k.div_ceil(2)).rev();
        let terms = terms.map(|j| (self.coefficient(u, j), self.coefficient(u, k - j)));
        let terms: Vec<_> = terms.collect();
        let half = self.products(&terms);
        let twice = self.sum(half, half);
        let middle = match k.is_multiple_of(2) && k >= 2 * first {
            true => self.coefficient(u, k / 2),
            false => None,
        };
        let square = self.multiply(middle, middle);
        self.sum(twice, square)
    }

    /// $(u_k-\sum_{j<k}q_jv_{k-j})/v_0$
    fn quotient(&mut self, q: u32, u: u32, v: u32, k: usize) -> Option<u32> {
        let terms = from_the_middle(0..k, k);
        let terms = terms.map(|j| (self.coefficient(q, j), self.coefficient(v, k - j)));
        let terms: Vec<_> = terms.collect();
        let products = self.products(&terms);
        let rest = self.difference(self.coefficient(u, k), products);
        let divisor = self.coefficient(v, 0);
        let reciprocal = self.reciprocal(divisor);
        self.multiply(rest, reciprocal)
    }

    /// $(u_k-\sum_{0<j<k}r_jr_{k-j})/(2r_0)$
    fn square_root(&mut self, r: u32, u: u32, k: usize) -> Option<u32> {
        let products = self.square(r, 1, k);
        let rest = self.difference(self.coefficient(u, k), products);
        let root = self.coefficient(r, 0);
        let divisor = self.sum(root, root);
        let reciprocal = self.reciprocal(divisor);
        self.multiply(rest, reciprocal)
    }

    /// $\frac1{k\,x_0}\sum_{j=1}^k(jy-(k-j))\,x_jp_{k-j}$ for $p=x^y$ with a constant y.
    fn power(&mut self, p: u32, x: u32, y: u32, k: usize) -> Option<u32> {
        let exponent = self.coefficient(y, 0);
        let mut terms = Vec::with_capacity(k);
        for j in from_the_middle(1..k + 1, k) {
            let (factor, less) = (self.builder.constant(j as f64), (k - j) as f64);
            let factor = self.multiply(Some(factor), exponent);
            let less = (less > 0.0).then(|| self.builder.constant(less));
            let factor = self.difference(factor, less);
            let weighted = self.multiply(factor, self.coefficient(x, j));
            terms.push((weighted, self.coefficient(p, k - j)));
        }
        let sum = self.products(&terms);
        let (base, count) = (self.coefficient(x, 0), self.builder.constant(k as f64));
        let divisor = self.multiply(base, Some(count));
        let reciprocal = self.reciprocal(divisor);
        self.multiply(sum, reciprocal)
    }

    /// $\frac1k(\dot ug)_{k-1}$, for every argument u with its slope g.
    fn function(&mut self, series: u32, k: usize) -> Option<u32> {
        let slopes = self.slopes[series as usize].clone();
        let mut parts = Vec::new();
        for Slope { argument, slope, negated } in slopes {
            let (sum, share) = match self.rates.get(&argument) {
                Some(&rate) => (self.product(rate, slope, k - 1), 1.0 / k as f64),
                None => self.weighted_product(argument, slope, k),
            };
            let share = self.builder.constant(if negated { -share } else { share });
            parts.push(self.multiply(Some(share), sum));
        }
        let whole = parts.into_iter().reduce(|a, b| self.sum(a, b));
        whole.flatten()
    }

    /// $\sum_{j=1}^kj\,u_j\,g_{k-j}$ and the factor 1/k, which goes to the weight of a term that is alone.
    fn weighted_product(&mut self, u: u32, g: u32, k: usize) -> (Option<u32>, f64) {
        let pairs = from_the_middle(1..k + 1, k)
            .map(|j| (j, self.coefficient(u, j), self.coefficient(g, k - j)));
        let pairs: Vec<_> = pairs.filter(|(_, u, g)| u.is_some() && g.is_some()).collect();
        if let [(j, u, g)] = pairs[..] {
            return (self.multiply(u, g), j as f64 / k as f64);
        }
        let mut terms = Vec::with_capacity(pairs.len());
        for (j, u, g) in pairs {
            let weight = self.builder.constant(j as f64);
            terms.push((self.multiply(Some(weight), u), g));
        }
        (self.products(&terms), 1.0 / k as f64)
    }

    /// The sum of products, one after the other.
    fn products(&mut self, terms: &[(Option<u32>, Option<u32>)]) -> Option<u32> {
        let mut sum = None;
        for &(a, b) in terms {
            let product = self.multiply(a, b);
            sum = self.sum(sum, product);
        }
        sum
    }

    pub(super) fn multiply(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        let one = self.builder.constant(1.0);
        let (a, b) = (a?, b?);
        Some(match () {
            () if a == one => b,
            () if b == one => a,
            () => self.builder.emit(Operation::Multiply(a.min(b), a.max(b))),
        })
    }

    fn reciprocal(&mut self, value: Option<u32>) -> Option<u32> {
        let one = self.builder.constant(1.0);
        let value = value.unwrap_or_else(|| self.builder.constant(0.0));
        Some(self.builder.emit(Operation::Divide(one, value)))
    }

    fn sum(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.emit(Operation::Add(a, b))),
            (a, b) => a.or(b),
        }
    }

    fn difference(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.emit(Operation::Subtract(a, b))),
            (None, Some(b)) => Some(self.builder.emit(Operation::Negate(b))),
            (a, None) => a,
        }
    }
}

/// Orders j of the first factors in a sum of products of order k, those of low orders first.
fn from_the_middle(orders: Range<usize>, k: usize) -> impl Iterator<Item = usize> {
    let mut orders: Vec<usize> = orders.collect();
    orders.sort_by_key(|&j| (j.max(k - j), Reverse(j)));
    orders.into_iter()
}
