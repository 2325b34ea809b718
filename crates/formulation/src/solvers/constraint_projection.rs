//! Constraint projection: how a state returns to its constraints.
//!
//! Positions are corrected by Newton's method until Φ = 0 to rounding, then velocities once, because Φ̇ is linear
//! in them. Where on the constraints a state ends is decided by the correction, which is the formulation's own
//! affair: $-K\Phi$ and $-K\dot\Phi$ with any K that has $\Phi_q K = 1$. A state from which Newton's method does not
//! come back is refused: what it found instead is no pose of the mechanism.

use crate::input::not_finite;
use crate::{Breakdown, FormulationInput};
use catena_linear::max_abs;

/// Errors this small relative to the coordinates are rounding: there is nothing to correct.
const ROUNDING_TOLERANCE: f64 = 1e-14;
/// The same for a motion that came near a singular pose. There accelerations answer to an error of positions divided by
/// the square of the distance, and that error is what the projection of a step left, divided by the distance then.
const SINGULAR_ROUNDING_TOLERANCE: f64 = f64::EPSILON;
/// Positions that miss the constraints by more than this are refused, relative to the coordinates that the projection began
/// with: where Newton's method runs away, any error is small relative to where it ends.
const CONSTRAINT_TOLERANCE: f64 = 1e-7;
/// Newton's method has reached what rounding allows where an iteration leaves more than this part of the error.
const MAX_CONTRACTION: f64 = 0.5;
const MAX_PROJECTION_ITERATIONS: usize = 10;

/// The level at which constraints are to be satisfied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintLevel {
    /// Φ = 0
    Position,
    /// Φ̇ = 0
    Velocity,
}

/// A constraint and how far it is missed.
pub(crate) struct Miss {
    pub(crate) constraint: String,
    /// |Φ|
    pub(crate) error: f64,
}

/// Something that reads the constraint errors of a state and takes them off.
pub(crate) trait ConstraintProjection {
    /// The constraint errors of a state; refuses what is not finite.
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown>;

    /// Takes the errors that were read last off the positions or the velocities in y.
    fn correct(&mut self, level: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown>;

    /// The constraint that the state read last misses most.
    fn worst(&mut self) -> Miss;

    /// Whether the motion came near a singular pose: then states return as far as rounding lets them.
    fn has_met_singular_pose(&self) -> bool {
        false
    }

    /// Brings y back to the constraints; returns whether it changed. The errors read last are those of the
    /// positions that y ends with.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        let (mut moved, mut before, mut iterations) = (false, f64::INFINITY, 0);
        let tolerance = match self.has_met_singular_pose() {
            true => SINGULAR_ROUNDING_TOLERANCE,
            false => ROUNDING_TOLERANCE,
        };
        let mut begun = None;
        let velocity = loop {
            let errors = self.errors(t, y)?;
            let [position, velocity] = errors.relative();
            let begun = *begun.get_or_insert(errors.size);
            let converged = position <= tolerance || position >= MAX_CONTRACTION * before;
            if converged || iterations == MAX_PROJECTION_ITERATIONS {
                if errors.position > CONSTRAINT_TOLERANCE * begun {
                    let Miss { constraint, error } = self.worst();
                    return Err(Breakdown::OffConstraints { constraint, error });
                }
                break velocity;
            }
            self.correct(ConstraintLevel::Position, y)?;
            (moved, before, iterations) = (true, position, iterations + 1);
        };
        if velocity > tolerance {
            self.correct(ConstraintLevel::Velocity, y)?;
            moved = true;
        }
        Ok(moved)
    }
}

/// The constraint errors of a state, and what they are relative to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstraintErrors {
    /// The largest |Φ|.
    position: f64,
    /// The largest |Φ̇|.
    velocity: f64,
    /// 1 and the largest coordinate.
    size: f64,
    /// 1 and the largest of what moves.
    speed: f64,
}

impl ConstraintErrors {
    /// From Φ and Φ̇ at a state.
    pub(crate) fn new([values, rates]: [&[f64]; 2], q: &[f64], moving: &[f64]) -> ConstraintErrors {
        ConstraintErrors {
            position: max_abs(values),
            velocity: max_abs(rates),
            size: 1.0 + max_abs(q),
            speed: 1.0 + max_abs(moving),
        }
    }

    /// Those of positions and velocities, relative to the state.
    fn relative(&self) -> [f64; 2] {
        [self.position / self.size, self.velocity / self.speed]
    }
}

/// The constraint errors of y = (q, v, z) by the model's own functions; refuses what is not finite.
pub(crate) fn drift_of(
    input: &mut FormulationInput,
    t: f64,
    y: &[f64],
) -> Result<ConstraintErrors, Breakdown> {
    input.evaluator.set_joined_state(t, y);
    let (q, moving) = y.split_at(input.coordinates.len());
    let drift = input.evaluator.drift();
    let broken = not_finite(drift.values, &input.constraints, "the constraint")
        .or_else(|| not_finite(drift.rates, &input.constraints, "the rate of"));
    broken.map_or(Ok(()), Err)?;
    Ok(ConstraintErrors::new([drift.values, drift.rates], q, moving))
}

/// The constraint that the state written down misses most.
pub(crate) fn worst_drift(input: &mut FormulationInput) -> Miss {
    worst_of(input.evaluator.drift().values, |row| &input.constraints[row])
}

/// The entry of largest size, with the name of its constraint.
pub(crate) fn worst_of<'a>(values: &[f64], name: impl FnOnce(usize) -> &'a str) -> Miss {
    let error = max_abs(values);
    let row = values.iter().position(|value| value.abs() == error).unwrap_or(0);
    Miss { constraint: name(row).to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x² = c, corrected by Newton's method with a slope that is off by a factor.
    struct Parabola {
        c: f64,
        factor: f64,
        value: f64,
    }

    impl ConstraintProjection for Parabola {
        fn errors(&mut self, _: f64, y: &[f64]) -> Result<ConstraintErrors, Breakdown> {
            self.value = y[0] * y[0] - self.c;
            Ok(ConstraintErrors::new([&[self.value], &[0.0]], y, &[]))
        }

        fn correct(&mut self, _: ConstraintLevel, y: &mut [f64]) -> Result<(), Breakdown> {
            y[0] -= self.factor * self.value / (2.0 * y[0]);
            Ok(())
        }

        fn worst(&mut self) -> Miss {
            worst_of(&[self.value], |_| "parabola")
        }
    }

    fn projected(c: f64, factor: f64, x: f64) -> Result<f64, Breakdown> {
        let mut y = [x];
        Parabola { c, factor, value: 0.0 }.project(0.0, &mut y).map(|_| y[0])
    }

    #[test]
    fn newtons_method_ends_at_rounding() {
        let x = projected(2.0, 1.0, 1.0).expect("it converges");
        assert!((x - 2.0_f64.sqrt()).abs() < 1e-15, "{x}");
    }

    #[test]
    fn what_does_not_converge_is_refused_by_name() {
        // no root; far too slow; running away
        for (c, factor) in [(-1.0, 1.0), (2.0, 0.3), (2.0, 5.0)] {
            let refused = projected(c, factor, 1.0).expect_err("there is no way back");
            let Breakdown::OffConstraints { constraint, error } = refused else {
                panic!("{refused}")
            };
            assert_eq!(constraint, "parabola");
            assert!(error > CONSTRAINT_TOLERANCE, "{error}");
        }
    }
}
