//! Assembly: a start that satisfies the constraints.
//!
//! Given values are kept; the others are solved for by Newton's method from their guesses, with the
//! shortest step at each iteration, so that what the constraints leave open stays near its guess.
//! Dependent constraints are left out of the step and checked in the end: redundant ones come out
//! satisfied, contradictory ones do not.
//!
//! Where that leads nowhere it is tried again from other poses (`other_starts`), always the same ones, and of the
//! assembled poses the one nearest to the guesses is taken: guesses choose the branch.

use crate::{Start, other_starts};
use catena_compile::{Evaluator, Pose, Values};
use catena_formulation::ConstraintLevel;
use catena_linear::{Matrix, RowSpace, max_abs_or_nan, norm};
use catena_model::System;

/// A start that satisfies |Φ| and |Φ̇| to this, relative to its size, is used unchanged.
const START_TOLERANCE: f64 = 1e-8;
/// Newton's method continues until the residual, relative to the coordinates, is this small or no longer falls.
const NEWTON_TOLERANCE: f64 = 1e-14;
const MAX_ITERATIONS: usize = 100;
const MAX_HALVINGS: usize = 30;
/// How far the coordinates are moved, relative to their size, where Newton's method has no direction.
const PERTURBATION: f64 = 1e-3;

/// An assembled start.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// The time at which it is, s.
    pub t: f64,
    /// q, in the order of the model.
    pub q: Vec<f64>,
    /// v, in the order of the model.
    pub v: Vec<f64>,
    /// z, in the order of the model; they are given, never solved for.
    pub states: Vec<f64>,
    /// Names of what was solved for, velocities with a prime.
    pub solved: Vec<String>,
}

/// Why a start could not be assembled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyError {
    /// The constraints cannot be satisfied from here.
    #[error("the start does not satisfy the constraints: {}{}", list(.residuals), tried(*.other_starts))]
    Unsatisfied {
        /// Whether positions or velocities fail.
        level: ConstraintLevel,
        /// Every constraint that is not satisfied with its residual.
        residuals: Vec<(String, f64)>,
        /// Whether all values were given, so that nothing could be solved for.
        all_given: bool,
        /// The pose that was reached: of several the one nearest to being assembled.
        q: Vec<f64>,
        /// How many poses were tried in addition to that of the guesses.
        other_starts: usize,
    },
    /// A function of the model is infinite or undefined.
    #[error("{name} is not finite at the start")]
    NotFinite {
        /// What is not finite, in words: `the mass of theta1`.
        name: String,
    },
}

fn list(residuals: &[(String, f64)]) -> String {
    let items: Vec<String> =
        residuals.iter().map(|(name, residual)| format!("{name} = {residual:.3e}")).collect();
    items.join(", ")
}

/// ", tried from 1 + 24 poses"
fn tried(other_starts: usize) -> String {
    match other_starts {
        0 => String::new(),
        others => format!(", tried from {} poses", 1 + others),
    }
}

/// Finds a start of the system that satisfies its constraints. Forces and masses are not checked; [`check_finite`]
/// does that.
pub fn assemble(
    system: &System,
    evaluator: &mut Evaluator,
    start: &Start,
) -> Result<Assembly, AssemblyError> {
    match assemble_nearby(system, evaluator, start) {
        Err(AssemblyError::Unsatisfied {
            level: ConstraintLevel::Position,
            q,
            all_given: false,
            residuals,
            ..
        }) => {
            let mut found = other_starts::assemble(system, evaluator, start, (q, residuals))?;
            // what was solved for is said as seen from the start that was asked for
            let free = system.coordinates.iter().zip(&start.q_given).filter(|(_, given)| !**given);
            let rates = found.solved.into_iter().filter(|name| name.ends_with('\''));
            found.solved = free.map(|(c, _)| c.name.clone()).chain(rates).collect();
            Ok(found)
        }
        found => found,
    }
}

