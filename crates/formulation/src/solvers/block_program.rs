//! The system of motion and constraints solved by blocks, as expressions: see [`super::block_elimination`].

use crate::solvers::expressions::{constraint_forces, penalised_mass, relative_weight};
use crate::solvers::kkt::KktEquations;
use crate::solvers::rhs_program::Solved;
use crate::solvers::unrolled;
use catena_compile::Functions;
use catena_derivation::Equations;
use catena_symbolic::{Expr, Factors, Graph, Number, SparseVector};
use std::collections::BTreeMap;

/// What stands in the places of M, f and c, and what the multipliers found with them are multiplied by.
struct Blocks {
    /// One triangle.
    mass: Vec<(usize, usize, Expr)>,
    upper: Vec<Expr>,
    /// None for c itself.
    compliance: Option<Expr>,
    /// None for 1.
    factor: Option<Expr>,
}

impl Blocks {
    fn plain(e: &Equations, equations: &KktEquations) -> Blocks {
        let (mass, upper) = (e.mass_matrix.clone(), equations.upper.clone());
        Blocks { mass, upper, compliance: None, factor: None }
    }

    /// With σΦqᵀ times the second equation added to the first.
    fn weighted(e: &Equations, equations: &mut KktEquations) -> Blocks {
        let KktEquations { graph, upper, lower, compliance, .. } = equations;
        let weight = relative_weight(graph, e, *compliance);
        let mass = penalised_mass(graph, e, weight);
        let forces = constraint_forces(graph, e, lower);
        let upper = upper.iter().zip(forces).map(|(&force, more)| {
            let more = graph.mul(weight, more);
            graph.add(force, more)
        });
        let upper = upper.collect();
        if *compliance <= 0.0 {
            return Blocks { mass, upper, compliance: None, factor: None };
        }
        let compliance = graph.number(Number::from(*compliance));
        // 1/(1 − σc)
        let part = graph.mul(weight, compliance);
        let one = graph.number(Number::ONE);
        let rest = graph.sub(one, part);
        let factor = graph.power_number(rest, Number::ONE.negated());
        let compliance = graph.mul(compliance, factor);
        Blocks { mass, upper, compliance: Some(compliance), factor: Some(factor) }
    }
}

/// The solution as expressions, if they do not grow too large; with M + σΦqᵀΦq in the place of an M that is singular.
pub(crate) fn solve_symbolically(
    functions: &Functions,
    equations: &mut KktEquations,
    mass_is_singular: bool,
) -> Option<Solved> {
    let e = &functions.equations;
    let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
    let most = equations.graph.len() + unrolled::limit(n + m);
    let blocks = match mass_is_singular {
        true => Blocks::weighted(e, equations),
        false => Blocks::plain(e, equations),
    };
    let KktEquations { graph, lower, compliance, .. } = equations;
    let mass = Factors::new(graph, n, &blocks.mass, most.saturating_sub(graph.len()))?;
    let mut rows = vec![SparseVector::new(); m];
    for &(row, column, entry) in &e.constraint_jacobian.entries {
        rows[row].insert(column, entry);
    }
    // who answers to a force on each coordinate
    let mut answers: Vec<Vec<(usize, Expr)>> = vec![Vec::new(); n];
    let mut responses = Vec::with_capacity(m);
    let mut coupling = BTreeMap::<(usize, usize), Expr>::new();
    if *compliance > 0.0 {
        let own = |graph: &mut Graph| graph.number(Number::from(*compliance));
        let compliance = blocks.compliance.unwrap_or_else(|| own(graph));
        coupling.extend((0..m).map(|r| ((r, r), compliance)));
    }
    for (r, row) in rows.iter().enumerate() {
        let response = mass.solve(graph, row);
        for (&column, &entry) in &response {
            answers[column].push((r, entry));
        }
        for (&column, &entry) in row {
            for &(s, answer) in &answers[column] {
                let product = graph.mul(entry, answer);
                let sum = match coupling.get(&(r, s)) {
                    Some(&sum) => graph.add(sum, product),
                    None => product,
                };
                coupling.insert((r, s), sum);
            }
        }
        responses.push(response);
        if graph.len() > most {
            return None;
        }
    }
    let coupling: Vec<_> = coupling.into_iter().map(|((r, s), entry)| (r, s, entry)).collect();
    let coupling = Factors::new(graph, m, &coupling, most.saturating_sub(graph.len()))?;
    let sparse = |graph: &Graph, values: &[Expr]| -> SparseVector {
        values.iter().copied().enumerate().filter(|(_, value)| !graph.is_zero(*value)).collect()
    };
    let free = mass.solve(graph, &sparse(graph, &blocks.upper));
    let mut right = lower.clone();
    for (right, row) in right.iter_mut().zip(&rows) {
        let products: Vec<Expr> = row
            .iter()
            .filter_map(|(column, &entry)| Some((entry, *free.get(column)?)))
            .map(|(entry, value)| graph.mul(entry, value))
            .collect();
        let moved = graph.sum(products);
        *right = graph.sub(moved, *right);
    }
    let solution = coupling.solve(graph, &sparse(graph, &right));
    let zero = graph.zero();
    let mut accelerations: Vec<Expr> =
        (0..n).map(|at| free.get(&at).copied().unwrap_or(zero)).collect();
    for (r, &multiplier) in &solution {
        for (&column, &answer) in &responses[*r] {
            let term = graph.mul(multiplier, answer);
            accelerations[column] = graph.sub(accelerations[column], term);
        }
    }
    let mut multipliers: Vec<Expr> =
        (0..m).map(|r| solution.get(&r).copied().unwrap_or(zero)).collect();
    if let Some(factor) = blocks.factor {
        multipliers.iter_mut().for_each(|multiplier| *multiplier = graph.mul(*multiplier, factor));
    }
    let pivots = [mass.pivots, coupling.pivots].concat();
    Some(Solved { accelerations, multipliers, pivots })
}
