//! The one loop of this crate: try, measure, accept or shorten, until a step is done.

use crate::control::{IntegrationStart, StepControl};
use crate::dense::Dense;
use crate::error::IntegrationError;
use crate::integrator::{Integrator, Statistics};
use crate::method::{Failure, Method, Stop, Trial, TrialStep, Work, check_finite};
use crate::options::Options;
use crate::span::{Proposal, TimeSpan};
use crate::stiffness::{Pair, StepLimit, StiffnessWatch};
use crate::system::FirstOrderSystem;
use catena_linear::max_abs;

/// A method under a step control.
pub(crate) struct Stepper<M> {
    method: M,
    control: Box<dyn StepControl>,
    options: Options,

    // The motion.
    span: TimeSpan,
    y: Vec<f64>,
    /// f(t, y)
    rate: Vec<f64>,
    y_previous: Vec<f64>,
    /// f at the beginning of the last step.
    rate_previous: Vec<f64>,
    dense: Dense,
    /// Whether `dense` belongs to the last step.
    dense_ready: bool,
    statistics: Statistics,
    watch: StiffnessWatch,
    /// The next step does not go beyond this time.
    limit: Option<f64>,

    // The step being tried.
    /// Its end, if it was rejected.
    tried: f64,
    y_new: Vec<f64>,
    rate_new: Vec<f64>,
}

impl<M: Method + 'static> Stepper<M> {
    pub(crate) fn build(
        options: &Options,
        method: M,
        control: Box<dyn StepControl>,
    ) -> Box<dyn Integrator> {
        Box::new(Self {
            method,
            control,
            options: options.clone(),
            span: TimeSpan::default(),
            y: Vec::new(),
            rate: Vec::new(),
            y_previous: Vec::new(),
            rate_previous: Vec::new(),
            dense: Dense::default(),
            dense_ready: false,
            statistics: Statistics::default(),
            watch: StiffnessWatch::default(),
            limit: None,
            tried: 0.0,
            y_new: Vec::new(),
            rate_new: Vec::new(),
        })
    }

    /// Tries one step and, if its error is tolerable, completes it in `y_new` and `rate_new`.
    fn try_step(
        &mut self,
        system: &mut dyn FirstOrderSystem,
        Proposal { h, t_new }: Proposal,
    ) -> Result<Trial, Failure> {
        let mut work = Work { system, statistics: &mut self.statistics };
        let norm = self.control.norm();
        let step = TrialStep { t: self.span.time, t_new, h, y: &self.y, rate: &self.rate, norm };
        let trial = self.method.attempt(&mut work, step, &mut self.y_new, &mut self.rate_new)?;
        check_finite("", &self.y_new)?;
        if trial.error.is_nan() {
            if trial.rate_known {
                check_finite(RATE, &self.rate_new)?;
            }
            return Err(Failure::NotFinite { what: "the error of ", component: 0 });
        }
        if trial.error > 1.0 {
            return Err(Failure::Inaccurate { error: trial.error });
        }
        let corrected = work.system.after_step(t_new, &mut self.y_new)?;
        if corrected || !trial.rate_known {
            work.derivative(t_new, &self.y_new, &mut self.rate_new)?;
        }
        check_finite(RATE, &self.rate_new)?;
        Ok(trial)
    }

    /// Makes the completed attempt the present state.
    fn accept(&mut self, Proposal { h, t_new }: Proposal, trial: &Trial) {
        std::mem::swap(&mut self.y_previous, &mut self.y);
        std::mem::swap(&mut self.y, &mut self.y_new);
        std::mem::swap(&mut self.rate_previous, &mut self.rate);
        std::mem::swap(&mut self.rate, &mut self.rate_new);
        self.dense_ready = false;
        self.limit = None;
        self.span.advance(t_new);
        self.statistics.steps += 1;
        if let (Some((boundaries, [stage, slope])), Some(norm)) =
            (self.method.stability(), self.control.norm())
        {
            let pair = Pair { states: [&self.y, stage], slopes: [&self.rate, slope] };
            self.statistics.stiff_steps += self.watch.look(h, boundaries, pair, norm);
        }
        self.method.accepted(h, &self.y_previous, &self.y);
        self.control.accepted(h.abs(), trial);
    }

    /// Asks the method how far it sees from the present state.
    fn look_ahead(&mut self, system: &mut dyn FirstOrderSystem) {
        let Some(norm) = self.control.norm().filter(|_| !self.span.finished()) else { return };
        let mut work = Work { system, statistics: &mut self.statistics };
        let longest = self.method.longest_step(&mut work, self.span.time, &self.y, norm);
        if let Some(longest) = longest {
            self.control.foresee(longest);
        }
    }

    /// The next step to try.
    fn proposal(&self) -> Proposal {
        let proposal = self.control.propose(&self.span);
        match self.limit {
            Some(limit) => self.span.cut(proposal, limit),
            None => proposal,
        }
    }

    /// What is known where the integration stops.
    fn stop(&self, system: &dyn FirstOrderSystem, step: f64) -> Stop {
        let controlled = ..system.controlled_len();
        let relative_to_tolerance =
            |(at, (y, rate)): (usize, (&f64, &f64))| match self.control.norm() {
                Some(norm) => rate.abs() / norm.scale(at, y.abs()).max(f64::MIN_POSITIVE),
                None => rate.abs(),
            };
        let rates = self.y[controlled].iter().zip(&self.rate).enumerate();
        let rates = rates.map(relative_to_tolerance);
        let too_long = self.step_is_too_long(step);
        let sizes = self.y[controlled].iter().map(|y| y.abs());
        let largest = position_of_largest(sizes);
        Stop {
            time: self.span.time,
            step,
            fastest: position_of_largest(rates),
            stiff: self.is_stiff(),
            fixed: self.control.norm().is_none(),
            too_long: too_long.then(|| (largest, self.y[largest])),
        }
    }

    fn is_stiff(&self) -> bool {
        self.watch.limit == StepLimit::Stability || self.statistics.mostly_stiff()
    }

    /// Whether an explicit method took fixed steps that do not resolve what happens: in the last one the slopes changed
    /// by more than the state could follow, or the state grew to its multiple.
    fn step_is_too_long(&self, step: f64) -> bool {
        let watched = self.control.norm().is_some() || !self.method.is_explicit();
        if watched || self.statistics.steps == 0 {
            return false;
        }
        let largest = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).fold(0.0, |largest: f64, (a, b)| largest.max((a - b).abs()))
        };
        let moved = largest(&self.y, &self.y_previous);
        let grown = largest(&self.rate, &self.rate_previous);
        let size = max_abs(&self.y_previous);
        step * grown > moved || moved > size
    }
}