/// The same from this start alone: other poses are not tried.
pub fn assemble_nearby(
    system: &System,
    evaluator: &mut Evaluator,
    start: &Start,
) -> Result<Assembly, AssemblyError> {
    let Start { t, mut q, mut v, states, q_given, v_given } = start.clone();
    let mut solved = Vec::new();
    let names = |system: &System, given: &[bool], prime: &str| -> Vec<String> {
        let free = system.coordinates.iter().zip(given).filter(|(_, given)| !**given);
        free.map(|(coordinate, _)| format!("{}{prime}", coordinate.name)).collect()
    };
    finite_start(system, start)?;
    let m = system.constraints.len();
    if m == 0 {
        return Ok(Assembly { t, q, v, states, solved });
    }
    evaluator.set_state(t, &q, &v, &states);
    let pose = evaluator.pose();
    finite_pose(system, &pose)?;
    if max_abs_or_nan(pose.constraints) > START_TOLERANCE * size(&q) {
        solve_positions(evaluator, &mut q, &PositionSolve::assembling(start));
        solved.extend(names(system, &q_given, ""));
    }
    evaluator.set_state(t, &q, &v, &states);
    let pose = evaluator.pose();
    finite_pose(system, &pose)?;
    refuse(
        system,
        ConstraintLevel::Position,
        pose.constraints,
        START_TOLERANCE * size(&q),
        &q_given,
        &q,
    )?;

    let rate = velocity_residual(&pose, &v);
    if max_abs_or_nan(&rate) > START_TOLERANCE * size(&v) {
        let jacobian = free_columns(&pose, m, &v_given);
        let step = RowSpace::of(&jacobian).solution(&rate);
        v.iter_mut().zip(step).for_each(|(v, step)| *v -= step);
        solved.extend(names(system, &v_given, "'"));
    }
    let rate = velocity_residual(&pose, &v);
    refuse(system, ConstraintLevel::Velocity, &rate, START_TOLERANCE * size(&v), &v_given, &q)?;
    Ok(Assembly { t, q, v, states, solved })
}

/// The residual at a pose after Newton's method, if it is finite.
pub(crate) fn residual_at(evaluator: &mut Evaluator, q: &[f64], start: &Start) -> Option<f64> {
    evaluator.set_state(start.t, q, &start.v, &start.states);
    let size = norm(evaluator.pose().constraints);
    size.is_finite().then_some(size)
}

/// Whether a pose satisfies the constraints.
pub(crate) fn is_assembled(evaluator: &mut Evaluator, q: &[f64], start: &Start) -> bool {
    evaluator.set_state(start.t, q, &start.v, &start.states);
    max_abs_or_nan(evaluator.pose().constraints) <= START_TOLERANCE * size(q)
}

/// What Newton's method for positions holds on to.
pub(crate) struct PositionSolve<'a> {
    pub(crate) t: f64,
    pub(crate) v: &'a [f64],
    pub(crate) states: &'a [f64],
    /// Which coordinates do not move.
    pub(crate) given: &'a [bool],
    /// Constraints that need not be satisfied: drives that have let go.
    pub(crate) released: &'a [usize],
    /// Constraints that keep a value other than 0.
    pub(crate) kept: &'a [(usize, f64)],
    /// The residual, relative to the coordinates, at which it ends.
    pub(crate) tolerance: f64,
}

