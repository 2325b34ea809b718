//! |u| u and its like: a switch that a product has smoothed.

use catena_symbolic::{Expr, Graph, Node};
use std::collections::HashMap;

/// Who uses the expressions of some equations.
pub(super) struct Users {
    users: HashMap<Expr, Vec<Expr>>,
    roots: Vec<Expr>,
}

impl Users {
    pub(super) fn new(graph: &Graph, order: &[Expr], roots: Vec<Expr>) -> Users {
        let mut users: HashMap<Expr, Vec<Expr>> = HashMap::new();
        for &user in order {
            for operand in graph.node(user).operands() {
                users.entry(operand).or_default().push(user);
            }
        }
        Users { users, roots }
    }

    /// Whether an expression is used only in products with another: what bends or jumps where that is zero then does so
    /// one derivative later.
    pub(super) fn only_times(&self, graph: &Graph, expr: Expr, factor: Expr) -> bool {
        let users = self.users.get(&expr).map_or(&[] as &[_], Vec::as_slice);
        let is_smoothed = |&user: &Expr| match graph.node(user) {
            Node::Mul(a, b) => {
                let other = if a == expr { b } else { a };
                has_factor(graph, other, factor) || self.only_times(graph, user, factor)
            }
            _ => false,
        };
        !self.roots.contains(&expr) && users.iter().all(is_smoothed)
    }
}

/// Whether a product has a factor, or a positive power of it.
fn has_factor(graph: &Graph, product: Expr, factor: Expr) -> bool {
    product == factor
        || match graph.node(product) {
            Node::Mul(a, b) => has_factor(graph, a, factor) || has_factor(graph, b, factor),
            Node::Power(base, exponent) => {
                let is_positive = graph.as_number(exponent).is_some_and(|n| n.to_f64() >= 1.0);
                is_positive && has_factor(graph, base, factor)
            }
            _ => false,
        }
}
