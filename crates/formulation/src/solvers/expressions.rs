//! Expressions that several formulations are made of.

use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph, Number};
use std::collections::BTreeMap;

/// γ − 2ξω Φ̇ − ω² Φ
pub(crate) fn stabilised_gamma(graph: &mut Graph, e: &Equations, omega: f64, xi: f64) -> Vec<Expr> {
    let damping = graph.number(Number::from(2.0 * xi * omega));
    let stiffness = graph.number(Number::from(omega * omega));
    let levels = e.gamma.iter().zip(&e.constraint_velocity).zip(&e.constraints);
    levels
        .map(|((&gamma, &rate), &value)| {
            let damped = graph.mul(damping, rate);
            let held = graph.mul(stiffness, value);
            let rest = graph.sub(gamma, damped);
            graph.sub(rest, held)
        })
        .collect()
}

/// ΦqᵀΦq: its lower triangle.
pub(crate) fn normal_matrix(graph: &mut Graph, e: &Equations) -> Vec<(usize, usize, Expr)> {
    let mut sums = BTreeMap::<(usize, usize), Expr>::new();
    for row in e.constraint_jacobian.entries.chunk_by(|a, b| a.0 == b.0) {
        for &(_, i, a) in row {
            for &(_, j, b) in row.iter().filter(|(_, j, _)| *j <= i) {
                let product = graph.mul(a, b);
                let sum = match sums.get(&(i, j)) {
                    Some(&sum) => graph.add(sum, product),
                    None => product,
                };
                sums.insert((i, j), sum);
            }
        }
    }
    sums.into_iter().map(|((i, j), entry)| (i, j, entry)).collect()
}

/// M + α ΦqᵀΦq: its lower triangle.
pub(crate) fn penalised_mass(
    graph: &mut Graph,
    e: &Equations,
    alpha: Expr,
) -> Vec<(usize, usize, Expr)> {
    let mut matrix: BTreeMap<(usize, usize), Expr> =
        e.mass_matrix.iter().map(|&(row, column, entry)| ((column, row), entry)).collect();
    for (row, column, entry) in normal_matrix(graph, e) {
        let weighted = graph.mul(alpha, entry);
        let sum = match matrix.get(&(row, column)) {
            Some(&mass) => graph.add(mass, weighted),
            None => weighted,
        };
        matrix.insert((row, column), sum);
    }
    matrix.into_iter().map(|((row, column), entry)| (row, column, entry)).collect()
}

/// trace M and trace ΦqᵀΦq
pub(crate) fn traces(graph: &mut Graph, e: &Equations) -> [Expr; 2] {
    let diagonal = e.mass_matrix.iter().filter(|(row, column, _)| row == column);
    let trace = graph.sum(diagonal.map(|&(_, _, entry)| entry).collect::<Vec<_>>());
    let jacobian = e.constraint_jacobian.entries.iter();
    let squares: Vec<Expr> = jacobian.map(|&(_, _, entry)| graph.mul(entry, entry)).collect();
    [trace, graph.sum(squares)]
}

/// σ = trace M / (trace ΦqᵀΦq + 2c trace M), with which ΦqᵀΦq weighs as much as M, and σc is at most ½.
pub(crate) fn relative_weight(graph: &mut Graph, e: &Equations, compliance: f64) -> Expr {
    let [trace, square] = traces(graph, e);
    if compliance <= 0.0 {
        return graph.div(trace, square);
    }
    let softness = graph.scale(Number::from(2.0 * compliance), trace);
    let whole = graph.add(square, softness);
    graph.div(trace, whole)
}

/// Φqᵀ w
pub(crate) fn constraint_forces(graph: &mut Graph, e: &Equations, weights: &[Expr]) -> Vec<Expr> {
    let zero = graph.zero();
    let mut forces = vec![zero; e.coordinates.len()];
    for &(row, column, entry) in &e.constraint_jacobian.entries {
        let term = graph.mul(entry, weights[row]);
        forces[column] = graph.add(forces[column], term);
    }
    forces
}
