//! Spectrum: which frequencies a motion is made of.
//!
//! # Equations
//! Of equally spaced rows $x_j$, less their mean, with a window $w_j$,
//! $$X(f) = \frac{2}{\sum w_j}\sum_j w_jx_je^{-2\pi ift_j},$$
//! so that |X| is the amplitude of a sine of frequency f, in the unit of the column. A peak lies between
//! two of the frequencies of the transform: there $a\cos 2\pi ft + b\sin 2\pi ft$ is fitted
//! with the least sum of $w_j(x_j - \dots)^2$. Every peak is subtracted from the rows before the next is
//! looked for, and then each is fitted again with all others subtracted, so that no leakage of the window
//! from one to the other remains.
//!
//! # When to choose it
//! Of a motion that is a sum of sines, or nearly so: which they are, with amplitudes. A run of some ten periods of the slowest is
//! needed, and rows close enough for the fastest; the answer says what cannot be told apart. Chaos has no lines: see `classify`.
//!
//! # Reference
//! F. J. Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", 1978

use super::fourier::transform;
use super::window::Window;
use catena_linear::{Complex, GoldenSection};
use catena_model::plain;
use std::f64::consts::TAU;

/// The fewest rows that make a spectrum.
const MIN_ROWS: usize = 16;
/// Rows whose spacing differs by less than this, relative to the first, are equally spaced.
const SPACING_TOLERANCE: f64 = 1e-6;
/// The smallest amplitude of a peak, relative to the largest.
const MIN_PEAK_RATIO: f64 = 1e-3;
/// The lowest frequency of a peak, in bins: below it the rows do not tell cosine from sine.
const MIN_BINS: f64 = 0.5;
/// How often all peaks are fitted again when there is one more.
const REFIT_PASSES: usize = 3;
/// How far a peak may move when it is fitted again, in bins.
const REFIT_HALF_WIDTH: f64 = 0.25;
/// Golden sections that narrow a peak to a hundred-millionth of a bin.
const GOLDEN_SECTIONS: usize = 40;

/// A frequency that stands out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpectralPeak {
    /// Its frequency, Hz.
    pub frequency: f64,
    /// Its amplitude, in the unit of the column.
    pub amplitude: f64,
    /// The phase of its cosine at the first row, rad.
    pub phase: f64,
}

/// A spectrum.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Hz, from 0 to the Nyquist frequency.
    pub frequencies: Vec<f64>,
    /// At each frequency, in the unit of the column.
    pub amplitudes: Vec<f64>,
    /// The largest first.
    pub peaks: Vec<SpectralPeak>,
    /// The weighted mean, which was subtracted from every row.
    pub mean: f64,
    /// Lines closer than this, Hz, are not told apart: the width of the window's lobe and what two of them need to show two
    /// tops.
    pub resolution: f64,
    /// Root mean square of what the peaks leave of the rows, in the unit of the column.
    pub rest: f64,
}

/// Why there is no spectrum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpectrumError {
    /// Too few rows.
    #[error("{rows} rows are too few for a spectrum: it takes {MIN_ROWS}")]
    TooShort {
        /// How many rows there are.
        rows: usize,
    },
    /// Rows that are not equally spaced.
    #[error("the rows are not equally spaced: {} s and then {} s apart", plain(*.first), plain(*.other))]
    Uneven {
        /// The first spacing, s.
        first: f64,
        /// A spacing that differs from it, s.
        other: f64,
    },
    /// A value that is not a number.
    #[error("the column is not finite at {} s", plain(*.time))]
    NotFinite {
        /// The time of the first such row, s.
        time: f64,
    },
}

