//! When a motion has settled: the same state again after whole periods of the drive.
//!
//! # Equations
//! A motion that settles with the rate σ is $y(nT) = y^* + c\,e^{-\sigma nT}$, so that the *residual* $r = |y(nT)-y((n-m)T)|$
//! leaves the error $|y(nT)-y^*| = r\,/(e^{\sigma mT}-1) < r\,/(1-e^{-\sigma mT})$, and no more than that where c turns with an
//! angle of its own. It runs in *legs* of some e-foldings of the slowest mode about rest. σ is the smaller one of that mode's
//! rate and of the rate at which r itself fell over the last leg.

use super::extremes::Extremes;
use super::{Point, Settling};
use catena_ensemble::Times;

/// Periods at the end of a leg that are looked at: responses may repeat after as many.
pub(super) const KEPT: usize = 4;
/// Legs have at least so many periods.
const SHORTEST: u64 = 12;
/// The first leg of a motion whose modes say nothing; the next ones are twice as long each.
const BLIND: u64 = 64;
/// A component smaller than this beside the largest of its kind is not asked to settle by itself.
const NEGLIGIBLE: f64 = 1e-6;
/// What is smaller than this many tolerances is the integrator's noise.
const NOISE: f64 = 100.0;
/// States that differ by less than this after one period do not need several to repeat themselves.
const VISIBLE: f64 = 1e-3;

/// How the columns of a row are ordered: coordinates, velocities, states, outputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) coordinates: usize,
    pub(super) states: usize,
    pub(super) outputs: usize,
}

impl Layout {
    pub(super) fn state_len(&self) -> usize {
        2 * self.coordinates + self.states
    }
}

/// A motion on its way to a steady response.
pub(super) struct Approach {
    layout: Layout,
    settling: Settling,
    rtol: f64,
    atol: f64,
    period: f64,
    decay_rate: Option<f64>,
    legs: u32,
    /// Periods of the present leg, and of all so far.
    leg: u64,
    total: u64,
    /// Rows of the present leg.
    rows: usize,
    columns: Vec<Extremes>,
    /// States after whole periods, the last KEPT + 1 of them.
    strobes: Vec<f64>,
    residuals: [f64; KEPT],
}

impl Approach {
    pub(super) fn new(
        layout: Layout,
        settling: Settling,
        [rtol, atol]: [f64; 2],
        period: f64,
        decay_rate: Option<f64>,
    ) -> Approach {
        let columns = layout.state_len() + layout.outputs;
        Approach {
            settling,
            rtol,
            atol,
            period,
            decay_rate,
            legs: 0,
            leg: 0,
            total: 0,
            rows: 0,
            columns: vec![Extremes::NOTHING; columns],
            strobes: Vec::with_capacity((KEPT + 1) * layout.state_len()),
            residuals: [f64::NAN; KEPT],
            layout,
        }
    }

    /// Begins the next leg.
    pub(super) fn next_leg(&mut self) -> Times {
        let longest = (self.settling.most_periods / u64::from(self.settling.legs)).max(SHORTEST);
        let wanted = match self.decay_rate {
            Some(rate) => (self.settling.e_folds / (rate * self.period)).ceil() as u64,
            None => BLIND << self.legs.min(16),
        };
        self.leg = wanted.clamp(SHORTEST, longest);
        self.legs += 1;
        self.total += self.leg;
        self.rows = 0;
        self.columns.fill(Extremes::NOTHING);
        self.strobes.clear();
        let rows = self.settling.rows as u64;
        let every = self.period / rows as f64;
        let first = ((self.leg - KEPT as u64) * rows) as f64;
        // between two rows, so that rounding decides nothing
        let after = (first - 0.5) * every;
        Times { t_end: (self.leg * rows) as f64 * every, every, after, step: None }
    }

    pub(super) fn add(&mut self, row: &[f64]) {
        for (column, &value) in self.columns.iter_mut().zip(row) {
            column.add(value);
        }
        if self.rows.is_multiple_of(self.settling.rows) {
            self.strobes.extend(&row[..self.layout.state_len()]);
        }
        self.rows += 1;
    }

    /// What is known at the end of a leg, with true if nothing more is to be waited for; none if it ended too early.
    pub(super) fn judge(&mut self, frequency: f64) -> Option<(Point, bool)> {
        if self.strobes.len() != (KEPT + 1) * self.layout.state_len() {
            return None;
        }
        let before = self.residuals;
        self.residuals = std::array::from_fn(|at| self.residual(at + 1));
        let errors = std::array::from_fn::<f64, KEPT, _>(|at| self.error(at, before[at]));
        let tolerance = self.settling.tolerance;
        let best = |a: &usize, b: &usize| errors[*a].total_cmp(&errors[*b]);
        // the smallest bound holds; it does not mean that a slow transient is a response of several periods
        let (repeats, error) = match self.residuals[0] <= VISIBLE {
            true => (0, errors.into_iter().fold(f64::INFINITY, f64::min)),
            false => {
                let first = (0..KEPT).find(|&at| errors[at] <= tolerance);
                let at = first.or_else(|| (0..KEPT).min_by(best)).unwrap_or(0);
                (at, errors[at])
            }
        };
        let settled = error <= tolerance;
        let outputs = &self.columns[self.layout.state_len()..];
        let at = self.strobes.len() - self.layout.state_len();
        let point = Point {
            frequency,
            amplitudes: outputs.iter().map(Extremes::amplitude).collect(),
            largest: outputs.iter().map(Extremes::size).collect(),
            settled,
            repeats_after: if settled { repeats as u32 + 1 } else { 1 },
            residual: self.residuals[if settled { repeats } else { 0 }],
            error,
            time: self.total as f64 * self.period,
            state: self.strobes[at..].to_vec(),
            failure: None,
        };
        Some((point, settled || self.legs >= self.settling.legs))
    }

    /// The distance of states that lie so many periods apart, beside the amplitude of each component.
    fn residual(&self, periods: usize) -> f64 {
        let (n, size) = (self.layout.coordinates, self.layout.state_len());
        let last = &self.strobes[KEPT * size..];
        let earlier = &self.strobes[(KEPT - periods) * size..];
        // what dies out altogether settles, too: as well as the integrator can tell it from rest
        let rest = (NOISE * self.atol / self.settling.tolerance).max(f64::MIN_POSITIVE);
        let mut residual: f64 = 0.0;
        for kind in [0..n, n..2 * n, 2 * n..size] {
            let amplitude = |at: usize| self.columns[at].amplitude();
            let most = kind.clone().map(amplitude).fold(0.0, f64::max);
            for at in kind {
                let distance = (last[at] - earlier[at]).abs();
                let scale = amplitude(at).max(NEGLIGIBLE * most).max(rest);
                residual = residual.max(distance / scale);
            }
        }
        residual
    }

    /// How far the motion may still be from where it goes.
    fn error(&self, at: usize, before: f64) -> f64 {
        let (residual, duration) = (self.residuals[at], self.leg as f64 * self.period);
        let seen = (before / residual).ln() / duration;
        let rate = match self.decay_rate {
            // nothing slower than the leg can be seen in noise
            _ if residual <= NOISE * self.rtol => self.decay_rate.unwrap_or(1.0 / duration),
            Some(rate) if rate < seen => rate,
            // unknown after the first leg
            _ => seen,
        };
        match rate > 0.0 {
            true => residual / -(-rate * (at + 1) as f64 * self.period).exp_m1(),
            false => f64::INFINITY,
        }
    }
}
