//! A dragged pose as the start of a run.

use super::Drag;
use catena_model::Setting;
use std::f64::consts::TAU;

impl Drag {
    /// What must be set so that a run starts in this pose: the values that the model gives, and guesses for the others,
    /// which lead the assembly to the same branch when lengths are changed later. Angles are within half a turn.
    pub fn settings(&self, q: &[f64]) -> Vec<Setting> {
        let is_solved = !self.system.constraints.is_empty();
        let coordinates = self.system.coordinates.iter().zip(q).enumerate();
        let given = |at: usize| self.start.q_given[at] || !is_solved;
        let value = |at: usize, q: f64| match self.words.is_angle[at] {
            true => q - TAU * (q / TAU).round(),
            false => q,
        };
        let mut settings: Vec<(bool, Setting)> = coordinates
            .map(|(at, (coordinate, &q))| match given(at) {
                true => (false, Setting::new(&coordinate.name, value(at, q))),
                false => (true, Setting::guess(&coordinate.name, value(at, q))),
            })
            .collect();
        settings.sort_by_key(|(is_guess, _)| *is_guess);
        settings.into_iter().map(|(_, setting)| setting).collect()
    }
}