/// The spectrum of a column, with `most_peaks` peaks at most. The last row may be closer than the others:
/// a run ends where it ends.
pub fn spectrum(
    times: &[f64],
    values: &[f64],
    window: Window,
    most_peaks: usize,
) -> Result<Spectrum, SpectrumError> {
    let rows = even_rows(times)?;
    if let Some(at) = values[..rows].iter().position(|value| !value.is_finite()) {
        return Err(SpectrumError::NotFinite { time: times[at] });
    }
    let step = (times[rows - 1] - times[0]) / (rows - 1) as f64;
    let weights: Vec<f64> =
        (0..rows).map(|row| window.weight((row as f64 + 0.5) / rows as f64)).collect();
    let total: f64 = weights.iter().sum();
    let weighted = values[..rows].iter().zip(&weights);
    let mean = weighted.map(|(value, weight)| value * weight).sum::<f64>() / total;
    let signal = Signal { step, weights, scale: 2.0 / total, window };
    let centred: Vec<f64> = values[..rows].iter().map(|value| value - mean).collect();
    let (peaks, rest) = signal.peaks(&centred, most_peaks);
    let spacing = 1.0 / (step * rows as f64);
    let amplitudes: Vec<f64> = signal.transform(&centred).iter().map(|x| x.norm()).collect();
    Ok(Spectrum {
        frequencies: (0..amplitudes.len()).map(|bin| bin as f64 * spacing).collect(),
        amplitudes,
        peaks,
        mean,
        resolution: window.resolved_bins() * spacing,
        rest: (rest.iter().map(|x| x * x).sum::<f64>() / rows as f64).sqrt(),
    })
}

/// How many rows are equally spaced.
fn even_rows(times: &[f64]) -> Result<usize, SpectrumError> {
    if times.len() < MIN_ROWS {
        return Err(SpectrumError::TooShort { rows: times.len() });
    }
    let first = times[1] - times[0];
    let uneven = |pair: &[f64]| ((pair[1] - pair[0]) / first - 1.0).abs() > SPACING_TOLERANCE;
    match times.windows(2).position(uneven) {
        None => Ok(times.len()),
        Some(at) if at + 2 == times.len() && at + 1 >= MIN_ROWS => Ok(at + 1),
        Some(at) => Err(SpectrumError::Uneven { first, other: times[at + 1] - times[at] }),
    }
}

/// How rows are weighted and transformed.
struct Signal {
    step: f64,
    weights: Vec<f64>,
    scale: f64,
    window: Window,
}

impl Signal {
    /// X at the frequencies k/(n Δt).
    fn transform(&self, values: &[f64]) -> Vec<Complex> {
        let weighted = values.iter().zip(&self.weights);
        let mut buffer: Vec<Complex> =
            weighted.map(|(value, weight)| Complex::from(value * weight * self.scale)).collect();
        transform(&mut buffer);
        buffer.truncate(values.len() / 2 + 1);
        buffer
    }

    /// How much of the rows a cosine of this frequency, in bins, explains, and its complex amplitude.
    fn fit(&self, values: &[f64], bins: f64) -> (f64, Complex) {
        let turn = TAU * bins / values.len() as f64;
        // Σw·(cos², cos·sin, sin²) and Σw·x·(cos, sin)
        let ([mut cc, mut cs, mut ss], [mut xc, mut xs]) = ([0.0; 3], [0.0; 2]);
        for (row, (value, weight)) in values.iter().zip(&self.weights).enumerate() {
            let (sine, cosine) = (turn * row as f64).sin_cos();
            let (wc, ws) = (weight * cosine, weight * sine);
            cc += wc * cosine;
            cs += wc * sine;
            ss += ws * sine;
            xc += wc * value;
            xs += ws * value;
        }
        let determinant = cc * ss - cs * cs;
        let a = (ss * xc - cs * xs) / determinant;
        let b = (cc * xs - cs * xc) / determinant;
        (a * xc + b * xs, Complex::new(a, -b))
    }

