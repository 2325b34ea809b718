//! Whether stability, not accuracy, limits the steps of an explicit method.
//!
//! # Equations
//! The last stage $y_s$ and the new state belong to the same time, the end of the step, and their slopes are known (the
//! last stage of `bs23` lies before it: there the line through the last two is drawn on to the end):
//! $$\rho=h\,\frac{\|f(y_{new})-k_s\|}{\|y_{new}-y_s\|}\approx h|\lambda|$$
//! for the fastest part of the system, for the two states differ by high powers of $hJ$, which favour it. Where
//! $\rho$ stays near the boundary of the region of stability, a longer step would explode and accuracy does not matter.
//!
//! Two things guard against oscillations that are merely followed with long steps. Where positions and velocities take
//! turns, $\rho$ is now larger than $h\omega$ and now smaller, by factors that the units decide; in the geometric mean over
//! a stretch of steps they cancel. And what decays points back, $f(y_{new})-k_s\approx-|\lambda|(y_{new}-y_s)$, while
//! what swings points aside: the cosine between the two differences must be near $-1$ on average.
//!
//! Undamped parts that are too fast for the step and hardly move hold it on the imaginary axis. There the quotient alone
//! cannot tell them from an oscillation that is followed at a loose tolerance: such a stretch is suspected, and whoever runs
//! the integration finds out by trying an implicit method.
//!
//! # Reference
//! Hairer, Wanner, *Solving Ordinary Differential Equations II*, 1996, IV.2, "Automatic stiffness detection", where
//! single steps are counted.

use crate::norm::ErrorNorm;

/// Steps that are judged together.
const STRETCH_STEPS: u64 = 32;
/// ρ² of a single step is cut to this and its inverse.
const MAX_SQUARED_RATIO: f64 = 1e9;
/// Steps count as limited by stability from this part of the boundary on: what stability does not limit yet is limited by
/// the errors of the fast part, which a stretch of such steps would long have damped if it were a motion.
const LIMITED_FRACTION: f64 = 0.75;
/// The same on the imaginary axis, where steps that stability holds waver more.
const SUSPECTED_FRACTION: f64 = 0.85;
/// The mean cosine of a stretch that counts as decay lies below.
const MAX_DECAY_COSINE: f64 = -0.85;
/// States this near to each other, relative to their size, differ by rounding only.
const ROUNDING_TOLERANCE: f64 = 1e-14;

/// What seems to limit the steps of an integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepLimit {
    /// The error, as it should be.
    #[default]
    Accuracy,
    /// The error, or the stability of undamped parts.
    Suspected,
    /// Stability: an implicit method takes longer steps.
    Stability,
}

/// Two states at the end of a step with their slopes.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) states: [&'a [f64]; 2],
    pub(crate) slopes: [&'a [f64]; 2],
}

/// Watches for stiffness.
#[derive(Debug)]
pub(crate) struct StiffnessWatch {
    /// The product of ρ², each relative to the square of the boundary.
    product: f64,
    /// The sum of the cosines.
    cosines: f64,
    steps: u64,
    /// What limited the last whole stretch.
    pub(crate) limit: StepLimit,
}

impl Default for StiffnessWatch {
    fn default() -> Self {
        StiffnessWatch { product: 1.0, cosines: 0.0, steps: 0, limit: StepLimit::Accuracy }
    }
}

impl StiffnessWatch {
    /// Looks at an accepted step of length h of a method that is stable up to these on the negative real and on the
    /// imaginary axis; returns how many more steps are known to be limited by stability.
    pub(crate) fn look(
        &mut self,
        h: f64,
        [boundary, imaginary]: [f64; 2],
        pair: Pair<'_>,
        norm: &ErrorNorm,
    ) -> u64 {
        let difference = Difference::new(pair, norm);
        let rate = h * h * difference.quotient() / (LIMITED_FRACTION * boundary).powi(2);
        // what is not a number is no sign of stiffness
        let rate = if rate.is_nan() { 0.0 } else { rate };
        self.product *= rate.clamp(1.0 / MAX_SQUARED_RATIO, MAX_SQUARED_RATIO);
        self.cosines += h.signum() * difference.cosine();
        self.steps += 1;
        if self.steps < STRETCH_STEPS {
            return 0;
        }
        let count = STRETCH_STEPS as f64;
        let stiff = self.product >= 1.0 && self.cosines <= MAX_DECAY_COSINE * count;
        let nearer = SUSPECTED_FRACTION * imaginary / (LIMITED_FRACTION * boundary);
        let suspected = nearer > 0.0 && self.product.ln() >= 2.0 * count * nearer.ln();
        let limit = match (stiff, suspected) {
            (true, _) => StepLimit::Stability,
            (_, true) => StepLimit::Suspected,
            _ => StepLimit::Accuracy,
        };
        *self = StiffnessWatch { limit, ..StiffnessWatch::default() };
        if stiff { STRETCH_STEPS } else { 0 }
    }
}

