//! Other poses from which the assembly is tried, where it leads nowhere from the guesses.
//!
//! Newton's method stops where no small change brings the parts nearer to each other, as a crank does that points straight
//! at a slider it cannot reach. Other poses lead around such places: free coordinates are moved by fixed parts of a turn, or
//! of the size of the mechanism, a little at first and then farther, each coordinate by another part. Nothing is left
//! to chance: the same model is assembled in the same pose every time.

use crate::assembly::{
    PositionSolve, assemble_nearby, free_columns, is_assembled, residual_at, solve_positions,
};
use crate::{Assembly, AssemblyError, Start};
use catena_compile::Evaluator;
use catena_derivation::angles;
use catena_formulation::ConstraintLevel;
use catena_linear::RowSpace;
use catena_model::System;
use std::f64::consts::PI;

/// How far coordinates are moved at most: angles in rad, others relative to the size of the mechanism.
const DISTANCES: [f64; 8] = [0.03, 0.1, 0.3, 0.6, 1.0, 1.6, 2.4, PI];
/// Poses at each distance.
const POSES_AT_DISTANCE: usize = 4;
/// Multiplications that all poses together may cost: about two seconds.
const MAX_MULTIPLICATIONS: f64 = 4e9;
/// Iterations of Newton's method from a pose, for the estimate of that cost.
const USUAL_ITERATIONS: f64 = 30.0;
/// The part of a turn from one coordinate to the next whose multiples stay farthest from each other.
const GOLDEN_PART: f64 = 0.618_033_988_749_894_9;
/// A residual counts as smaller than that from the guesses where it is less than this part of it.
const MIN_IMPROVEMENT: f64 = 0.999;

/// Tries the poses in turn; the error has the pose that comes nearest to being assembled.
pub(crate) fn assemble(
    system: &System,
    evaluator: &mut Evaluator,
    start: &Start,
    (reached, residuals): (Vec<f64>, Vec<(String, f64)>),
) -> Result<Assembly, AssemblyError> {
    let is_angle = angles(evaluator.equations(), system);
    let scales = scales(&start.q, &is_angle);
    let mut nearest: Option<(f64, Vec<f64>)> = None;
    let mut least = residual_at(evaluator, &reached, start).map(|size| MIN_IMPROVEMENT * size);
    let mut best = None;
    let tries = affordable(system);
    for number in 0..tries {
        let mut q = moved(start, &scales, number);
        place(evaluator, &mut q, start, &is_angle);
        solve_positions(evaluator, &mut q, &PositionSolve::assembling(start));
        if is_assembled(evaluator, &q, start) {
            unwind(evaluator, &mut q, start, &is_angle);
            let distance = distance(&q, start, &scales, &is_angle);
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, q));
            }
        } else if let Some(size) = residual_at(evaluator, &q, start)
            && least.is_some_and(|least| size < least)
        {
            (least, best) = (Some(size), Some(q));
        }
    }
    if let Some((_, q)) = nearest {
        return assemble_nearby(system, evaluator, &Start { q, ..start.clone() });
    }
    let found = best.map(|q| assemble_nearby(system, evaluator, &Start { q, ..start.clone() }));
    let level = ConstraintLevel::Position;
    let (q, residuals) = match found {
        Some(Err(AssemblyError::Unsatisfied { q, residuals, .. })) => (q, residuals),
        Some(found @ Ok(_)) => return found,
        _ => (reached, residuals),
    };
    Err(AssemblyError::Unsatisfied { level, residuals, all_given: false, q, other_starts: tries })
}

/// How many poses are tried: fewer for large systems, whose matrices are costly.
fn affordable(system: &System) -> usize {
    let (n, m) = (system.coordinates.len() as f64, system.constraints.len() as f64);
    let affordable = MAX_MULTIPLICATIONS / (USUAL_ITERATIONS * m * m * n).max(1.0);
    (affordable as usize).min(DISTANCES.len() * POSES_AT_DISTANCE)
}

/// What a distance of 1 is for each coordinate: a radian, or the largest coordinate that is no angle.
fn scales(q: &[f64], is_angle: &[bool]) -> Vec<f64> {
    let lengths = q.iter().zip(is_angle).filter(|(_, angle)| !**angle).map(|(q, _)| q.abs());
    let length = lengths.fold(0.0, f64::max);
    let length = if length > 0.0 { length } else { 1.0 };
    is_angle.iter().map(|angle| if *angle { 1.0 } else { length }).collect()
}

/// The pose of this number.
fn moved(start: &Start, scales: &[f64], number: usize) -> Vec<f64> {
    let distance = DISTANCES[number / POSES_AT_DISTANCE % DISTANCES.len()];
    let at = |(i, q): (usize, &f64)| {
        let part = (GOLDEN_PART * (i + 1) as f64 * (number + 1) as f64 + 0.5).fract();
        match start.q_given[i] {
            true => *q,
            false => q + distance * scales[i] * (2.0 * part - 1.0),
        }
    };
    start.q.iter().enumerate().map(at).collect()
}

/// Moves what is no angle to where the angles put it.
fn place(evaluator: &mut Evaluator, q: &mut [f64], start: &Start, is_angle: &[bool]) {
    let held: Vec<bool> =
        start.q_given.iter().zip(is_angle).map(|(given, angle)| *given || *angle).collect();
    evaluator.set_state(start.t, q, &start.v, &start.states);
    let pose = evaluator.pose();
    let jacobian = free_columns(&pose, pose.constraints.len(), &held);
    if jacobian.is_finite() {
        let step = RowSpace::of(&jacobian).solution(pose.constraints);
        q.iter_mut().zip(step).for_each(|(q, step)| *q -= step);
    }
}

/// Takes whole turns off angles that have wound up, if the constraints allow it, and rounding off what is given.
fn unwind(evaluator: &mut Evaluator, q: &mut Vec<f64>, start: &Start, is_angle: &[bool]) {
    let turn = |(at, q): (usize, &f64)| match (start.q_given[at], is_angle[at]) {
        (true, _) => start.q[at],
        (false, true) => q - 2.0 * PI * ((q - start.q[at]) / (2.0 * PI)).round(),
        (false, false) => *q,
    };
    let unwound: Vec<f64> = q.iter().enumerate().map(turn).collect();
    if is_assembled(evaluator, &unwound, start) {
        *q = unwound;
    }
}

/// How far a pose is from the guesses.
fn distance(q: &[f64], start: &Start, scales: &[f64], is_angle: &[bool]) -> f64 {
    let apart = |at: usize| {
        let difference = (q[at] - start.q[at]) / scales[at];
        match is_angle[at] {
            true => 2.0 * (1.0 - difference.cos()),
            false => difference * difference,
        }
    };
    (0..q.len()).map(apart).sum()
}
