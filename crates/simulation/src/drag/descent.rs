//! The way of the grabbed point to its target, in short steps on one branch.

use super::Drag;
use super::free_pose::{FreePose, Point};
use catena_linear::{dot, norm};

/// The target counts as reached at this distance, relative to the size of the mechanism.
const REACH_TOLERANCE: f64 = 1e-12;
/// Steps shorter than this, relative to the size of the mechanism, are worth it only for the last digits of a target that
/// can be reached: ...
const MIN_STEP: f64 = 1e-8;
/// ... they must remove all but this part of what is left.
const MAX_PART_LEFT: f64 = 0.1;
/// Steps towards one target: a turn takes about a hundred.
const MAX_STEPS: usize = 400;
/// How far the closed pose may be from the predicted one, relative to the step.
const MAX_CORRECTION: f64 = 0.3;
/// The part of a step that must still be free behind it: the branch has turned by less than 20°.
const MIN_FREE_BEHIND: f64 = 0.94;
/// A velocity of the grabbed point counts as none below this part of what its coordinates could do.
const MIN_VELOCITY: f64 = 1e-11;
/// A negative curvature takes no more than this part off that of Gauss and Newton.
const MAX_SOFTENING: f64 = 0.98;
/// A measured curvature is taken to be larger by this part, so that steps fall short of a minimum.
const SAFETY: f64 = 0.05;
/// Where a step led no nearer, the curvature measured along it is at least this part of what was expected, ...
const MIN_AGREEMENT: f64 = 0.5;
/// ... or what was expected is multiplied by this, ...
const MIN_GROWTH: f64 = 4.0;
/// ... and is not less than this part of what the grabbed point's fastest motion brings.
const MIN_DAMPING: f64 = 1e-3;
/// Trials from one pose.
const MAX_TRIALS: usize = 40;
/// How far poses around a stationary one are looked at, relative to the size of the mechanism.
const PROBED_DISTANCE: f64 = 0.02;
/// They must be nearer to the target by this, relative to the size of the mechanism.
const MIN_GAIN: f64 = 1e-6;
/// Free directions that are probed at most.
const MAX_PROBED: usize = 12;
/// A free direction of which less than this is new is not probed.
const MIN_NEW_PART: f64 = 1e-3;
/// Where constraints lose rank, so many directions are probed between each two.
const PROBED_BETWEEN: usize = 6;

/// How a way ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// At the target.
    Reached,
    /// As near to it as the mechanism allows.
    Held,
    /// The target is far: the next call goes on.
    Underway,
}

/// What came of a step.
enum Trial {
    /// It leads nearer; with the curvature along it that Gauss and Newton leave out.
    Nearer(Box<FreePose>, f64),
    /// It leads no nearer, or past a dead point; with the same curvature.
    NoNearer(f64),
    /// It cannot be closed, or leads to another branch.
    Refused,
}

impl Drag {
    pub(super) fn descend(
        &mut self,
        from: FreePose,
        point: Point,
        target: [f64; 2],
    ) -> (FreePose, Ended) {
        let mut here = from;
        let mut curvature = 0.0;
        for _ in 0..MAX_STEPS {
            if norm(&here.left_to(target)) <= REACH_TOLERANCE * self.metric.size {
                return (here, Ended::Reached);
            }
            (here, curvature) = match self.advance(&here, point, target, curvature) {
                Some(next) => next,
                None => match self.probe(&here, point, target) {
                    Some(next) => (next, 0.0),
                    None => return (here, Ended::Held),
                },
            };
        }
        (here, Ended::Underway)
    }

