//! Several trajectories side by side, each with its own time, its own step and its own end.
//!
//! Every lane gets the bits that [`crate::Integrator`] computes for it alone: the same sums in the same order, the same step
//! control. What its neighbours do, whether they fail or have long finished, does not reach it.

mod arithmetic;
mod dense;
mod lane_control;
mod lane_failure;
mod lane_steps;
mod loops;
mod method;
mod outcome;
mod series;
mod single;
mod weights;

pub use lane_failure::LaneFailure;
pub use method::{LaneMethod, SeriesRule};

use crate::control::IntegrationStart;
use crate::dense::{ALTERNATING, Factor, POWERS};
use crate::error::IntegrationError;
use crate::explicit::ExplicitMethod;
use crate::explicit::tableau::Tableau;
use crate::integrator::Statistics;
use crate::method::Work;
use crate::options::Options;
use crate::span::TimeSpan;
use arithmetic::Arithmetic;
use catena_linear::{Aligned, InstructionSet};
use lane_control::LaneControl;
use lane_steps::LaneSteps;
use loops::States;
use series::LaneSeries;
use single::SingleLane;
use weights::Weights;

/// Right-hand sides of several states side by side: component i of all lanes stands at i·lanes.
pub trait LaneSystem {
    /// Components of a state.
    fn len(&self) -> usize;

    /// Whether a state has no components.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most that counts of a component's magnitude, as [`crate::FirstOrderSystem::magnitude_bound`].
    fn magnitude_bound(&self, _component: usize) -> f64 {
        f64::INFINITY
    }

    /// What computes them.
    fn instruction_set(&self) -> InstructionSet;

    /// Where the times and the states of all lanes are to be written.
    fn inputs(&mut self) -> (&mut [f64], &mut [f64]);

    /// ẏ at what was written; NaN in lanes that have none.
    fn evaluate(&mut self, rate: &mut [f64]);

    /// The highest order of the power series that it has.
    fn series_order(&self) -> Option<usize> {
        None
    }

    /// Coefficients up to that order of the solutions through what was written, one order after the other, as those of
    /// [`crate::SeriesSystem`].
    fn series(&mut self, _coefficients: &mut [f64]) {}

    /// The method whose attempts it computes as a whole; none where stages are evaluated one by one.
    fn whole_attempts(&self) -> Option<WholeAttempts<'_>> {
        None
    }

    /// A whole attempt, from one line of numbers to the beginning of another. See [`WholeAttempts`].
    fn attempt(&mut self, _from: &[f64], _to: &mut [f64]) {
        unreachable!("asked only of those that compute whole attempts")
    }
}

/// A system that computes whole attempts does so from a line of numbers: y and its slope, room for what an attempt finds,
/// the time, the signed length and the end of the attempt, and then what the system itself put down. It finds, in the same
/// places of another line: y and its slope at the end, the slopes from the second stage to the last, the sums of the
/// estimates, and a defect, which is 0 if y and its slope are finite and all stages have a rate.
pub struct WholeAttempts<'a> {
    /// Of which method.
    pub method: &'static ExplicitMethod,
    /// What the system puts down at the end of every line, for all lanes.
    pub tail: &'a [f64],
}

/// An explicit method that moves as many states at once as a vector register has numbers.
pub struct Lanes {
    method: LaneMethod,
    tableau: &'static Tableau,
    weights: Weights,
    /// In the place of stages, if the method sums series.
    series: Option<LaneSeries>,
    len: usize,
    width: usize,
    arithmetic: &'static Arithmetic,
    /// Absent where no error is controlled: all lanes take fixed steps.
    control: Option<LaneControl>,
    steps: LaneSteps,
    failures: Vec<Option<LaneFailure>>,

    // The motion, all lanes side by side, in lines as [`WholeAttempts`] has them: y, its slope, and what led there.
    /// At the end of the last step.
    now: Aligned,
    /// At its beginning; during an attempt its end is written here.
    other: Aligned,
    /// k₁ … k_s, the slope at the new state, and those of dense output.
    slopes: Aligned,
    /// How many numbers of a line an attempt writes.
    found: usize,
    /// Whether the system computes whole attempts.
    whole: bool,
    /// Whether the last attempt was computed as a whole: its slopes are in its line.
    at_once: bool,
    /// Sums of the estimates.
    sums: Aligned,
    /// Rows of [`crate::dense`], if `dense_ready`, and their factors.
    dense: Aligned,
    factors: &'static [Factor],
    dense_ready: bool,
    /// Estimated errors relative to the tolerance, and second estimates that are joined with them.
    errors: [Aligned; 2],
    /// 0 where the new state, and its slope, are finite; else NaN.
    defects: [Aligned; 2],
    /// Whether one of them may be NaN.
    defective: bool,
}

