//! The order of the series and the length of the step, from the tolerance and the coefficients.

use crate::dense::POWERS;
use crate::options::Options;

/// Below this order a series is not worth its name.
const MIN_ORDER: usize = 4;

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
        let order = (-0.5 * tolerance.ln()).ceil() as usize + 1;
        let order = order.clamp(MIN_ORDER, StepRule::MAX_ORDER);
        let p = order as f64;
        let last_terms = [(-2.0 - 0.7 * p / (p - 1.0)).exp(), (-0.7_f64).exp()];
        StepRule { order, last_terms }
    }

    /// The longest step, from the sizes of the coefficients relative to the tolerance, by their order; the state itself
    /// has order 0. Infinite where nothing bounds it. `previous` is the length of the step before, or 0.
    pub(crate) fn longest_step(&self, previous: f64, mut size: impl FnMut(usize) -> f64) -> f64 {
        let p = self.order;
        let [last, before] = self.last_terms;
        let logarithms =
            [(last / size(p)).ln() / p as f64, (before / size(p - 1)).ln() / (p - 1) as f64];
        let mut step = logarithms[0].min(logarithms[1]).exp();
        if step <= MAX_BELIEVED_GROWTH * previous {
            return step;
        }
        // the last two coefficients may have vanished by chance or by symmetry, which leaves gaps of up to four: no term of
        // those before may be as large as the state
        let state = size(0);
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
        assert_eq!(orders, [4, 5, 8, 12, 15, 19, 20]);
    }

    #[test]
    fn a_geometric_series_takes_the_step_of_jorba_and_zou() {
        // y_k = ρ⁻ᵏ with ρ = 3 and a tolerance that is a power of e²
        let tolerance = (-28.0_f64).exp();
        let rule = rule(tolerance);
        assert_eq!(rule.order, 15);
        let step = rule.longest_step(0.0, |k| 3.0_f64.powi(-(k as i32)) / tolerance);
        let expected = 3.0 * (-2.0 - 0.7 / 14.0_f64).exp();
        assert!((step - expected).abs() < 1e-12, "{step} and {expected}");
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
                let step = rule(tolerance).longest_step(0.0, size);
                assert!(step <= 2.1, "{tolerance}, {gap}: {step}");
            }
        }
        assert_eq!(rule(1e-9).longest_step(0.0, |k| if k == 0 { 1.0 } else { 0.0 }), f64::INFINITY);
    }
}