    /// Goes a step nearer, on the branch; None where there is none that counts.
    fn advance(
        &mut self,
        here: &FreePose,
        point: Point,
        target: [f64; 2],
        curvature: f64,
    ) -> Option<(FreePose, f64)> {
        let fastest = here.free.each_ref().map(|free| dot(free, free));
        let least = MIN_DAMPING * fastest[0].max(fastest[1]);
        let (mut curvature, mut longest) = (curvature, 1.0);
        for _ in 0..MAX_TRIALS {
            let step = self.step(here, point, target, curvature, longest)?;
            match self.try_step(here, &step, point, target) {
                Trial::Nearer(next, measured) => {
                    return Some((*next, measured * (1.0 + SAFETY * measured.signum())));
                }
                // what was measured is trusted unless the step should have been right by it
                Trial::NoNearer(measured) if measured > MIN_AGREEMENT * curvature.abs() => {
                    curvature = (1.0 + SAFETY) * measured.max(curvature);
                }
                Trial::NoNearer(_) => curvature = least.max(MIN_GROWTH * curvature),
                Trial::Refused => longest /= 2.0,
            }
        }
        None
    }

    /// The damped step of Gauss and Newton, no longer than this part of what is allowed; None where it is too short.
    fn step(
        &self,
        here: &FreePose,
        (grip, _): Point,
        target: [f64; 2],
        curvature: f64,
        longest: f64,
    ) -> Option<Vec<f64>> {
        let left = here.left_to(target);
        let whole = norm(&here.slopes[0]).max(norm(&here.slopes[1]));
        let mut step = vec![0.0; here.q.len()];
        let mut add = |velocity: &[f64], left: f64| {
            let square = dot(velocity, velocity);
            if square.sqrt() > MIN_VELOCITY * whole {
                let damped = (square + curvature).max((1.0 - MAX_SOFTENING) * square);
                let part = left / damped;
                step.iter_mut().zip(velocity).for_each(|(step, way)| *step += part * way);
            }
        };
        match &here.along {
            // where branches cross only the way on which it came is known to be one of them
            Some(along) if here.rank < self.grips[grip].usual_rank => {
                let (velocity, length) = (here.velocity(along), norm(along));
                let speed = norm(&velocity);
                if speed > 0.0 {
                    // along it, as long as the velocity that a unit of it brings
                    let factor = speed / (length * length);
                    let way: Vec<f64> = along.iter().map(|entry| factor * entry).collect();
                    add(&way, dot(&velocity, &left) / speed);
                }
            }
            _ => {
                let ([first, second], [one, other]) = principal(&here.free, left);
                add(&first, one);
                add(&second, other);
            }
        }
        let part = self.metric.allowed_part(&step, longest);
        step.iter_mut().for_each(|entry| *entry *= part);
        let gone = here.velocity(&step);
        let still_left = norm(&[left[0] - gone[0], left[1] - gone[1]]);
        let is_last = still_left <= MAX_PART_LEFT * norm(&left);
        (norm(&step) > MIN_STEP * self.metric.size || is_last).then_some(step)
    }

    fn try_step(&mut self, here: &FreePose, step: &[f64], point: Point, target: [f64; 2]) -> Trial {
        let Some(mut next) = self.closed_behind(here, step, point) else {
            return Trial::Refused;
        };
        let mut along = step.to_vec();
        self.keep_free_part(&mut along);
        let square = dot(step, step);
        if norm(&along) < MIN_FREE_BEHIND * square.sqrt() {
            return Trial::Refused;
        }
        let (left, still_left) = (here.left_to(target), next.left_to(target));
        let (velocity, then) = (here.velocity(step), next.velocity(&along));
        // of half the squared distance, along the step
        let (slope, slope_then) = (-dot(&velocity, &left), -dot(&then, &still_left));
        let is_past_dead_point = dot(&velocity, &then) < 0.0 && slope_then > 0.0;
        let curvature = (slope_then - slope - dot(&velocity, &velocity)) / square;
        if norm(&still_left) < norm(&left) && !is_past_dead_point {
            next.along = Some(along);
            return Trial::Nearer(Box::new(next), curvature);
        }
        Trial::NoNearer(curvature)
    }