/// The place of the largest of some numbers; 0 if there are none.
fn position_of_largest(numbers: impl Iterator<Item = f64>) -> usize {
    numbers.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(place, _)| place)
}

/// How [`check_finite`] names a slope.
const RATE: &str = "the rate of ";

impl<M: Method + 'static> Integrator for Stepper<M> {
    fn begin(
        &mut self,
        system: &mut dyn FirstOrderSystem,
        t: f64,
        y: &[f64],
        t_end: f64,
    ) -> Result<(), IntegrationError> {
        self.options.check()?;
        if !(t.is_finite() && t_end.is_finite()) {
            let reason = "the interval must be finite";
            return Err(IntegrationError::InvalidOption { option: "t_end", reason });
        }
        let n = system.len();
        if y.len() != n {
            return Err(IntegrationError::StateLength { expected: n, found: y.len() });
        }
        self.method.begin(system)?;
        self.span = TimeSpan::new(t, t_end);
        self.statistics = Statistics::default();
        self.watch = StiffnessWatch::default();
        self.limit = None;
        self.dense_ready = false;
        self.dense.resize(self.method.factors(), n);
        for buffer in [&mut self.y, &mut self.y_previous, &mut self.y_new] {
            buffer.clear();
            buffer.extend_from_slice(y);
        }
        for buffer in [&mut self.rate, &mut self.rate_new, &mut self.rate_previous] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        let mut work = Work { system, statistics: &mut self.statistics };
        let start = Stop { time: t, ..Stop::default() };
        check_finite("", y).map_err(|failure| failure.into_error(work.system, start))?;
        work.derivative(t, y, &mut self.rate)
            .map_err(|source| IntegrationError::Breakdown { time: t, source })?;
        check_finite(RATE, &self.rate).map_err(|failure| failure.into_error(work.system, start))?;
        self.control.begin(&mut IntegrationStart { work, span: self.span, y, rate: &self.rate })?;
        self.look_ahead(system);
        Ok(())
    }

    fn step(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        while !self.attempt(system)? {}
        Ok(())
    }

    fn attempt(&mut self, system: &mut dyn FirstOrderSystem) -> Result<bool, IntegrationError> {
        let time = self.span.time;
        if self.span.finished() {
            return Ok(true);
        }
        let steps = self.statistics.steps + self.statistics.rejected;
        if steps >= self.options.max_steps {
            return Err(IntegrationError::StepLimit { time, steps, stiff: self.is_stiff() });
        }
        let proposal = self.proposal();
        match self.try_step(system, proposal) {
            Ok(trial) => {
                self.accept(proposal, &trial);
                self.look_ahead(system);
                Ok(true)
            }
            Err(failure) => {
                self.statistics.rejected += 1;
                self.method.rejected();
                self.tried = proposal.t_new;
                let h = proposal.h.abs();
                let at_floor = h <= self.span.floor();
                match at_floor || !self.control.rejected(h, &failure) {
                    true => Err(failure.into_error(system, self.stop(system, h))),
                    false => Ok(false),
                }
            }
        }
    }

    fn rejected_end(&self) -> Option<f64> {
        Some(self.tried)
    }

    fn time(&self) -> f64 {
        self.span.time
    }

    fn previous_time(&self) -> f64 {
        self.span.previous
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn prepare_dense(&mut self, system: &mut dyn FirstOrderSystem) {
        if self.dense_ready {
            return;
        }
        let (t, t_new) = (self.span.previous, self.span.time);
        let mut work = Work { system, statistics: &mut self.statistics };
        let step = TrialStep {
            t,
            t_new,
            h: t_new - t,
            y: &self.y_previous,
            rate: &self.rate_previous,
            norm: self.control.norm(),
        };
        self.method.interpolant(&mut work, step, &self.y, &self.rate, &mut self.dense);
        self.dense_ready = true;
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        if t == self.span.time {
            y.copy_from_slice(&self.y);
        } else if t == self.span.previous {
            y.copy_from_slice(&self.y_previous);
        } else {
            debug_assert!(self.dense_ready, "dense output is prepared before it is asked for");
            let theta = (t - self.span.previous) / (self.span.time - self.span.previous);
            self.dense.evaluate(theta, &self.y_previous, y);
        }
    }

    fn reactions(&self, t: f64, accelerations: &mut [f64], multipliers: &mut [f64]) -> bool {
        let Some([before, after]) = self.method.multipliers() else { return false };
        if self.statistics.steps == 0 {
            return false;
        }
        let theta = (t - self.span.previous) / (self.span.time - self.span.previous);
        let across = |a: f64, b: f64| a + theta * (b - a);
        for (i, multiplier) in multipliers.iter_mut().enumerate() {
            *multiplier = across(before[i], after[i]);
        }
        let n = accelerations.len();
        for (i, acceleration) in accelerations.iter_mut().enumerate() {
            *acceleration = across(self.rate_previous[n + i], self.rate[n + i]);
        }
        true
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn proposed_end(&self) -> Option<f64> {
        self.control.norm().map(|_| self.proposal().t_new)
    }

    fn limit(&mut self, end: f64) {
        self.limit = self.control.norm().map(|_| end);
    }

    fn aim(&mut self, end: f64) {
        if self.control.norm().is_some() {
            self.control.retracted((end - self.span.time).abs().max(self.span.floor()));
            self.limit = Some(end);
        }
    }

    fn retract(&mut self, system: &mut dyn FirstOrderSystem, end: f64) {
        if self.control.norm().is_none() || self.span.time == self.span.previous {
            return;
        }
        std::mem::swap(&mut self.y_previous, &mut self.y);
        std::mem::swap(&mut self.rate_previous, &mut self.rate);
        self.span.advance(self.span.previous);
        self.span.previous = self.span.time;
        self.dense_ready = false;
        self.statistics.steps -= 1;
        self.statistics.rejected += 1;
        // what the method keeps from step to step belongs to the one that is gone; it began with this system before
        let _ = self.method.begin(system);
        self.aim(end);
    }

    fn forget(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        if self.control.norm().is_none() || self.span.finished() {
            return Ok(());
        }
        let time = self.span.time;
        self.method.begin(system)?;
        self.limit = None;
        let mut work = Work { system, statistics: &mut self.statistics };
        work.derivative(time, &self.y, &mut self.rate)
            .map_err(|source| IntegrationError::Breakdown { time, source })?;
        // what lies behind belongs to another motion
        self.y_previous.copy_from_slice(&self.y);
        self.rate_previous.copy_from_slice(&self.rate);
        self.span.previous = time;
        let span = TimeSpan { start: time, ..self.span };
        self.control.begin(&mut IntegrationStart { work, span, y: &self.y, rate: &self.rate })?;
        self.look_ahead(system);
        Ok(())
    }

    fn ends(&self) -> Option<[(&[f64], &[f64]); 2]> {
        Some([(&self.y_previous, &self.rate_previous), (&self.y, &self.rate)])
    }

    fn relative_to_tolerance(&self, error: &[f64]) -> f64 {
        self.control.norm().map_or(0.0, |norm| norm.measure(error, &self.y_previous, &self.y))
    }

    fn interpolate_rate(&self, t: f64, rate: &mut [f64]) -> bool {
        if t == self.span.time {
            rate.copy_from_slice(&self.rate);
        } else if t == self.span.previous {
            rate.copy_from_slice(&self.rate_previous);
        } else {
            let h = self.span.time - self.span.previous;
            self.dense.evaluate_rate((t - self.span.previous) / h, h, rate);
        }
        true
    }

    fn step_limit(&self) -> StepLimit {
        self.watch.limit
    }
}
