//! The engine of all explicit Runge–Kutta methods.

use super::ExplicitMethod;
use super::slope_sums::{advance, combine};
use super::tableau::{ErrorEstimator, Tableau};
use crate::dense::{ALTERNATING, Dense, Factor};
use crate::error::IntegrationError;
use crate::method::{Failure, Method, Trial, TrialStep, Work};
use crate::system::FirstOrderSystem;
use crate::whole_steps::Attempt;

/// So many attempts are made stage by stage before the system is asked again whether it computes whole ones.
const STAGED_ATTEMPTS: u32 = 100;
/// So many defects of whole attempts, one after the other, are taken for a motion that has to be solved in loops.
const MOST_DEFECTS: u32 = 10;

/// An explicit Runge–Kutta method with room for its slopes.
#[derive(Debug)]
pub(super) struct RungeKutta {
    method: &'static ExplicitMethod,
    tableau: &'static Tableau,
    len: usize,
    /// k₁ … k_s, the slope at the new state, and those of dense output, one after the other.
    slopes: Vec<f64>,
    stage: Vec<f64>,
    combination: Vec<f64>,
    /// A state at the end of the step, and its slope, to compare the new ones with.
    probe: [Vec<f64>; 2],
    /// Whether the system computes whole attempts.
    whole: bool,
    /// Attempts made stage by stage since it was asked for that.
    staged: u32,
    /// Whole attempts in a row that had a defect.
    defects: u32,
    /// What a whole attempt finds, as [`crate::WholeAttempts`] has it.
    found: Vec<f64>,
}

impl RungeKutta {
    pub(super) fn new(method: &'static ExplicitMethod) -> Self {
        Self {
            method,
            tableau: method.tableau,
            len: 0,
            slopes: Vec::new(),
            stage: Vec::new(),
            combination: Vec::new(),
            probe: Default::default(),
            whole: false,
            staged: 0,
            defects: 0,
            found: Vec::new(),
        }
    }

    /// Asks the system whether it computes whole attempts.
    fn prepare_whole(&mut self, system: &mut dyn FirstOrderSystem) {
        self.defects = 0;
        let staged = std::mem::take(&mut self.staged);
        let whole = system.whole_steps();
        self.whole = whole.is_some_and(|whole| whole.prepare(self.method, staged));
    }

