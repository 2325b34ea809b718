//! Taylor series: each step sums the power series of the solution, whose order follows the tolerance.
//!
//! # Equations
//! $$y(t+h)=\sum_{k\le p}y_kh^k,\qquad p=\lceil-\tfrac23\ln\varepsilon\rceil,\qquad
//! \|y_ph^p\|\le e^{-2-0.7p/(p-1)},\qquad\|y_{p-1}h^{p-1}\|\le e^{-0.7},$$
//! with coefficients from automatic differentiation of the equations, $\varepsilon$ = rtol + atol and the norm of the
//! tolerance (`step_rule.rs`). Jorba and Zou's order, $1-\tfrac12\ln\varepsilon$, makes a step of these conditions $e^{-2}$ of
//! the radius of convergence, which is best where products are all there is to do. Two coefficients that happen to vanish
//! promise endless steps, as those of a chain let go from the horizontal do. Therefore a step that grows needs four more
//! coefficients that decay, and every step is checked: what the polynomial says of the rate at the end is compared with the
//! equations,
//! $$e=h\,\|\dot y(t+h)-f(t+h,y(t+h))\|,$$
//! and a step with $e>1$ is tried again, shorter, with the same coefficients. A step that grows, or that somebody has cut to
//! end where something happens, is looked at inside too. The polynomial is the dense output.
//!
//! # When to choose it
//! Tight tolerances, 10⁻⁹ to 10⁻¹⁵, smooth equations of a few bodies; reference solutions. It needs the equations as
//! formulas that are computed in a straight line: formulations that solve in loops are refused, and so are systems whose
//! series would be too long. At loose tolerances and in large systems `dop853` is faster. A fixed `step` has Jorba
//! and Zou's order for the tolerances. One series counts as one evaluation.
//!
//! # Reference
//! Jorba, Zou, *A software package for the numerical integration of ODEs by means of high-order Taylor methods*,
//! Experimental Mathematics 14, 2005, section 3.

use super::stability;
use super::step_rule::{MAX_BELIEVED_GROWTH, StepRule};
use crate::catalogue::Entry;
use crate::control::StepControl;
use crate::control::fixed::Fixed;
use crate::control::rule::Rule;
use crate::control::steered::Steered;
use crate::dense::{Dense, Factor, POWERS};
use crate::error::IntegrationError;
use crate::integrator::Integrator;
use crate::lanes::LaneMethod;
use crate::method::{Failure, Method, Trial, TrialStep, Work, check_finite};
use crate::norm::ErrorNorm;
use crate::options::Options;
use crate::stepper::Stepper;
use crate::system::FirstOrderSystem;

/// Where the rate is compared inside of unusual steps, as parts of the step.
const PLACES_INSIDE: [f64; 8] = [0.06, 0.17, 0.29, 0.41, 0.53, 0.66, 0.78, 0.9];

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "taylor",
    aliases: &[],
    summary: "adaptive, Taylor series whose order follows the tolerance, for the tightest ones",
    reference: "Jorba, Zou 2005",
    order: 8,
    dense_order: 8,
    ..Entry::series(build, LaneMethod::TAYLOR)
};

fn build(options: &Options) -> Box<dyn Integrator> {
    Stepper::build(options, Taylor::new(options), control(options))
}

pub(crate) fn control(options: &Options) -> Box<dyn StepControl> {
    let rule = StepRule::new(options);
    match options.step {
        Some(_) => Fixed::boxed(options),
        None => Steered::boxed(options, Rule::Foreseen { order: rule.order }),
    }
}

/// The series of the solution.
#[derive(Debug)]
struct Taylor {
    rule: StepRule,
    len: usize,
    /// y₁ … y_p at the present state, one order after the other, if `ready`.
    coefficients: Vec<f64>,
    ready: bool,
    /// Those of the last step, and its length; 0 if there was none.
    last: Vec<f64>,
    last_step: f64,
    /// The step that was promised last.
    foreseen: f64,
    error: Vec<f64>,
    /// The sum without its last term, and its slope, to compare the new state with.
    probe: [Vec<f64>; 2],
    /// How far it is stable on the negative real and on the imaginary axis.
    boundaries: [f64; 2],
}

