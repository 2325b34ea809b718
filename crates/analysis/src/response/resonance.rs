//! Resonance: how a peak of the response moves and shrinks as a parameter changes.
//!
//! # Equations
//! For each value r of the parameter the response has a peak at the frequency p(r) with the amplitude a(r). The *shift* is
//! the slope of the straight line through p(r), the *decay* the rate k of $a \approx a_0\,e^{-kr}$, both by least squares over
//! the values at which the peak has settled.
//!
//! # When to choose it
//! For laws of design: how much friction takes a resonance out of reach. A parabola or a saturation is not seen in one
//! slope: the slopes between neighbouring values and R² tell.
//!
//! # Reference
//! A. H. Nayfeh, D. T. Mook, *Nonlinear Oscillations*, 1979, chapter 4

use super::{
    Response, ResponseCurve, ResponseError, ResponsePeak, ResponseRequest, response_shown,
};
use crate::fit::{DecayFit, LineFit, fit_decay, fit_line};
use crate::live::Show;
use crate::question::Stop;
use catena_model::Model;

/// Which of several peaks is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeakChoice {
    /// The highest one between the lowest and the highest frequency.
    Highest,
    /// The first, second, ... one from low to high frequencies; 1 is the first.
    Number(usize),
}

/// A peak at one value of the parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ResonanceRow {
    /// The value of the parameter.
    pub value: f64,
    /// The peak, if there is one.
    pub peak: Option<ResponsePeak>,
}

/// How the peak of one output moves.
#[derive(Clone, Debug, PartialEq)]
pub struct ResonanceTrack {
    /// The column whose peak it is.
    pub output: String,
    /// For each value of the parameter, in rising order.
    pub rows: Vec<ResonanceRow>,
    /// How its frequency moves; none with fewer than two settled peaks.
    pub shift: Option<LineFit>,
    /// How its amplitude shrinks; none with fewer than two settled peaks.
    pub decay: Option<DecayFit>,
}

/// How a peak moves and shrinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Resonance {
    /// The parameter that changes.
    pub parameter: String,
    /// The peak that was followed.
    pub choice: PeakChoice,
    /// For each output.
    pub tracks: Vec<ResonanceTrack>,
    /// The response from which the peaks were taken.
    pub response: Response,
}

/// Why there is no resonance.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResonanceError {
    /// The request varies no parameter.
    #[error("no parameter is given whose values move the peak")]
    NoParameter,
    /// More branches than one, or none.
    #[error("one branch has to be chosen: a peak is followed on one at a time")]
    SeveralBranches,
    /// Peaks are counted from 1.
    #[error("there is no peak number 0: the first peak is number 1")]
    NoSuchPeak,
    /// There is no response.
    #[error(transparent)]
    Response(#[from] ResponseError),
}

/// Follows a peak of the response as the parameter of the request goes through its values.
pub fn resonance(
    model: &Model,
    request: &ResponseRequest,
    choice: PeakChoice,
    stop: &Stop<'_>,
) -> Result<Resonance, ResonanceError> {
    resonance_shown(model, request, choice, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn resonance_shown(
    model: &Model,
    request: &ResponseRequest,
    choice: PeakChoice,
    stop: &Stop<'_>,
    show: Option<&Show<'_, Response>>,
) -> Result<Resonance, ResonanceError> {
    let parameter = request.parameter.as_ref().ok_or(ResonanceError::NoParameter)?.name.clone();
    if request.branches.len() != 1 {
        return Err(ResonanceError::SeveralBranches);
    }
    if choice == PeakChoice::Number(0) {
        return Err(ResonanceError::NoSuchPeak);
    }
    let response = response_shown(model, request, stop, show)?;
    let names = response.outputs.iter().enumerate();
    let points = request.values.len();
    let tracks = names.map(|(at, name)| track(&response.curves, points, at, name, choice));
    let tracks = tracks.collect();
    Ok(Resonance { parameter, choice, tracks, response })
}

fn track(
    curves: &[ResponseCurve],
    points: usize,
    output: usize,
    name: &str,
    choice: PeakChoice,
) -> ResonanceTrack {
    let row = |curve: &ResponseCurve| {
        // the peak that is asked for may be among the points that are missing
        let whole = curve.points.len() == points;
        let peak = choice.of(&curve.peaks[output]).filter(|_| whole).cloned();
        curve.value.map(|value| ResonanceRow { value, peak })
    };
    let mut rows: Vec<ResonanceRow> = curves.iter().filter_map(row).collect();
    rows.sort_by(|a, b| a.value.total_cmp(&b.value));
    let settled = || {
        let peaks = rows.iter().filter_map(|row| row.peak.as_ref().map(|peak| (row.value, peak)));
        peaks.filter(|(_, peak)| peak.settled)
    };
    let values: Vec<f64> = settled().map(|(value, _)| value).collect();
    let frequencies: Vec<f64> = settled().map(|(_, peak)| peak.frequency).collect();
    let amplitudes: Vec<f64> = settled().map(|(_, peak)| peak.amplitude).collect();
    ResonanceTrack {
        output: name.to_owned(),
        shift: fit_line(&values, &frequencies),
        decay: fit_decay(&values, &amplitudes),
        rows,
    }
}

impl PeakChoice {
    fn of(self, peaks: &[ResponsePeak]) -> Option<&ResponsePeak> {
        match self {
            PeakChoice::Highest => peaks.iter().max_by(|a, b| a.amplitude.total_cmp(&b.amplitude)),
            PeakChoice::Number(number) => peaks.get(number.checked_sub(1)?),
        }
    }
}

impl ResonanceTrack {
    /// The slope of the frequency between two values of the parameter that have a peak.
    pub fn slope_between(&self, from: f64, to: f64) -> Option<f64> {
        let frequency = |value: f64| {
            let row = self.rows.iter().find(|row| row.value == value)?;
            row.peak.as_ref().map(|peak| peak.frequency)
        };
        Some((frequency(to)? - frequency(from)?) / (to - from))
    }

    /// The slopes of the frequency between neighbouring values; none where a peak is missing.
    pub fn slopes(&self) -> Vec<Option<f64>> {
        let pairs = self.rows.windows(2);
        pairs.map(|pair| self.slope_between(pair[0].value, pair[1].value)).collect()
    }
}