    /// The peaks, and what they leave of the rows.
    fn peaks(&self, values: &[f64], most: usize) -> (Vec<SpectralPeak>, Vec<f64>) {
        let mut rest = values.to_vec();
        let mut found: Vec<(f64, Complex)> = Vec::new();
        let mut covered: Vec<f64> = Vec::new();
        while found.len() < most {
            let Some(bin) = self.largest_bin(&rest, &covered) else { break };
            let peak = self.sharpen(&rest, bin, 1.0);
            covered.push(bin);
            // what a decaying line leaves around it is no line of its own
            let width = self.window.half_width();
            if found.iter().any(|(known, _)| (known - peak.0).abs() < width) {
                continue;
            }
            let smallest = found.first().map_or(0.0, |(_, first)| MIN_PEAK_RATIO * first.norm());
            // nothing, and what is not a number, does not stand out
            let stands_out = peak.1.norm() > smallest;
            if !stands_out {
                break;
            }
            self.add(&mut rest, peak, -1.0);
            found.push(peak);
            for at in (0..found.len()).cycle().take(REFIT_PASSES * found.len()) {
                self.add(&mut rest, found[at], 1.0);
                found[at] = self.sharpen(&rest, found[at].0, REFIT_HALF_WIDTH);
                self.add(&mut rest, found[at], -1.0);
            }
        }
        let unit = 1.0 / (self.step * values.len() as f64);
        let mut peaks: Vec<SpectralPeak> = found
            .iter()
            .map(|(bins, x)| SpectralPeak {
                frequency: bins * unit,
                amplitude: x.norm(),
                phase: x.arg(),
            })
            .collect();
        peaks.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
        (peaks, rest)
    }

    /// The bin with the largest amplitude that no known peak covers.
    fn largest_bin(&self, rest: &[f64], covered: &[f64]) -> Option<f64> {
        let is_covered =
            |bin: f64| covered.iter().any(|other| (other - bin).abs() < self.window.half_width());
        let amplitudes: Vec<f64> = self.transform(rest).iter().map(|x| x.norm()).collect();
        let inner = 1..amplitudes.len().saturating_sub(1);
        inner
            .filter(|&bin| !is_covered(bin as f64))
            .max_by(|&a, &b| amplitudes[a].total_cmp(&amplitudes[b]))
            .map(|bin| bin as f64)
    }

    /// The frequency within `width` bins to either side at which a cosine explains most, and its amplitude.
    fn sharpen(&self, values: &[f64], bins: f64, width: f64) -> (f64, Complex) {
        // the search goes downhill
        let mut negative_size = |bins: f64| -self.fit(values, bins).0;
        let highest = 0.5 * values.len() as f64 - MIN_BINS;
        let (low, high) = ((bins - width).max(MIN_BINS), (bins + width).min(highest));
        let mut section = GoldenSection::new(low, high, &mut negative_size);
        (0..GOLDEN_SECTIONS).for_each(|_| section.narrow(&mut negative_size));
        let best = section.middle();
        (best, self.fit(values, best).1)
    }

    fn add(&self, values: &mut [f64], (bins, x): (f64, Complex), sign: f64) {
        let turn = TAU * bins / values.len() as f64;
        for (row, value) in values.iter_mut().enumerate() {
            *value += sign * x.norm() * (turn * row as f64 + x.arg()).cos();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frequency in Hz, amplitude, phase.
    type Line = (f64, f64, f64);

    fn sampled(lines: &[Line], rows: usize, step: f64) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..rows).map(|row| row as f64 * step).collect();
        let value = |t: &f64| -> f64 {
            lines.iter().map(|(f, a, phase)| a * (TAU * f * t + phase).cos()).sum::<f64>() + 0.7
        };
        let values = times.iter().map(value).collect();
        (times, values)
    }

