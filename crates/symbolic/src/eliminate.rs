//! L D Lᵀ of a sparse symmetric matrix of expressions.
//!
//! Elimination writes its operations into the graph, so that solving becomes part of a program: what
//! is zero costs nothing, and a chain of n links costs n. Rows are eliminated in the order of least
//! degree, the first one where several are least; pivots are taken as they come, so that whoever
//! evaluates the program must look at [`Factors::pivots`].

use crate::{Expr, Graph, Number};
use std::collections::{BTreeMap, BTreeSet};

/// A vector of expressions by row; what is not listed is zero.
pub type SparseVector = BTreeMap<usize, Expr>;

/// A factored matrix.
#[derive(Clone, Debug)]
pub struct Factors {
    /// Rows in the order of elimination.
    pub order: Vec<usize>,
    /// 1/D by row.
    pub inverse: Vec<Expr>,
    /// L below the diagonal: for each row, those eliminated after it and their factors.
    pub lower: Vec<Vec<(usize, Expr)>>,
    /// Each pivot with the diagonal entry that it remained of; the matrix is singular where a pivot vanishes
    /// relative to its entry. Equal pairs are listed once.
    pub pivots: Vec<(Expr, Expr)>,
}

impl Factors {
    /// Factors a matrix of n rows; entries of one triangle are listed. `None` if the graph would grow
    /// by more than `limit` nodes, or a diagonal entry is zero.
    pub fn new(
        graph: &mut Graph,
        n: usize,
        entries: &[(usize, usize, Expr)],
        limit: usize,
    ) -> Option<Factors> {
        let most = graph.len() + limit;
        let order = least_degree_order(n, entries);
        let mut rank = vec![0; n];
        order.iter().enumerate().for_each(|(at, &row)| rank[row] = at);
        // columns by rank, each with its entries at and below the diagonal
        let mut columns: Vec<SparseVector> = vec![SparseVector::new(); n];
        for &(row, column, entry) in entries {
            let (a, b) = (rank[row], rank[column]);
            columns[a.min(b)].insert(a.max(b), entry);
        }
        let diagonal: Option<Vec<Expr>> =
            columns.iter().enumerate().map(|(k, column)| column.get(&k).copied()).collect();
        let diagonal = diagonal?;
        let (mut inverse, mut lower) = (vec![graph.zero(); n], vec![Vec::new(); n]);
        let mut pivots = Vec::new();
        for k in 0..n {
            let column = std::mem::take(&mut columns[k]);
            let pivot = *column.get(&k)?;
            if graph.is_zero(pivot) || graph.len() > most {
                return None;
            }
            if !pivots.contains(&(pivot, diagonal[k])) {
                pivots.push((pivot, diagonal[k]));
            }
            let inverted = graph.power_number(pivot, Number::ONE.negated());
            inverse[order[k]] = inverted;
            for (&row, &entry) in column.range(k + 1..) {
                let factor = graph.mul(entry, inverted);
                lower[order[k]].push((order[row], factor));
                for (&below, &other) in column.range(k + 1..=row) {
                    let product = graph.mul(factor, other);
                    subtract(graph, &mut columns[below], row, product);
                }
            }
        }
        Some(Factors { order, inverse, lower, pivots })
    }

    /// The solution for a right side.
    pub fn solve(&self, graph: &mut Graph, right: &SparseVector) -> SparseVector {
        let mut x = right.clone();
        for &row in &self.order {
            let Some(&value) = x.get(&row) else { continue };
            for &(below, factor) in &self.lower[row] {
                let product = graph.mul(factor, value);
                subtract(graph, &mut x, below, product);
            }
        }
        for (&row, value) in &mut x {
            *value = graph.mul(*value, self.inverse[row]);
        }
        for &row in self.order.iter().rev() {
            for &(below, factor) in &self.lower[row] {
                if let Some(&value) = x.get(&below) {
                    let product = graph.mul(factor, value);
                    subtract(graph, &mut x, row, product);
                }
            }
        }
        x
    }
}

/// vector[row] −= value
fn subtract(graph: &mut Graph, vector: &mut SparseVector, row: usize, value: Expr) {
    let before = match vector.get(&row) {
        Some(&before) => before,
        None => graph.zero(),
    };
    let after = graph.sub(before, value);
    if !graph.is_zero(after) {
        vector.insert(row, after);
    } else {
        vector.remove(&row);
    }
}