impl Lanes {
    /// Lanes for a system; none of them has anything to do yet. The options decide whether steps are fixed; how long they are
    /// is given to each lane when it begins.
    pub fn new(
        method: LaneMethod,
        options: &Options,
        system: &dyn LaneSystem,
    ) -> Result<Lanes, IntegrationError> {
        options.check()?;
        let order = method.series_order(options);
        if order.is_some() && order != system.series_order() {
            let reason = "these lanes have no power series";
            return Err(IntegrationError::Unsuitable { method: "taylor", reason });
        }
        let (len, set) = (system.len(), system.instruction_set());
        let width = set.lanes();
        let tableau = method.tableau();
        let numbers = || Aligned::zeros(width);
        let slopes = tableau.stages() + 1 + tableau.extra.len();
        let is_own = |other| method.explicit().is_some_and(|method| std::ptr::eq(method, other));
        let whole = system.whole_attempts().filter(|whole| is_own(whole.method));
        let estimates = tableau.estimate.weights().len();
        let found = (tableau.stages().max(1) + 1 + estimates) * len + 1;
        let factors = match order {
            Some(order) => &POWERS[..order],
            None => &ALTERNATING[..3 + tableau.dense.len()],
        };
        let line = (found + 3) * width + whole.as_ref().map_or(0, |whole| whole.tail.len());
        Ok(Lanes {
            method,
            tableau,
            weights: Weights::new(tableau, len),
            series: order.map(|_| LaneSeries::new(options, len, width)),
            len,
            width,
            arithmetic: arithmetic::for_set(set),
            control: LaneControl::new(method.control(options).as_ref(), width),
            steps: LaneSteps::new(width),
            failures: vec![None; width],
            now: Aligned::zeros(line),
            other: Aligned::zeros(line),
            found: found * width,
            slopes: Aligned::zeros(slopes * len * width),
            whole: whole.is_some(),
            at_once: false,
            sums: Aligned::zeros(estimates * len * width),
            dense: Aligned::zeros(factors.len() * len * width),
            factors,
            dense_ready: false,
            errors: [numbers(), numbers()],
            defects: [numbers(), numbers()],
            defective: false,
        })
    }

    /// Components of a state.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a state has no components.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many lanes there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Starts a lane anew, from t and y to an end, with options of its own. The system knows already what else belongs
    /// to this lane.
    pub fn begin(
        &mut self,
        system: &mut dyn LaneSystem,
        at: usize,
        (t, y, t_end): (f64, &[f64], f64),
        options: &Options,
    ) {
        let width = self.width;
        let span = TimeSpan::new(t, t_end);
        self.steps.begin(at, &span);
        self.failures[at] = None;
        if let Some(series) = &mut self.series {
            series.begin(at);
        }
        for (i, &value) in y.iter().enumerate() {
            self.now[i * width + at] = value;
        }
        if let (true, Some(whole)) = (self.whole, system.whole_attempts()) {
            let first = self.found + 3 * width;
            for line in [&mut self.now, &mut self.other] {
                line[first..].copy_from_slice(whole.tail);
            }
        }
        let stride = self.len * width;
        let mut single = SingleLane::new(system, at, &self.steps.time, &self.now[..stride]);
        let mut rate = vec![0.0; self.len];
        single.rate(t, y, &mut rate);
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        if !finite(y) || !finite(&rate) {
            self.failures[at] = Some(LaneFailure::NotFinite { time: t });
            return;
        }
        for (i, &value) in rate.iter().enumerate() {
            self.now[stride + i * width + at] = value;
        }
        let mut control = self.method.control(options);
        let work = Work { system: &mut single, statistics: &mut Statistics::default() };
        match control.begin(&mut IntegrationStart { work, span, y, rate: &rate }) {
            Ok(()) => {
                self.steps.go(at, control.as_ref(), options.max_steps);
                if let Some(lanes) = &mut self.control {
                    lanes.begin(at, control.as_ref());
                }
            }
            Err(error) => {
                self.failures[at] = Some(LaneFailure::CannotBegin { reason: error.to_string() });
            }
        }
    }

