//! Constraints at the levels of positions and velocities, and how a projection onto them depends on the state.
//!
//! A projection has a matrix K with $\Phi_q K = 1$: it takes an error to the change that removes it. The corrected
//! velocities $v - K\dot\Phi$ change with the state by $1 - K\,\partial\dot\Phi/\partial y$, the corrected
//! positions by $1 - K\,\partial\Phi/\partial y$.

use crate::input::not_finite;
use crate::solvers::constraint_projection::{ConstraintErrors, ConstraintLevel, Miss, worst_of};
use crate::{Breakdown, FormulationInput};
use catena_compile::{Functions, Kernel};
use catena_symbolic::Expr;

/// The constraints at a state.
#[derive(Clone)]
pub(crate) struct ConstraintValues {
    /// Φ, Φ̇ and Φq (as listed).
    kernel: Kernel,
    /// ∂Φ̇/∂q row by row, compiled when it is first asked for.
    slopes: Option<Kernel>,
    /// Φ
    pub(crate) values: Vec<f64>,
    /// Φ̇
    pub(crate) rates: Vec<f64>,
    /// Φq, row by row.
    pub(crate) jacobian: Vec<f64>,
    /// ∂Φ̇/∂q, row by row.
    pub(crate) rate_slopes: Vec<f64>,
    /// An error and its correction on their way through K.
    through: [Vec<f64>; 2],
}

impl ConstraintValues {
    pub(crate) fn new(functions: &Functions) -> ConstraintValues {
        let e = &functions.equations;
        let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
        let jacobian: Vec<Expr> =
            e.constraint_jacobian.entries.iter().map(|&(_, _, entry)| entry).collect();
        let outputs: [(&str, &[Expr]); 3] = [
            ("values", &e.constraints),
            ("rates", &e.constraint_velocity),
            ("constraint_jacobian", &jacobian),
        ];
        ConstraintValues {
            kernel: functions.compile(&e.graph, &outputs),
            slopes: None,
            values: vec![0.0; m],
            rates: vec![0.0; m],
            jacobian: vec![0.0; m * n],
            rate_slopes: Vec::new(),
            through: [vec![0.0; m], vec![0.0; n]],
        }
    }

    /// Writes a state down and reads Φ, Φ̇ and Φq there.
    pub(crate) fn read(
        &mut self,
        input: &mut FormulationInput,
        t: f64,
        y: &[f64],
    ) -> Result<(), Breakdown> {
        let functions = input.evaluator.functions().clone();
        let (n, m) = (functions.sizes.coordinates, functions.sizes.constraints);
        input.evaluator.set_joined_state(t, y);
        let (levels, entries) = input.evaluator.run(&self.kernel).split_at(2 * m);
        self.values.copy_from_slice(&levels[..m]);
        self.rates.copy_from_slice(&levels[m..]);
        let names = &input.constraints;
        let mut broken = not_finite(&self.values, names, "the constraint")
            .or_else(|| not_finite(&self.rates, names, "the rate of"));
        let listed = &functions.equations.constraint_jacobian.entries;
        for (&(row, column, _), &entry) in listed.iter().zip(entries) {
            self.jacobian[row * n + column] = entry;
            if !entry.is_finite() && broken.is_none() {
                let quantity = format!("the derivative of {}", names[row]);
                broken = Some(Breakdown::NotFinite { quantity });
            }
        }
        broken.map_or(Ok(()), Err)
    }

    /// Reads ∂Φ̇/∂q at the state written down.
    pub(crate) fn read_slopes(&mut self, input: &mut FormulationInput) {
        let functions = input.evaluator.functions().clone();
        let kernel = self.slopes.get_or_insert_with(|| {
            let e = &functions.equations;
            let mut graph = e.graph.clone();
            let rates = e.constraint_velocity.iter();
            let slopes: Vec<Expr> =
                rates.flat_map(|&rate| graph.gradient(rate, &e.coordinates)).collect();
            functions.compile(&graph, &[("slopes", &slopes)])
        });
        let slopes = input.evaluator.run(kernel);
        self.rate_slopes.resize(slopes.len(), 0.0);
        self.rate_slopes.copy_from_slice(slopes);
    }

    /// Φ or Φ̇
    pub(crate) fn errors(&self, level: ConstraintLevel) -> &[f64] {
        match level {
            ConstraintLevel::Position => &self.values,
            ConstraintLevel::Velocity => &self.rates,
        }
    }

    /// The errors that were read last at this state.
    pub(crate) fn constraint_errors(&self, y: &[f64]) -> ConstraintErrors {
        let (q, moving) = y.split_at(self.through[1].len());
        ConstraintErrors::new([&self.values, &self.rates], q, moving)
    }

    /// The constraint that was missed most when they were read last.
    pub(crate) fn worst(&self, input: &FormulationInput) -> Miss {
        worst_of(&self.values, |row| &input.constraints[row])
    }

    /// K ∂Φ/∂y or K ∂Φ̇/∂y, n rows of the length of y, for a K that writes Kb into its second argument.
    pub(crate) fn sensitivity(
        &mut self,
        level: ConstraintLevel,
        size: usize,
        sensitivity: &mut Vec<f64>,
        mut solve: impl FnMut(&[f64], &mut [f64]),
    ) {
        let [error, change] = &mut self.through;
        let n = change.len();
        sensitivity.clear();
        sensitivity.resize(n * size, 0.0);
        let blocks: [&[f64]; 2] = match level {
            ConstraintLevel::Position => [&self.jacobian, &[]],
            ConstraintLevel::Velocity => [&self.rate_slopes, &self.jacobian],
        };
        for (block, entries) in blocks.iter().enumerate().filter(|(_, block)| !block.is_empty()) {
            for column in 0..n {
                for (error, row) in error.iter_mut().zip(entries.chunks_exact(n)) {
                    *error = row[column];
                }
                solve(error, change);
                for (row, change) in sensitivity.chunks_exact_mut(size).zip(change.iter()) {
                    row[block * n + column] = *change;
                }
            }
        }
    }
}

/// J (1 − A), where A of n rows changes the part of y that begins at `first`: the derivative of a
/// function of the corrected state, from J of the function itself. `part` is scratch.
pub(crate) fn behind_projection(
    jacobian: &mut [f64],
    first: usize,
    sensitivity: &[f64],
    part: &mut [f64],
) {
    let n = part.len();
    for row in jacobian.chunks_exact_mut(sensitivity.len() / n) {
        part.copy_from_slice(&row[first..first + n]);
        for (slope, answer) in part.iter().zip(sensitivity.chunks_exact(row.len())) {
            for (entry, answer) in row.iter_mut().zip(answer) {
                *entry -= slope * answer;
            }
        }
    }
}
