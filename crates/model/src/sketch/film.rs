//! Films: a sketch in motion.

use super::Sketch;

/// A motion to be looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Film {
    /// What is shown.
    pub sketch: Sketch,
    /// The time of each frame, s.
    pub times: Vec<f64>,
    /// For each track its value in every frame; forces that are not known are not numbers.
    pub tracks: Vec<Vec<f64>>,
    /// |h − h₀ − work done| in every frame, J; empty where nothing was moved.
    pub energy_error: Vec<f64>,
    /// The largest |Φ| in every frame; empty where there are no constraints.
    pub constraint_error: Vec<f64>,
}

impl Film {
    /// The number of frames.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty() || self.sketch.is_empty()
    }
}
