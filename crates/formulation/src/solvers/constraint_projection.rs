//! How a state returns to its constraints.

use crate::Breakdown;
use crate::solvers::constraint_values::Level;

/// Errors this small beside the coordinates are rounding.
const SETTLED: f64 = 1e-14;
const MAX_ITERATIONS: usize = 10;

/// Something that reads the errors of a state and takes them off.
pub(crate) trait ConstraintProjection {
    /// The largest |Φ| and |Φ̇| of a state, each beside what it is made of.
    fn errors(&mut self, t: f64, y: &[f64]) -> Result<[f64; 2], Breakdown>;

    /// Takes the errors that were read last off the positions or the velocities in y.
    fn correct(&mut self, level: Level, y: &mut [f64]) -> Result<(), Breakdown>;

    /// Newton's method on the positions, then the velocities once; returns whether y changed.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        let (mut moved, mut before, mut round) = (false, f64::INFINITY, 0);
        loop {
            let [position, velocity] = self.errors(t, y)?;
            // Newton's method has reached rounding where it no longer gains; NaN is for the correction to tell
            let gains_nothing = position <= SETTLED || position >= 0.5 * before;
            if gains_nothing || round == MAX_ITERATIONS {
                if velocity > SETTLED {
                    self.correct(Level::Velocities, y)?;
                    moved = true;
                }
                return Ok(moved);
            }
            self.correct(Level::Positions, y)?;
            (moved, before, round) = (true, position, round + 1);
        }
    }
}
