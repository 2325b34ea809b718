//! Dead points: where a drive cannot lead a mechanism further, and what turns back there.
//!
//! # Equations
//! The path of the mechanism, with its pose and the driven value s as unknowns u, goes on beyond the largest s that it
//! reaches: it is followed by its arc length, with the tangent τ from
//! $$\begin{bmatrix}\Phi_q&\Phi_s\\e_d^T&-1\end{bmatrix}\tau=0$$
//! and Newton's method with the shortest correction. In the dead point $\tau_s=0$; what turns back there has a component
//! of τ that changes sign.
//!
//! # Reference
//! H. B. Keller, "Numerical solution of bifurcation and nonlinear eigenvalue problems", 1977

use super::driven_mechanism::DrivenMechanism;
use super::kinematics::DeadPoint;
use super::path_point::PathPoint;
use catena_linear::{RowSpace, dot, max_abs, max_abs_or_nan};

/// The largest constraint error on the arc, relative to the coordinates.
const CONSTRAINT_TOLERANCE: f64 = 1e-13;
const MAX_NEWTON_ITERATIONS: usize = 20;
/// The first step along the arc, relative to the coordinates; each is twice as long as the one before ...
const FIRST_ARC_STEP: f64 = 1e-6;
/// ... and the dead point is expected before this many.
const MAX_ARC_STEPS: usize = 16;
const BISECTIONS: usize = 60;
/// How far before and behind the dead point rates are compared, relative to the coordinates.
const COMPARED_DISTANCE: f64 = 1e-3;
/// The part of a rate near the dead point that is left in it where the rate changes sign.
const MAX_RATE_LEFT: f64 = 1e-2;
/// A smaller rate, relative to the largest, is rounding: the coordinate does not move.
const MIN_RELATIVE_RATE: f64 = 1e-9;

/// The path through a dead point.
pub(super) struct TurningPoint {
    /// q and s
    at: Vec<f64>,
    /// Tangents before, in and behind it.
    tangents: [Vec<f64>; 3],
}

impl TurningPoint {
    /// Follows the arc from a point shortly before the dead point; `None` where the path ends instead.
    pub(super) fn find(
        mechanism: &mut DrivenMechanism<'_>,
        from: &PathPoint,
        forwards: f64,
    ) -> Option<TurningPoint> {
        let mut u = from.q.clone();
        u.push(from.value);
        let last = u.len() - 1;
        let scale = 1.0 + max_abs(&u);
        let mut direction = vec![0.0; u.len()];
        direction[last] = forwards;
        let mut tangent = tangent(mechanism, &u, &direction)?;
        let sign = tangent[last].signum();
        let mut step = FIRST_ARC_STEP * scale;
        let mut steps = 0;
        loop {
            let next = along(mechanism, &u, &tangent, step)?;
            let turned = self::tangent(mechanism, &next, &tangent)?;
            if turned[last] * sign <= 0.0 {
                break;
            }
            (u, tangent, step, steps) = (next, turned, 2.0 * step, steps + 1);
            if steps == MAX_ARC_STEPS {
                return None;
            }
        }
        let (mut low, mut high) = (0.0, step);
        for _ in 0..BISECTIONS {
            let middle = f64::midpoint(low, high);
            let near = along(mechanism, &u, &tangent, middle)?;
            match self::tangent(mechanism, &near, &tangent)?[last] * sign > 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        let at = along(mechanism, &u, &tangent, low)?;
        let inside = self::tangent(mechanism, &at, &tangent)?;
        let mut beside = |distance: f64| {
            let near = along(mechanism, &at, &inside, distance * scale)?;
            self::tangent(mechanism, &near, &inside)
        };
        let tangents = [beside(-COMPARED_DISTANCE)?, inside.clone(), beside(COMPARED_DISTANCE)?];
        Some(TurningPoint { at, tangents })
    }

    /// What turns back, and what goes on.
    pub(super) fn dead_point(&self, mechanism: &DrivenMechanism<'_>) -> DeadPoint {
        let [before, inside, behind] = &self.tangents;
        let n = self.at.len() - 1;
        let smallest = MIN_RELATIVE_RATE * max_abs(inside);
        let turns_back = |&at: &usize| {
            let rate = before[at].abs().min(behind[at].abs());
            rate > smallest
                && before[at] * behind[at] < 0.0
                && inside[at].abs() <= MAX_RATE_LEFT * rate
        };
        let mut turning: Vec<usize> = (0..n).filter(turns_back).collect();
        turning.sort_by_key(|&at| Some(at) != mechanism.driven());
        let going = (0..n).max_by(|&a, &b| inside[a].abs().total_cmp(&inside[b].abs()));
        DeadPoint {
            at: self.at[n],
            turning_back: turning.into_iter().map(|at| mechanism.name(at).to_owned()).collect(),
            going_on: going.map(|at| mechanism.name(at).to_owned()),
        }
    }
}

/// The direction of the path, of length 1, on the side of another direction; `None` where branches meet.
fn tangent(mechanism: &mut DrivenMechanism<'_>, u: &[f64], direction: &[f64]) -> Option<Vec<f64>> {
    let (value, q) = u.split_last()?;
    let mut free = RowSpace::of(&mechanism.extended_matrix(*value, q)).null_space();
    let mut tangent = free.pop().filter(|_| free.is_empty())?;
    if dot(&tangent, direction) < 0.0 {
        tangent.iter_mut().for_each(|entry| *entry = -*entry);
    }
    Some(tangent)
}

/// The point of the path nearest to a step along its tangent.
fn along(
    mechanism: &mut DrivenMechanism<'_>,
    u: &[f64],
    tangent: &[f64],
    step: f64,
) -> Option<Vec<f64>> {
    let mut u: Vec<f64> = u.iter().zip(tangent).map(|(u, tangent)| u + step * tangent).collect();
    for _ in 0..MAX_NEWTON_ITERATIONS {
        let (value, q) = u.split_last()?;
        let residual = mechanism.residual(*value, q);
        let size = max_abs_or_nan(&residual);
        if size <= CONSTRAINT_TOLERANCE * (1.0 + max_abs(&u)) {
            return Some(u);
        }
        if !size.is_finite() {
            return None;
        }
        let space = RowSpace::of(&mechanism.extended_matrix(*value, q));
        let correction = space.solution(&residual);
        u.iter_mut().zip(correction).for_each(|(u, correction)| *u -= correction);
    }
    None
}
