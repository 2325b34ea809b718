//! Several trajectories side by side, each with its own time, its own step and its own end.
//!
//! Every lane gets the bits that [`crate::Integrator`] computes for it alone: the same sums in the same order, the same step
//! control. What its neighbours do, whether they fail or have long finished, does not reach it.

mod arithmetic;
mod dense;
mod lane;
mod lane_steps;
mod single;
mod weights;

pub use lane::LaneFailure;

use crate::control::IntegrationStart;
use crate::error::IntegrationError;
use crate::explicit::ExplicitMethod;
use crate::explicit::tableau::Tableau;
use crate::method::Work;
use crate::options::Options;
use crate::span::TimeSpan;
use arithmetic::{Arithmetic, States};
use catena_linear::{Aligned, InstructionSet};
use lane::Lane;
use lane_steps::LaneSteps;
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

    /// The method whose attempts it computes as a whole; none where stages are evaluated one by one.
    fn whole_attempts(&self) -> Option<&'static ExplicitMethod> {
        None
    }

    /// A whole attempt. What it finds stands one behind the other: y and its slope at the end, the slopes from the second to
    /// the last stage, the sums of the estimates, and for each lane a defect, which is 0 if y and its slope are finite and all
    /// stages have a rate.
    fn attempt(&mut self, _attempt: Attempt<'_>, _found: &mut [f64]) {
        unreachable!("asked only of those that compute whole attempts")
    }
}

/// An attempt at a step: a number for each lane, or one for each component and lane.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// Where it begins, its signed length, and where it ends.
    pub times: [&'a [f64]; 3],
    /// The state at its beginning.
    pub y: &'a [f64],
    /// ẏ there.
    pub rate: &'a [f64],
}

/// An explicit method that moves as many states at once as a vector register has numbers.
pub struct Lanes {
    method: &'static ExplicitMethod,
    tableau: &'static Tableau,
    weights: Weights,
    len: usize,
    width: usize,
    arithmetic: &'static Arithmetic,
    lanes: Vec<Lane>,
    /// Whether no error is controlled: all lanes take fixed steps.
    fixed: bool,
    steps: LaneSteps,

    // The motion, all lanes side by side.
    y: Aligned,
    rate: Aligned,
    y_previous: Aligned,
    rate_previous: Aligned,
    y_new: Aligned,
    rate_new: Aligned,
    /// k₁ … k_s, the slope at the new state, and those of dense output.
    slopes: Aligned,
    /// What a whole attempt found, where the system computes such.
    found: Option<Aligned>,
    /// Whether the slopes of the last attempt are still there.
    slopes_in_found: bool,
    /// Sums of the estimates.
    sums: Aligned,
    /// Rows of [`crate::dense`], if `dense_ready`.
    dense: Aligned,
    dense_ready: bool,
    /// Estimated errors relative to the tolerance, and their eighth roots.
    errors: [Aligned; 2],
    /// 0 where the new state, and its slope, are finite; else NaN.
    defects: [Aligned; 2],
}

