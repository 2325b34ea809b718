//! Aliasing: a line above the Nyquist frequency of its rows that shows as a low one.
//!
//! # Equations
//! Rows Δt apart do not tell the frequency f from $|f - k/\Delta t|$: what lies above $1/2\Delta t$ is folded below it. Rows
//! that are several times closer show it where it is.
//!
//! # Reference
//! C. E. Shannon, "Communication in the presence of noise", 1949

use super::spectrum::{Spectrum, SpectrumError, spectrum};
use super::window::Window;

/// The smallest amplitude above the Nyquist frequency that counts, relative to the largest of all.
const MIN_FOLDED_RATIO: f64 = 1e-3;

/// A line that rows are too far apart for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoldedLine {
    /// Its frequency, Hz, to a tenth of the spacing of the spectrum's frequencies.
    pub frequency: f64,
    /// Its amplitude, in the unit of the column, as far as the window shows it.
    pub amplitude: f64,
    /// Where it shows in the rows that were asked for, Hz.
    pub shows_at: f64,
}

/// The largest line above the Nyquist frequency of rows `every` apart, from rows that stand closer.
pub fn folded_line(
    times: &[f64],
    values: &[f64],
    window: Window,
    every: f64,
) -> Result<Option<FoldedLine>, SpectrumError> {
    let Spectrum { frequencies, amplitudes, .. } = spectrum(times, values, window, 0)?;
    let spacing = frequencies.get(1).copied().unwrap_or(0.0);
    // what stands right at the limit leaks over it
    let lowest = 0.5 / every + window.half_width() * spacing;
    let largest = amplitudes.iter().copied().fold(0.0, f64::max);
    let inner = 1..amplitudes.len().saturating_sub(1).max(1);
    let above = inner.filter(|&bin| frequencies[bin] > lowest);
    let highest = above.max_by(|&a, &b| amplitudes[a].total_cmp(&amplitudes[b]));
    let line = highest.map(|bin| {
        // the top of the parabola through three logarithms
        let [left, top, right] = [bin - 1, bin, bin + 1].map(|at| amplitudes[at].ln());
        let shift = 0.5 * (left - right) / (left - 2.0 * top + right);
        let frequency = frequencies[bin] + if shift.abs() < 1.0 { shift * spacing } else { 0.0 };
        let shows_at = (frequency - (frequency * every).round() / every).abs();
        FoldedLine { frequency, amplitude: amplitudes[bin], shows_at }
    });
    Ok(line.filter(|line| line.amplitude > MIN_FOLDED_RATIO * largest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_line_above_the_nyquist_frequency_is_seen_in_closer_rows() {
        let times: Vec<f64> = (0..4000).map(|row| f64::from(row) * 0.01).collect();
        let values = |f: f64| -> Vec<f64> { times.iter().map(|t| (TAU * f * t).cos()).collect() };
        // rows every 0.08 s show frequencies up to 6.25 Hz
        let line = folded_line(&times, &values(9.3), Window::Hann, 0.08).unwrap().unwrap();
        assert!((line.frequency - 9.3).abs() < 2.5e-3 && (line.shows_at - 3.2).abs() < 2.5e-3);
        assert!((line.amplitude - 1.0).abs() < 0.2);
        assert_eq!(folded_line(&times, &values(5.9), Window::Hann, 0.08), Ok(None));
    }
}