/// The row with the fewest neighbours goes first; its neighbours become neighbours of each other.
fn least_degree_order(n: usize, entries: &[(usize, usize, Expr)]) -> Vec<usize> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
    for &(row, column, _) in entries.iter().filter(|(row, column, _)| row != column) {
        neighbours[row].insert(column);
        neighbours[column].insert(row);
    }
    let mut waiting: BTreeSet<(usize, usize)> =
        neighbours.iter().enumerate().map(|(row, set)| (set.len(), row)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((degree, row)) = waiting.pop_first() {
        order.push(row);
        // all that are left are tied to each other: their order no longer matters
        if degree == waiting.len() {
            let mut rest: Vec<usize> = waiting.iter().map(|&(_, row)| row).collect();
            rest.sort_unstable();
            order.extend(rest);
            break;
        }
        let tied: Vec<usize> = std::mem::take(&mut neighbours[row]).into_iter().collect();
        for &a in &tied {
            waiting.remove(&(neighbours[a].len(), a));
            neighbours[a].remove(&row);
            neighbours[a].extend(tied.iter().filter(|&&b| b != a));
            waiting.insert((neighbours[a].len(), a));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(graph: &mut Graph, rows: &[&[f64]]) -> Vec<(usize, usize, Expr)> {
        let mut entries = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for (j, &entry) in
                row.iter().enumerate().take(i + 1).filter(|(_, entry)| **entry != 0.0)
            {
                let symbol = graph.symbol(&format!("a{i}_{j}={entry}"));
                entries.push((i, j, symbol));
            }
        }
        entries
    }

    /// The value is written in the name of the symbol.
    fn value(name: &str) -> f64 {
        name.split('=').nth(1).and_then(|text| text.parse().ok()).expect("a value in the name")
    }

    #[test]
    fn the_solution_satisfies_the_equations() {
        let rows: [&[f64]; 4] = [
            &[4.0, 0.0, 1.0, 0.5],
            &[0.0, 3.0, 0.0, -1.0],
            &[1.0, 0.0, 5.0, 0.0],
            &[0.5, -1.0, 0.0, 2.0],
        ];
        let mut graph = Graph::new();
        let entries = matrix(&mut graph, &rows);
        let factors = Factors::new(&mut graph, 4, &entries, 1_000).expect("it is small");
        let right = [1.0, -2.0, 0.25, 3.0];
        let symbols: SparseVector =
            (0..4).map(|i| (i, graph.symbol(&format!("b{i}={}", right[i])))).collect();
        let solution: Vec<Expr> = factors.solve(&mut graph, &symbols).into_values().collect();
        let x = graph.evaluate(&solution, value);
        for (row, right) in rows.iter().zip(right) {
            let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-14, "{left} and {right}");
        }
    }

    /// An arrow: eliminated from its point it fills completely, from its shaft not at all.
    #[test]
    fn the_order_of_elimination_avoids_fill() {
        let mut graph = Graph::new();
        let n = 30;
        let mut entries: Vec<_> = (0..n).map(|i| (i, i, graph.symbol(&format!("d{i}")))).collect();
        entries.extend((1..n).map(|i| (0, i, graph.symbol(&format!("a{i}")))));
        let factors = Factors::new(&mut graph, n, &entries, 10_000).expect("it is sparse");
        assert_eq!(factors.lower.iter().map(Vec::len).sum::<usize>(), n - 1);
    }

    #[test]
    fn a_matrix_that_grows_too_large_is_refused() {
        let mut graph = Graph::new();
        let entries: Vec<_> = (0..20)
            .flat_map(|i| (0..=i).map(move |j| (i, j)))
            .map(|(i, j)| (i, j, graph.symbol(&format!("a{i}_{j}"))))
            .collect();
        assert!(Factors::new(&mut graph, 20, &entries, 100).is_none());
        assert!(Factors::new(&mut graph, 20, &entries, 10_000).is_some());
    }

    #[test]
    fn a_row_without_diagonal_is_refused() {
        let mut graph = Graph::new();
        let entries = vec![(0, 0, graph.symbol("a")), (1, 0, graph.symbol("b"))];
        assert!(Factors::new(&mut graph, 2, &entries, 100).is_none());
    }
}