/// Δf and Δy of a pair, each component relative to its tolerance: their squares and their product.
#[derive(Debug, Default)]
struct Difference {
    slopes: f64,
    states: f64,
    product: f64,
}

impl Difference {
    /// Nothing, if the states are the same up to rounding.
    fn new(Pair { states: [y, z], slopes: [f, g] }: Pair<'_>, norm: &ErrorNorm) -> Difference {
        let mut difference = Difference::default();
        let mut size = 0.0;
        for i in 0..norm.controlled {
            let magnitude = y[i].abs().max(z[i].abs());
            let scale = norm.scale(i, magnitude);
            if scale > 0.0 {
                let weight = 1.0 / scale;
                let (slope, state) = ((f[i] - g[i]) * weight, (y[i] - z[i]) * weight);
                difference.slopes += slope * slope;
                difference.states += state * state;
                difference.product += slope * state;
                size += (magnitude * weight) * (magnitude * weight);
            }
        }
        if difference.states <= ROUNDING_TOLERANCE * ROUNDING_TOLERANCE * size {
            return Difference::default();
        }
        difference
    }

    /// ‖Δf‖² / ‖Δy‖²
    fn quotient(&self) -> f64 {
        if self.states > 0.0 { self.slopes / self.states } else { 0.0 }
    }

    fn cosine(&self) -> f64 {
        let sizes = (self.slopes * self.states).sqrt();
        if sizes > 0.0 { self.product / sizes } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    fn watch(rates: &[f64]) -> u64 {
        let norm = ErrorNorm { controlled: 1, ..ErrorNorm::new(&Options::default()) };
        let mut watch = StiffnessWatch::default();
        let mut look = |rate: f64| {
            let pair = Pair { states: [&[1.0], &[2.0]], slopes: [&[0.0], &[-rate]] };
            watch.look(0.1, [3.0, 1.0], pair, &norm)
        };
        rates.iter().map(|&rate| look(rate)).sum()
    }

    #[test]
    fn the_geometric_mean_over_a_stretch_decides() {
        let fast = 10.0 * LIMITED_FRACTION * 3.0;
        assert_eq!(watch(&[1.01 * fast; 32]), 32);
        assert_eq!(watch(&[0.99 * fast; 32]), 0);
        assert_eq!(watch(&[1.01 * fast; 65]), 64);
        // now fast, now slow, as an oscillation looks
        assert_eq!(watch(&[10.0 * fast, 0.05 * fast].repeat(16)), 0);
        assert_eq!(watch(&[10.0 * fast, 0.2 * fast].repeat(16)), 32);
        // what grows by itself is not stiff
        assert_eq!(watch(&[-10.0 * fast; 32]), 0);
        assert_eq!(watch(&[f64::NAN; 32]), 0);
        assert_eq!(watch(&[0.0; 32]), 0);
    }

    #[test]
    fn steps_at_the_imaginary_boundary_are_suspected_whatever_the_direction() {
        let norm = ErrorNorm { controlled: 1, ..ErrorNorm::new(&Options::default()) };
        let limit = |rate: f64| {
            let mut watch = StiffnessWatch::default();
            for _ in 0..STRETCH_STEPS {
                let pair = Pair { states: [&[1.0], &[2.0]], slopes: [&[0.0], &[rate]] };
                watch.look(0.1, [3.0, 1.0], pair, &norm);
            }
            watch.limit
        };
        let boundary = 10.0 * SUSPECTED_FRACTION;
        assert_eq!(limit(1.01 * boundary), StepLimit::Suspected);
        assert_eq!(limit(0.99 * boundary), StepLimit::Accuracy);
        assert_eq!(limit(-10.0 * 3.0), StepLimit::Stability);
    }
}