impl Lanes {
    /// Lanes for a system; none of them has anything to do yet. The options decide whether steps are fixed; how long they are
    /// is given to each lane when it begins.
    pub fn new(
        method: &'static ExplicitMethod,
        options: &Options,
        system: &dyn LaneSystem,
    ) -> Result<Lanes, IntegrationError> {
        options.check()?;
        let (len, set) = (system.len(), system.instruction_set());
        let width = set.lanes();
        let tableau = method.tableau;
        let state = || Aligned::zeros(len * width);
        let numbers = || Aligned::zeros(width);
        let slopes = tableau.stages() + 1 + tableau.extra.len();
        let whole = system.whole_attempts().is_some_and(|whole| std::ptr::eq(whole, method));
        let estimates = method.estimates().len();
        let found_len = ((tableau.stages() + 1 + estimates) * len + 1) * width;
        Ok(Lanes {
            method,
            tableau,
            weights: Weights::new(tableau, len),
            len,
            width,
            arithmetic: arithmetic::for_set(set),
            lanes: (0..width).map(|_| Lane::idle(method, options)).collect(),
            fixed: method.control(options).norm().is_none(),
            steps: LaneSteps::new(width),
            y: state(),
            rate: state(),
            y_previous: state(),
            rate_previous: state(),
            y_new: state(),
            rate_new: state(),
            slopes: Aligned::zeros(slopes * len * width),
            found: whole.then(|| Aligned::zeros(found_len)),
            slopes_in_found: false,
            sums: Aligned::zeros(estimates * len * width),
            dense: Aligned::zeros((3 + tableau.dense.len()) * len * width),
            dense_ready: false,
            errors: [numbers(), numbers()],
            defects: [numbers(), numbers()],
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
        self.lanes[at] = Lane::idle(self.method, options);
        let lane = &mut self.lanes[at];
        for (i, &value) in y.iter().enumerate() {
            self.y[i * width + at] = value;
        }
        let mut single = SingleLane::new(system, at, &self.steps.time, &self.y);
        let mut rate = vec![0.0; self.len];
        single.rate(t, y, &mut rate);
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        if !finite(y) || !finite(&rate) {
            lane.failure = Some(LaneFailure::NotFinite { time: t });
            return;
        }
        for (i, &value) in rate.iter().enumerate() {
            self.rate[i * width + at] = value;
        }
        let work = Work { system: &mut single, statistics: &mut lane.statistics };
        match lane.control.begin(&mut IntegrationStart { work, span, y, rate: &rate }) {
            Ok(()) => {
                lane.running = !span.finished();
                lane.moved = self.fixed;
                self.steps.set_fixed_step(at, lane.control.as_ref(), options.max_steps);
            }
            Err(error) => {
                lane.failure = Some(LaneFailure::CannotBegin { reason: error.to_string() });
            }
        }
    }

    /// Tries a step in every lane that is not done; returns whether one of them stopped or came to its end.
    pub fn step(&mut self, system: &mut dyn LaneSystem) -> bool {
        self.dense_ready = false;
        match self.fixed {
            true => (self.arithmetic.propose_fixed)(&mut self.steps),
            false => lane::propose(&mut self.lanes, &mut self.steps),
        }
        let sound = self.attempt_at_once(system) || self.attempt(system);
        if self.fixed {
            self.exchange();
            let ended = (self.arithmetic.accept_fixed)(&mut self.steps);
            if ended || !sound {
                lane::end_fixed(&mut self.lanes, &mut self.steps, &self.defects);
            }
            return ended || !sound;
        }
        self.measure();
        let Self { lanes, steps, errors, defects, .. } = self;
        let stopped = lane::decide(lanes, steps, errors, defects);
        self.keep();
        stopped
    }

    /// Whether a lane is on its way.
    pub fn is_running(&self, lane: usize) -> bool {
        self.lanes[lane].running
    }

    /// Whether the last attempt moved a lane.
    pub fn moved(&self, lane: usize) -> bool {
        self.lanes[lane].moved
    }

    /// Why a lane stopped before its end.
    pub fn failure(&self, lane: usize) -> Option<&LaneFailure> {
        self.lanes[lane].failure.as_ref()
    }

    /// Reads the components from `first` on where a lane's last step ended, and their slopes.
    pub fn read_tail(&self, lane: usize, first: usize, tail: &mut [f64], slopes: &mut [f64]) {
        for (i, (value, slope)) in tail.iter_mut().zip(slopes).enumerate() {
            let at = (first + i) * self.width + lane;
            (*value, *slope) = (self.y[at], self.rate[at]);
        }
    }

    /// Replaces them, for components in which the system is linear: whoever changes these in the same way as their slopes
    /// need not begin the lane anew. What [`Lanes::interpolate`] gives inside the last step means nothing afterwards.
    pub fn write_tail(&mut self, lane: usize, first: usize, tail: &[f64], slopes: &[f64]) {
        for (i, (value, slope)) in tail.iter().zip(slopes).enumerate() {
            let at = (first + i) * self.width + lane;
            (self.y[at], self.rate[at]) = (*value, *slope);
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
        &self.y
    }

    /// Ends a lane's trajectory where it stands.
    pub fn stop(&mut self, lane: usize) {
        let (t, previous) = (self.steps.time[lane], self.steps.previous[lane]);
        self.steps.begin(lane, &TimeSpan::new(t, t));
        self.steps.previous[lane] = previous;
        self.lanes[lane].running = false;
    }

    fn stride(&self) -> usize {
        self.len * self.width
    }

    /// The whole attempt by one function. False where there is none, and where a lane that runs has a defect: which one it is
    /// will be found stage by stage.
    fn attempt_at_once(&mut self, system: &mut dyn LaneSystem) -> bool {
        let stride = self.stride();
        let Some(found) = &mut self.found else { return false };
        let LaneSteps { time, h, new, .. } = &self.steps;
        system.attempt(Attempt { times: [time, h, new], y: &self.y, rate: &self.rate }, found);
        let (rest, defect) = found.split_at(found.len() - self.width);
        let [state, rate] = &mut self.defects;
        state.copy_from_slice(defect);
        rate.fill(0.0);
        let sound = defect.iter().fold(true, |sound, &defect| sound & (defect == 0.0));
        // lanes at rest may hold anything
        if !sound && !lane::are_sound(&self.lanes, &self.defects) {
            return false;
        }
        let (y, rest) = rest.split_at(stride);
        self.y_new.copy_from_slice(y);
        self.rate_new.copy_from_slice(&rest[..stride]);
        self.slopes_in_found = true;
        true
    }

    /// The stages, the new state and its slope, one after the other; whether all lanes that run have come to a state.
    fn attempt(&mut self, system: &mut dyn LaneSystem) -> bool {
        self.slopes_in_found = false;
        let stride = self.stride();
        let stages = self.tableau.stages();
        self.slopes[..stride].copy_from_slice(&self.rate);
        for i in 1..stages {
            let (times, states) = system.inputs();
            (self.arithmetic.times)(&self.steps, self.tableau.c[i], times);
            let terms = &self.weights.stages[i - 1];
            (self.arithmetic.advance)(terms, &self.slopes, &self.y, &self.steps.h, states);
            system.evaluate(&mut self.slopes[i * stride..(i + 1) * stride]);
        }
        let Self { slopes, y, steps, y_new, .. } = self;
        (self.arithmetic.advance)(&self.weights.stages[stages - 1], slopes, y, &steps.h, y_new);
        let (times, states) = system.inputs();
        times.copy_from_slice(&steps.new);
        states.copy_from_slice(y_new);
        system.evaluate(&mut self.rate_new);
        let Self { arithmetic, defects: [state, rate], y_new, rate_new, .. } = self;
        let sound = (arithmetic.defect)(y_new, state) & (arithmetic.defect)(rate_new, rate);
        // lanes at rest may hold anything
        sound || lane::are_sound(&self.lanes, &self.defects)
    }

    /// The sums of the estimates, stage by stage.
    fn sum_estimates(&mut self) {
        let (stages, stride) = (self.tableau.stages(), self.stride());
        let Self { slopes, arithmetic, sums, .. } = self;
        if self.weights.uses_new_slope {
            slopes[stages * stride..(stages + 1) * stride].copy_from_slice(&self.rate_new);
        }
        for (terms, sums) in self.weights.estimates.iter().zip(sums.chunks_exact_mut(stride)) {
            (arithmetic.sum)(terms, slopes, sums);
        }
    }

    /// The sizes of the estimated errors relative to the tolerance.
    fn measure(&mut self) {
        let stride = self.stride();
        if !self.slopes_in_found {
            self.sum_estimates();
        }
        let Self { y, y_new, steps, arithmetic, .. } = self;
        let running = self.lanes.iter().filter(|lane| lane.running);
        let norm = running.filter_map(|lane| lane.control.norm()).next();
        let [first, second] = &mut self.errors;
        first.fill(0.0);
        let sums = match &self.found {
            Some(found) if self.slopes_in_found => &found[(self.tableau.stages() + 1) * stride..],
            _ => &self.sums[..],
        };
        let (Some(norm), false) = (norm, self.weights.estimates.is_empty()) else { return };
        let states = States { y, y_new, h: &steps.h };
        (arithmetic.measure)(norm, &sums[..stride], states, first);
        if self.weights.estimates.len() > 1 {
            (arithmetic.measure)(norm, &sums[stride..2 * stride], states, second);
            (arithmetic.join)(first, second);
        }
        (arithmetic.eighth_roots)(first, second);
    }

    /// New states take the place of old ones.
    fn exchange(&mut self) {
        let Self { y, y_new, y_previous, rate, rate_new, rate_previous, .. } = self;
        std::mem::swap(y_previous, y);
        std::mem::swap(y, y_new);
        std::mem::swap(rate_previous, rate);
        std::mem::swap(rate, rate_new);
    }

    /// The same in lanes that moved.
    fn keep(&mut self) {
        // lanes that are done have no step, and may be exchanged with the others
        if self.lanes.iter().all(|lane| lane.moved || !lane.running) {
            return self.exchange();
        }
        let Self { y, y_new, y_previous, rate, rate_new, rate_previous, .. } = self;
        for (i, _) in self.lanes.iter().enumerate().filter(|(_, lane)| lane.moved) {
            for at in (i..self.len * self.width).step_by(self.width) {
                (y_previous[at], y[at]) = (y[at], y_new[at]);
                (rate_previous[at], rate[at]) = (rate[at], rate_new[at]);
            }
        }
    }
}
