//! Angles on the circle.

use catena_derivation::{Equations, angles};
use catena_model::{CoordinateSet, Model};
use std::f64::consts::{PI, TAU};

/// Which columns are angles: those that count modulo a turn.
#[derive(Clone, Debug)]
pub(crate) struct Circle(Vec<bool>);

impl Circle {
    /// Of these columns the coordinates that are angles of the model.
    pub(crate) fn new(model: &Model, set: CoordinateSet, columns: &[String]) -> Circle {
        let system = model.system(set);
        let is_angle = angles(&Equations::derive_without_mass_matrix(model, system), system);
        let pairs = || system.coordinates.iter().zip(&is_angle);
        let is_turning =
            |name: &String| pairs().any(|(coordinate, angle)| *angle && coordinate.name == *name);
        Circle(columns.iter().map(is_turning).collect())
    }

    /// Whether a column is an angle.
    pub(crate) fn has(&self, column: usize) -> bool {
        self.0[column]
    }

    /// The value of a column, angles in (−π, π].
    pub(crate) fn wrapped(&self, column: usize, value: f64) -> f64 {
        if self.0[column] { wrapped(value) } else { value }
    }

    /// From one value of a column to another, angles by the shorter way.
    pub(crate) fn difference(&self, column: usize, from: f64, to: f64) -> f64 {
        if self.0[column] { wrapped(to - from) } else { to - from }
    }
}

/// An angle in (−π, π].
fn wrapped(angle: f64) -> f64 {
    PI - (PI - angle).rem_euclid(TAU)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_after_a_turn_and_other_columns_do_not() {
        let circle = Circle(vec![true, false]);
        assert!((circle.wrapped(0, 3.0 * PI + 0.1) - (0.1 - PI)).abs() < 1e-14);
        assert_eq!((circle.wrapped(0, PI), circle.wrapped(0, -PI)), (PI, PI));
        assert_eq!(circle.wrapped(1, 10.0), 10.0);
        assert!((circle.difference(0, 3.0, -3.0) - (TAU - 6.0)).abs() < 1e-14);
        assert_eq!(circle.difference(1, 3.0, -3.0), -6.0);
    }
}
