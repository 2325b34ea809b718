//! What must vanish where a system rests: forces with those of the constraints, rates of the states,
//! and the constraints themselves, each with its slopes.

use catena_compile::{Evaluator, Functions, Kernel, Sizes};
use catena_derivation::Equations;
use catena_linear::{Matrix, RowSpace};
use catena_symbolic::Expr;
use std::sync::Arc;

/// Times without a common period, s.
const PROBED_TIMES: [f64; 4] = [0.123, 0.877, 4.321, 97.6];
/// Values that differ by less than this, relative to the largest of them, do not depend on time.
const STEADY_TOLERANCE: f64 = 1e-9;

/// Q − Φqᵀλ, ż and Φ at v = 0, as functions of x = (q, z, λ).
pub(crate) struct EquilibriumConditions {
    evaluator: Evaluator,
    kernel: Kernel,
    rest: Vec<f64>,
}

/// How far from rest a system is.
#[derive(Clone, Debug)]
pub(crate) struct EquilibriumResidual {
    /// Q − Φqᵀλ, ż, Φ
    pub(crate) values: Vec<f64>,
    /// Q
    pub(crate) forces: Vec<f64>,
    /// Derivatives of the values by q, z and λ.
    pub(crate) slopes: Matrix,
}

impl EquilibriumConditions {
    pub(crate) fn new(equations: &Equations, parameters: &[f64]) -> EquilibriumConditions {
        let functions = Functions::new(equations.clone());
        let e = &functions.equations;
        let mut graph = e.graph.clone();
        let mut values = e.forces.clone();
        for &(row, column, entry) in &e.constraint_jacobian.entries {
            let force = graph.mul(entry, e.multipliers[row]);
            values[column] = graph.sub(values[column], force);
        }
        values.extend_from_slice(&e.state_rates);
        values.extend_from_slice(&e.constraints);
        let zero = graph.zero();
        let at_rest: Vec<(Expr, Expr)> = e.velocities.iter().map(|&v| (v, zero)).collect();
        let values = graph.substitute(&values, &at_rest);
        let forces = graph.substitute(&e.forces, &at_rest);
        let by: Vec<Expr> = [e.coordinates.as_slice(), &e.states, &e.multipliers].concat();
        let slopes: Vec<Expr> =
            values.iter().flat_map(|&value| graph.gradient(value, &by)).collect();
        let outputs: [(&str, &[Expr]); 3] =
            [("values", &values), ("forces", &forces), ("slopes", &slopes)];
        let kernel = functions.compile(&graph, &outputs);
        let rest = vec![0.0; functions.sizes.coordinates];
        EquilibriumConditions {
            evaluator: Evaluator::new(Arc::new(functions), parameters),
            kernel,
            rest,
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.evaluator.sizes()
    }

    /// The residual at t = 0.
    pub(crate) fn at(&mut self, x: &[f64]) -> EquilibriumResidual {
        self.at_time(0.0, x)
    }

    fn at_time(&mut self, t: f64, x: &[f64]) -> EquilibriumResidual {
        let Sizes { coordinates: n, states: k, .. } = self.sizes();
        let (q, others) = x.split_at(n);
        let (states, multipliers) = others.split_at(k);
        self.evaluator.set_state(t, q, &self.rest, states);
        self.evaluator.set_reactions(&self.rest, multipliers);
        let results = self.evaluator.run(&self.kernel);
        let (values, results) = results.split_at(x.len());
        let (forces, slopes) = results.split_at(n);
        let mut matrix = Matrix::zeros(x.len(), x.len());
        for (row, entries) in slopes.chunks_exact(x.len().max(1)).enumerate() {
            matrix.row_mut(row).copy_from_slice(entries);
        }
        EquilibriumResidual { values: values.to_vec(), forces: forces.to_vec(), slopes: matrix }
    }

    /// Whether time, though it is written, changes nothing around x: a hoop that turns at a constant
    /// rate looks the same at all times, while sines and cosines of its angle come and go.
    pub(crate) fn is_steady(&mut self, x: &[f64]) -> bool {
        PROBED_TIMES.iter().enumerate().all(|(number, &t)| {
            let aside = |(at, x): (usize, &f64)| x + 0.3 * (1.0 + (at + 7 * number) as f64).sin();
            let x: Vec<f64> = x.iter().enumerate().map(aside).collect();
            let (now, later) = (self.at(&x).values, self.at_time(t, &x).values);
            let scale = now.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
            now.iter()
                .zip(&later)
                .all(|(now, later)| (now - later).abs() <= STEADY_TOLERANCE * scale)
        })
    }

    /// Puts those λ into x that conditions the forces best: Φq Φqᵀ λ = Φq Q.
    pub(crate) fn fit_multipliers(&mut self, x: &mut [f64]) {
        let Sizes { coordinates: n, states: k, constraints: m, .. } = self.sizes();
        let EquilibriumResidual { forces, slopes, .. } = self.at(x);
        // the forces' slopes by λ are −Φqᵀ
        let entry = |constraint: usize, row: usize| -slopes[(row, n + k + constraint)];
        let mut matrix = Matrix::zeros(m, m);
        for i in 0..m {
            for j in 0..m {
                matrix[(i, j)] = (0..n).map(|row| entry(i, row) * entry(j, row)).sum();
            }
        }
        let right: Vec<f64> =
            (0..m).map(|i| (0..n).map(|row| entry(i, row) * forces[row]).sum()).collect();
        if matrix.is_finite() {
            x[n + k..].copy_from_slice(&RowSpace::of(&matrix).solution(&right));
        }
    }
}

impl EquilibriumResidual {
    pub(crate) fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite()) && self.slopes.is_finite()
    }

    /// What Newton's method takes from x: the shortest step.
    pub(crate) fn newton_step(&self) -> Vec<f64> {
        RowSpace::of(&self.slopes).solution(&self.values)
    }

    /// How much of each value a step removes, by the slopes.
    pub(crate) fn removed_by(&self, step: &[f64]) -> Vec<f64> {
        let product = |row: usize| self.slopes.row(row).iter().zip(step).map(|(a, b)| a * b).sum();
        (0..self.values.len()).map(product).collect()
    }
}
