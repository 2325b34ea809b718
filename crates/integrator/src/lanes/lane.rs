//! Where each lane stands: its times, its control, and what became of its last attempt.

use crate::control::StepControl;
use crate::explicit::ExplicitMethod;
use crate::integrator::Statistics;
use crate::method::{Failure, Trial};
use crate::options::Options;
use crate::span::{Proposal, Span};
use catena_linear::Aligned;

/// Why a lane stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LaneFailure {
    /// The state or its rate is infinite or undefined.
    #[error("the motion is not finite after t = {time} s")]
    NotFinite {
        /// The last time with a state.
        time: f64,
    },
    /// The tolerance asks for steps that floating-point numbers do not have.
    #[error("the step became too small at t = {time} s")]
    StepTooSmall {
        /// The last time with a state.
        time: f64,
    },
    /// The bound on the number of steps.
    #[error("{steps} steps were not enough: t = {time} s was reached")]
    StepLimit {
        /// The last time with a state.
        time: f64,
        /// Accepted and rejected ones.
        steps: u64,
    },
    /// It could not begin.
    #[error("{reason}")]
    CannotBegin {
        /// Why.
        reason: String,
    },
}

/// Where one trajectory stands, beside its times.
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

/// The times of all lanes side by side.
pub(super) struct Pace {
    start: Aligned,
    end: Aligned,
    pub(super) time: Aligned,
    pub(super) previous: Aligned,
    /// The attempt: its length and its end.
    pub(super) h: Aligned,
    pub(super) new: Aligned,
    /// Fixed steps: their length, how many there are, how many are allowed, how many are done.
    step: Aligned,
    count: Aligned,
    most: Aligned,
    done: Aligned,
}

impl Pace {
    pub(super) fn new(width: usize) -> Pace {
        let zeros = || Aligned::zeros(width);
        Pace {
            start: zeros(),
            end: zeros(),
            time: zeros(),
            previous: zeros(),
            h: zeros(),
            new: zeros(),
            step: zeros(),
            count: zeros(),
            most: zeros(),
            done: zeros(),
        }
    }

    pub(super) fn begin(&mut self, lane: usize, span: &Span) {
        (self.start[lane], self.end[lane]) = (span.start, span.end);
        (self.time[lane], self.previous[lane]) = (span.start, span.start);
        (self.step[lane], self.count[lane], self.done[lane]) = (0.0, 0.0, 0.0);
    }

    /// Takes the fixed step of a control that has one.
    pub(super) fn walk(
        &mut self,
        lane: usize,
        (control, most): (&dyn StepControl, u64),
        span: &Span,
    ) {
        if let Some((step, count)) = control.fixed() {
            self.step[lane] = span.direction() * step;
            self.count[lane] = count as f64;
            self.most[lane] = count.min(most) as f64;
        }
    }

    fn span(&self, lane: usize) -> Span {
        Span {
            start: self.start[lane],
            end: self.end[lane],
            time: self.time[lane],
            previous: self.previous[lane],
        }
    }

    /// Times at a fraction of the attempt.
    #[inline(always)]
    pub(super) fn at<const W: usize>(&self, fraction: f64, times: &mut [f64]) {
        let (time, h, new) = (&self.time[..W], &self.h[..W], &self.new[..W]);
        for (lane, out) in times[..W].iter_mut().enumerate() {
            *out = if fraction == 1.0 { new[lane] } else { time[lane] + fraction * h[lane] };
        }
    }

    /// Times at a fraction of the step that was made last.
    pub(super) fn at_previous(&self, fraction: f64, times: &mut [f64]) {
        for (lane, time) in times.iter_mut().enumerate() {
            *time = match fraction == 1.0 {
                true => self.new[lane],
                false => self.previous[lane] + fraction * self.h[lane],
            };
        }
    }

    /// The attempt becomes the step that was made last, for dense output.
    pub(super) fn look_back(&mut self) {
        for lane in 0..self.time.len() {
            self.new[lane] = self.time[lane];
            self.h[lane] = self.time[lane] - self.previous[lane];
        }
    }

    fn advance(&mut self, lane: usize) {
        self.previous[lane] = self.time[lane];
        self.time[lane] = self.new[lane];
        self.done[lane] += 1.0;
    }

    /// How many fixed steps a lane has made.
    fn done(&self, lane: usize) -> u64 {
        self.done[lane] as u64
    }

