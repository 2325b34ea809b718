//! Dragging: a point of what is drawn is led by hand, and the mechanism follows on its branch.
//!
//! # Equations
//! The pose nearest to what the hand wants is a minimum of $\tfrac12|p(q)-p^*|^2$ subject to $\Phi(q,t_0)=0$. It is
//! approached in short steps, none of which turns a body by more than a few degrees: each is the damped Gauss–Newton step in
//! the null space of Φq, in a metric in which angles count as the way of a lever,
//! $$s=B^T(BB^T+\mu I)^{-1}(p^*-p),\qquad B=p_q P,\quad P=I-\Phi_q^+\Phi_q,$$
//! with the curvature μ that Gauss and Newton leave out estimated by a secant of the last step. Newton's method then leads
//! back to the constraints. A step is halved that cannot be closed, whose closed pose is far from the predicted
//! one, or after which the way it went is no longer free: those would be jumps to another branch. Where the constraints lose
//! rank, as in a parallelogram that lies flat, the mechanism goes on in the direction in which it came.
//!
//! # Dead points
//! Where no direction is left in which the grabbed point moves, $B\to0$, the hand cannot lead the mechanism further,
//! although the mechanism could be led by another of its points. The pose is approached from one side and never passed, so
//! that the mechanism returns the way it came when the hand does.
//!
//! # Drives
//! Constraints that depend on time hold what they drive where it is. Only if nothing that is grabbed could move
//! otherwise they let go: a crank with a motor can be turned by hand to see the mechanism move, but a run starts where
//! the motor's law says, and the outcome says so.
//!
//! # Reference
//! K. Levenberg, "A method for the solution of certain non-linear problems in least squares", 1944; W. C. Rheinboldt,
//! *Numerical Analysis of Parametrized Nonlinear Equations*, 1986, chapter 7

mod descent;
mod drives;
mod free_pose;
mod grip;
mod hold;
mod metric;
mod start_settings;

pub use hold::{Hold, HoldKind};

use crate::assembly::{PositionSolve, size, solve_positions};
use crate::film::positions;
use crate::pose_words::PoseWords;
use crate::tracks::Tracks;
use crate::{AssemblyError, Start, assemble};
use catena_compile::Evaluator;
use catena_linear::{RowSpace, max_abs_or_nan};
use catena_model::{Anchor, Carrier, CoordinateSet, Model, System};
use descent::Ended;
use drives::Held;
use grip::Grip;
use metric::Metric;

/// A pose counts as closed if no constraint is open by more than this, relative to the coordinates, which count as at
/// least 1 ...
const CLOSED_TOLERANCE: f64 = 1e-12;
/// ... and Newton's method aims at this.
const NEWTON_TOLERANCE: f64 = 1e-13;

/// A model that is dragged: derived and compiled once, moved many times.
pub struct Drag {
    /// In the coordinates of the model itself.
    system: System,
    evaluator: Evaluator,
    tracks: Tracks,
    /// As the model describes it.
    start: Start,
    /// The assembled start.
    assembled: Vec<f64>,
    metric: Metric,
    words: PoseWords,
    /// One for each carrier that was grabbed so far.
    grips: Vec<Grip>,
    /// What drives hold on to while a point is dragged.
    held: Held,
    /// The last pose that was handed out with the direction in which it was reached, in the metric.
    last: Option<(Vec<f64>, Vec<f64>)>,

    // Scratch of `look_at`.
    /// Φq of the last pose looked at, in the metric, without what is released.
    jacobian: Vec<f64>,
    space: RowSpace,
}

/// Where a dragged mechanism is.
#[derive(Clone, Debug, PartialEq)]
pub struct DragOutcome {
    /// q, in the order of the model: closed, and on the branch on which it was.
    pub q: Vec<f64>,
    /// Where the grabbed point is, m.
    pub reached: [f64; 2],
    /// The values of all tracks of the sketch in the model's own coordinates, as in a frame of a film.
    pub tracks: Vec<f64>,
    /// Why the grabbed point is not where the hand is, if it is not.
    pub held: Option<Hold>,
    /// What keeps a run from starting in this pose, in words.
    pub note: Option<String>,
}

/// Why something cannot be dragged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DragError {
    /// The model draws nothing.
    #[error(
        "nothing of this model is drawn, so there is nothing to drag: add bodies, or a [draw] section"
    )]
    NothingDrawn,
    /// The start cannot be assembled.
    #[error(transparent)]
    Start(#[from] AssemblyError),
    /// A point of the ground is grabbed.
    #[error("the ground does not move: grab a point of something that does")]
    Ground,
    /// A point is grabbed that no coordinate moves.
    #[error("no coordinate of the model moves this point: grab another one")]
    Fixed,
    /// A track is named that the sketch does not have.
    #[error("there is no track {track} to grab: the sketch has {known} of them, counted from 0")]
    UnknownTrack {
        /// Its number.
        track: usize,
        /// How many there are.
        known: usize,
    },
    /// A pose has too many values, or too few.
    #[error("a pose of this model has {expected} coordinates, not {found}")]
    WrongLength {
        /// The coordinates of the model.
        expected: usize,
        /// Those of the pose.
        found: usize,
    },
    /// A pose, a point or a target is not made of finite numbers.
    #[error("{what} has a value that is not finite")]
    NotFinite {
        /// "the pose to drag from"
        what: &'static str,
    },
    /// The pose to drag from cannot be closed.
    #[error(
        "the pose to drag from does not satisfy the constraints, and no pose near it does: begin again at the start"
    )]
    Open,
}

