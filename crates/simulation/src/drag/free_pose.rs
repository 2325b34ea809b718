//! A closed pose with the ways that are free from it.

use super::Drag;
use crate::Start;
use catena_linear::dot;

/// Rows of Φq of which less than this part of their length points in a new direction count as dependent: nearer to a
/// singular pose than that the directions of its branches cannot be told apart.
const SINGULAR_INDEPENDENCE: f64 = 1e-7;

/// A closed pose, seen from the grabbed point. Vectors over coordinates are in the metric.
pub(super) struct FreePose {
    pub(super) q: Vec<f64>,
    /// Where the grabbed point is, m.
    pub(super) place: [f64; 2],
    /// The derivatives of its x and y.
    pub(super) slopes: [Vec<f64>; 2],
    /// What of them is along free directions: B.
    pub(super) free: [Vec<f64>; 2],
    /// The rank of the constraints.
    pub(super) rank: usize,
    /// The direction in which the pose was reached, as far as it is free here.
    pub(super) along: Option<Vec<f64>>,
}

impl FreePose {
    /// From the grabbed point to a target.
    pub(super) fn left_to(&self, target: [f64; 2]) -> [f64; 2] {
        [target[0] - self.place[0], target[1] - self.place[1]]
    }

    /// The velocity of the grabbed point along a direction.
    pub(super) fn velocity(&self, direction: &[f64]) -> [f64; 2] {
        self.slopes.each_ref().map(|slope| dot(slope, direction))
    }
}

/// A grip and the point of its carrier, in the carrier's axes.
pub(super) type Point = (usize, [f64; 2]);

impl Drag {
    /// What can move at a closed pose; None where something is not finite.
    pub(super) fn look_at(&mut self, q: Vec<f64>, (grip, at): Point) -> Option<FreePose> {
        let rank = self.factor_at(&q)?;
        let (place, mut slopes) = self.grips[grip].at(&mut self.evaluator).point(at);
        for slope in &mut slopes {
            self.scale_down(slope);
        }
        let mut free = slopes.clone();
        free.iter_mut().for_each(|slope| self.keep_free_part(slope));
        let entries = place.iter().chain(&slopes[0]).chain(&slopes[1]);
        if !entries.into_iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let usual = &mut self.grips[grip].usual_rank;
        *usual = rank.max(*usual);
        Some(FreePose { q, place, slopes, free, rank, along: None })
    }

    /// Writes a pose down in the evaluator and factors its constraints: their rank, if they are finite.
    pub(super) fn factor_at(&mut self, q: &[f64]) -> Option<usize> {
        let Start { t, v, states, .. } = &self.start;
        self.evaluator.set_state(*t, q, v, states);
        let pose = self.evaluator.pose();
        self.jacobian.copy_from_slice(pose.constraint_jacobian);
        let n = q.len();
        for &row in &self.held.released {
            self.jacobian[row * n..(row + 1) * n].fill(0.0);
        }
        for row in self.jacobian.chunks_exact_mut(n.max(1)) {
            row.iter_mut().zip(&self.metric.scales).for_each(|(entry, scale)| *entry /= scale);
        }
        if !self.jacobian.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        self.space.factor_to(&self.jacobian, SINGULAR_INDEPENDENCE);
        Some(self.space.rank())
    }

    /// Derivatives by the coordinates become derivatives in the metric.
    pub(super) fn scale_down(&self, slope: &mut [f64]) {
        slope.iter_mut().zip(&self.metric.scales).for_each(|(slope, scale)| *slope /= scale);
    }

    /// Takes off what the constraints of the pose that was factored last forbid.
    pub(super) fn keep_free_part(&self, direction: &mut [f64]) {
        let mut forbidden = vec![0.0; direction.len()];
        // the second time for the rounding of the first
        for _ in 0..2 {
            let rows = self.jacobian.chunks_exact(direction.len().max(1));
            let rates: Vec<f64> = rows.map(|row| dot(row, direction)).collect();
            self.space.solve(&rates, &mut forbidden);
            direction.iter_mut().zip(&forbidden).for_each(|(way, forbidden)| *way -= forbidden);
        }
    }
}
