//! Constraints at the levels of positions and velocities, and the way back to them.
//!
//! A formulation that keeps its states on the constraints has a matrix K with $\Phi_q K = 1$: it takes
//! an error to the change that removes it. Positions are corrected by $-K\Phi$ until nothing is left,
//! velocities once by $-K\dot\Phi$. What K is, and so where on the constraints a state ends, is the
//! formulation's own affair.

use crate::{Breakdown, FormulationInput, not_finite};
use catena_compile::{Functions, Kernel};
use catena_symbolic::Expr;

/// Errors this small beside the coordinates are rounding.
const SETTLED: f64 = 1e-14;
/// Newton's method that stops above this has not found the constraints.
const LOST: f64 = 1e-7;
const MAX_ITERATIONS: usize = 10;

/// What is to be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Φ = 0
    Positions,
    /// Φ̇ = 0
    Velocities,
}

/// The constraints at a state.
#[derive(Clone)]
pub(crate) struct ConstraintValues {
    /// Φ, Φ̇ and Φq (as listed).
    kernel: Kernel,
    /// ∂Φ̇/∂q row by row, compiled for those who ask.
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

    /// Brings y back to the constraints: `correct` takes KΦ or KΦ̇ off the part it is given. Returns
    /// whether y changed; Φq is that of the state it ends in.
    pub(crate) fn project(
        &mut self,
        input: &mut FormulationInput,
        t: f64,
        y: &mut [f64],
        mut correct: impl FnMut(
            &mut FormulationInput,
            &ConstraintValues,
            Level,
            &mut [f64],
        ) -> Result<(), Breakdown>,
    ) -> Result<bool, Breakdown> {
        let n = input.evaluator.sizes().coordinates;
        let (mut moved, mut before, mut round) = (false, f64::INFINITY, 0);
        loop {
            self.read(input, t, y)?;
            let error = largest(&self.values) / (1.0 + largest(&y[..n]));
            // Newton's method has reached rounding where it no longer gains
            if error <= SETTLED || error >= 0.5 * before || round == MAX_ITERATIONS {
                if error > LOST {
                    return Err(self.lost(input));
                }
                break;
            }
            correct(input, self, Level::Positions, &mut y[..n])?;
            (moved, before, round) = (true, error, round + 1);
        }
        if largest(&self.rates) > SETTLED * (1.0 + largest(&y[n..])) {
            correct(input, self, Level::Velocities, &mut y[n..2 * n])?;
            moved = true;
        }
        Ok(moved)
    }

    /// Names the constraint that is missed most.
    fn lost(&self, input: &FormulationInput) -> Breakdown {
        let worst = largest(&self.values);
        let row = self.values.iter().position(|value| value.abs() == worst).unwrap_or(0);
        Breakdown::OffConstraints { constraint: input.constraints[row].clone(), error: worst }
    }

    /// K ∂Φ/∂y or K ∂Φ̇/∂y, n rows of the length of y, for a K that writes Kb into its second argument.
    pub(crate) fn answers(
        &mut self,
        level: Level,
        size: usize,
        answers: &mut Vec<f64>,
        mut solve: impl FnMut(&[f64], &mut [f64]),
    ) {
        let [error, change] = &mut self.through;
        let n = change.len();
        answers.clear();
        answers.resize(n * size, 0.0);
        let blocks: [&[f64]; 2] = match level {
            Level::Positions => [&self.jacobian, &[]],
            Level::Velocities => [&self.rate_slopes, &self.jacobian],
        };
        for (block, entries) in blocks.iter().enumerate().filter(|(_, block)| !block.is_empty()) {
            for column in 0..n {
                for (error, row) in error.iter_mut().zip(entries.chunks_exact(n)) {
                    *error = row[column];
                }
                solve(error, change);
                for (row, change) in answers.chunks_exact_mut(size).zip(change.iter()) {
                    row[block * n + column] = *change;
                }
            }
        }
    }
}

/// J (1 − A), where A of n rows changes the part of y that begins at `first`: the derivative of a
/// function of the corrected state, from J of the function itself. `part` is scratch.
pub(crate) fn through_correction(
    jacobian: &mut [f64],
    first: usize,
    answers: &[f64],
    part: &mut [f64],
) {
    let n = part.len();
    for row in jacobian.chunks_exact_mut(answers.len() / n) {
        part.copy_from_slice(&row[first..first + n]);
        for (slope, answer) in part.iter().zip(answers.chunks_exact(row.len())) {
            for (entry, answer) in row.iter_mut().zip(answer) {
                *entry -= slope * answer;
            }
        }
    }
}

/// The largest size of an entry.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}
