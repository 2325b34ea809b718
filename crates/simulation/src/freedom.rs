//! Degrees of freedom along a run: n − rank Φq at its rows, and how near it came to losing rank.
//!
//! Rows of Φq are scaled to length 1 and taken in the order in which they point most in new directions; the rank
//! counts those of which more than 10⁻⁹ is new, or, where a run misses its constraints by more than that, ten times the
//! largest |Φ|: off the constraints redundant ones look independent. The independence of the last of them, the part of
//! its length that points in a new direction, measures how near the pose is to a singular one.

use crate::approach::{Approach, MAX_LISTED_CONSTRAINTS};
use crate::pose_words::{PoseWords, short};
use crate::poses::Poses;
use crate::shared_forces::{SharedForces, listed};
use catena_compile::Evaluator;
use catena_linear::RowSpace;
use catena_model::{Model, System};
use std::fmt;

/// Bounds of the independence below which a constraint follows from others.
const MIN_RANK_TOLERANCE: f64 = 1e-9;
const MAX_RANK_TOLERANCE: f64 = 1e-3;

/// Degrees of freedom of a run, by the rank of its constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    /// Degrees of freedom where the rank is largest.
    pub degrees: usize,
    /// Rows whose rank was computed: all of them, or as many as are cheap.
    pub examined: usize,
    /// Rows of the run.
    pub rows: usize,
    /// Where there are more of them because the constraints have lost rank.
    pub rank_deficiency: Option<RankDeficiency>,
    /// How often the run came near a singular pose.
    pub approach: Option<Approach>,
    /// Which forces are unique, if constraints are redundant.
    pub shared: Option<SharedForces>,
}

/// Rows on which the constraints have lost rank, and the system has more degrees of freedom than usual.
#[derive(Clone, Debug, PartialEq)]
pub struct RankDeficiency {
    /// The most degrees of freedom met.
    pub degrees: usize,
    /// On how many rows.
    pub rows: usize,
    /// The time of the first of them, s.
    pub first: f64,
    /// The constraints that follow from others there.
    pub constraints: Vec<String>,
}

impl fmt::Display for Freedom {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Freedom { degrees, examined, rows, .. } = self;
        let usual = examined
            - self.rank_deficiency.as_ref().map_or(0, |rank_deficiency| rank_deficiency.rows);
        write!(out, "{degrees} on {usual} of {examined} rows")?;
        if examined < rows {
            write!(out, " looked at ({rows} in all)")?;
        }
        let Some(RankDeficiency { degrees, rows, first, constraints }) = &self.rank_deficiency
        else {
            return Ok(());
        };
        let (time, names) = (short(*first), listed(constraints, MAX_LISTED_CONSTRAINTS));
        let follow = if constraints.len() == 1 { "follows" } else { "follow" };
        write!(
            out,
            ", but {degrees} on {rows}, first at t = {time} s, where {names} {follow} from the others"
        )
    }
}

/// Looks at the poses of a run when it is over.
pub(crate) fn freedom(
    model: &Model,
    system: &System,
    words: &PoseWords,
    evaluator: &mut Evaluator,
    states: &[f64],
    (poses, constraint_error): (&Poses, f64),
) -> Option<Freedom> {
    if poses.times.is_empty() {
        return None;
    }
    let (n, m) = (system.coordinates.len(), system.constraints.len());
    let mut examiner = RankExaminer {
        evaluator,
        states,
        poses,
        still: vec![0.0; n],
        space: RowSpace::new(m, n),
        tolerance: (10.0 * constraint_error).clamp(MIN_RANK_TOLERANCE, MAX_RANK_TOLERANCE),
        looks: Vec::with_capacity(poses.times.len()),
        full: 0,
        shared: vec![false; m],
    };
    examiner.look_at_all();
    let (looks, full) = (std::mem::take(&mut examiner.looks), examiner.full);
    let mut follow = |number: usize, limit: f64| {
        examiner.factor(number);
        followers(&examiner.space, limit, &examiner.shared)
    };
    let names = |constraints: &[usize]| -> Vec<String> {
        constraints.iter().map(|&row| system.constraints[row].name.clone()).collect()
    };
    let lost: Vec<&PoseRank> = looks.iter().filter(|look| look.rank < full).collect();
    let rank_deficiency = lost.first().map(|first| RankDeficiency {
        degrees: n - lost.iter().map(|look| look.rank).min().unwrap_or(full),
        rows: lost.len(),
        first: poses.times[first.number],
        constraints: names(&follow(first.number, 0.0)),
    });
    let part = |look: &PoseRank| if look.rank < full { 0.0 } else { look.independence };
    let parts: Vec<(usize, f64)> = looks.iter().map(|look| (look.number, part(look))).collect();
    let approach = Approach::find(&parts, |number, limit| {
        let constraints = follow(number, limit);
        let pose = words.pose(&constraints, poses.coordinates(number));
        (poses.times[number], names(&constraints), pose)
    });
    let shared = SharedForces::new(model, system, &examiner.shared);
    let (examined, rows) = (looks.len(), poses.rows);
    Some(Freedom { degrees: n - full, examined, rows, rank_deficiency, approach, shared })
}

/// The constraints whose independence is below a limit; those that are redundant everywhere only if they are all.
fn followers(space: &RowSpace, limit: f64, redundant: &[bool]) -> Vec<usize> {
    let order = space.order();
    let first = (0..order.len()).find(|&k| space.independence(k) <= limit).unwrap_or(order.len());
    let special = || order[first..].iter().copied().filter(|&row| !redundant[row]);
    let mut rows: Vec<usize> = match special().next() {
        Some(_) => special().collect(),
        None => order[first..].to_vec(),
    };
    rows.sort_unstable();
    rows
}

/// A pose: its number, the rank, and the independence of the last independent constraint.
#[derive(Clone, Copy)]
struct PoseRank {
    number: usize,
    rank: usize,
    independence: f64,
}

struct RankExaminer<'a> {
    evaluator: &'a mut Evaluator,
    states: &'a [f64],
    poses: &'a Poses,
    /// Velocities: Φq does not depend on them.
    still: Vec<f64>,
    space: RowSpace,
    tolerance: f64,
    /// Poses at which Φq can be evaluated.
    looks: Vec<PoseRank>,
    /// The largest rank of all.
    full: usize,
    /// Constraints that depend on others even there.
    shared: Vec<bool>,
}

impl RankExaminer<'_> {
    fn look_at_all(&mut self) {
        for number in 0..self.poses.times.len() {
            if !self.factor(number) {
                continue;
            }
            let rank = self.space.rank();
            if rank > self.full {
                self.full = rank;
                self.shared.fill(false);
            }
            if rank == self.full && rank < self.shared.len() {
                self.space.mark_shared(&mut self.shared);
            }
            let independence = self.space.independence(rank.saturating_sub(1));
            self.looks.push(PoseRank { number, rank, independence });
        }
    }

    /// Factors Φq at a pose; `false` if it cannot be evaluated there.
    fn factor(&mut self, number: usize) -> bool {
        let (time, q) = (self.poses.times[number], self.poses.coordinates(number));
        self.evaluator.set_state(time, q, &self.still, self.states);
        let jacobian = self.evaluator.pose().constraint_jacobian;
        let finite = jacobian.iter().all(|entry| entry.is_finite());
        if finite {
            self.space.factor_to(jacobian, self.tolerance);
        }
        finite
    }
}