impl Drag {
    /// Derives what is needed to drag a model, and assembles its start.
    pub fn new(model: &Model) -> Result<Drag, DragError> {
        let set = CoordinateSet::Own;
        let system = model.system(set).clone();
        let mut evaluator = positions(model, set);
        let tracks = Tracks::new(model, &system, set, &evaluator);
        if tracks.sketch.is_empty() {
            return Err(DragError::NothingDrawn);
        }
        let start = Start::new(model, set);
        let found = assemble(&system, &mut evaluator, &start)?;
        let start = Start { v: vec![0.0; found.q.len()], ..start };
        evaluator.set_state(start.t, &found.q, &start.v, &start.states);
        let places: Vec<f64> = tracks.at(&mut evaluator, false).collect();
        let metric = Metric::new(model, &system, evaluator.equations(), &tracks.sketch, &places);
        let words = PoseWords::new(&system, evaluator.equations());
        let (n, m) = (system.coordinates.len(), system.constraints.len());
        Ok(Drag {
            held: Held::of_drives(&evaluator),
            system,
            evaluator,
            tracks,
            start,
            assembled: found.q,
            metric,
            words,
            grips: Vec::new(),
            last: None,
            jacobian: vec![0.0; m * n],
            space: RowSpace::new(m, n),
        })
    }

    /// The assembled start: q, in the order of the model.
    pub fn start(&self) -> &[f64] {
        &self.assembled
    }

    /// Leads a point from a pose towards a target, m, as far as the mechanism lets it.
    pub fn toward(
        &mut self,
        q: &[f64],
        grab: &Anchor,
        target: [f64; 2],
    ) -> Result<DragOutcome, DragError> {
        self.check(q, grab, target)?;
        let grip = self.grip(grab.carrier)?;
        let mut q = q.to_vec();
        let direction = self.last.take().filter(|(last, _)| *last == q).map(|(_, way)| way);
        self.hold_drives(grip, &q);
        if !self.close(&mut q) {
            return Err(DragError::Open);
        }
        let mut here = self.look_at(q, (grip, grab.at)).ok_or(DragError::Open)?;
        here.along = direction.map(|mut way| {
            self.keep_free_part(&mut way);
            way
        });
        let (here, ended) = self.descend(here, (grip, grab.at), target);
        let tracks = self.tracks_at(&here.q);
        let held = match ended {
            Ended::Held => self.hold(&here, grab, target, &tracks),
            Ended::Reached | Ended::Underway => None,
        };
        let note = self.note(&here.q);
        if let Some(along) = here.along {
            self.last = Some((here.q.clone(), along));
        }
        Ok(DragOutcome { q: here.q, reached: here.place, tracks, held, note })
    }

    fn check(&self, q: &[f64], grab: &Anchor, target: [f64; 2]) -> Result<(), DragError> {
        let (expected, found) = (self.system.coordinates.len(), q.len());
        if expected != found {
            return Err(DragError::WrongLength { expected, found });
        }
        let finite = |what: &'static str, values: &[f64]| match values.iter().all(|x| x.is_finite())
        {
            true => Ok(()),
            false => Err(DragError::NotFinite { what }),
        };
        finite("the pose to drag from", q)?;
        finite("the point to grab", &grab.at)?;
        finite("the place to drag it to", &target)
    }

    /// The number of the grip on a carrier, which is derived when it is first grabbed.
    fn grip(&mut self, carrier: Carrier) -> Result<usize, DragError> {
        if let Some(known) = self.grips.iter().position(|grip| grip.carrier == carrier) {
            return Ok(known);
        }
        let mut grip = Grip::new(&mut self.tracks, &self.evaluator, carrier)?;
        grip.released = self.drives_to_release(&grip);
        self.grips.push(grip);
        Ok(self.grips.len() - 1)
    }

    /// Leads a pose back to the constraints; `false` where that fails.
    fn close(&mut self, q: &mut Vec<f64>) -> bool {
        if self.system.constraints.is_empty() {
            return true;
        }
        let given = vec![false; q.len()];
        let Start { t, v, states, .. } = &self.start;
        let solve = PositionSolve {
            t: *t,
            v,
            states,
            given: &given,
            released: &self.held.released,
            kept: &self.held.kept,
            tolerance: NEWTON_TOLERANCE,
        };
        solve_positions(&mut self.evaluator, q, &solve);
        self.evaluator.set_state(*t, q, v, states);
        let residual = solve.residual(self.evaluator.pose().constraints);
        max_abs_or_nan(&residual) <= CLOSED_TOLERANCE * size(q)
    }

    fn tracks_at(&mut self, q: &[f64]) -> Vec<f64> {
        let Start { t, v, states, .. } = &self.start;
        self.evaluator.set_state(*t, q, v, states);
        self.tracks.at(&mut self.evaluator, false).collect()
    }
}
