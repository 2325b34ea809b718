//! The decay of a transient: a motion has settled when its state repeats after whole periods of the drive.
//!
//! # Equations
//! A motion that settles at the rate σ is $y(nT) = y^* + c\,e^{-\sigma nT}$, so that the *residual* $r = |y(nT)-y((n-m)T)|$
//! leaves the error $|y(nT)-y^*| = r\,/(e^{\sigma mT}-1) < r\,/(1-e^{-\sigma mT})$, and no more than that where c turns with an
//! angle of its own. The motion runs in *transient blocks* of some e-foldings of the slowest mode about rest. σ is the smaller
//! of that mode's rate and the rate at which r itself fell over the last block.

use super::extremes::Extremes;
use super::{ResponsePoint, TransientSettings};
use catena_ensemble::Times;

/// Periods at the end of a block that are observed: a response may take up to this many to repeat.
const OBSERVED_PERIODS: usize = 4;
/// The shortest block, in periods.
const MIN_BLOCK_PERIODS: u64 = 12;
/// The first block, in periods, where no decay rate is known; each further block is twice as long.
const FIRST_BLOCK_PERIODS: u64 = 64;
/// The smallest scale of a component's residual, relative to the largest amplitude of its kind.
const MIN_AMPLITUDE_RATIO: f64 = 1e-6;
/// Residuals below this multiple of the integrator's tolerance are its noise.
const NOISE_TO_TOLERANCE: f64 = 100.0;
/// What is left of a transient that has settled to rest, relative to noise.
const REMAINDER_TO_NOISE: f64 = 10.0;
/// A smaller residual after one period is no sign of a response that repeats after several.
const MIN_SUBHARMONIC_RESIDUAL: f64 = 1e-3;

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

/// Decides whether a motion has reached its steady state.
pub(super) struct SteadyStateTest {
    layout: Layout,
    settings: TransientSettings,
    rtol: f64,
    atol: f64,
    period: f64,
    decay_rate: Option<f64>,
    /// Blocks begun so far.
    blocks: u32,
    /// Periods of the present block, and of all so far.
    block_periods: u64,
    total_periods: u64,
    /// Rows of the present block.
    rows: usize,
    columns: Vec<Extremes>,
    /// The stroboscopic map: states after whole periods, the last `OBSERVED_PERIODS` + 1 of them.
    strobes: Vec<f64>,
    /// After one period, two periods, and so on.
    residuals: [f64; OBSERVED_PERIODS],
}

impl SteadyStateTest {
    pub(super) fn new(
        layout: Layout,
        settings: TransientSettings,
        [rtol, atol]: [f64; 2],
        period: f64,
        decay_rate: Option<f64>,
    ) -> SteadyStateTest {
        let columns = layout.state_len() + layout.outputs;
        SteadyStateTest {
            settings,
            rtol,
            atol,
            period,
            decay_rate,
            blocks: 0,
            block_periods: 0,
            total_periods: 0,
            rows: 0,
            columns: vec![Extremes::EMPTY; columns],
            strobes: Vec::with_capacity((OBSERVED_PERIODS + 1) * layout.state_len()),
            residuals: [f64::NAN; OBSERVED_PERIODS],
            layout,
        }
    }

    /// Begins the next block.
    pub(super) fn next_block(&mut self) -> Times {
        let TransientSettings { max_periods, max_blocks, e_folds, rows, .. } = self.settings;
        let longest = (max_periods / u64::from(max_blocks)).max(MIN_BLOCK_PERIODS);
        let wanted = match self.decay_rate {
            Some(rate) => (e_folds / (rate * self.period)).ceil() as u64,
            None => FIRST_BLOCK_PERIODS << self.blocks.min(16),
        };
        self.block_periods = wanted.clamp(MIN_BLOCK_PERIODS, longest);
        self.blocks += 1;
        self.total_periods += self.block_periods;
        self.rows = 0;
        self.columns.fill(Extremes::EMPTY);
        self.strobes.clear();
        let rows = rows as u64;
        let every = self.period / rows as f64;
        let first = ((self.block_periods - OBSERVED_PERIODS as u64) * rows) as f64;
        // between two rows, so that rounding decides nothing
        let after = (first - 0.5) * every;
        let t_end = (self.block_periods * rows) as f64 * every;
        Times { t_start: 0.0, t_end, every, after, step: None }
    }

    pub(super) fn add(&mut self, row: &[f64]) {
        for (column, &value) in self.columns.iter_mut().zip(row) {
            column.add(value);
        }
        if self.rows.is_multiple_of(self.settings.rows) {
            self.strobes.extend(&row[..self.layout.state_len()]);
        }
        self.rows += 1;
    }