    /// The slopes that the estimate may weigh and the new state, by the system as a whole. False where something is not
    /// sound: what it is will be found stage by stage.
    fn attempt_at_once(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> bool {
        let Some(whole) = work.system.whole_steps() else { return false };
        let TrialStep { t, h, t_new, y, rate, .. } = step;
        let attempt = Attempt { method: self.method, times: [t, h, t_new], y, rate };
        if !whole.attempt(attempt, &mut self.found) {
            return false;
        }
        let (len, stages) = (self.len, self.tableau.stages());
        let (ends, others) = self.found.split_at(2 * len);
        y_new.copy_from_slice(&ends[..len]);
        rate_new.copy_from_slice(&ends[len..]);
        self.slopes[..len].copy_from_slice(rate);
        self.slopes[len..stages * len].copy_from_slice(&others[..(stages - 1) * len]);
        self.slopes[stages * len..(stages + 1) * len].copy_from_slice(rate_new);
        true
    }

    /// The states of the last two stages, in `probe` and `stage`, from the slopes of the stages before.
    fn revisit_last_stages(&mut self, step: TrialStep<'_>) {
        let Self { tableau, slopes, stage, probe, .. } = self;
        let last = tableau.stages() - 1;
        if tableau.c[last] != 1.0 {
            advance(tableau.a[last - 1], slopes, step.y, step.h, &mut probe[0]);
        }
        advance(tableau.a[last], slopes, step.y, step.h, stage);
    }

    /// Whether the estimate weighs the slope at the new state.
    fn estimate_reaches_new_slope(&self) -> bool {
        matches!(self.tableau.estimate, ErrorEstimator::Embedded(weights) if weights.len() > self.tableau.stages())
    }

    /// Evaluates slope `i` at $y+h\sum a_jk_j$.
    fn evaluate(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        i: usize,
        c: f64,
        a: &[f64],
    ) -> Result<(), Failure> {
        advance(a, &self.slopes, step.y, step.h, &mut self.stage);
        let slope = &mut self.slopes[i * self.len..(i + 1) * self.len];
        Ok(work.derivative(step.at(c), &self.stage, slope)?)
    }

    /// The last stage as it would be at the end of the step: where it lies before, on the line through the last two, the
    /// first of which is in `probe`.
    fn set_probe(&mut self) {
        let (c, last) = (self.tableau.c, self.tableau.stages() - 1);
        let slopes = |i: usize| &self.slopes[i * self.len..(i + 1) * self.len];
        let [state, slope] = &mut self.probe;
        if c[last] == 1.0 {
            state.copy_from_slice(&self.stage);
            slope.copy_from_slice(slopes(last));
            return;
        }
        let beyond = (1.0 - c[last]) / (c[last] - c[last - 1]);
        for (state, stage) in state.iter_mut().zip(&self.stage) {
            *state = stage + beyond * (stage - *state);
        }
        for ((slope, k), before) in slope.iter_mut().zip(slopes(last)).zip(slopes(last - 1)) {
            *slope = k + beyond * (k - before);
        }
    }

    /// The size of the estimated error relative to the tolerance; an attempt that was made at once has summed its estimates.
    fn error(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &[f64],
        at_once: bool,
    ) -> f64 {
        let Some(norm) = step.norm else { return 0.0 };
        let estimate = &self.tableau.estimate;
        let sums = &self.found[(self.tableau.stages() + 1) * self.len..];
        let mut size = |which: usize, weights: &[f64]| {
            match at_once {
                true => self.combination.copy_from_slice(&sums[which * self.len..][..self.len]),
                false => combine(weights, &self.slopes, &mut self.combination),
            }
            work.system.discount_error(step.t_new, y_new, &mut self.combination);
            step.h.abs() * norm.measure(&self.combination, step.y, y_new)
        };
        match estimate {
            ErrorEstimator::None => 0.0,
            ErrorEstimator::Embedded(weights) => size(0, weights),
            ErrorEstimator::Pair { fifth, third } => {
                let (fifth, third) = (size(0, fifth), size(1, third));
                let root = (fifth * fifth + 0.01 * third * third).sqrt();
                if root == 0.0 { 0.0 } else { fifth * (fifth / root) }
            }
        }
    }
}

impl Method for RungeKutta {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        self.len = system.len();
        let count = self.tableau.stages() + 1 + self.tableau.extra.len();
        self.slopes.clear();
        self.slopes.resize(count * self.len, 0.0);
        let [state, slope] = &mut self.probe;
        for buffer in [&mut self.stage, &mut self.combination, state, slope] {
            buffer.clear();
            buffer.resize(self.len, 0.0);
        }
        let sums = self.tableau.estimate.weights().len();
        self.found.clear();
        self.found.resize((self.tableau.stages() + 1 + sums) * self.len + 1, 0.0);
        self.prepare_whole(system);
        Ok(())
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        let tableau = self.tableau;
        let stages = tableau.stages();
        if !self.whole && self.staged >= STAGED_ATTEMPTS {
            self.prepare_whole(work.system);
        }
        if self.whole && self.attempt_at_once(work, step, y_new, rate_new) {
            self.defects = 0;
            let error = self.error(work, step, y_new, true);
            // nobody compares stages of what is rejected
            if step.norm.is_some() && error <= 1.0 {
                self.revisit_last_stages(step);
                self.set_probe();
            }
            // counted as stage by stage, where nobody asks for the slope at a state that is rejected
            let slope_is_used = self.estimate_reaches_new_slope() || error <= 1.0;
            work.statistics.evaluations += stages as u64 - 1 + u64::from(slope_is_used);
            return Ok(Trial { error, rate_known: true, ..Trial::default() });
        }
        if self.whole {
            self.defects += 1;
            self.whole = self.defects < MOST_DEFECTS;
        }
        self.staged += 1;
        self.slopes[..self.len].copy_from_slice(step.rate);
        for i in 1..stages {
            if i + 1 == stages {
                self.probe[0].copy_from_slice(&self.stage);
            }
            self.evaluate(work, step, i, tableau.c[i], tableau.a[i])?;
        }
        if step.norm.is_some() {
            self.set_probe();
        }
        advance(tableau.b, &self.slopes, step.y, step.h, y_new);
        // The new slope is needed now only if the estimate weighs it; otherwise it waits until the state is final.
        let rate_known = step.norm.is_some() && self.estimate_reaches_new_slope();
        if rate_known {
            work.derivative(step.t_new, y_new, rate_new)?;
            self.slopes[stages * self.len..(stages + 1) * self.len].copy_from_slice(rate_new);
        }
        Ok(Trial { error: self.error(work, step, y_new, false), rate_known, ..Trial::default() })
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn stability(&self) -> Option<([f64; 2], [&[f64]; 2])> {
        let Tableau { boundary, imaginary_boundary, .. } = *self.tableau;
        Some(([boundary, imaginary_boundary], [&self.probe[0], &self.probe[1]]))
    }

    fn factors(&self) -> &'static [Factor] {
        &ALTERNATING[..3 + self.tableau.dense.len()]
    }

    fn interpolant(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &[f64],
        rate_new: &[f64],
        dense: &mut Dense,
    ) {
        dense.set_hermite(step.h, [step.y, step.rate], [y_new, rate_new]);
        let tableau = self.tableau;
        let stages = tableau.stages();
        self.slopes[stages * self.len..(stages + 1) * self.len].copy_from_slice(rate_new);
        for (i, extra) in tableau.extra.iter().enumerate() {
            // where a stage of its own cannot be evaluated, cubic polynomials have to do
            if self.evaluate(work, step, stages + 1 + i, extra.c, extra.a).is_err() {
                return;
            }
        }
        for (i, weights) in tableau.dense.iter().enumerate() {
            combine(weights, &self.slopes, &mut self.combination);
            for (row, sum) in dense.row_mut(3 + i).iter_mut().zip(&self.combination) {
                *row = step.h * sum;
            }
        }
        dense.set_used(3 + tableau.dense.len());
    }
}
