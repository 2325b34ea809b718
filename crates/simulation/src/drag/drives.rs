//! Drives while something is dragged: constraints that depend on time hold what they drive, or let go.

use super::Drag;
use super::grip::Grip;
use crate::Start;
use crate::singular_pose::drives;
use catena_compile::Evaluator;
use catena_linear::{dot, norm};

/// A carrier whose free velocities are below this part of all that its coordinates could do stands still.
const MIN_FREE_PART: f64 = 1e-9;
/// How far poses are looked at in search of one in which a carrier moves, relative to the size of the mechanism.
const LOOKED_AT_DISTANCE: f64 = 0.02;
/// Free directions in which such poses are looked for.
const MAX_DIRECTIONS: usize = 4;
/// A drive whose constraint is open by less than this, relative to the coordinates, is where its law says.
const START_TOLERANCE: f64 = 1e-8;

/// Which constraints of drives are kept, and at which value.
pub(super) struct Held {
    /// The constraints that depend on time.
    drives: Vec<usize>,
    /// Those that have let go, ascending.
    pub(super) released: Vec<usize>,
    /// The others, with the value that they keep.
    pub(super) kept: Vec<(usize, f64)>,
}

impl Held {
    pub(super) fn of_drives(evaluator: &Evaluator) -> Held {
        Held { drives: drives(evaluator), released: Vec::new(), kept: Vec::new() }
    }
}

impl Drag {
    /// From now on the drives stay where they are at this pose, but for those that let go for this grip.
    pub(super) fn hold_drives(&mut self, grip: usize, q: &[f64]) {
        let released = self.grips[grip].released.clone();
        let Start { t, v, states, .. } = &self.start;
        self.evaluator.set_state(*t, q, v, states);
        let constraints = self.evaluator.pose().constraints;
        let kept = self.held.drives.iter().filter(|row| !released.contains(row));
        self.held.kept = kept.map(|&row| (row, constraints[row])).collect();
        self.held.released = released;
    }

    /// The drives that must let go for a carrier to move: none where it moves without, all of them where no single one
    /// is enough.
    pub(super) fn drives_to_release(&mut self, grip: &Grip) -> Vec<usize> {
        let all = self.held.drives.clone();
        if all.is_empty() || self.moves_without(grip, &[]) {
            return Vec::new();
        }
        let alone: Vec<usize> =
            all.iter().copied().filter(|&drive| self.moves_without(grip, &[drive])).collect();
        if alone.is_empty() { all } else { alone }
    }

    /// Whether a carrier can move at the start, or near it, when some drives have let go.
    fn moves_without(&mut self, grip: &Grip, released: &[usize]) -> bool {
        self.held.released = released.to_vec();
        self.held.kept.clear();
        let start = self.assembled.clone();
        let Some(rank) = self.factor_at(&start) else { return false };
        if self.is_free(grip) {
            return true;
        }
        // it may just be a dead point of the carrier
        let (n, size) = (start.len(), self.metric.size);
        let mut directions = vec![vec![0.0; n]; (n - rank).min(MAX_DIRECTIONS)];
        for (k, direction) in directions.iter_mut().enumerate() {
            self.space.null_direction(k, direction);
        }
        directions.iter().any(|direction| {
            let mut q = self.metric.moved(&start, direction, LOOKED_AT_DISTANCE * size);
            self.close(&mut q) && self.factor_at(&q).is_some() && self.is_free(grip)
        })
    }

    /// Whether a carrier has a free velocity at the pose that was factored last.
    fn is_free(&mut self, grip: &Grip) -> bool {
        let gripped = grip.at(&mut self.evaluator);
        gripped.slopes.into_iter().any(|mut slope| {
            self.scale_down(&mut slope);
            let whole = norm(&slope);
            self.keep_free_part(&mut slope);
            dot(&slope, &slope).sqrt() > MIN_FREE_PART * whole
        })
    }

    /// What keeps a run from starting at a pose: a drive that would be somewhere else.
    pub(super) fn note(&mut self, q: &[f64]) -> Option<String> {
        let Start { t, v, states, .. } = &self.start;
        self.evaluator.set_state(*t, q, v, states);
        let constraints = self.evaluator.pose().constraints;
        let limit = START_TOLERANCE * crate::assembly::size(q);
        let mut away = self.held.drives.iter().filter(|&&row| constraints[row].abs() > limit);
        let name = &self.system.constraints[*away.next()?].name;
        Some(format!(
            "a run cannot start in this pose: `{name}` prescribes another one at t = {} s; change its law to start elsewhere",
            catena_model::plain(*t)
        ))
    }
}