    /// All lanes have made their fixed step; returns whether one of them has no more to make. Lanes at rest stay where they are.
    #[inline(always)]
    pub(super) fn arrive<const W: usize>(&mut self) -> bool {
        let Pace { time, previous, new, most, done, .. } = self;
        let (time, previous, new) = (&mut time[..W], &mut previous[..W], &new[..W]);
        let (most, done) = (&most[..W], &mut done[..W]);
        let mut ended = 0.0;
        for i in 0..W {
            previous[i] = time[i];
            time[i] = new[i];
            done[i] += 1.0;
            ended += if done[i] == most[i] { 1.0 } else { 0.0 };
        }
        ended > 0.0
    }

    /// The next fixed step of every lane, as [`crate::control::fixed`] takes it; none where nothing is left.
    #[inline(always)]
    pub(super) fn next_fixed<const W: usize>(&mut self) {
        let Pace { start, end, time, h, new, step, count, done, .. } = self;
        let (start, end, time) = (&start[..W], &end[..W], &time[..W]);
        let (step, count, done) = (&step[..W], &count[..W], &done[..W]);
        let (h, new) = (&mut h[..W], &mut new[..W]);
        for i in 0..W {
            let last = done[i] + 1.0 >= count[i];
            h[i] = if last { end[i] - time[i] } else { step[i] };
            new[i] = if last { end[i] } else { start[i] + (done[i] + 1.0) * step[i] };
        }
    }
}

impl Lane {
    /// Nothing to do.
    pub(super) fn idle(method: &'static ExplicitMethod, options: &Options) -> Lane {
        Lane {
            control: method.control(options),
            statistics: Statistics::default(),
            max_steps: options.max_steps,
            running: false,
            moved: false,
            failure: None,
        }
    }

    /// Whether the bound on steps is far enough.
    fn may_go_on(&self) -> bool {
        self.statistics.steps + self.statistics.rejected < self.max_steps
    }

    fn stop(&mut self, failure: LaneFailure) {
        self.failure = Some(failure);
        (self.running, self.moved) = (false, false);
    }
}

/// The steps that the lanes ask for; 0 where there is nothing to do.
pub(super) fn propose(lanes: &mut [Lane], pace: &mut Pace) {
    for (i, lane) in lanes.iter().enumerate() {
        let span = pace.span(i);
        let Proposal { h, t_new } = match lane.running {
            true => lane.control.propose(&span),
            false => Proposal { h: 0.0, t_new: span.time },
        };
        (pace.h[i], pace.new[i]) = (h, t_new);
    }
}

/// Whether the attempts of all lanes that run led somewhere. A defect is 0 or NaN.
pub(super) fn are_sound(lanes: &[Lane], [state, rate]: &[Aligned; 2]) -> bool {
    let defects = state.iter().zip(rate.iter());
    let sound = |(state, rate): (&f64, &f64)| *state == 0.0 && *rate == 0.0;
    lanes.iter().zip(defects).all(|(lane, defects)| !lane.running || sound(defects))
}

/// Ends lanes whose fixed step was the last, or led nowhere. A defect is 0 or NaN.
pub(super) fn settle(lanes: &mut [Lane], pace: &mut Pace, [state, rate]: &[Aligned; 2]) {
    for (i, lane) in lanes.iter_mut().enumerate().filter(|(_, lane)| lane.running) {
        if state[i] != 0.0 || rate[i] != 0.0 {
            pace.time[i] = pace.previous[i];
            lane.stop(LaneFailure::NotFinite { time: pace.time[i] });
        } else if pace.time[i] == pace.end[i] {
            lane.running = false;
        } else if pace.done[i] >= pace.most[i] {
            lane.stop(LaneFailure::StepLimit { time: pace.time[i], steps: pace.done(i) });
        }
    }
}

/// Accepts or rejects, lane by lane; returns whether one of them stopped or came to its end. A defect is 0 or NaN.
pub(super) fn decide(
    lanes: &mut [Lane],
    pace: &mut Pace,
    [errors, eighth_roots]: &[Aligned; 2],
    [state, rate]: &[Aligned; 2],
) -> bool {
    let running = lanes.iter().filter(|lane| lane.running).count();
    for (i, lane) in lanes.iter_mut().enumerate() {
        lane.moved = false;
        if !lane.running {
            continue;
        }
        let (span, h, error) = (pace.span(i), pace.h[i].abs(), errors[i]);
        if !lane.may_go_on() {
            let steps = lane.statistics.steps + lane.statistics.rejected;
            lane.stop(LaneFailure::StepLimit { time: span.time, steps });
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
                pace.advance(i);
                lane.running = pace.time[i] != span.end;
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
