//! Windows: the weight of each row of a motion in its spectrum.
//!
//! # Reference
//! F. J. Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", 1978

use std::f64::consts::TAU;

/// How rows are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Window {
    /// A raised cosine: the usual choice.
    #[default]
    Hann,
    /// Equal weights: for a whole number of periods.
    None,
    /// Four cosine terms: for small peaks close to large ones.
    BlackmanHarris,
}

impl Window {
    /// The weight of a row at this part of the way.
    pub(crate) fn weight(self, part: f64) -> f64 {
        let coefficients: &[f64] = match self {
            Window::None => &[1.0],
            Window::Hann => &[0.5, -0.5],
            Window::BlackmanHarris => &[0.35875, -0.48829, 0.14128, -0.01168],
        };
        let terms = coefficients.iter().enumerate();
        terms.map(|(k, coefficient)| coefficient * (TAU * k as f64 * part).cos()).sum()
    }

    /// How many bins two lines have to be apart to be found as two, whatever their phases and sizes.
    pub(crate) fn resolved_bins(self) -> f64 {
        match self {
            Window::None => 1.8,
            Window::Hann => 2.2,
            Window::BlackmanHarris => 4.5,
        }
    }

    /// Half the width of the main lobe, in bins.
    pub(crate) fn half_width(self) -> f64 {
        match self {
            Window::None => 1.0,
            Window::Hann => 2.0,
            Window::BlackmanHarris => 4.0,
        }
    }
}
