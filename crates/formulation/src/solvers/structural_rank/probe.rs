//! Poses on the constraints, near a given one, and the rank of Φq there.

use catena_compile::Evaluator;
use catena_derivation::Random;
use catena_linear::{RowSpace, max_abs};

/// On the constraints a row is dependent if less than this part of its length points in a new direction. What follows
/// from others off the constraints by 10⁻¹² does so to 10⁻¹².
const RANK_TOLERANCE: f64 = 1e-9;
/// On the way to the constraints rows count as dependent up to here: they would be so on them.
const COARSE_RANK_TOLERANCE: f64 = 1e-5;
/// |Φ| on the constraints, relative to 1 and the coordinates.
const CONSTRAINT_TOLERANCE: f64 = 1e-12;
const MAX_ITERATIONS: usize = 12;
/// How far other poses are away, relative to 1 and the coordinates.
const DISTANCES: [f64; 3] = [1e-2, 1e-1, 1e-3];
/// How many poses are looked for at each distance: ahead, behind, and in directions without a pattern.
const POSES: usize = 4;

/// The rank of Φq.
pub(super) struct ConstraintRank {
    /// Rows that follow from the others.
    pub(super) redundant: Vec<usize>,
    /// The least part of the length of another row that points in a direction of its own.
    pub(super) independence: f64,
}

impl ConstraintRank {
    const FULL: ConstraintRank = ConstraintRank { redundant: Vec::new(), independence: 1.0 };

    fn is_better_than(&self, other: &ConstraintRank) -> bool {
        let (own, others) = (self.redundant.len(), other.redundant.len());
        own < others || own == others && self.independence > other.independence
    }
}

/// A place to look around.
pub(super) struct Probe<'a> {
    evaluator: &'a mut Evaluator,
    t: f64,
    /// q, v and z.
    y: Vec<f64>,
    rows: RowSpace,
    step: Vec<f64>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(evaluator: &'a mut Evaluator, t: f64, y: &[f64]) -> Probe<'a> {
        let sizes = evaluator.sizes();
        Probe {
            rows: RowSpace::new(sizes.constraints, sizes.coordinates),
            step: vec![0.0; sizes.coordinates],
            y: y.to_vec(),
            evaluator,
            t,
        }
    }

    /// Looks at the pose itself and at others, and keeps the one of the largest rank; of several that in which the
    /// constraints hold best. Without a pose on the constraints nothing is known.
    pub(super) fn look_around(mut self) -> ConstraintRank {
        let mut best = ConstraintRank::FULL;
        let mut seen = false;
        let home = self.y.clone();
        let mut random = Random::new(2);
        let poses =
            DISTANCES.iter().flat_map(|&distance| (0..POSES).map(move |pose| (distance, pose)));
        for (distance, pose) in std::iter::once((0.0, 0)).chain(poses) {
            self.y.copy_from_slice(&home);
            match pose {
                0 => self.move_along(distance),
                1 => self.move_along(-distance),
                _ => self.move_freely(distance, &mut random),
            }
            if self.is_brought_back() {
                let here = self.rank_here();
                if !seen || here.is_better_than(&best) {
                    (best, seen) = (here, true);
                }
            }
        }
        best
    }

    /// Newton's method with the shortest steps; whether it reaches the constraints.
    fn is_brought_back(&mut self) -> bool {
        for _ in 0..MAX_ITERATIONS {
            self.evaluator.set_joined_state(self.t, &self.y);
            let pose = self.evaluator.pose();
            let q = &mut self.y[..self.step.len()];
            let error = max_abs(pose.constraints) / (1.0 + max_abs(&*q));
            let defined = pose.constraint_jacobian.iter().all(|entry| entry.is_finite());
            if !defined || !error.is_finite() {
                return false;
            }
            if error <= CONSTRAINT_TOLERANCE {
                return true;
            }
            self.rows.factor_to(pose.constraint_jacobian, COARSE_RANK_TOLERANCE);
            self.rows.solve(pose.constraints, &mut self.step);
            q.iter_mut().zip(&self.step).for_each(|(q, step)| *q -= step);
        }
        false
    }

    /// At the pose that was brought back.
    fn rank_here(&mut self) -> ConstraintRank {
        self.rows.factor_to(self.evaluator.pose().constraint_jacobian, RANK_TOLERANCE);
        let rank = self.rows.rank();
        ConstraintRank {
            redundant: self.rows.order()[rank..].to_vec(),
            independence: rank.checked_sub(1).map_or(1.0, |last| self.rows.independence(last)),
        }
    }

    /// Moves q the way it goes: where branches meet, the others may be hard to find.
    fn move_along(&mut self, distance: f64) {
        let (q, rest) = self.y.split_at_mut(self.step.len());
        let v = &rest[..q.len()];
        let speed = max_abs(v);
        if speed > 0.0 {
            let time = distance * (1.0 + max_abs(&*q)) / speed;
            q.iter_mut().zip(v).for_each(|(q, v)| *q += time * v);
        }
    }

    /// Moves q along a direction that no constraint sees.
    fn move_freely(&mut self, distance: f64, random: &mut Random) {
        let q = &mut self.y[..self.step.len()];
        let distance = distance * (1.0 + max_abs(&*q));
        self.evaluator.set_joined_state(self.t, &self.y);
        self.rows.factor_to(self.evaluator.pose().constraint_jacobian, COARSE_RANK_TOLERANCE);
        let q = &mut self.y[..self.step.len()];
        for k in 0..self.step.len() - self.rows.rank() {
            self.rows.null_direction(k, &mut self.step);
            let length = distance * random.between(-1.0, 1.0);
            q.iter_mut().zip(&self.step).for_each(|(q, step)| *q += length * step);
        }
    }
}
