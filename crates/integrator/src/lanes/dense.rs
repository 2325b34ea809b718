//! States between the ends of a step, for the lanes that have rows there.

use super::{LaneSystem, Lanes};

impl Lanes {
    /// The state of a lane at a time of the step that it just made.
    pub fn interpolate(&mut self, system: &mut dyn LaneSystem, lane: usize, t: f64, y: &mut [f64]) {
        let (time, previous) = (self.steps.time[lane], self.steps.previous[lane]);
        let width = self.width;
        let column = |states: &[f64], y: &mut [f64]| {
            for (i, y) in y.iter_mut().enumerate() {
                *y = states[i * width + lane];
            }
        };
        if t == time {
            return column(&self.now, y);
        }
        if t == previous {
            return column(&self.other, y);
        }
        self.prepare_dense(system);
        let theta = (t - previous) / (time - previous);
        let stride = self.stride();
        for (i, y) in y.iter_mut().enumerate() {
            let at = i * width + lane;
            let factors = self.factors.iter().enumerate().rev();
            let value = factors.fold(0.0, |value, (row, (a, b))| {
                (a + b * theta) * (value + self.dense[row * stride + at])
            });
            *y = value + self.other[at];
        }
    }

    /// The states of all lanes, each at a time of the step that it made last.
    pub fn interpolate_all(
        &mut self,
        system: &mut dyn LaneSystem,
        times: &[f64],
        states: &mut [f64],
    ) {
        self.prepare_dense(system);
        let ends = [&self.other[..self.stride()], &self.now[..self.stride()]];
        let rows = (self.factors, &self.dense[..]);
        (self.arithmetic.evaluate_dense)(rows, &self.steps, times, ends, states);
    }

    /// Times and states of all lanes half way through the step that each just made, by the cubic through both ends and their
    /// slopes: no rate is evaluated for it, and the error is of the fourth order. Those of lanes that did not move mean
    /// nothing.
    pub fn middles(&self, times: &mut [f64], states: &mut [f64]) {
        let (width, stride) = (self.width, self.len * self.width);
        let (time, previous) = (&self.steps.time[..width], &self.steps.previous[..width]);
        for (lane, out) in times[..width].iter_mut().enumerate() {
            *out = 0.5 * (time[lane] + previous[lane]);
        }
        for i in (0..self.len * width).step_by(width) {
            for lane in 0..width {
                let (at, h) = (i + lane, time[lane] - previous[lane]);
                let bend = 0.125 * h * (self.other[stride + at] - self.now[stride + at]);
                states[at] = 0.5 * (self.now[at] + self.other[at]) + bend;
            }
        }
    }

    /// The polynomials across the last step; those of lanes that did not move mean nothing.
    fn prepare_dense(&mut self, system: &mut dyn LaneSystem) {
        if std::mem::replace(&mut self.dense_ready, true) {
            return;
        }
        let (tableau, stride) = (self.tableau, self.stride());
        self.steps.revisit_last();
        let Self { now, other, steps, arithmetic, dense, .. } = self;
        if let Some(series) = &self.series {
            let ends = [&other[..stride], &now[..stride]];
            return series.dense_rows(arithmetic, ends, &steps.h, dense);
        }
        let ends = [&other[..2 * stride], &now[..2 * stride]];
        (arithmetic.hermite_rows)(ends, &steps.h, &mut dense[..3 * stride]);
        let stages = tableau.stages();
        let Self { now, other, slopes, .. } = self;
        if self.at_once {
            let (first, rest) = slopes.split_at_mut(stride);
            first.copy_from_slice(&other[stride..2 * stride]);
            let inner = (stages - 1) * stride;
            rest[..inner].copy_from_slice(&now[2 * stride..][..inner]);
        }
        slopes[stages * stride..(stages + 1) * stride].copy_from_slice(&now[stride..2 * stride]);
        for (i, (extra, terms)) in tableau.extra.iter().zip(&self.weights.extra).enumerate() {
            let (times, states) = system.inputs();
            self.steps.at_previous(extra.c, times);
            let Self { slopes, other, steps, .. } = self;
            (self.arithmetic.advance)(terms, slopes, &other[..stride], &steps.h, states);
            let first = (stages + 1 + i) * stride;
            system.evaluate(&mut slopes[first..first + stride]);
        }
        for (i, terms) in self.weights.dense.iter().enumerate() {
            let row = &mut self.dense[(3 + i) * stride..(4 + i) * stride];
            (self.arithmetic.combine)(terms, &self.slopes, &self.steps.h, row);
        }
    }
}
