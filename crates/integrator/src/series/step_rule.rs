//! The order of the series and the length of the step, from the tolerance and the coefficients.

use super::rough_power::rough_power;
use crate::dense::POWERS;
use crate::norm::ErrorNorm;
use crate::options::{Norm, Options};

/// Below this order a series is not worth its name.
const MIN_ORDER: usize = 4;

/// p over −ln ε. Where the work of a step is that of products alone, which grows with p², 1/2 is best, and 1 where it grows
/// with p, as that of sums does and of all there is around a series.
const ORDER_OF_TOLERANCE: f64 = 2.0 / 3.0;

/// A step that grows by more than this is believed only if more coefficients agree.
pub(crate) const MAX_BELIEVED_GROWTH: f64 = 2.0;

/// The order, and the terms that the last two coefficients may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepRule {
    /// p
    pub(crate) order: usize,
    /// Largest terms of order p and p − 1, relative to the tolerance: Jorba and Zou's $\rho\,e^{-2-0.7/(p-1)}$ is the step
    /// where they are reached.
    pub(crate) last_terms: [f64; 2],
}

impl StepRule {
    /// The highest order there is.
    pub(crate) const MAX_ORDER: usize = POWERS.len();

    pub(crate) fn new(options: &Options) -> StepRule {
        let tolerance = (options.rtol + options.atol).max(f64::EPSILON);
        let order = match options.step {
            None => (ORDER_OF_TOLERANCE * -tolerance.ln()).ceil() as usize,
            // a step that is given saves nothing by a higher order
            Some(_) => (-0.5 * tolerance.ln()).ceil() as usize + 1,
        };
        StepRule::of_order(order.clamp(MIN_ORDER, StepRule::MAX_ORDER))
    }

    fn of_order(order: usize) -> StepRule {
        let p = order as f64;
        let last_terms = [(-2.0 - 0.7 * p / (p - 1.0)).exp(), (-0.7_f64).exp()];
        StepRule { order, last_terms }
    }

    /// The steps at which the last two terms of the series are as large as they may be; infinite where both vanish. Their
    /// coefficients are those of orders p and p − 1, W motions side by side, as are the states.
    #[inline(always)]
    pub(crate) fn promise<const W: usize>(
        &self,
        norm: &ErrorNorm,
        coefficients: [&[f64]; 2],
        y: &[f64],
    ) -> [f64; W] {
        let (y, coefficients) = (y.as_chunks::<W>().0, coefficients.map(|c| c.as_chunks::<W>().0));
        let is_mean = matches!(norm.kind, Norm::Rms);
        // squares of sizes
        let mut sizes = [[0.0; W]; 2];
        for (i, y) in y.iter().enumerate() {
            let (mut magnitudes, mut weights) = ([0.0; W], [0.0; W]);
            for lane in 0..W {
                magnitudes[lane] = y[lane].abs();
            }
            let scales = norm.scales(i, magnitudes);
            for lane in 0..W {
                weights[lane] = 1.0 / scales[lane];
            }
            for (sizes, coefficients) in sizes.iter_mut().zip(&coefficients) {
                for lane in 0..W {
                    let size = coefficients[i][lane].abs();
                    let ratio = if size == 0.0 { 0.0 } else { size * weights[lane] };
                    let square = ratio * ratio;
                    // written so that a NaN stays
                    let stays = (square <= sizes[lane]) | sizes[lane].is_nan();
                    let larger = if stays { sizes[lane] } else { square };
                    sizes[lane] = if is_mean { sizes[lane] + square } else { larger };
                }
            }
        }
        let count = if is_mean { y.len().max(1) as f64 } else { 1.0 };
        let p = self.order as f64;
        for (sizes, limit) in sizes.iter_mut().zip(self.last_terms) {
            let part = 1.0 / (limit * limit * count);
            for size in sizes {
                *size *= part;
            }
        }
        let [last, before] = sizes;
        let last = rough_power(last, -0.5 / p);
        let mut steps = rough_power(before, -0.5 / (p - 1.0));
        for lane in 0..W {
            let is_shorter = (last[lane] < steps[lane]) | last[lane].is_nan();
            steps[lane] = if is_shorter { last[lane] } else { steps[lane] };
        }
        steps
    }

    /// The norm of these sizes: one that takes no squares, which leave the range of numbers long before a size does.
    pub(crate) fn size_norm(norm: &ErrorNorm) -> ErrorNorm {
        ErrorNorm { kind: Norm::Max, ..norm.clone() }
    }