    /// Tries a step in every lane that is not done; returns whether one of them stopped or came to its end.
    pub fn step(&mut self, system: &mut dyn LaneSystem) -> bool {
        self.dense_ready = false;
        self.expand_series(system);
        match &self.control {
            None => (self.arithmetic.propose_fixed)(&mut self.steps),
            Some(control) => (self.arithmetic.propose)(control, &mut self.steps),
        }
        let sound = self.attempt_at_once(system) || self.attempt(system);
        if self.control.is_some() {
            self.measure();
        }
        let Self { control, steps, errors, defects, failures, arithmetic, .. } = self;
        let Some(control) = control else {
            let ended = (arithmetic.accept_fixed)(steps);
            if ended || !sound {
                outcome::end_fixed(steps, defects, failures);
            }
            self.exchange();
            return ended || !sound;
        };
        let mut stopped = false;
        if !(arithmetic.accept)(control, steps, &errors[0], defects) {
            stopped = outcome::settle(control, steps, (&errors[0], &defects[0]), failures);
            self.keep();
        }
        self.exchange();
        if let Some(series) = &mut self.series {
            series.accept(&self.steps);
        }
        stopped
    }

    /// Whether a lane is on its way.
    pub fn is_running(&self, lane: usize) -> bool {
        self.steps.is_running(lane)
    }

    /// Whether the last attempt moved a lane.
    pub fn moved(&self, lane: usize) -> bool {
        self.steps.has_moved(lane)
    }

    /// Why a lane stopped before its end.
    pub fn failure(&self, lane: usize) -> Option<&LaneFailure> {
        self.failures[lane].as_ref()
    }

    /// Reads the components from `first` on where a lane's last step ended, and their slopes.
    pub fn read_tail(&self, lane: usize, first: usize, tail: &mut [f64], slopes: &mut [f64]) {
        for (i, (value, slope)) in tail.iter_mut().zip(slopes).enumerate() {
            let at = (first + i) * self.width + lane;
            (*value, *slope) = (self.now[at], self.now[self.stride() + at]);
        }
    }

    /// Replaces them, for components in which the system is linear: whoever changes these in the same way as their slopes
    /// need not begin the lane anew. What [`Lanes::interpolate`] gives inside the last step means nothing afterwards.
    pub fn write_tail(&mut self, lane: usize, first: usize, tail: &[f64], slopes: &[f64]) {
        for (i, (value, slope)) in tail.iter().zip(slopes).enumerate() {
            let at = (first + i) * self.width + lane;
            let stride = self.stride();
            (self.now[at], self.now[stride + at]) = (*value, *slope);
        }
    }

    /// Where a lane's last step ended.
    pub fn time(&self, lane: usize) -> f64 {
        self.steps.time[lane]
    }

    /// Where the last step of each lane ended.
    pub fn times(&self) -> &[f64] {
        &self.steps.time
    }

    /// Where a lane's last step began.
    pub fn previous_time(&self, lane: usize) -> f64 {
        self.steps.previous[lane]
    }

    /// The states of all lanes where their last steps ended: component i of all lanes stands at i·lanes.
    pub fn states(&self) -> &[f64] {
        &self.now[..self.stride()]
    }

    /// Ends a lane's trajectory where it stands.
    pub fn stop(&mut self, lane: usize) {
        self.steps.stop(lane);
    }

    fn stride(&self) -> usize {
        self.len * self.width
    }

    /// The whole attempt by one function. False where there is none, and where a lane that runs has a defect: which one it is
    /// will be found stage by stage.
    fn attempt_at_once(&mut self, system: &mut dyn LaneSystem) -> bool {
        if !self.whole {
            return false;
        }
        (self.arithmetic.put_times)(&self.steps, &mut self.now[self.found..]);
        system.attempt(&self.now, &mut self.other[..self.found]);
        let defect = &self.other[self.found - self.width..self.found];
        let sound = (self.arithmetic.are_sound)(defect);
        if !sound || self.defective {
            let [state, rate] = &mut self.defects;
            state.copy_from_slice(defect);
            rate.fill(0.0);
            self.defective = !sound;
        }
        // lanes at rest may hold anything
        self.at_once = sound || outcome::are_sound(&self.steps, &self.defects);
        self.at_once
    }

