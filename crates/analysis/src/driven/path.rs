//! The path of a mechanism that is led by its drive, through change points.
//!
//! # Equations
//! From a point with $q(s)$, $q'$ and $q''$ the next one is predicted by $q + hq' + \tfrac12h^2q''$ and corrected by Newton's
//! method. It is on the same branch if the slope has changed as the curvatures say,
//! $$|q_1' - q' - \tfrac h2(q''+q_1'')| \le \varepsilon\max|q'|,$$
//! and if the polynomial between the two points keeps the constraints; otherwise the step is halved. In a change point
//! branches cross, and the matrix of the drive is singular: a step across it stays on the branch on which slopes
//! are continuous, and a point in it is interpolated from both sides.
//!
//! # Reference
//! W. C. Rheinboldt, *Numerical Analysis of Parametrized Nonlinear Equations*, 1986, chapters 7 and 8

use super::driven_mechanism::DrivenMechanism;
use super::kinematics::ChangePoint;
use super::path_point::PathPoint;
use catena_linear::GoldenSection;

/// How far a slope may be from what the curvatures predict, relative to the largest met of its coordinate.
const MAX_SLOPE_ERROR: f64 = 1e-3;
/// The rounding error of a slope, relative to the largest of all.
const SLOPE_ROUNDING: f64 = 1e-7;
/// The largest constraint error between two points, relative to the coordinates.
const MAX_ERROR_BETWEEN: f64 = 1e-11;
/// How often the way between two points is halved before the mechanism counts as stuck.
const MAX_HALVINGS: i32 = 30;
/// A point with less of the largest independence met cannot be solved for by Newton's method: it is interpolated.
const MIN_SOLVABLE_INDEPENDENCE: f64 = 1e-6;
/// A start that is assembled in a dead point or a change point is exact to half the digits: this part of the largest
/// independence is left.
const MAX_ASSEMBLED_INDEPENDENCE: f64 = 1e-5;
/// Branches cross where the independence falls to this part of the largest.
const CHANGE_POINT_INDEPENDENCE: f64 = 1e-7;
/// Above this part of the largest independence a minimum is not looked at.
const MAX_MINIMUM_LOOKED_AT: f64 = 0.5;
/// The error of an interpolated pose, relative to the coordinates.
const INTERPOLATION_TOLERANCE: f64 = 1e-13;
const MAX_REFINEMENTS: usize = 8;
/// Sections of the search for a change point: a step is narrowed to 10⁻⁶ of its length ...
const SECTIONS: usize = 30;
/// ... and then lines through the independence on both sides meet in it, at these parts of the step.
const SECANT_DISTANCES: [f64; 2] = [1e-3, 1e-5];
/// Where branches cross the independence falls in proportion to the distance; where they touch, faster than with this
/// power of it.
const MAX_CROSSING_POWER: f64 = 1.5;

/// A mechanism on its way.
pub(super) struct Path<'a> {
    pub(super) mechanism: DrivenMechanism<'a>,
    pub(super) here: PathPoint,
    /// The two points before this one, the latest first.
    before: [Option<PathPoint>; 2],
    largest_slopes: Vec<f64>,
    largest_independence: f64,
    pub(super) change_points: Vec<ChangePoint>,
}

/// Why a step was not taken.
enum Rejection {
    /// Newton's method does not converge, or the mechanism is hardly held there.
    Unsolved,
    /// The point is on another branch, or the drive has a kink.
    NotSmooth(PathPoint),
}

