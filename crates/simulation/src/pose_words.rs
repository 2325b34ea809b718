//! A pose in words, by the few coordinates that matter to some constraints.

use catena_derivation::{Equations, angles};
use catena_model::{System, plain_to};

/// More coordinates than this are left out.
const MAX_LISTED_COORDINATES: usize = 3;

/// What is needed to put a pose in words.
pub(crate) struct PoseWords {
    names: Vec<String>,
    /// One for each coordinate.
    pub(crate) is_angle: Vec<bool>,
    /// Constraints and the coordinates they depend on, in pairs.
    pairs: Vec<(usize, usize)>,
}

impl PoseWords {
    pub(crate) fn new(system: &System, equations: &Equations) -> PoseWords {
        let entries = equations.constraint_jacobian.entries.iter();
        PoseWords {
            names: system.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect(),
            is_angle: angles(equations, system),
            pairs: entries.map(|&(row, column, _)| (row, column)).collect(),
        }
    }

    /// "`theta2` = 0.4°, `theta3` = 180°": the first angles that the constraints depend on, or other coordinates
    /// where there are none.
    pub(crate) fn pose(&self, constraints: &[usize], q: &[f64]) -> String {
        let matters = |column: usize| {
            self.pairs.iter().any(|(row, other)| *other == column && constraints.contains(row))
        };
        let chosen =
            |angle: bool| (0..q.len()).filter(move |&at| self.is_angle[at] == angle && matters(at));
        let mut columns: Vec<usize> = chosen(true).take(MAX_LISTED_COORDINATES).collect();
        if columns.is_empty() {
            columns = chosen(false).take(MAX_LISTED_COORDINATES).collect();
        }
        let words = columns.into_iter().map(|at| match self.is_angle[at] {
            true => format!("`{}` = {}°", self.names[at], degrees(q[at])),
            false => format!("`{}` = {}", self.names[at], short(q[at])),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// Between −180° and 180°, to a tenth of a degree.
fn degrees(angle: f64) -> f64 {
    let turned = angle.to_degrees().rem_euclid(360.0);
    let nearest = if turned > 180.0 { turned - 360.0 } else { turned };
    // adding 0 turns a negative zero into a plain one
    (10.0 * nearest).round() / 10.0 + 0.0
}

/// Rounded to six significant digits.
pub(crate) fn short(value: f64) -> String {
    plain_to(value, 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn words(is_angle: [bool; 4]) -> PoseWords {
        PoseWords {
            names: ["x", "theta1", "theta2", "y"].map(str::to_owned).to_vec(),
            is_angle: is_angle.to_vec(),
            pairs: vec![(0, 0), (0, 1), (1, 1), (1, 2), (1, 3)],
        }
    }

    #[test]
    fn angles_of_the_constraints_are_written_in_degrees() {
        let q = [0.5, -PI, 3.0 * PI + 0.01, 0.25];
        let words = words([false, true, true, false]);
        assert_eq!(words.pose(&[1], &q), "`theta1` = 180°, `theta2` = -179.4°");
        assert_eq!(words.pose(&[0], &q), "`theta1` = 180°");
        assert_eq!(words.pose(&[], &q), "");
    }

    #[test]
    fn without_angles_other_coordinates_are_written() {
        let words = words([false; 4]);
        assert_eq!(
            words.pose(&[0], &[0.123_456_7, -1e-9, 0.0, 0.0]),
            "`x` = 0.123457, `theta1` = -1e-9"
        );
    }
}
