//! The variational equations: how tangent vectors of a motion move, as expressions.
//!
//! # Equations
//! $\delta\dot y = \frac{\partial f}{\partial y}\,\delta y$ along the motion $\dot y = f(t, y)$. Where accelerations solve
//! $A\dot v = f$, theirs solve $A\,\delta\dot v = \delta f - (\delta A)\,\dot v$: the factors of A serve all of them, and
//! nothing is differentiated through the elimination.
//!
//! # Reference
//! G. Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn, *Lyapunov characteristic exponents for smooth dynamical systems*, 1980

use catena_symbolic::{Expr, Factors, Graph, SparseVector};

/// A v̇ = f with the factors of A.
pub(crate) struct FactoredEquations {
    pub(crate) factors: Factors,
    /// f − A v̇, in symbols of the accelerations.
    pub(crate) residual: Vec<Expr>,
    /// Symbols of the accelerations, each with its solution.
    pub(crate) solved: Vec<(Expr, Expr)>,
}

impl FactoredEquations {
    /// A lists one triangle.
    pub(crate) fn new(
        graph: &mut Graph,
        factors: Factors,
        matrix: &[(usize, usize, Expr)],
        right: &[Expr],
        solved: Vec<(Expr, Expr)>,
    ) -> FactoredEquations {
        let mut residual = right.to_vec();
        for &(row, column, entry) in matrix {
            let mut take_off = |row: usize, column: usize| {
                let term = graph.mul(entry, solved[column].0);
                residual[row] = graph.sub(residual[row], term);
            };
            take_off(row, column);
            if row != column {
                take_off(column, row);
            }
        }
        FactoredEquations { factors, residual, solved }
    }

    /// δv̇ of several tangent vectors.
    fn accelerations(
        &self,
        graph: &mut Graph,
        state: &[Expr],
        tangents: &[Vec<Expr>],
    ) -> Vec<Vec<Expr>> {
        let zero = graph.zero();
        let rights = products(graph, &self.residual, state, tangents);
        let rights = rights.into_iter().map(|right| {
            let right = graph.substitute(&right, &self.solved);
            let right: SparseVector =
                right.into_iter().enumerate().filter(|(_, entry)| *entry != zero).collect();
            let found = self.factors.solve(graph, &right);
            let rows = 0..self.residual.len();
            rows.map(|row| found.get(&row).copied().unwrap_or(zero)).collect()
        });
        rights.collect()
    }
}

/// div f = Σ ∂ẏᵢ/∂yᵢ: by how much all volumes of states grow; `factored` as in [`tangent_rates`].
pub(crate) fn divergence(
    graph: &mut Graph,
    (state, rate): (&[Expr], &[Expr]),
    factored: Option<&FactoredEquations>,
) -> Expr {
    let own = |graph: &mut Graph, components: std::ops::Range<usize>| {
        let terms: Vec<Expr> = components.map(|at| graph.derivative(rate[at], state[at])).collect();
        graph.sum(terms)
    };
    let Some(factored) = factored else { return own(graph, 0..state.len()) };
    let n = factored.residual.len();
    let by_velocities = graph.jacobian(&factored.residual, &state[n..2 * n]);
    let mut sum = own(graph, 2 * n..state.len());
    for column in 0..n {
        let entries = by_velocities.entries.iter().filter(|(_, at, _)| *at == column);
        let (rows, entries): (Vec<usize>, Vec<Expr>) =
            entries.map(|&(row, _, entry)| (row, entry)).unzip();
        let entries = graph.substitute(&entries, &factored.solved);
        let right: SparseVector = rows.into_iter().zip(entries).collect();
        if let Some(&term) = factored.factors.solve(graph, &right).get(&column) {
            sum = graph.add(sum, term);
        }
    }
    sum
}

/// The derivatives of some values along each of the tangent vectors. One vector is carried through the values; for several
/// their derivatives are formed once.
fn products(
    graph: &mut Graph,
    values: &[Expr],
    state: &[Expr],
    tangents: &[Vec<Expr>],
) -> Vec<Vec<Expr>> {
    if let [only] = tangents {
        let seeds: Vec<(Expr, Expr)> = state.iter().copied().zip(only.iter().copied()).collect();
        return vec![graph.directional(values, &seeds)];
    }
    let jacobian = graph.jacobian(values, state);
    let zero = graph.zero();
    let product = |graph: &mut Graph, tangent: &Vec<Expr>| {
        let mut rows = vec![zero; values.len()];
        for &(row, column, entry) in &jacobian.entries {
            let term = graph.mul(entry, tangent[column]);
            rows[row] = graph.add(rows[row], term);
        }
        rows
    };
    tangents.iter().map(|tangent| product(graph, tangent)).collect()
}

/// The rates of tangent vectors, one vector after the other; `factored` if the rate is (v, v̇, ż) with v̇ from there.
pub(crate) fn tangent_rates(
    graph: &mut Graph,
    (state, rate): (&[Expr], &[Expr]),
    factored: Option<&FactoredEquations>,
    tangents: &[Vec<Expr>],
) -> Vec<Expr> {
    let Some(factored) = factored else {
        return products(graph, rate, state, tangents).concat();
    };
    let n = factored.residual.len();
    let accelerations = factored.accelerations(graph, state, tangents);
    let states = products(graph, &rate[2 * n..], state, tangents);
    let parts = tangents.iter().zip(accelerations).zip(states);
    parts.flat_map(|((tangent, a), z)| [&tangent[n..2 * n], &a, &z].concat()).collect()
}