    /// The stages, the new state and its slope, one after the other; whether all lanes that run have come to a state.
    fn attempt(&mut self, system: &mut dyn LaneSystem) -> bool {
        self.at_once = false;
        self.defective = true;
        let stride = self.stride();
        let stages = self.tableau.stages();
        let Self { slopes, now, other, steps, arithmetic, .. } = self;
        let (y, rest) = now.split_at(stride);
        if let Some(series) = &mut self.series {
            series.sum(arithmetic, y, &steps.h, &mut other[..stride]);
            return self.evaluate_new(system);
        }
        slopes[..stride].copy_from_slice(&rest[..stride]);
        for i in 1..stages {
            let (times, states) = system.inputs();
            (arithmetic.times)(steps, self.tableau.c[i], times);
            (arithmetic.advance)(&self.weights.stages[i - 1], slopes, y, &steps.h, states);
            system.evaluate(&mut slopes[i * stride..(i + 1) * stride]);
        }
        let new = &mut other[..stride];
        (arithmetic.advance)(&self.weights.stages[stages - 1], slopes, y, &steps.h, new);
        self.evaluate_new(system)
    }

    /// The slope at the new state; whether all lanes that run have both.
    fn evaluate_new(&mut self, system: &mut dyn LaneSystem) -> bool {
        let stride = self.stride();
        let Self { other, steps, arithmetic, defects: [state, rate], .. } = self;
        let (y_new, rest) = other.split_at_mut(stride);
        let rate_new = &mut rest[..stride];
        let (times, states) = system.inputs();
        times.copy_from_slice(&steps.new);
        states.copy_from_slice(y_new);
        system.evaluate(rate_new);
        let sound = (arithmetic.defect)(y_new, state) & (arithmetic.defect)(rate_new, rate);
        // lanes at rest may hold anything
        sound || outcome::are_sound(&self.steps, &self.defects)
    }

    /// The sums of the estimates, stage by stage.
    fn sum_estimates(&mut self) {
        let (stages, stride) = (self.tableau.stages(), self.stride());
        let Self { slopes, arithmetic, sums, .. } = self;
        if self.weights.uses_new_slope {
            let new = &self.other[stride..2 * stride];
            slopes[stages * stride..(stages + 1) * stride].copy_from_slice(new);
        }
        for (terms, sums) in self.weights.estimates.iter().zip(sums.chunks_exact_mut(stride)) {
            (arithmetic.sum)(terms, slopes, sums);
        }
    }

    /// The sizes of the estimated errors relative to the tolerance.
    fn measure(&mut self) {
        let stride = self.stride();
        if !self.at_once {
            self.sum_estimates();
        }
        let Self { now, other, steps, arithmetic, .. } = self;
        let [first, second] = &mut self.errors;
        let Some(LaneControl { norm, .. }) = &self.control else { return };
        let states = States { y: &now[..stride], y_new: &other[..stride], h: &steps.h };
        if let Some(series) = &mut self.series {
            return series.measure(arithmetic, norm, &other[stride..2 * stride], states, first);
        }
        let sums = match self.at_once {
            true => &other[(self.tableau.stages() + 1) * stride..],
            false => &self.sums[..],
        };
        (arithmetic.measure)(norm, &sums[..stride], states, first);
        if self.weights.estimates.len() > 1 {
            (arithmetic.measure)(norm, &sums[stride..2 * stride], states, second);
            (arithmetic.join)(first, second);
        }
    }

    /// New states take the place of old ones.
    fn exchange(&mut self) {
        std::mem::swap(&mut self.now, &mut self.other);
    }

    /// Lanes that run and did not move stay where they are when states are exchanged.
    fn keep(&mut self) {
        // lanes that are done have no step, and may be exchanged with the others
        for i in 0..self.width {
            if !self.steps.is_running(i) || self.steps.has_moved(i) {
                continue;
            }
            for at in (i..2 * self.len * self.width).step_by(self.width) {
                self.other[at] = self.now[at];
            }
        }
    }
}