impl<'a> Path<'a> {
    pub(super) fn new(mechanism: DrivenMechanism<'a>, start: PathPoint) -> Path<'a> {
        let mut path = Path {
            mechanism,
            largest_slopes: vec![0.0; start.q.len()],
            largest_independence: 0.0,
            here: start.clone(),
            before: [None, None],
            change_points: Vec::new(),
        };
        path.take_notice(&start);
        path
    }

    /// Goes on to a value; `Err` with the value where it gets stuck.
    pub(super) fn lead(&mut self, to: f64) -> Result<(), f64> {
        let whole = to - self.here.value;
        let shortest = 0.5_f64.powi(MAX_HALVINGS) * whole.abs();
        let mut step = whole;
        while self.here.value != to {
            let left = to - self.here.value;
            // the last step is not left to rounding
            let value =
                if step.abs() * 1.000_001 >= left.abs() { to } else { self.here.value + step };
            match self.reach(value) {
                Ok(point) => {
                    self.accept(point);
                    step *= 2.0;
                }
                Err(rejection) => {
                    step = (value - self.here.value) / 2.0;
                    if step.abs() >= shortest {
                        continue;
                    }
                    match rejection {
                        // no branch is this near where the drive holds the mechanism: the drive has a kink
                        Rejection::NotSmooth(point) if self.is_held(&point) => self.accept(point),
                        _ => return Err(self.here.value),
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a point is in a dead point or a change point, as exactly as assembly finds one.
    pub(super) fn is_hardly_held(&mut self, point: &PathPoint) -> bool {
        let independence = self.mechanism.independence(point.value, &point.q);
        independence < MAX_ASSEMBLED_INDEPENDENCE * self.largest_independence
    }

    fn is_held(&self, point: &PathPoint) -> bool {
        point.independence > MIN_SOLVABLE_INDEPENDENCE * self.largest_independence
    }

    fn reach(&mut self, value: f64) -> Result<PathPoint, Rejection> {
        let from = self.here.clone();
        if let Some(point) = self.solve(&from, value)
            && self.is_held(&point)
        {
            return match self.is_smooth(&from, &point) {
                true => Ok(point),
                false => Err(Rejection::NotSmooth(point)),
            };
        }
        self.interpolate(value).ok_or(Rejection::Unsolved)
    }

    fn solve(&mut self, from: &PathPoint, value: f64) -> Option<PathPoint> {
        let q = self.mechanism.solve_pose(value, from.predict(value))?;
        Some(self.mechanism.path_point(value, q))
    }

    /// Whether two points lie on one branch.
    fn is_smooth(&mut self, from: &PathPoint, to: &PathPoint) -> bool {
        let h = to.value - from.value;
        let largest =
            |at: usize| self.largest_slopes[at].max(from.slope[at].abs()).max(to.slope[at].abs());
        let all = (0..from.q.len()).fold(0.0_f64, |most, at| most.max(largest(at)));
        let keeps_slope = (0..from.q.len()).all(|at| {
            let expected = from.slope[at] + h / 2.0 * (from.curvature[at] + to.curvature[at]);
            let allowed = MAX_SLOPE_ERROR * largest(at) + SLOPE_ROUNDING * all;
            (to.slope[at] - expected).abs() <= allowed
        });
        let middle = from.value + h / 2.0;
        keeps_slope && {
            let [q, ..] = from.between(to, middle);
            self.mechanism.constraint_error(middle, &q) <= MAX_ERROR_BETWEEN
        }
    }

    /// A point that hardly holds, from points on both sides of it on one branch.
    fn interpolate(&mut self, value: f64) -> Option<PathPoint> {
        let mut first = self.here.clone();
        let mut last = self.solve(&first, 2.0 * value - first.value)?;
        if !self.is_held(&last) || !self.is_smooth(&first, &last) {
            return None;
        }
        let mut found = first.between(&last, value);
        for _ in 0..MAX_REFINEMENTS {
            let half = (last.value - first.value) / 4.0;
            let near = [value - half, value + half].map(|value| {
                let [q, ..] = first.between(&last, value);
                let q = self.mechanism.solve_pose(value, q)?;
                Some(self.mechanism.path_point(value, q)).filter(|point| self.is_held(point))
            });
            let [Some(left), Some(right)] = near else { break };
            let finer = left.between(&right, value);
            let change =
                found[0].iter().zip(&finer[0]).map(|(a, b)| (a - b).abs() / (1.0 + b.abs()));
            let change = change.fold(0.0, f64::max);
            (first, last, found) = (left, right, finer);
            if change <= INTERPOLATION_TOLERANCE {
                break;
            }
        }
        let [q, slope, curvature] = found;
        if self.mechanism.constraint_error(value, &q) > MAX_ERROR_BETWEEN {
            return None;
        }
        let independence = self.mechanism.independence(value, &q);
        Some(PathPoint { value, q, slope, curvature, independence, is_interpolated: true })
    }

    fn take_notice(&mut self, point: &PathPoint) {
        self.largest_independence = self.largest_independence.max(point.independence);
        for (largest, slope) in self.largest_slopes.iter_mut().zip(&point.slope) {
            *largest = largest.max(slope.abs());
        }
    }

    fn accept(&mut self, point: PathPoint) {
        self.take_notice(&point);
        let here = std::mem::replace(&mut self.here, point);
        let [latest, _] = std::mem::take(&mut self.before);
        self.before = [Some(here), latest];
        self.look_for_change_point();
    }

    /// Looks a step beyond the end, so that a change point in the last step is found.
    pub(super) fn look_beyond(&mut self) {
        let [Some(latest), _] = &self.before else { return };
        if self.here.independence < latest.independence
            && let Ok(point) = self.reach(2.0 * self.here.value - latest.value)
        {
            self.accept(point);
        }
    }

    /// Looks where the independence has a minimum among the last three points.
    fn look_for_change_point(&mut self) {
        let [Some(middle), Some(first)] = self.before.clone() else { return };
        let last = self.here.clone();
        let most = self.largest_independence;
        let is_minimum = middle.independence < first.independence
            && middle.independence <= last.independence
            && middle.independence <= MAX_MINIMUM_LOOKED_AT * most;
        if !is_minimum {
            return;
        }
        let mut independence = |value: f64| {
            let before = (value - middle.value) * (last.value - first.value) < 0.0;
            let ends = if before { (&first, &middle) } else { (&middle, &last) };
            let [q, ..] = ends.0.between(ends.1, value);
            self.mechanism.independence(value, &q)
        };
        let mut at = middle.value;
        if middle.independence > CHANGE_POINT_INDEPENDENCE * most {
            let mut search = GoldenSection::new(first.value, last.value, &mut independence);
            for _ in 0..SECTIONS {
                search.narrow(&mut independence);
            }
            at = search.middle();
        }
        let distance = (last.value - middle.value) / 2.0;
        for part in SECANT_DISTANCES {
            let [left, right] = [at - part * distance, at + part * distance];
            let [before, behind] = [independence(left), independence(right)];
            if before + behind > 0.0 {
                at = (left * behind + right * before) / (before + behind);
            }
        }
        if independence(at) > CHANGE_POINT_INDEPENDENCE * most {
            return;
        }
        let (far, near) = (independence(at + distance), independence(at + distance / 2.0));
        let touches = (far / near).log2() > MAX_CROSSING_POWER;
        self.change_points.push(ChangePoint { at, is_decided: !touches });
    }
}