impl Taylor {
    fn new(options: &Options) -> Taylor {
        let rule = StepRule::new(options);
        Taylor {
            boundaries: stability::boundaries(rule.order),
            rule,
            len: 0,
            coefficients: Vec::new(),
            ready: false,
            last: Vec::new(),
            last_step: 0.0,
            foreseen: 0.0,
            error: Vec::new(),
            probe: Default::default(),
        }
    }

    /// The series at a state, unless it is known.
    fn expand(&mut self, work: &mut Work<'_>, t: f64, y: &[f64]) -> Result<(), Failure> {
        if self.ready {
            return Ok(());
        }
        work.statistics.evaluations += 1;
        if let Some(series) = work.system.series() {
            series.coefficients(t, y, &mut self.coefficients);
        }
        for coefficients in self.coefficients.chunks_exact(self.len.max(1)) {
            check_finite("a Taylor coefficient (`dop853` does without) of ", coefficients)?;
        }
        self.ready = true;
        Ok(())
    }

    /// The sum of the series at a distance h, and its slope there into `error`.
    fn sum(&mut self, y: &[f64], h: f64, y_new: &mut [f64]) {
        let n = self.len;
        for i in 0..n {
            let (mut sum, mut slope) = (0.0, 0.0);
            for coefficients in self.coefficients.chunks_exact(n).rev() {
                slope = slope * h + sum;
                sum = sum * h + coefficients[i];
            }
            y_new[i] = y[i] + h * sum;
            self.error[i] = sum + h * slope;
        }
    }