impl<'a> PositionSolve<'a> {
    /// All constraints, to the last digits.
    pub(crate) fn assembling(start: &'a Start) -> PositionSolve<'a> {
        let Start { t, v, states, q_given, .. } = start;
        let tolerance = NEWTON_TOLERANCE;
        let given = q_given.as_slice();
        PositionSolve { t: *t, v, states, given, released: &[], kept: &[], tolerance }
    }

    /// How far the constraints are from what they must be.
    pub(crate) fn residual(&self, constraints: &[f64]) -> Vec<f64> {
        let mut residual = constraints.to_vec();
        self.kept.iter().for_each(|&(row, value)| residual[row] -= value);
        self.released.iter().for_each(|&row| residual[row] = 0.0);
        residual
    }
}

/// Newton's method on the free coordinates; each step is halved until the residual falls.
pub(crate) fn solve_positions(
    evaluator: &mut Evaluator,
    q: &mut Vec<f64>,
    solve: &PositionSolve<'_>,
) {
    let &PositionSolve { t, v, states, given, .. } = solve;
    let mut perturbed = false;
    for _ in 0..MAX_ITERATIONS {
        evaluator.set_state(t, q, v, states);
        let pose = evaluator.pose();
        let residual = solve.residual(pose.constraints);
        let mut jacobian = free_columns(&pose, residual.len(), given);
        solve.released.iter().for_each(|&row| jacobian.row_mut(row).fill(0.0));
        let before = norm(&residual);
        if max_abs_or_nan(&residual) <= solve.tolerance * size(q) || !jacobian.is_finite() {
            return;
        }
        let step = RowSpace::of(&jacobian).solution(&residual);
        // where every slope vanishes, as for x² + y² = 1 at y = 0, Newton's method needs a push
        if max_abs_or_nan(&step) == 0.0 && !perturbed {
            perturbed = true;
            let free = q.iter_mut().zip(given).filter(|(_, given)| !**given);
            free.for_each(|(q, _)| *q += PERTURBATION * q.abs().max(1.0));
            continue;
        }
        let mut length = 1.0;
        let mut moved = false;
        for _ in 0..MAX_HALVINGS {
            let trial: Vec<f64> = q.iter().zip(&step).map(|(q, step)| q - length * step).collect();
            evaluator.set_state(t, &trial, v, states);
            let after = norm(&solve.residual(evaluator.pose().constraints));
            // NaN is not smaller, so a step out of the domain is halved too
            if after < before {
                *q = trial;
                moved = true;
                break;
            }
            length /= 2.0;
        }
        if !moved {
            return;
        }
    }
}

/// Φq with the columns of given coordinates set to zero: they do not move.
pub(crate) fn free_columns(pose: &Pose<'_>, rows: usize, given: &[bool]) -> Matrix {
    let n = given.len();
    let mut jacobian = Matrix::zeros(rows, n);
    for row in 0..rows {
        let entries = &pose.constraint_jacobian[row * n..(row + 1) * n];
        for (column, place) in jacobian.row_mut(row).iter_mut().enumerate() {
            *place = if given[column] { 0.0 } else { entries[column] };
        }
    }
    jacobian
}

/// Φ̇ = Φq v + Φt
fn velocity_residual(pose: &Pose<'_>, v: &[f64]) -> Vec<f64> {
    let row = |(row, rate): (usize, &f64)| {
        let entries = &pose.constraint_jacobian[row * v.len()..(row + 1) * v.len()];
        rate + entries.iter().zip(v).map(|(entry, v)| entry * v).sum::<f64>()
    };
    pose.constraint_rate.iter().enumerate().map(row).collect()
}

fn refuse(
    system: &System,
    level: ConstraintLevel,
    residual: &[f64],
    limit: f64,
    given: &[bool],
    q: &[f64],
) -> Result<(), AssemblyError> {
    let names = system.constraints.iter().map(|constraint| constraint.name.clone());
    let residuals: Vec<(String, f64)> = names
        .zip(residual.iter().copied())
        .filter(|(_, residual)| residual.abs() > limit)
        .collect();
    if residuals.is_empty() {
        return Ok(());
    }
    let all_given = given.iter().all(|&given| given);
    let q = q.to_vec();
    Err(AssemblyError::Unsatisfied { level, residuals, all_given, q, other_starts: 0 })
}

fn position(entries: &[f64]) -> Option<usize> {
    entries.iter().position(|entry| !entry.is_finite())
}

/// The values that the model gives or guesses.
fn finite_start(system: &System, start: &Start) -> Result<(), AssemblyError> {
    let coordinate = |at: usize| system.coordinates[at].name.clone();
    let name = position(&start.q)
        .map(coordinate)
        .or_else(|| position(&start.v).map(|at| format!("{}'", coordinate(at))))
        .or_else(|| position(&start.states).map(|at| system.states[at].name.clone()));
    name.map_or(Ok(()), |name| Err(AssemblyError::NotFinite { name }))
}

/// Φ, Φq and Φt.
fn finite_pose(system: &System, pose: &Pose<'_>) -> Result<(), AssemblyError> {
    let n = system.coordinates.len();
    let name = |row: usize| &system.constraints[row].name;
    let broken = position(pose.constraints)
        .map(|at| name(at).clone())
        .or_else(|| {
            let at = position(pose.constraint_jacobian)?;
            Some(format!("the derivative of {}", name(at / n)))
        })
        .or_else(|| position(pose.constraint_rate).map(|at| format!("the rate of {}", name(at))));
    broken.map_or(Ok(()), |name| Err(AssemblyError::NotFinite { name }))
}

/// Names the first function of the model that is infinite or undefined at a start.
pub fn check_finite(
    system: &System,
    evaluator: &mut Evaluator,
    start: &Start,
) -> Result<(), AssemblyError> {
    finite_start(system, start)?;
    let values = evaluator.values_at(start.t, &start.q, &start.v, &start.states);
    let fail = |name: String| Err(AssemblyError::NotFinite { name });
    for (name, energy) in [("kinetic", values.kinetic), ("potential", values.potential)] {
        if !energy.is_finite() {
            return fail(format!("the {name} energy"));
        }
    }
    let Values { constraints, constraint_jacobian, constraint_rate, .. } = &values;
    finite_pose(system, &Pose { constraints, constraint_jacobian, constraint_rate })?;
    let coordinate = |at: usize| system.coordinates[at].name.clone();
    if let Some(at) = position(&values.gamma) {
        return fail(format!("the second derivative of {}", system.constraints[at].name));
    }
    if let Some(at) = position(&values.mass_matrix) {
        return fail(format!("the mass of {}", coordinate(at / values.forces.len())));
    }
    if let Some(at) = position(&values.forces) {
        return fail(format!("the force on {}", coordinate(at)));
    }
    match position(&values.state_rates) {
        Some(at) => fail(format!("the rate of {}", system.states[at].name)),
        None => Ok(()),
    }
}

/// The size to which residuals are compared: at least 1.
pub(crate) fn size(entries: &[f64]) -> f64 {
    max_abs_or_nan(entries).max(1.0)
}
