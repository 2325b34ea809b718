//! Power series of all lanes: what [`crate::series`] does for one.

use super::arithmetic::{Arithmetic, States};
use super::lane::Lane;
use super::{LaneSystem, Lanes};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::series::step_rule::StepRule;
use catena_linear::Aligned;

/// The series of all lanes.
pub(super) struct LaneSeries {
    rule: StepRule,
    /// y₁ … y_p where each lane stands, one order after the other; those of the last step until the next is tried.
    coefficients: Aligned,
    /// Slopes of the sums at the ends of the attempts, and what they miss.
    slopes: Aligned,
    /// The steps that the last coefficients promise; NaN where these are not finite.
    promised: Aligned,
    /// Sizes of the coefficients of an order relative to the tolerance.
    sizes: Aligned,
    /// One for each lane.
    ones: Aligned,
    /// Whether a lane stands where no step was foreseen yet.
    fresh: Vec<bool>,
    /// The length of the step before; 0 if there was none.
    last_step: Vec<f64>,
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
            fresh: vec![false; width],
            last_step: vec![0.0; width],
            rule,
        }
    }

    /// A lane begins.
    pub(super) fn begin(&mut self, lane: usize) {
        (self.fresh[lane], self.last_step[lane]) = (true, 0.0);
    }

    /// Steps of these lengths were tried; those of some lanes were accepted.
    pub(super) fn accept(&mut self, lanes: &[Lane], h: &[f64]) {
        for (at, _) in lanes.iter().enumerate().filter(|(_, lane)| lane.moved) {
            (self.fresh[at], self.last_step[at]) = (true, h[at].abs());
        }
    }

    /// The series where all lanes stand, and the steps that they foresee.
    pub(super) fn expand(
        &mut self,
        system: &mut dyn LaneSystem,
        (times, y): (&[f64], &[f64]),
        arithmetic: &Arithmetic,
        lanes: &mut [Lane],
    ) {
        let (t, states) = system.inputs();
        t.copy_from_slice(times);
        states.copy_from_slice(y);
        system.series(&mut self.coefficients);
        let LaneSeries { rule, coefficients, promised, sizes, ones, .. } = self;
        let Some(norm) = norm_of(lanes) else { return };
        let of_order = |k: usize| match k {
            0 => y,
            k => &coefficients[(k - 1) * y.len()..k * y.len()],
        };
        let last = [rule.order, rule.order - 1].map(of_order);
        (arithmetic.promise)(rule, norm, last, y, promised);
        for at in 0..lanes.len() {
            if !lanes[at].running || !std::mem::take(&mut self.fresh[at]) || promised[at].is_nan() {
                continue;
            }
            let Some(norm) = norm_of(lanes) else { return };
            let step = rule.restrain(promised[at], self.last_step[at], |k| {
                (arithmetic.measure)(norm, of_order(k), States { y, y_new: y, h: ones }, sizes);
                sizes[at]
            });
            lanes[at].control.foresee(step);
        }
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

/// How errors are measured in the lanes that run.
fn norm_of(lanes: &[Lane]) -> Option<&ErrorNorm> {
    lanes.iter().filter(|lane| lane.running).filter_map(|lane| lane.control.norm()).next()
}

impl Lanes {
    /// Expands the series where the lanes stand, if the method sums any; before steps are proposed.
    pub(super) fn expand_series(&mut self, system: &mut dyn LaneSystem) {
        if let Some(series) = &mut self.series {
            let at = (&self.steps.time[..], &self.now[..self.len * self.width]);
            series.expand(system, at, self.arithmetic, &mut self.lanes);
        }
    }
}
