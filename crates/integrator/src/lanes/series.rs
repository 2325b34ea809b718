//! Power series of all lanes: what [`crate::series`] does for one.

use super::arithmetic::Arithmetic;
use super::lane_control::LaneControl;
use super::lane_steps::LaneSteps;
use super::loops::States;
use super::{LaneSystem, Lanes};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::series::step_rule::{MAX_BELIEVED_GROWTH, StepRule};
use catena_linear::Aligned;

/// The series of all lanes.
pub(super) struct LaneSeries {
    rule: StepRule,
    /// y₁ … y_p where each lane stands, one order after the other; those of the last step until the next is tried.
    coefficients: Aligned,
    /// Slopes of the sums at the ends of the attempts, and what they miss.
    slopes: Aligned,
    /// The steps that the last coefficients promise; NaN where these are no numbers, 0 where they are infinite.
    promised: Aligned,
    /// Sizes of the coefficients of an order relative to the tolerance.
    sizes: Aligned,
    /// One for each lane.
    ones: Aligned,
    /// The lengths of the steps before; 0 where there was none.
    last_steps: Aligned,
}

impl LaneSeries {
    pub(super) fn new(options: &Options, len: usize, width: usize) -> LaneSeries {
        let rule = StepRule::new(options);
        let numbers = || Aligned::zeros(width);
        LaneSeries {
            coefficients: Aligned::zeros(rule.order * len * width),
            slopes: Aligned::zeros(len * width),
            promised: numbers(),
            sizes: numbers(),
            ones: Aligned::from(vec![1.0; width].as_slice()),
            last_steps: numbers(),
            rule,
        }
    }

    /// A lane begins.
    pub(super) fn begin(&mut self, lane: usize) {
        self.last_steps[lane] = 0.0;
    }

    /// Steps of these lengths were tried; those of some lanes were accepted.
    pub(super) fn accept(&mut self, steps: &LaneSteps) {
        for (at, last) in self.last_steps.iter_mut().enumerate() {
            *last = if steps.has_moved(at) { steps.h[at].abs() } else { *last };
        }
    }

    /// The series where all lanes stand, and the steps that they foresee.
    pub(super) fn expand(
        &mut self,
        system: &mut dyn LaneSystem,
        (steps, y): (&LaneSteps, &[f64]),
        arithmetic: &Arithmetic,
        control: Option<&mut LaneControl>,
    ) {
        let (t, states) = system.inputs();
        t.copy_from_slice(&steps.time);
        states.copy_from_slice(y);
        system.series(&mut self.coefficients);
        let LaneSeries { rule, coefficients, promised, sizes, ones, last_steps, .. } = self;
        let Some(control) = control else { return };
        let norm = &control.norm;
        let of_order = |k: usize| match k {
            0 => y,
            k => &coefficients[(k - 1) * y.len()..k * y.len()],
        };
        let last = [rule.order, rule.order - 1].map(of_order);
        (arithmetic.promise)(rule, norm, last, y, promised);
        for at in 0..promised.len() {
            let (promise, limit) = (promised[at], MAX_BELIEVED_GROWTH * last_steps[at]);
            let is_plain = promise.is_nan() | (promise > 0.0) & (promise <= limit);
            if !is_plain && steps.is_running(at) && control.foresees(at) {
                let norm = StepRule::size_norm(norm);
                promised[at] = rule.restrain(promise, last_steps[at], |k| {
                    let states = States { y, y_new: y, h: ones };
                    (arithmetic.measure)(&norm, of_order(k), states, sizes);
                    sizes[at]
                });
            }
        }
        (arithmetic.foresee)(control, promised);
    }

    /// The sums at the ends of the attempts.
    pub(super) fn sum(&mut self, arithmetic: &Arithmetic, y: &[f64], h: &[f64], y_new: &mut [f64]) {
        (arithmetic.sum_series)(&self.coefficients, [y, h], y_new, &mut self.slopes);
    }

    /// The sizes of the errors relative to the tolerance: what the slopes miss.
    pub(super) fn measure(
        &mut self,
        arithmetic: &Arithmetic,
        norm: &ErrorNorm,
        rate_new: &[f64],
        states: States<'_>,
        errors: &mut [f64],
    ) {
        for (slope, rate) in self.slopes.iter_mut().zip(rate_new) {
            *slope = rate - *slope;
        }
        (arithmetic.measure)(norm, &self.slopes, states, errors);
    }

    /// Rows of [`crate::dense`] for the step that was just made, from the states at its ends and its length.
    pub(super) fn dense_rows(
        &self,
        arithmetic: &Arithmetic,
        ends: [&[f64]; 2],
        h: &[f64],
        rows: &mut [f64],
    ) {
        (arithmetic.series_rows)(&self.coefficients, ends, h, rows);
    }
}

impl Lanes {
    /// Expands the series where the lanes stand, if the method sums any; before steps are proposed.
    pub(super) fn expand_series(&mut self, system: &mut dyn LaneSystem) {
        if let Some(series) = &mut self.series {
            let at = (&self.steps, &self.now[..self.len * self.width]);
            series.expand(system, at, self.arithmetic, self.control.as_mut());
        }
    }
}
