//! What is special about the pose where a motion cannot go on.

use crate::Assembly;
use crate::approach::MAX_LISTED_CONSTRAINTS;
use crate::pose_words::PoseWords;
use crate::shared_forces::listed;
use catena_compile::{Evaluator, Values};
use catena_linear::{dot, norm};
use catena_model::System;

/// A row whose independence is less than this part of what it was at the start has become dependent.
const MIN_KEPT_INDEPENDENCE: f64 = 1e-4;
/// The same shortly before a dead point, where independence falls with the root of the distance.
const MIN_INDEPENDENCE_OF_DRIVE: f64 = 1e-2;

/// A state: time, coordinates, velocities and first-order states.
pub(crate) type State<'a> = (f64, &'a [f64], &'a [f64], &'a [f64]);

/// Names a coordinate that has lost its mass since the start, or a constraint that has become dependent. Where the
/// constraints that do not depend on time have kept their independence the mechanism can move, but what drives it cannot
/// lead it further: a dead point.
pub(crate) fn singular_pose(
    system: &System,
    words: &PoseWords,
    evaluator: &mut Evaluator,
    start: &Assembly,
    now: State<'_>,
) -> Option<String> {
    let n = system.coordinates.len();
    let mut values_at = |(t, q, v, states): State<'_>| {
        let Values { mass_matrix, constraint_jacobian, .. } = evaluator.values_at(t, q, v, states);
        [mass_matrix, constraint_jacobian]
    };
    let before = values_at((start.t, &start.q, &start.v, &start.states));
    let after = values_at(now);
    let in_pose = |rows: &[usize]| match words.pose(rows, now.1) {
        pose if pose.is_empty() => pose,
        pose => format!(" ({pose})"),
    };
    let drives = drives(evaluator);
    let free = [&before[1], &after[1]].map(|jacobian| without(jacobian, n, &drives));
    if !drives.is_empty()
        && lost([&before[1], &after[1]], n, MIN_INDEPENDENCE_OF_DRIVE).is_some()
        && lost(free.each_ref(), n, MIN_INDEPENDENCE_OF_DRIVE).is_none()
    {
        let names: Vec<String> =
            drives.iter().map(|&at| system.constraints[at].name.clone()).collect();
        return Some(format!(
            "it is a dead point: {} cannot lead the mechanism further{}",
            listed(&names, MAX_LISTED_CONSTRAINTS),
            in_pose(&drives)
        ));
    }
    if let Some(at) = lost([&before[1], &after[1]], n, MIN_KEPT_INDEPENDENCE) {
        let name = &system.constraints[at].name;
        return Some(format!(
            "it is a dead point or a change point: `{name}` follows from the other constraints there{}",
            in_pose(&[at])
        ));
    }
    let name = &system.coordinates[lost([&before[0], &after[0]], n, MIN_KEPT_INDEPENDENCE)?].name;
    Some(format!("`{name}` has no mass of its own there"))
}

/// The constraints that depend on time.
pub(crate) fn drives(evaluator: &Evaluator) -> Vec<usize> {
    let equations = evaluator.equations();
    let rates = equations.constraint_rate.iter().enumerate();
    rates.filter(|(_, rate)| !equations.graph.is_zero(**rate)).map(|(at, _)| at).collect()
}

fn without(rows: &[f64], n: usize, left_out: &[usize]) -> Vec<f64> {
    let rows = rows.chunks_exact(n.max(1)).enumerate();
    rows.filter(|(at, _)| !left_out.contains(at)).flat_map(|(_, row)| row.to_vec()).collect()
}

/// The first row that has lost its independence since the start: less than this part of it is left.
fn lost([before, after]: [&Vec<f64>; 2], n: usize, kept: f64) -> Option<usize> {
    let (before, after) = (new_directions(before, n), new_directions(after, n));
    // written so that NaN is no loss
    before.iter().zip(&after).position(|(before, after)| *after < kept * before)
}

/// For each row of a matrix with n columns, the length of what points in none of the directions before it.
fn new_directions(rows: &[f64], n: usize) -> Vec<f64> {
    let mut directions: Vec<Vec<f64>> = Vec::new();
    let rows = rows.chunks_exact(n.max(1));
    rows.map(|row| {
        let mut rest = row.to_vec();
        for direction in &directions {
            let along = dot(&rest, direction);
            rest.iter_mut().zip(direction).for_each(|(rest, part)| *rest -= along * part);
        }
        let length = norm(&rest);
        if length > 0.0 {
            rest.iter_mut().for_each(|entry| *entry /= length);
            directions.push(rest);
        }
        length
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_for_what_is_new_in_it() {
        let lengths = new_directions(&[3.0, 4.0, 0.0, 2.0, 6.0, 8.0], 2);
        for (length, expected) in lengths.iter().zip([5.0, 1.2, 0.0]) {
            assert!((length - expected).abs() < 1e-14, "{lengths:?}");
        }
        assert!(new_directions(&[], 0).is_empty());
    }
}
