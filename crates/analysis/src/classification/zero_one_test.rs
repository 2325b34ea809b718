//! The 0–1 test for chaos: 0 for regular motion, 1 for chaos, from a series of numbers.
//!
//! # Equations
//! For a frequency c the series φ drives $p_c(n) = \sum_{j\le n}\varphi_j\cos jc$ and $q_c(n)$ with sines. These stay bounded
//! for regular motion and walk like Brownian motion for chaos. With the mean square displacement
//! $$D_c(n) = \lim \frac1N\sum_j [(p_c(j+n)-p_c(j))^2 + (q_c(j+n)-q_c(j))^2] -
//!   (\mathrm E\varphi)^2\,\frac{1-\cos nc}{1-\cos c}$$
//! for $n \le N/10$, $K_c$ is the correlation of $D_c(n)$ with n, and K the median over frequencies c.
//!
//! # Reference
//! Gottwald and Melbourne 2009 (SIAM J. Appl. Dyn. Syst. 8, 129), equations 2.2 to 2.5 and 3.1.

use std::f64::consts::PI;

/// Frequencies of which the median is taken.
const FREQUENCIES: usize = 25;
/// The frequencies lie between these parts of π: at the ends every series is resonant.
const FREQUENCY_RANGE: [f64; 2] = [0.2, 0.8];
/// Displacements are taken up to this part of the series.
const DISPLACEMENT_PART: usize = 10;
/// The fewest numbers that say anything.
const MIN_LEN: usize = 50;

/// A series that varies by no more than this part of its mean is constant.
const ROUNDING: f64 = 1e-13;

/// K of the series, from 0 to 1; none where it is too short or constant.
pub(crate) fn zero_one_test(series: &[f64]) -> Option<f64> {
    let mean = series.iter().sum::<f64>() / series.len().max(1) as f64;
    let spread = series.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    if series.len() < MIN_LEN || spread <= ROUNDING * mean.abs() {
        return None;
    }
    let mut found: Vec<f64> = (0..FREQUENCIES)
        .map(|at| {
            // the golden ratio keeps frequencies away from simple fractions of each other
            let part = (0.5 + at as f64 * 0.618_033_988_749_895).fract();
            let [low, high] = FREQUENCY_RANGE;
            growth(series, mean, PI * (low + (high - low) * part))
        })
        .collect();
    found.sort_by(f64::total_cmp);
    Some(found[FREQUENCIES / 2])
}

/// K for one frequency: the correlation of the mean square displacement with its time.
fn growth(series: &[f64], mean: f64, frequency: f64) -> f64 {
    let steps = (series.len() / DISPLACEMENT_PART).max(2);
    let (mut p, mut q) = (0.0, 0.0);
    let (ps, qs): (Vec<f64>, Vec<f64>) = series
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let (sine, cosine) = ((at + 1) as f64 * frequency).sin_cos();
            p += value * cosine;
            q += value * sine;
            (p, q)
        })
        .unzip();
    let kept = series.len() - steps;
    let displacements: Vec<f64> = (1..=steps)
        .map(|n| {
            let square = |at: usize| (ps[at + n] - ps[at]).powi(2) + (qs[at + n] - qs[at]).powi(2);
            let oscillation = (1.0 - (n as f64 * frequency).cos()) / (1.0 - frequency.cos());
            (0..kept).map(square).sum::<f64>() / kept as f64 - mean * mean * oscillation
        })
        .collect();
    correlation_with_time(&displacements)
}

fn correlation_with_time(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let (middle, mean) = (0.5 * (n - 1.0), values.iter().sum::<f64>() / n);
    let mut sums = [0.0; 3];
    for (at, value) in values.iter().enumerate() {
        let (time, value) = (at as f64 - middle, value - mean);
        sums[0] += time * value;
        sums[1] += time * time;
        sums[2] += value * value;
    }
    match sums[2] > 0.0 {
        true => sums[0] / (sums[1] * sums[2]).sqrt(),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The logistic map x → μ x (1 − x), after its transient.
    fn logistic(mu: f64, len: usize) -> Vec<f64> {
        let mut x = 0.37;
        let mut next = || {
            x = mu * x * (1.0 - x);
            x
        };
        (0..1000).for_each(|_| {
            next();
        });
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn the_logistic_map_is_chaotic_where_it_is_known_to_be() {
        for (mu, chaotic) in [(3.55, false), (3.83, false), (3.9, true), (3.97, true), (4.0, true)]
        {
            let k = zero_one_test(&logistic(mu, 1000)).expect("a number");
            assert_eq!(k > 0.9, chaotic, "{mu}: {k}");
            assert_eq!(k < 0.1, !chaotic, "{mu}: {k}");
        }
    }

    #[test]
    fn quasi_periodic_series_are_regular() {
        let wave = |n: f64| (2.1 * n).sin() + 0.5 * (2.1 * 1.618 * n + 1.0).cos() + 3.0;
        let series: Vec<f64> = (0..1000).map(|n| wave(f64::from(n))).collect();
        let k = zero_one_test(&series).expect("a number");
        assert!(k.abs() < 0.1, "{k}");
    }

    #[test]
    fn nothing_is_said_about_short_or_constant_series() {
        assert_eq!(zero_one_test(&logistic(4.0, 40)), None);
        assert_eq!(zero_one_test(&[0.7; 100]), None);
    }
}