    #[test]
    fn a_sum_of_sines_is_recovered_between_the_bins() {
        let lines = [(0.3217, 2.0, 0.4), (0.755, 0.31, -1.2), (1.25, 0.05, 2.9)];
        for (window, rows) in [(Window::Hann, 2000), (Window::BlackmanHarris, 2001)] {
            let (times, values) = sampled(&lines, rows, 0.02);
            let found = spectrum(&times, &values, window, 3).unwrap();
            for ((frequency, amplitude, phase), peak) in lines.iter().zip(&found.peaks) {
                let bins = (peak.frequency - frequency) / found.frequencies[1];
                assert!(bins.abs() < 1e-3, "{window:?}: {bins:.1e} bins off {frequency} Hz");
                let error = peak.amplitude / amplitude - 1.0;
                assert!(error.abs() < 1e-3, "{window:?}: {error:.1e} off {amplitude}");
                assert!((peak.phase - phase).abs() < 1e-2, "{window:?}: {}", peak.phase);
            }
            assert!(found.rest < 1e-2, "{}", found.rest);
            assert!((found.mean - 0.7).abs() < 1e-2, "{}", found.mean);
        }
    }

    #[test]
    fn lines_further_apart_than_the_resolution_are_told_apart() {
        for window in [Window::Hann, Window::None, Window::BlackmanHarris] {
            for (ratio, phase) in [(1.0, 0.0), (1.0, 1.6), (0.4, 3.1), (0.05, 4.7)] {
                let apart = 1.02 * window.resolved_bins() / (600.0 * 0.02);
                let lines = [(3.217, 1.0, 0.0), (3.217 + apart, ratio, phase)];
                let (times, values) = sampled(&lines, 600, 0.02);
                let found = spectrum(&times, &values, window, 4).unwrap();
                assert!(apart > found.resolution && apart < 1.1 * found.resolution);
                assert_eq!(found.peaks.len(), 2, "{window:?}, {ratio}, {phase}: {:?}", found.peaks);
                for ((frequency, amplitude, _), peak) in lines.iter().zip(&found.peaks) {
                    let of = lines.iter().map(|line| (line.0 - peak.frequency).abs());
                    assert!(of.fold(f64::INFINITY, f64::min) < 0.1 * apart);
                    if ratio < 1.0 {
                        assert!((peak.frequency - frequency).abs() < 0.1 * apart);
                        assert!((peak.amplitude / amplitude - 1.0).abs() < 0.1);
                    }
                }
            }
        }
    }

    #[test]
    fn whole_periods_need_no_window() {
        let (times, values) = sampled(&[(0.5, 1.5, 0.2), (2.0, 0.25, 1.0)], 1000, 0.02);
        let found = spectrum(&times, &values, Window::None, 5).unwrap();
        assert_eq!(found.peaks.len(), 2);
        assert!((found.peaks[0].amplitude - 1.5).abs() < 1e-9);
        assert!((found.peaks[1].frequency - 2.0).abs() < 1e-8);
        assert!((found.amplitudes[10] - 1.5).abs() < 1e-12, "0.5 Hz is the tenth bin");
    }

    #[test]
    fn a_last_row_that_stands_nearer_is_left_out() {
        let (mut times, mut values) = sampled(&[(1.0, 1.0, 0.0)], 400, 0.05);
        let whole = spectrum(&times, &values, Window::Hann, 1).unwrap();
        times.push(19.96);
        values.push(0.3);
        assert_eq!(spectrum(&times, &values, Window::Hann, 1).unwrap(), whole);
    }

    #[test]
    fn rows_that_show_no_frequency_are_refused() {
        let (times, values) = sampled(&[(1.0, 1.0, 0.0)], 40, 0.1);
        let few = spectrum(&times[..10], &values[..10], Window::Hann, 1);
        assert_eq!(few, Err(SpectrumError::TooShort { rows: 10 }));
        let mut uneven = times.clone();
        uneven[7] += 0.03;
        let error = spectrum(&uneven, &values, Window::Hann, 1);
        assert!(matches!(error, Err(SpectrumError::Uneven { .. })));
        let mut broken = values.clone();
        broken[3] = f64::NAN;
        let error = spectrum(&times, &broken, Window::Hann, 1);
        assert_eq!(error, Err(SpectrumError::NotFinite { time: times[3] }));
        let flat = spectrum(&times, &vec![2.0; 40], Window::Hann, 3).unwrap();
        assert!(flat.peaks.is_empty(), "{:?}", flat.peaks);
    }
}
