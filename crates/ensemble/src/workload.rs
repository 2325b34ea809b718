//! What the engine is asked to run, and what receives the rows while it runs.

use crate::Crossing;
use crate::cell::Times;

/// One trajectory that is to be run.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Values of what is varied, in the order of the names that the engine was built with.
    pub values: Vec<f64>,
    /// Coordinates, velocities and states at the start, and behind them the tangent vectors that are carried along; the
    /// model's own start if absent.
    pub start: Option<Vec<f64>>,
    /// When it ends and when its rows are taken; those of the schedule if absent.
    pub times: Option<Times>,
}

/// Trajectories one after the other, in several places at once. What is seen in one place does not depend on the others.
pub trait Workload {
    /// Writes down the next trajectory of a place; false if nothing is left for it.
    fn next(&mut self, place: usize, task: &mut Task) -> bool;

    /// A row that counts; with tangent vectors see [`crate::TangentRow`].
    fn row(&mut self, place: usize, t: f64, columns: &[f64]);

    /// A section of the engine was crossed, not before rows count; the trajectory goes on if this answers `true`, and has no
    /// later rows if not. Crossings come in the order of time, and so do rows; which of both comes first is not said.
    fn crossing(&mut self, _place: usize, _crossing: Crossing, _columns: &[f64]) -> bool {
        true
    }

    /// The trajectory has ended, or failed.
    fn end(&mut self, place: usize, outcome: Result<(), String>);
}