    /// What the slope in `error` misses of the rate at a state, relative to the tolerance.
    fn residual(
        &mut self,
        work: &mut Work<'_>,
        (step, norm): (TrialStep<'_>, &ErrorNorm),
        (t, y): (f64, &[f64]),
        rate: &[f64],
    ) -> f64 {
        for (error, rate) in self.error.iter_mut().zip(rate) {
            *error = rate - *error;
        }
        work.system.discount_error(t, y, &mut self.error);
        step.h.abs() * norm.measure(&self.error, step.y, y)
    }

    /// Whether a step is longer than those before, or ends where somebody else wants it to: there may be something on the
    /// way that neither end knows of.
    fn is_unusual(&self, h: f64) -> bool {
        h.abs() > MAX_BELIEVED_GROWTH * self.last_step || h.abs() < 0.9 * self.foreseen
    }

    /// The largest error at places inside the step.
    fn error_inside(
        &mut self,
        work: &mut Work<'_>,
        (step, norm): (TrialStep<'_>, &ErrorNorm),
    ) -> Result<f64, Failure> {
        let [mut state, mut rate] = std::mem::take(&mut self.probe);
        let mut largest = Ok(0.0_f64);
        for fraction in PLACES_INSIDE {
            self.sum(step.y, fraction * step.h, &mut state);
            let t = step.at(fraction);
            if let Err(breakdown) = work.derivative(t, &state, &mut rate) {
                largest = Err(breakdown.into());
                break;
            }
            let error = self.residual(work, (step, norm), (t, &state), &rate);
            // f64::max would lose a NaN
            largest = largest.map(|most| if error <= most { most } else { error });
        }
        self.probe = [state, rate];
        largest
    }

    /// The state without the last term of the series.
    fn set_probe(&mut self, work: &mut Work<'_>, step: TrialStep<'_>, y_new: &[f64]) {
        let (n, p) = (self.len, self.rule.order);
        let [state, slope] = &mut self.probe;
        let power = step.h.powi(p as i32);
        for i in 0..n {
            state[i] = y_new[i] - power * self.coefficients[(p - 1) * n + i];
        }
        // where it has no slope, nothing is said about stability
        if work.derivative(step.t_new, state, slope).is_err() {
            state.copy_from_slice(y_new);
        }
    }
}

impl Method for Taylor {
    fn begin(&mut self, system: &mut dyn FirstOrderSystem) -> Result<(), IntegrationError> {
        let refuse = |reason| IntegrationError::Unsuitable { method: ENTRY.name, reason };
        let unknown = "its rate is not known as formulas (try dop853)";
        let series = system.series().ok_or(refuse(unknown))?;
        series.prepare(self.rule.order).map_err(refuse)?;
        self.len = system.len();
        self.ready = false;
        self.last_step = 0.0;
        for buffer in [&mut self.coefficients, &mut self.last] {
            buffer.clear();
            buffer.resize(self.rule.order * self.len, 0.0);
        }
        let [state, slope] = &mut self.probe;
        for buffer in [&mut self.error, state, slope] {
            buffer.clear();
            buffer.resize(self.len, 0.0);
        }
        Ok(())
    }

    fn is_explicit(&self) -> bool {
        true
    }

    fn longest_step(
        &mut self,
        work: &mut Work<'_>,
        t: f64,
        y: &[f64],
        norm: &ErrorNorm,
    ) -> Option<f64> {
        // what has no series here is reported by the attempt
        self.expand(work, t, y).ok()?;
        let (n, controlled) = (self.len, norm.controlled);
        let of_order = |k: usize| match k {
            0 => &y[..controlled],
            k => &self.coefficients[(k - 1) * n..][..controlled],
        };
        let last = [self.rule.order, self.rule.order - 1].map(of_order);
        let [promised] = self.rule.promise(norm, last, &y[..controlled]);
        let size = |k: usize| StepRule::size_norm(norm).measure(of_order(k), y, y);
        self.foreseen = self.rule.restrain(promised, self.last_step, size);
        Some(self.foreseen)
    }

    fn attempt(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &mut [f64],
        rate_new: &mut [f64],
    ) -> Result<Trial, Failure> {
        self.expand(work, step.t, step.y)?;
        self.sum(step.y, step.h, y_new);
        let Some(norm) = step.norm else { return Ok(Trial::default()) };
        check_finite("", y_new)?;
        work.derivative(step.t_new, y_new, rate_new)?;
        let end = (step.t_new, &*y_new);
        let mut error = self.residual(work, (step, norm), end, rate_new);
        if error <= 1.0 && self.is_unusual(step.h) {
            let inside = self.error_inside(work, (step, norm))?;
            error = if inside <= error { error } else { inside };
        }
        if error <= 1.0 {
            self.set_probe(work, step, y_new);
        }
        Ok(Trial { error, rate_known: true, ..Trial::default() })
    }

    fn factors(&self) -> &'static [Factor] {
        &POWERS[..self.rule.order]
    }

    fn interpolant(
        &mut self,
        _work: &mut Work<'_>,
        step: TrialStep<'_>,
        y_new: &[f64],
        _rate_new: &[f64],
        dense: &mut Dense,
    ) {
        let (n, p) = (self.len, self.rule.order);
        let mut power = 1.0;
        for (k, coefficients) in self.last.chunks_exact(n.max(1)).enumerate() {
            power *= step.h;
            for (row, coefficient) in dense.row_mut(k).iter_mut().zip(coefficients) {
                *row = power * coefficient;
            }
        }
        dense.set_used(p);
        // what was corrected after the step, or rounded, goes to the last power
        dense.evaluate(1.0, step.y, &mut self.error);
        for ((row, new), sum) in dense.row_mut(p - 1).iter_mut().zip(y_new).zip(&self.error) {
            *row += new - sum;
        }
    }

    fn accepted(&mut self, h: f64, _y: &[f64], _y_new: &[f64]) {
        std::mem::swap(&mut self.coefficients, &mut self.last);
        self.ready = false;
        self.last_step = h.abs();
    }

    fn stability(&self) -> Option<([f64; 2], [&[f64]; 2])> {
        Some((self.boundaries, [&self.probe[0], &self.probe[1]]))
    }
}
