//! Several trajectories side by side, each with its own time, its own step and its own end.
//!
//! Every lane gets the bits that [`crate::Integrator`] computes for it alone: the same sums in the same order, the same step
//! control. What its neighbours do, whether they fail or have long finished, does not reach it.

mod arithmetic;
mod dense;
mod lane;
mod lane_steps;
mod method;
mod series;
mod single;
mod weights;

pub use lane::LaneFailure;
pub use method::LaneMethod;

use crate::control::IntegrationStart;
use crate::error::IntegrationError;
use crate::explicit::tableau::Tableau;
use crate::method::Work;
use crate::options::Options;
use crate::span::TimeSpan;
use arithmetic::{Arithmetic, States};
use catena_linear::{Aligned, InstructionSet};
use lane::Lane;
use lane_steps::LaneSteps;
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
        let state = || Aligned::zeros(len * width);
        let numbers = || Aligned::zeros(width);
        let slopes = tableau.stages() + 1 + tableau.extra.len();
        Ok(Lanes {
            method,
            tableau,
            weights: Weights::new(tableau, len),
            series: order.map(|_| LaneSeries::new(options, len, width)),
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
        if let Some(series) = &mut self.series {
            series.begin(at);
        }
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
        self.expand_series(system);
        match self.fixed {
            true => (self.arithmetic.propose_fixed)(&mut self.steps),
            false => lane::propose(&mut self.lanes, &mut self.steps),
        }
        self.attempt(system);
        let Self { arithmetic, defects: [state, rate], y_new, rate_new, .. } = self;
        let sound = (arithmetic.defect)(y_new, state) & (arithmetic.defect)(rate_new, rate);
        // lanes at rest may hold anything
        let sound = sound || lane::are_sound(&self.lanes, &self.defects);
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
        if let Some(series) = &mut self.series {
            series.accept(&self.lanes, &self.steps.h);
        }
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

    /// The stages, the new state and its slope.
    fn attempt(&mut self, system: &mut dyn LaneSystem) {
        let stride = self.stride();
        let stages = self.tableau.stages();
        if let Some(series) = &mut self.series {
            series.sum(self.arithmetic, &self.y, &self.steps.h, &mut self.y_new);
            return self.evaluate_new(system);
        }
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
        self.evaluate_new(system);
    }

    /// The slope at the new state.
    fn evaluate_new(&mut self, system: &mut dyn LaneSystem) {
        let (times, states) = system.inputs();
        times.copy_from_slice(&self.steps.new);
        states.copy_from_slice(&self.y_new);
        system.evaluate(&mut self.rate_new);
    }

    /// The sizes of the estimated errors relative to the tolerance.
    fn measure(&mut self) {
        let (stages, stride) = (self.tableau.stages(), self.stride());
        let Self { slopes, y, y_new, steps, arithmetic, .. } = self;
        let running = self.lanes.iter().filter(|lane| lane.running);
        let norm = running.filter_map(|lane| lane.control.norm()).next();
        let [first, second] = &mut self.errors;
        first.fill(0.0);
        if let (Some(norm), Some(series)) = (norm, &mut self.series) {
            let states = States { y, y_new, h: &steps.h };
            return series.measure(arithmetic, norm, &self.rate_new, states, first);
        }
        let (Some(norm), Some(estimate)) = (norm, self.weights.estimates.first()) else { return };
        if self.weights.uses_new_slope {
            slopes[stages * stride..(stages + 1) * stride].copy_from_slice(&self.rate_new);
        }
        let states = States { y, y_new, h: &steps.h };
        (arithmetic.measure)(norm, estimate, slopes, states, first);
        if let Some(third) = self.weights.estimates.get(1) {
            (arithmetic.measure)(norm, third, slopes, states, second);
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
