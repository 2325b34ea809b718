//! What the engine is asked to run, and who looks at it while it runs.

use crate::cell::Times;

/// One trajectory.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// What is varied, in the order in which the engine was told.
    pub values: Vec<f64>,
    /// Coordinates, velocities and states at the start; the model's own start if absent.
    pub start: Option<Vec<f64>>,
    /// When it ends and when it is looked at; as the schedule says if absent.
    pub times: Option<Times>,
}

/// Trajectories one after the other, in several places at once. What is seen in one place does not depend on the others.
pub trait Workload {
    /// Writes down the next trajectory of a place; false if nothing is left for it.
    fn next(&mut self, place: usize, task: &mut Task) -> bool;

    /// A row that counts.
    fn row(&mut self, place: usize, t: f64, columns: &[f64]);

    /// The trajectory has ended, or failed.
    fn end(&mut self, place: usize, outcome: Result<(), String>);
}
