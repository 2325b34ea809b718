//! Peaks of an exact function: narrowed until it is a parabola, then found where its slope is zero.
//!
//! The height is the logarithm of a magnitude, so that near a resonance it is $-\frac12\ln(1 + (x/w)^2)$ with the half-width
//! w. Values alone give the place of a maximum to the root of a rounding; a slope from six points w/200 apart gives it to a
//! few roundings.

/// The largest drop of the height within a bracket that counts as a parabola: a fifth of the half-width.
const MAX_PARABOLA_DROP: f64 = 0.02;
/// A peak narrower than this, relative to its frequency, is an undamped resonance.
const MIN_RELATIVE_WIDTH: f64 = 1e-9;
/// Points per half-width from which the slope is taken.
const POINTS_PER_HALF_WIDTH: f64 = 200.0;
/// The largest number of Newton steps towards a slope of zero.
const MAX_CORRECTIONS: usize = 8;

/// The place of a peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) at: f64,
    /// A bound on the distance of the peak from `at`.
    pub(super) error: f64,
    /// Whether its height is finite.
    pub(super) bounded: bool,
}

/// Points that are higher than both of their neighbours.
pub(super) fn maxima(heights: &[f64]) -> Vec<usize> {
    let inner = 1..heights.len().saturating_sub(1).max(1);
    inner.filter(|&at| heights[at] > heights[at - 1] && heights[at] >= heights[at + 1]).collect()
}

/// The peak between three points, each given with its height; heights have errors of up to `noise`.
pub(super) fn refined(height: impl Fn(f64) -> f64, bracket: [[f64; 2]; 3], noise: f64) -> Place {
    let [mut low, mut middle, mut high] = bracket;
    while middle[1] - low[1].min(high[1]) > MAX_PARABOLA_DROP {
        let between = high[0] - low[0];
        if between <= MIN_RELATIVE_WIDTH * middle[0] {
            return Place { at: middle[0], error: between, bounded: false };
        }
        let left = middle[0] - low[0] > high[0] - middle[0];
        let x = 0.5 * (middle[0] + if left { low[0] } else { high[0] });
        let found = [x, height(x)];
        match (left, found[1] > middle[1]) {
            (true, true) => (high, middle) = (middle, found),
            (true, false) => low = found,
            (false, true) => (low, middle) = (middle, found),
            (false, false) => high = found,
        }
    }
    stationary_place(height, [low, middle, high], noise)
}

/// Newton's method for the place where the slope is zero.
fn stationary_place(
    height: impl Fn(f64) -> f64,
    [low, middle, high]: [[f64; 2]; 3],
    noise: f64,
) -> Place {
    let slope = |a: [f64; 2], b: [f64; 2]| (b[1] - a[1]) / (b[0] - a[0]);
    let bend = 2.0 * (slope(middle, high) - slope(low, middle)) / (high[0] - low[0]);
    let between = high[0] - low[0];
    let width = if bend < 0.0 { (-bend).sqrt().recip() } else { between };
    let step = (width / POINTS_PER_HALF_WIDTH).min(0.1 * middle[0]);
    let (mut at, mut error) = (middle[0], between);
    for _ in 0..MAX_CORRECTIONS {
        let h: [f64; 7] = std::array::from_fn(|i| height(at + (i as f64 - 3.0) * step));
        let slope = 45.0 * (h[4] - h[2]) - 9.0 * (h[5] - h[1]) + (h[6] - h[0]);
        let bend = h[4] - 2.0 * h[3] + h[2];
        let next = (at - step * slope / (60.0 * bend)).clamp(low[0], high[0]);
        if !next.is_finite() || (next - at).abs() >= error {
            break;
        }
        error = (next - at).abs();
        at = next;
    }
    // noise/step in the slope, over a bend of 1/width²
    let unsure = noise * width * width / step + f64::EPSILON * at;
    Place { at, error: error + unsure, bounded: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln|1/(1 − x² + 2iζx)|
    fn oscillator(damping: f64) -> impl Fn(f64) -> f64 + Copy {
        move |x| -(1.0 - x * x).hypot(2.0 * damping * x).ln()
    }

    fn peaks(height: impl Fn(f64) -> f64 + Copy) -> Vec<Place> {
        let at = |index: usize| 0.13 + 0.17 * index as f64;
        let heights: Vec<f64> = (0..12).map(|index| height(at(index))).collect();
        let around = |peak: usize| [peak - 1, peak, peak + 1].map(|i| [at(i), heights[i]]);
        maxima(&heights).into_iter().map(|peak| refined(height, around(peak), 1e-15)).collect()
    }

    #[test]
    fn peaks_of_an_oscillator_lie_where_its_closed_form_says() {
        for damping in [0.5, 0.1, 1e-3, 1e-6] {
            let found = peaks(oscillator(damping));
            let exact = (1.0 - 2.0 * damping * damping).sqrt();
            assert_eq!(found.len(), 1);
            let wrong = (found[0].at - exact).abs();
            assert!(wrong <= 1e-12 + found[0].error, "damping {damping}: off by {wrong:.1e}");
            assert!(found[0].error < 1e-11 && found[0].bounded);
        }
    }

    #[test]
    fn a_resonance_that_nothing_damps_has_a_place_and_no_height() {
        let found = peaks(oscillator(0.0));
        assert_eq!(found.len(), 1);
        assert!((found[0].at - 1.0).abs() <= found[0].error && found[0].error <= 1e-9);
        assert!(!found[0].bounded);
    }

    #[test]
    fn a_curve_that_only_falls_has_no_peak() {
        assert!(peaks(oscillator(0.8)).is_empty());
    }
}
