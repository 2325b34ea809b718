//! Angles on the circle.

use catena_compile::Evaluator;
use catena_derivation::angles;
use catena_model::{CoordinateSet, Model};
use std::f64::consts::{PI, TAU};

/// Functions that differ by less than this after a turn, relative to the largest, are the same again.
const TURN_TOLERANCE: f64 = 1e-9;
/// Phases of the states at which that is tried.
const PROBE_PHASES: [f64; 3] = [0.5, 1.7, 4.1];

/// Which columns are angles on the circle: coordinates after a turn of which everything is the same again. An angle against
/// which a spring or a gear counts turns is none.
#[derive(Clone, Debug)]
pub(crate) struct Circle(Vec<bool>);

impl Circle {
    /// Those among these columns.
    pub(crate) fn new(model: &Model, set: CoordinateSet, columns: &[String]) -> Circle {
        let system = model.system(set);
        let mut evaluator = Evaluator::derived(model, system);
        let is_angle = angles(evaluator.equations(), system);
        let mut is_turning = |name: &String| {
            let at = system.coordinates.iter().position(|coordinate| coordinate.name == *name);
            at.is_some_and(|at| is_angle[at] && is_same_after_turn(&mut evaluator, at))
        };
        Circle(columns.iter().map(&mut is_turning).collect())
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

/// Whether all functions of the equations are the same again when a coordinate has made a turn.
fn is_same_after_turn(evaluator: &mut Evaluator, at: usize) -> bool {
    let sizes = evaluator.sizes();
    let list = |count: usize, phase: f64| -> Vec<f64> {
        (0..count).map(|it| 0.4 * (phase + 1.3 * it as f64).sin()).collect()
    };
    PROBE_PHASES.iter().all(|&phase| {
        let mut q = list(sizes.coordinates, phase);
        let (v, states) = (list(sizes.coordinates, phase + 1.5), list(sizes.states, phase + 2.6));
        let mut functions = |q: &[f64]| {
            let values = evaluator.values_at(phase, q, &v, &states);
            let lists = [
                values.mass_matrix,
                values.forces,
                values.constraints,
                values.constraint_jacobian,
                values.gamma,
                values.state_rates,
            ];
            lists.concat()
        };
        let before = functions(&q);
        q[at] += TAU;
        let after = functions(&q);
        let scale = before.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        before.iter().zip(&after).all(|(a, b)| (a - b).abs() <= TURN_TOLERANCE * scale)
    })
}

/// An angle in (−π, π].
fn wrapped(angle: f64) -> f64 {
    PI - (PI - angle).rem_euclid(TAU)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_model::Source;

    #[test]
    fn an_angle_whose_turns_a_spring_counts_is_not_on_the_circle() {
        let of = |potential: &str| {
            let text = format!(
                "[coordinates]\nq = {{ text = \"\", angle = true }}\n[energy]\n\
                 kinetic = \"q'^2\"\npotential = \"{potential}\"\n"
            );
            let model = Model::read(Source::new("test", text), &[]).expect("a model");
            Circle::new(&model, CoordinateSet::Own, &["q".to_owned(), "q'".to_owned()]).0
        };
        assert_eq!(of("cos(q)"), [true, false]);
        assert_eq!(of("cos(q) + q^2"), [false, false]);
    }

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
