//! The metric of constraint projections: angles are heavy, so that positions follow them.
//!
//! # Equations
//! A point that turns has $x = r\cos\theta$, $y = r\sin\theta$. An integrator finds a steadily growing θ exactly, but
//! x and y fall behind by a little in every step, always in the same direction along the circle. The nearest state in the
//! metric of M lets θ share that error: after thousands of turns it is a visible part of a turn, and a loss of
//! energy. So states return to the constraints by the changes that are shortest in the metric
//! $$W = D(M + E)D,\qquad D = \mathrm{diag}(\kappa\ \text{for angles},\ 1\ \text{for all others}),\qquad
//!   E_{jj} = \sum_i \Phi_{ij}^2\Big/\sum_k \Phi_{ik}^2/M_{kk}$$
//! with the other coordinates k that a constraint i has. E is what an angle moves at the ends of its levers, $mr^2$:
//! a small body on a long arm has much less inertia than that. So an angle yields to errors of positions by no more than
//! the part 1/κ²; where constraints tie angles to each other the metric among them is that of M + E. Any metric
//! leads to the constraints, and a change of the metric moves a state by no more than the error of the step, so that
//! the order of a method is kept.

use crate::FormulationInput;
use catena_compile::{Evaluator, Functions};
use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph, Number};
use std::collections::BTreeMap;
use std::sync::Arc;

/// κ; a power of 2, so that it rounds nothing. 1/κ² stays far above the pivots that count as zero, near singular poses, too:
/// a larger one would lead to them more often, and gain nothing that a tolerance asks for.
pub(crate) const ROTATION_WEIGHT: f64 = 128.0;
/// A coordinate without mass counts as if it had this part of the trace of M.
const MASSLESS_PART: f64 = 1e-12;
/// A constraint adds no more than this multiple of the trace of M to E: it may lose its other coordinates in a pose.
const MAX_LEVER_INERTIA: f64 = 1e6;

/// Whether positions have angles to follow: the metric differs from that of M.
pub(crate) fn is_mixed(rotations: &[bool]) -> bool {
    rotations.contains(&true) && rotations.contains(&false)
}

/// The same system with W in the place of M; with M where there are only angles, or none.
pub(crate) fn rotation_metric(input: &FormulationInput) -> FormulationInput {
    let mut metric = input.clone();
    if !is_mixed(&input.rotations) {
        return metric;
    }
    let mut equations = input.evaluator.functions().equations.clone();
    add_lever_inertia(&mut equations, &input.rotations);
    let weight = |at: usize| if input.rotations[at] { ROTATION_WEIGHT } else { 1.0 };
    for (row, column, entry) in &mut equations.mass_matrix {
        *entry = equations.graph.scale(Number::from(weight(*row) * weight(*column)), *entry);
    }
    let functions = Arc::new(Functions::new(equations));
    metric.evaluator = Evaluator::new(functions, input.evaluator.parameters());
    metric
}

/// Adds E to M.
fn add_lever_inertia(equations: &mut Equations, rotations: &[bool]) {
    let Equations { graph, mass_matrix, constraint_jacobian, .. } = equations;
    let diagonal = mass_matrix.iter().filter(|(row, column, _)| row == column);
    let masses: BTreeMap<usize, Expr> = diagonal.map(|&(row, _, entry)| (row, entry)).collect();
    let trace = graph.sum(masses.values().copied());
    let least = graph.scale(Number::from(MASSLESS_PART), trace);
    let most = graph.scale(Number::from(MAX_LEVER_INERTIA), trace);
    let mut levers = BTreeMap::<usize, Vec<Expr>>::new();
    for row in constraint_jacobian.entries.chunk_by(|a, b| a.0 == b.0) {
        let (angles, others): (Vec<_>, Vec<_>) = row.iter().partition(|entry| rotations[entry.1]);
        if others.is_empty() {
            continue;
        }
        let mobilities: Vec<Expr> = others
            .into_iter()
            .map(|&(_, column, entry)| {
                let mass = masses.get(&column).copied();
                let mass = mass.map_or(least, |mass| graph.add(mass, least));
                let square = graph.mul(entry, entry);
                graph.div(square, mass)
            })
            .collect();
        let mobility = graph.sum(mobilities);
        for &(_, column, entry) in angles {
            let square = graph.mul(entry, entry);
            let lever = lever_inertia(graph, square, mobility, most);
            levers.entry(column).or_default().push(lever);
        }
    }
    for (row, _, entry) in mass_matrix.iter_mut().filter(|(row, column, _)| row == column) {
        if let Some(levers) = levers.remove(row) {
            let sum = graph.sum(levers);
            *entry = graph.add(*entry, sum);
        }
    }
    // angles without inertia of their own
    for (column, levers) in levers {
        let sum = graph.sum(levers);
        mass_matrix.push((column, column, sum));
    }
    mass_matrix.sort_by_key(|&(row, column, _)| (column, row));
}

/// Φij²/(mobility + Φij²/most), 0 where both vanish.
fn lever_inertia(graph: &mut Graph, square: Expr, mobility: Expr, most: Expr) -> Expr {
    let bound = graph.div(square, most);
    let least = graph.number(Number::from(f64::MIN_POSITIVE));
    let divisor = graph.sum([mobility, bound, least]);
    graph.div(square, divisor)
}

/// The squares of the levers of each angle, Σ Φij²/Σ Φik² over the constraints i that have other coordinates k, too; 0
/// for those. Φq is given row by row.
pub(crate) fn squared_levers(jacobian: &[f64], rotations: &[bool], levers: &mut [f64]) {
    levers.fill(0.0);
    for row in jacobian.chunks_exact(rotations.len().max(1)) {
        let others = row.iter().zip(rotations).filter(|(_, turns)| !**turns);
        let square: f64 = others.map(|(entry, _)| entry * entry).sum();
        if square > 0.0 {
            let angles = levers.iter_mut().zip(row).zip(rotations).filter(|(_, turns)| **turns);
            angles.for_each(|((lever, entry), _)| *lever += entry * entry / square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levers_are_lengths_whatever_the_unit_of_a_constraint() {
        // 1000 (x − r cos θ), y − r sin θ and a gear, at θ = 0.3 with r = 5
        let (sine, cosine) = 0.3_f64.sin_cos();
        let jacobian =
            [1e3, 0.0, 5e3 * sine, 0.0, 0.0, 1.0, -5.0 * cosine, 0.0, 0.0, 0.0, 2.0, -1.0];
        let mut levers = [f64::NAN; 4];
        squared_levers(&jacobian, &[false, false, true, true], &mut levers);
        assert_eq!(&levers[..2], [0.0, 0.0]);
        assert!((levers[2] - 25.0).abs() < 1e-12);
        assert_eq!(levers[3], 0.0);
    }
}
