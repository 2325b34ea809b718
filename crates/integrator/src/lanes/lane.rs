//! Where each lane stands: its control, and what became of its last attempt.

use super::LaneMethod;
use super::lane_steps::LaneSteps;
use crate::control::StepControl;
use crate::error::rounded;
use crate::integrator::Statistics;
use crate::method::{Failure, Trial};
use crate::options::Options;
use crate::span::Proposal;
use catena_linear::Aligned;

/// Why a lane stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaneFailure {
    /// The state or its rate is infinite or undefined.
    #[error("the motion is not finite after t = {} s", rounded(*.time))]
    NotFinite {
        /// The last time with a state.
        time: f64,
    },
    /// The tolerance asks for steps that floating-point numbers do not have.
    #[error("the step became too small at t = {} s", rounded(*.time))]
    StepTooSmall {
        /// The last time with a state.
        time: f64,
    },
    /// The bound on the number of steps.
    #[error("{steps} steps were not enough: t = {} s was reached", rounded(*.time))]
    StepLimit {
        /// The last time with a state.
        time: f64,
        /// Accepted and rejected ones.
        steps: u64,
    },
    /// It could not begin.
    #[error("{reason}")]
    CannotBegin {
        /// The message of the step control.
        reason: String,
    },
}

/// Where one trajectory stands; its times are in [`LaneSteps`].
pub(super) struct Lane {
    pub(super) control: Box<dyn StepControl>,
    pub(super) statistics: Statistics,
    pub(super) max_steps: u64,
    /// Whether there is anything left to do.
    pub(super) running: bool,
    /// Whether the last attempt became a step.
    pub(super) moved: bool,
    pub(super) failure: Option<LaneFailure>,
}

impl Lane {
    /// A lane without a trajectory.
    pub(super) fn idle(method: LaneMethod, options: &Options) -> Lane {
        Lane {
            control: method.control(options),
            statistics: Statistics::default(),
            max_steps: options.max_steps,
            running: false,
            moved: false,
            failure: None,
        }
    }

    /// Whether another step is allowed.
    fn may_go_on(&self) -> bool {
        self.statistics.steps + self.statistics.rejected < self.max_steps
    }

    fn stop(&mut self, failure: LaneFailure) {
        self.failure = Some(failure);
        (self.running, self.moved) = (false, false);
    }
}

/// The steps that the lanes ask for; 0 where there is nothing to do.
pub(super) fn propose(lanes: &mut [Lane], steps: &mut LaneSteps) {
    for (i, lane) in lanes.iter().enumerate() {
        let span = steps.span(i);
        let Proposal { h, t_new } = match lane.running {
            true => lane.control.propose(&span),
            false => Proposal { h: 0.0, t_new: span.time },
        };
        (steps.h[i], steps.new[i]) = (h, t_new);
    }
}

/// Whether the attempts of all lanes that run led somewhere. A defect is 0 or NaN.
pub(super) fn are_sound(lanes: &[Lane], [state, rate]: &[Aligned; 2]) -> bool {
    let defects = state.iter().zip(rate.iter());
    let sound = |(state, rate): (&f64, &f64)| *state == 0.0 && *rate == 0.0;
    lanes.iter().zip(defects).all(|(lane, defects)| !lane.running || sound(defects))
}

/// Ends lanes whose fixed step was the last, or led nowhere. A defect is 0 or NaN.
pub(super) fn end_fixed(lanes: &mut [Lane], steps: &mut LaneSteps, [state, rate]: &[Aligned; 2]) {
    for (i, lane) in lanes.iter_mut().enumerate().filter(|(_, lane)| lane.running) {
        if state[i] != 0.0 || rate[i] != 0.0 {
            steps.time[i] = steps.previous[i];
            lane.stop(LaneFailure::NotFinite { time: steps.time[i] });
        } else if steps.time[i] == steps.end[i] {
            lane.running = false;
        } else if steps.done[i] >= steps.allowed[i] {
            lane.stop(LaneFailure::StepLimit { time: steps.time[i], steps: steps.done(i) });
        }
    }
}

/// Accepts or rejects, lane by lane; returns whether one of them stopped or came to its end. A defect is 0 or NaN.
pub(super) fn decide(
    lanes: &mut [Lane],
    steps: &mut LaneSteps,
    [errors, eighth_roots]: &[Aligned; 2],
    [state, rate]: &[Aligned; 2],
) -> bool {
    let running = lanes.iter().filter(|lane| lane.running).count();
    for (i, lane) in lanes.iter_mut().enumerate() {
        lane.moved = false;
        if !lane.running {
            continue;
        }
        let (span, h, error) = (steps.span(i), steps.h[i].abs(), errors[i]);
        if !lane.may_go_on() {
            let tried = lane.statistics.steps + lane.statistics.rejected;
            lane.stop(LaneFailure::StepLimit { time: span.time, steps: tried });
            continue;
        }
        let undefined = Failure::NotFinite { what: "", component: 0 };
        let failure = match error {
            _ if state[i] != 0.0 || error.is_nan() => undefined,
            error if error > 1.0 => Failure::Inaccurate { error },
            _ if rate[i] != 0.0 => undefined,
            error => {
                lane.statistics.steps += 1;
                lane.moved = true;
                let eighth_root = Some(eighth_roots[i]);
                lane.control.accepted(h, &Trial { error, eighth_root, ..Trial::default() });
                steps.accept(i);
                lane.running = steps.time[i] != span.end;
                continue;
            }
        };
        lane.statistics.rejected += 1;
        if h <= span.floor() || !lane.control.rejected(h, &failure) {
            lane.stop(match failure {
                Failure::Inaccurate { .. } => LaneFailure::StepTooSmall { time: span.time },
                _ => LaneFailure::NotFinite { time: span.time },
            });
        }
    }
    lanes.iter().filter(|lane| lane.running).count() < running
}