    /// The closed pose behind a step, if it is near the predicted one.
    fn closed_behind(&mut self, here: &FreePose, step: &[f64], point: Point) -> Option<FreePose> {
        let predicted = self.metric.moved(&here.q, step, 1.0);
        let mut q = predicted.clone();
        if !self.close(&mut q) {
            return None;
        }
        let correction = norm(&self.metric.between(&predicted, &q));
        if correction > MAX_CORRECTION * norm(step) {
            return None;
        }
        self.look_at(q, point)
    }

    /// A pose around a stationary one that is nearer to the target: on the top of a hill, and in a dead point from
    /// which the hand has turned back, slopes do not say where to go.
    fn probe(&mut self, here: &FreePose, point: Point, target: [f64; 2]) -> Option<FreePose> {
        let rank = self.factor_at(&here.q)?;
        let is_singular = rank < self.grips[point.0].usual_rank;
        let directions = self.probed_directions(here, here.q.len() - rank, is_singular);
        let farthest = norm(&here.left_to(target)) - MIN_GAIN * self.metric.size;
        let mut nearest: Option<(f64, FreePose)> = None;
        for mut step in directions {
            let length = PROBED_DISTANCE * self.metric.size;
            step.iter_mut().for_each(|entry| *entry *= length);
            let part = self.metric.allowed_part(&step, 1.0);
            for part in [part, -part] {
                let step: Vec<f64> = step.iter().map(|entry| entry * part).collect();
                let Some(mut next) = self.closed_behind(here, &step, point) else { continue };
                let distance = norm(&next.left_to(target));
                let bound = nearest.as_ref().map_or(farthest, |(distance, _)| *distance);
                if distance < bound {
                    next.along = Some(step);
                    nearest = Some((distance, next));
                }
            }
        }
        nearest.map(|(_, next)| next)
    }

    /// Free directions of the pose that was factored last, of length 1: those that move the grabbed point, and others that
    /// do not at first.
    fn probed_directions(&self, here: &FreePose, free: usize, is_singular: bool) -> Vec<Vec<f64>> {
        let mut directions: Vec<Vec<f64>> = Vec::new();
        let (moving, _) = principal(&here.free, [0.0; 2]);
        let whole = norm(&here.slopes[0]).max(norm(&here.slopes[1]));
        let moving = moving.into_iter().filter(|way| norm(way) > MIN_VELOCITY * whole);
        directions.extend(moving.map(unit));
        for k in 0..free.min(MAX_PROBED) {
            let mut direction = vec![0.0; here.q.len()];
            self.space.null_direction(k, &mut direction);
            for moving in directions.iter().take(2) {
                let along = dot(&direction, moving);
                direction.iter_mut().zip(moving).for_each(|(entry, way)| *entry -= along * way);
            }
            if norm(&direction) > MIN_NEW_PART {
                directions.push(unit(direction));
            }
        }
        if is_singular && let [first, second, ..] = directions.as_slice() {
            let (first, second) = (first.clone(), second.clone());
            for k in 1..PROBED_BETWEEN {
                let (sine, cosine) =
                    (std::f64::consts::PI * k as f64 / PROBED_BETWEEN as f64).sin_cos();
                let mixed = first.iter().zip(&second).map(|(a, b)| cosine * a + sine * b);
                directions.push(mixed.collect());
            }
        }
        directions
    }
}

fn unit(mut vector: Vec<f64>) -> Vec<f64> {
    let length = norm(&vector);
    vector.iter_mut().for_each(|entry| *entry /= length);
    vector
}

/// Two vectors turned in their plane so that they are orthogonal, and a target turned with them: the small one of two nearly
/// parallel ones is exact (one-sided Jacobi rotation).
fn principal([a, b]: &[Vec<f64>; 2], [one, other]: [f64; 2]) -> ([Vec<f64>; 2], [f64; 2]) {
    let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
    let angle = 0.5 * (2.0 * ab).atan2(aa - bb);
    let (sine, cosine) = angle.sin_cos();
    let turned = |sine: f64, cosine: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| cosine * a + sine * b).collect()
    };
    (
        [turned(sine, cosine), turned(cosine, -sine)],
        [cosine * one + sine * other, cosine * other - sine * one],
    )
}
