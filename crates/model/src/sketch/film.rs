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

    /// Every so many frames of it, the last one included.
    #[must_use]
    pub fn thinned(mut self, stride: usize) -> Film {
        let last = self.len().saturating_sub(1);
        let keep = |values: &mut Vec<f64>| {
            let kept = values.iter().enumerate().filter(|(at, _)| at % stride == 0 || *at == last);
            *values = kept.map(|(_, value)| *value).collect();
        };
        keep(&mut self.times);
        keep(&mut self.energy_error);
        keep(&mut self.constraint_error);
        self.tracks.iter_mut().for_each(keep);
        self
    }

    /// The film with as many frames as these times: where it is shorter, it stands still at its end.
    #[must_use]
    pub fn held(mut self, times: &[f64]) -> Film {
        let hold = |values: &mut Vec<f64>| {
            if let Some(last) = values.last().copied() {
                values.resize(times.len(), last);
            }
        };
        hold(&mut self.energy_error);
        hold(&mut self.constraint_error);
        self.tracks.iter_mut().for_each(hold);
        self.times = times.to_vec();
        self
    }
}
