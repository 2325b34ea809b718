//! Lines and broadband spectra: how many lines make up the power of a series.
//!
//! # Equations
//! The power of a series under a Hann window is $|X_k|^2$. A line takes the bin of its maximum and two on each side. Lines
//! are taken out, the strongest first, until little of the power is left: a motion with few frequencies needs few lines
//! however long the series is, a chaotic one ever more.

use crate::signal::transform;
use catena_linear::Complex;
use std::f64::consts::TAU;

/// Bins on each side of the maximum of a line under a Hann window.
const LINE_HALF_WIDTH: usize = 2;
/// The part of the power that lines have to explain.
const EXPLAINED_PART: f64 = 0.99;
/// The fewest numbers that tell lines from a broadband spectrum.
const MIN_LEN: usize = 128;

/// How many lines explain the power of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpectralLines {
    /// How many lines it takes.
    pub(crate) count: usize,
    /// The part of the spectrum that they cover.
    pub(crate) covered: f64,
}

/// The lines of a series; none where it is too short or constant.
pub(crate) fn spectral_lines(series: &[f64]) -> Option<SpectralLines> {
    let len = series.len();
    if len < MIN_LEN {
        return None;
    }
    let mean = series.iter().sum::<f64>() / len as f64;
    let mut bins: Vec<Complex> = series
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let window = 0.5 - 0.5 * (TAU * at as f64 / len as f64).cos();
            Complex::new((value - mean) * window, 0.0)
        })
        .collect();
    transform(&mut bins);
    let mut power: Vec<f64> = bins[..=len / 2].iter().map(Complex::norm_sqr).collect();
    let total: f64 = power.iter().sum();
    let scale = series.iter().map(|value| value.abs()).fold(0.0, f64::max);
    if total <= (f64::EPSILON * scale * len as f64).powi(2) {
        return None;
    }
    let (mut explained, mut count, mut covered) = (0.0, 0, 0);
    while explained < EXPLAINED_PART * total {
        let by_power = |a: &usize, b: &usize| power[*a].total_cmp(&power[*b]);
        let strongest = (0..power.len()).max_by(by_power).filter(|at| power[*at] > 0.0);
        let Some(strongest) = strongest else { break };
        let first = strongest.saturating_sub(LINE_HALF_WIDTH);
        let last = (strongest + LINE_HALF_WIDTH).min(power.len() - 1);
        for bin in &mut power[first..=last] {
            explained += *bin;
            covered += usize::from(*bin > 0.0);
            *bin = 0.0;
        }
        count += 1;
    }
    Some(SpectralLines { count, covered: covered as f64 / power.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_frequencies_are_two_lines_however_long_the_series_is() {
        for len in [128, 500, 4000] {
            let wave = |n: f64| (1.1 * n).sin() + 0.4 * (2.618 * n).cos() + 2.0;
            let series: Vec<f64> = (0..len).map(|n| wave(f64::from(n))).collect();
            assert_eq!(spectral_lines(&series).expect("lines").count, 2, "{len}");
        }
    }

    #[test]
    fn chaos_takes_more_lines_the_longer_it_is_watched() {
        let mut x = 0.3;
        let series: Vec<f64> = (0..2048)
            .map(|_| {
                x = 3.9 * x * (1.0 - x);
                x
            })
            .collect();
        let counts = [256, 512, 2048].map(|len| spectral_lines(&series[..len]).expect("lines"));
        assert!(counts.windows(2).all(|pair| pair[1].count > 3 * pair[0].count / 2), "{counts:?}");
        assert!(counts.iter().all(|lines| lines.covered > 0.3), "{counts:?}");
    }

    #[test]
    fn nothing_is_said_about_short_or_constant_series() {
        assert_eq!(spectral_lines(&[1.0, 2.0, 3.0]), None);
        assert_eq!(spectral_lines(&[1.0; 300]), None);
    }
}
