//! Values of some of the expressions of a graph.

use crate::Expr;
use rustc_hash::FxHashMap;

/// Where fewer than one in this many expressions have a value, a table of all of them is larger than it is fast.
const MAX_PLACES_FOR_ONE: usize = 16;

/// A value for each of some expressions: in a table by their number, or by their hash where they are few among many.
#[derive(Clone, Debug)]
pub struct ExprMap<T> {
    values: Values<T>,
}

#[derive(Clone, Debug)]
enum Values<T> {
    Table(Vec<Option<T>>),
    Hashed(FxHashMap<Expr, T>),
}

impl<T: Copy> ExprMap<T> {
    /// A map without values, for those of expressions in ascending order such as [`crate::Graph::reachable`] finds.
    pub fn for_expressions(order: &[Expr]) -> Self {
        let places = order.last().map_or(0, |last| last.index() + 1);
        let values = match places <= MAX_PLACES_FOR_ONE * order.len() {
            true => Values::Table(vec![None; places]),
            false => Values::Hashed(FxHashMap::default()),
        };
        ExprMap { values }
    }

    /// The value of an expression, if it has one.
    pub fn get(&self, expr: Expr) -> Option<T> {
        match &self.values {
            Values::Table(table) => table.get(expr.index()).copied().flatten(),
            Values::Hashed(hashed) => hashed.get(&expr).copied(),
        }
    }

    /// Gives an expression a value, in place of the one it has.
    pub fn insert(&mut self, expr: Expr, value: T) {
        match &mut self.values {
            Values::Table(table) => {
                if table.len() <= expr.index() {
                    table.resize(expr.index() + 1, None);
                }
                table[expr.index()] = Some(value);
            }
            Values::Hashed(hashed) => {
                hashed.insert(expr, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Graph;

    #[test]
    fn values_are_found_whether_expressions_are_few_or_many() {
        let mut graph = Graph::new();
        let all: Vec<Expr> = (0..1000).map(|at| graph.symbol(&format!("x{at}"))).collect();
        let [first, last] = [all[3], all[999]];
        for order in [all[..900].to_vec(), vec![first, last], Vec::new()] {
            let mut map = ExprMap::for_expressions(&order);
            assert_eq!(map.get(last), None);
            map.insert(first, 1);
            map.insert(last, 2);
            map.insert(last, 3);
            assert_eq!([first, all[4], last].map(|expr| map.get(expr)), [Some(1), None, Some(3)]);
        }
    }
}
