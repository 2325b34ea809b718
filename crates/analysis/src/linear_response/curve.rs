//! The responses of one curve, how far they may be off, and their peaks.

use super::harmonic_forcing::HarmonicForcing;
use super::peaks::{Place, maxima, refined};
use super::transfer::TransferError;
use catena_linear::Complex;

/// An output smaller than this, relative to the largest, is 0 to first order; the rest is rounding.
const MIN_RESPONSE_RATIO: f64 = 1e-9;

/// The transfer functions at one value of the varied parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearCurve {
    /// The varied parameter, if there is one.
    pub value: Option<f64>,
    /// For each output its response at every frequency to an input of amplitude 1.
    pub responses: Vec<Vec<Complex>>,
    /// For each output how much its responses change, relative to its largest, when they are computed from twice the samples
    /// of the drive and with the frequency shifted by a few roundings. For an output that is 0 to first order the change is
    /// relative to the largest of all.
    pub errors: Vec<f64>,
    /// For each output its peaks, in rising order of frequency.
    pub peaks: Vec<Vec<LinearPeak>>,
}

/// A local maximum of a magnitude.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPeak {
    /// In the unit of the frequency parameter.
    pub frequency: f64,
    /// How far the peak may lie from there.
    pub frequency_error: f64,
    /// The response there; none where nothing damps the resonance and the response grows without bound.
    pub response: Option<Complex>,
}

impl LinearCurve {
    pub(super) fn new(
        forcing: &HarmonicForcing<'_, '_>,
        values: &[f64],
        value: Option<f64>,
    ) -> Result<LinearCurve, TransferError> {
        let hertz = forcing.drive.hertz_per_unit();
        let by_frequency: Vec<Vec<Complex>> =
            values.iter().map(|value| forcing.at(hertz * value)).collect::<Result<_, _>>()?;
        let again: Vec<Vec<Complex>> =
            values.iter().map(|value| forcing.again(hertz * value)).collect::<Result<_, _>>()?;
        let outputs = by_frequency.first().map_or(0, Vec::len);
        let column = |output: usize| -> Vec<Complex> {
            by_frequency.iter().map(|responses| responses[output]).collect()
        };
        let responses: Vec<Vec<Complex>> = (0..outputs).map(column).collect();
        let largest: Vec<f64> = responses
            .iter()
            .map(|column| column.iter().map(|response| response.norm()).fold(0.0, f64::max))
            .collect();
        let most = largest.iter().copied().fold(0.0, f64::max);
        let negligible = MIN_RESPONSE_RATIO * most;
        let error = |output: usize| {
            let pairs = by_frequency.iter().zip(&again);
            let changes = pairs.map(|(first, second)| (first[output] - second[output]).norm());
            let scale = if largest[output] > negligible { largest[output] } else { most };
            changes.fold(0.0, f64::max) / scale.max(f64::MIN_POSITIVE)
        };
        let mut curve = LinearCurve {
            value,
            errors: (0..outputs).map(error).collect(),
            peaks: Vec::new(),
            responses,
        };
        for (output, &largest) in largest.iter().enumerate() {
            let peaks = match largest > negligible {
                true => curve.peaks_of(forcing, values, output, largest),
                false => Ok(Vec::new()),
            };
            curve.peaks.push(peaks?);
        }
        Ok(curve)
    }

    fn peaks_of(
        &self,
        forcing: &HarmonicForcing<'_, '_>,
        values: &[f64],
        output: usize,
        largest: f64,
    ) -> Result<Vec<LinearPeak>, TransferError> {
        let hertz = forcing.drive.hertz_per_unit();
        let heights: Vec<f64> =
            self.responses[output].iter().map(|response| response.norm().ln()).collect();
        let mut peaks = Vec::new();
        for at in maxima(&heights) {
            let bracket = [at - 1, at, at + 1].map(|at| [values[at], heights[at]]);
            let height = |value: f64| match forcing.at(hertz * value) {
                Ok(responses) => responses[output].norm().ln(),
                // nothing is higher than a resonance that nothing damps
                Err(_) => f64::INFINITY,
            };
            // the error is relative to the largest
            let noise = self.errors[output] * largest / self.responses[output][at].norm();
            let Place { at, error, bounded } = refined(height, bracket, noise);
            let response = match bounded {
                true => Some(forcing.at(hertz * at)?[output]),
                false => None,
            };
            peaks.push(LinearPeak { frequency: at, frequency_error: error, response });
        }
        Ok(peaks)
    }
}