    /// The response as known at the end of a block, with `true` if no further block is to be run; none if the block ended
    /// too early.
    pub(super) fn judge(&mut self, frequency: f64) -> Option<(ResponsePoint, bool)> {
        if self.strobes.len() != (OBSERVED_PERIODS + 1) * self.layout.state_len() {
            return None;
        }
        let before = self.residuals;
        self.residuals = std::array::from_fn(|at| self.residual(at + 1));
        let errors =
            std::array::from_fn::<f64, OBSERVED_PERIODS, _>(|at| self.error(at, before[at]));
        let tolerance = self.settings.tolerance;
        let best = |a: &usize, b: &usize| errors[*a].total_cmp(&errors[*b]);
        // the smallest bound holds; it does not mean that a slow transient is a response of several periods
        let (repeats, error) = match self.residuals[0] <= MIN_SUBHARMONIC_RESIDUAL {
            true => (0, errors.into_iter().fold(f64::INFINITY, f64::min)),
            false => {
                let first = (0..OBSERVED_PERIODS).find(|&at| errors[at] <= tolerance);
                let at = first.or_else(|| (0..OBSERVED_PERIODS).min_by(best)).unwrap_or(0);
                (at, errors[at])
            }
        };
        let settled = error <= tolerance;
        let outputs = &self.columns[self.layout.state_len()..];
        let at = self.strobes.len() - self.layout.state_len();
        let point = ResponsePoint {
            frequency,
            amplitudes: outputs.iter().map(Extremes::amplitude).collect(),
            largest: outputs.iter().map(Extremes::max_abs).collect(),
            settled,
            repeats_after: if settled { repeats as u32 + 1 } else { 1 },
            residual: self.residuals[if settled { repeats } else { 0 }],
            error,
            noise: self.noise(),
            time: self.total_periods as f64 * self.period,
            state: self.strobes[at..].to_vec(),
            failure: None,
        };
        Some((point, settled || self.blocks >= self.settings.max_blocks))
    }

    /// What the integrator's tolerance leaves open, relative to the largest amplitude of the state.
    fn noise(&self) -> f64 {
        let state = self.columns[..self.layout.state_len()].iter();
        let largest = state.map(Extremes::amplitude).fold(0.0, f64::max);
        match NOISE_TO_TOLERANCE * self.atol {
            _ if largest == 0.0 => f64::INFINITY,
            // a transient that dies out is left alone as soon as it changes by no more than noise
            noise => REMAINDER_TO_NOISE * noise / largest,
        }
    }

    /// The distance between states this many periods apart, relative to the amplitude of each component.
    fn residual(&self, periods: usize) -> f64 {
        let (n, size) = (self.layout.coordinates, self.layout.state_len());
        let last = &self.strobes[OBSERVED_PERIODS * size..];
        let earlier = &self.strobes[(OBSERVED_PERIODS - periods) * size..];
        // what dies out altogether settles too: as far as the integrator can tell it from rest
        let rest =
            (NOISE_TO_TOLERANCE * self.atol / self.settings.tolerance).max(f64::MIN_POSITIVE);
        let mut residual: f64 = 0.0;
        for kind in [0..n, n..2 * n, 2 * n..size] {
            let amplitude = |at: usize| self.columns[at].amplitude();
            let most = kind.clone().map(amplitude).fold(0.0, f64::max);
            for at in kind {
                let distance = (last[at] - earlier[at]).abs();
                let scale = amplitude(at).max(MIN_AMPLITUDE_RATIO * most).max(rest);
                residual = residual.max(distance / scale);
            }
        }
        residual
    }

    /// A bound on the distance from the steady state, from the residual after `at` + 1 periods and the one a block earlier.
    fn error(&self, at: usize, before: f64) -> f64 {
        let (residual, duration) = (self.residuals[at], self.block_periods as f64 * self.period);
        let seen = (before / residual).ln() / duration;
        let rate = match self.decay_rate {
            // nothing slower than the block can be seen in noise
            _ if residual <= NOISE_TO_TOLERANCE * self.rtol => {
                self.decay_rate.unwrap_or(1.0 / duration)
            }
            Some(rate) if rate < seen => rate,
            // unknown after the first block
            _ => seen,
        };
        match rate > 0.0 {
            true => residual / -(-rate * (at + 1) as f64 * self.period).exp_m1(),
            false => f64::INFINITY,
        }
    }
}
