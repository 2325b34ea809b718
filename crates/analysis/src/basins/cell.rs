//! A start on its way to an attractor, a few periods at a time.

use super::attractor::{Attractors, End};
use crate::classification::{PhaseSpace, recurrence};
use catena_ensemble::Times;

/// Periods of a block, after which a motion is looked at.
const BLOCK_PERIODS: u64 = 8;
/// States of the section that are kept.
const KEPT_STATES: usize = 256;
/// States in which a motion must be seen to repeat.
const REPEATING_STATES: usize = 64;
/// A motion that is farther away than this, relative to the scales, has left for good.
const MAX_DISTANCE: f64 = 1e6;

/// What became of a start.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It came to a known attractor.
    Reached(usize),
    /// It came to something that is not known.
    Ended(End),
    /// It neither came to anything known nor repeats; its last states.
    Wanders(End),
    /// It could not be computed, or leaves.
    Failed(String),
}

/// A motion that has come to nothing yet.
pub(super) struct CellInProgress {
    pub(super) cell: usize,
    pub(super) values: Vec<f64>,
    pub(super) start: Option<Vec<f64>>,
    pub(super) period: f64,
    section: Vec<f64>,
    periods: u64,
}

impl CellInProgress {
    pub(super) fn new(cell: usize, values: Vec<f64>, period: f64) -> CellInProgress {
        CellInProgress { cell, values, start: None, period, section: Vec::new(), periods: 0 }
    }

    /// Begins the next block; the drive is where it was at the start, so that time begins anew.
    pub(super) fn next_block(&mut self) -> Times {
        let t_end = BLOCK_PERIODS as f64 * self.period;
        Times { t_start: 0.0, t_end, every: self.period, after: 0.5 * self.period, step: None }
    }

    /// A state of the section.
    pub(super) fn add(&mut self, state: &[f64]) {
        if self.section.len() >= KEPT_STATES * state.len() {
            self.section.drain(..state.len());
        }
        self.section.extend_from_slice(state);
        self.periods += 1;
    }

    /// What became of it, if anything; `last` is when it is given up, in periods.
    pub(super) fn judge(&mut self, known: &Attractors, rtol: f64, last: u64) -> Option<Outcome> {
        let size = known.space.len();
        let state = &self.section[self.section.len() - size..];
        if state.iter().zip(&known.scales).any(|(value, scale)| value.abs() > MAX_DISTANCE * scale)
        {
            return Some(Outcome::Failed("the motion leaves for good".to_owned()));
        }
        if let Some(reached) = known.reached(&self.section) {
            return Some(Outcome::Reached(reached));
        }
        let count = self.section.len() / size;
        let from = count.saturating_sub(REPEATING_STATES) * size;
        let found = recurrence(&known.space, &known.scales, &self.section[from..], rtol);
        if let (Some(multiple), false) = (found.multiple, found.approaching) {
            return Some(Outcome::Ended(self.end(&known.space, multiple as usize, found.turns)));
        }
        if self.periods >= last {
            let turns = vec![0; known.space.is_angle.len()];
            return Some(Outcome::Wanders(End {
                states: self.section.clone(),
                is_periodic: false,
                turns,
            }));
        }
        let start = self.start.get_or_insert_default();
        start.clear();
        start.extend_from_slice(state);
        None
    }

    fn end(&self, space: &PhaseSpace, multiple: usize, turns: Vec<i64>) -> End {
        let states = self.section[self.section.len() - multiple * space.len()..].to_vec();
        End { states, is_periodic: true, turns }
    }
}