    /// The longest step, no longer than the one that was promised, from the sizes of other coefficients relative to the
    /// tolerance, by their order and [of their largest component](Self::size_norm); the state itself has order 0. `previous`
    /// is the length of the step before, or 0.
    pub(crate) fn restrain(
        &self,
        promised: f64,
        previous: f64,
        mut size: impl FnMut(usize) -> f64,
    ) -> f64 {
        let mut step = promised;
        if step == 0.0 || step == f64::INFINITY {
            // a square was beyond the range of numbers
            let terms = self.last_terms.iter().zip([self.order, self.order - 1]);
            let steps = terms.map(|(term, k)| (term / size(k)).powf(1.0 / k as f64));
            step = steps.fold(f64::INFINITY, f64::min);
        }
        if step <= MAX_BELIEVED_GROWTH * previous {
            return step;
        }
        // the last two coefficients may have vanished by chance or by symmetry, which leaves gaps of up to four: no term of
        // those before may be as large as the state
        let (p, state) = (self.order, size(0));
        for k in p.saturating_sub(5).max(1)..p - 1 {
            let size = size(k);
            if state > 0.0 && size * step.powi(k as i32) > state {
                step = (state / size).powf(1.0 / k as f64);
            }
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(tolerance: f64) -> StepRule {
        StepRule::new(&Options { rtol: tolerance, atol: 0.0, ..Options::default() })
    }

    #[test]
    fn the_order_follows_the_tolerance() {
        let orders = [1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-20].map(|tol| rule(tol).order);
        assert_eq!(orders, [4, 5, 10, 14, 19, 20, 20]);
        let fixed = Options { rtol: 1e-6, atol: 0.0, step: Some(0.1), ..Options::default() };
        assert_eq!(StepRule::new(&fixed).order, 8);
    }

    /// The step of a rule for one component whose coefficients have these sizes relative to the tolerance.
    fn step(rule: &StepRule, size: impl Fn(usize) -> f64) -> f64 {
        let options = Options { rtol: 0.0, atol: 1.0, norm: Norm::Max, ..Options::default() };
        let norm = ErrorNorm { controlled: 1, ..ErrorNorm::new(&options) };
        let [last, before] = [rule.order, rule.order - 1].map(|k| [size(k)]);
        let [promised] = rule.promise(&norm, [&last, &before], &[size(0)]);
        rule.restrain(promised, 0.0, size)
    }

    #[test]
    fn a_geometric_series_takes_the_step_of_jorba_and_zou() {
        // y_k = ρ⁻ᵏ with ρ = 3 and the tolerance for which 15 is their order
        let tolerance = (-28.0_f64).exp();
        let rule = StepRule::of_order(15);
        let step = step(&rule, |k| 3.0_f64.powi(-(k as i32)) / tolerance);
        let expected = 3.0 * (-2.0 - 0.7 / 14.0_f64).exp();
        assert!((step / expected - 1.0).abs() < 1e-6, "{step} and {expected}");
    }

    #[test]
    fn coefficients_that_vanish_do_not_make_a_step_endless() {
        // every fourth coefficient alone, as of a pendulum let go from the horizontal
        for tolerance in [1e-6, 1e-9, 1e-12, 1e-15] {
            for gap in 0..4 {
                let size = |k: usize| match (k + gap) % 4 {
                    0 => 2.0_f64.powi(-(k as i32)) / tolerance,
                    _ => 1e-20,
                };
                let size = |k: usize| if k == 0 { 1.0 / tolerance } else { size(k) };
                let step = step(&rule(tolerance), size);
                assert!(step <= 2.1, "{tolerance}, {gap}: {step}");
            }
        }
        assert_eq!(step(&rule(1e-9), |k| if k == 0 { 1.0 } else { 0.0 }), f64::INFINITY);
    }

    #[test]
    fn sizes_whose_squares_are_no_numbers_give_their_steps() {
        let rule = rule(1e-12);
        for ratio in [1e12, 1e-12] {
            let size = |k: usize| 1e12 * f64::powi(ratio, k as i32);
            let (found, expected) = (step(&rule, size), step(&rule, |_| 1e12) / ratio);
            assert!((found / expected - 1.0).abs() < 1e-6, "{found} and {expected}");
        }
    }

    #[test]
    fn motions_side_by_side_are_promised_what_each_is_promised_alone() {
        let rule = rule(1e-9);
        for kind in [Norm::Rms, Norm::Max] {
            let options = Options { norm: kind, ..Options::default() };
            let norm = ErrorNorm { controlled: 3, ..ErrorNorm::new(&options) };
            let number = |at: usize| (at as f64 * 1.7).sin() * 10.0_f64.powi(at as i32 % 5);
            let numbers = |first: usize| (first..first + 12).map(number).collect::<Vec<f64>>();
            let [y, last, before] = [0, 20, 50].map(numbers);
            let steps: [f64; 4] = rule.promise(&norm, [&last, &before], &y);
            for (lane, expected) in steps.into_iter().enumerate() {
                let own =
                    |all: &[f64]| all[lane..].iter().step_by(4).copied().collect::<Vec<f64>>();
                let [alone] = rule.promise(&norm, [&own(&last), &own(&before)], &own(&y));
                assert_eq!(alone.to_bits(), expected.to_bits());
            }
        }
    }
}
