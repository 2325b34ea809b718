//! What is special about the pose where a motion cannot go on.

use crate::Assembly;
use crate::pose_words::PoseWords;
use catena_compile::{Evaluator, Values};
use catena_linear::{dot, norm};
use catena_model::System;

/// A row whose independence is less than this part of what it was at the start has become dependent.
const MIN_KEPT_INDEPENDENCE: f64 = 1e-4;

/// A state: time, coordinates, velocities and first-order states.
pub(crate) type State<'a> = (f64, &'a [f64], &'a [f64], &'a [f64]);

/// Names a coordinate that has lost its mass since the start, or a constraint that has become dependent.
pub(crate) fn singular_pose(
    system: &System,
    words: &PoseWords,
    evaluator: &mut Evaluator,
    start: &Assembly,
    now: State<'_>,
) -> Option<String> {
    let n = system.coordinates.len();
    let mut shares = |(t, q, v, states): State<'_>| {
        let Values { mass_matrix, constraint_jacobian, .. } = evaluator.values_at(t, q, v, states);
        [new_directions(&mass_matrix, n), new_directions(&constraint_jacobian, n)]
    };
    let before = shares((start.t, &start.q, &start.v, &start.states));
    let after = shares(now);
    let lost = |level: usize| {
        let pairs = before[level].iter().zip(&after[level]);
        // written so that NaN is no loss
        pairs.into_iter().position(|(before, after)| *after < MIN_KEPT_INDEPENDENCE * before)
    };
    if let Some(at) = lost(1) {
        let name = &system.constraints[at].name;
        let pose = match words.pose(&[at], now.1) {
            pose if pose.is_empty() => pose,
            pose => format!(" ({pose})"),
        };
        return Some(format!("`{name}` follows from the other constraints there{pose}"));
    }
    let name = &system.coordinates[lost(0)?].name;
    Some(format!("`{name}` has no mass of its own there"))
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
