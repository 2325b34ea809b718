//! Nonlinear frequency response: how far a driven system swings when its transient is over.
//!
//! # Equations
//! A drive with the frequency p makes the equations periodic, $T = 1/p$ or $2\pi/p$. From some start the motion runs until
//! the state repeats after whole periods; the amplitude of an output is half its peak-to-peak value over the last periods.
//!
//! # When to choose it
//! Where the linear transfer function no longer holds: large amplitudes, several branches, jumps. *From rest* every
//! frequency begins at the model's own start; *up* and *down* each begins where the one before has settled (sequential
//! continuation), so that both sides of a fold are seen. What does not settle (quasi-periodic, chaotic, or too slow) is marked, not hidden.
//!
//! # Reference
//! A. H. Nayfeh and D. T. Mook, *Nonlinear Oscillations*, 1979, chapter 4

mod continuation;
mod decay;
mod driver;
mod error;
mod extremes;
mod frequency_parameter;
mod peaks;
mod request;
mod resonance;
mod transient;
mod worker;

pub use error::ResponseError;
pub(crate) use extremes::Extremes;
pub use frequency_parameter::{FrequencyParameter, FrequencyUnit};
pub use peaks::ResponsePeak;
pub(crate) use request::check_ranges;
pub use request::{Branch, ResponseRequest, TransientSettings};
pub(crate) use resonance::resonance_shown;
pub use resonance::{
    PeakChoice, Resonance, ResonanceError, ResonanceRow, ResonanceTrack, resonance,
};

use crate::live::Show;
use crate::question::Stop;
use catena_model::Model;
use driver::ResponseDriver;

/// The response at one frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponsePoint {
    /// In the unit of the frequency parameter.
    pub frequency: f64,
    /// For each output half its peak-to-peak value over the last periods; NaN after a failure.
    pub amplitudes: Vec<f64>,
    /// For each output its largest absolute value over the last periods; NaN after a failure.
    pub largest: Vec<f64>,
    /// Whether the motion repeats itself within the tolerance.
    pub settled: bool,
    /// After how many periods of the drive it does; 1 where it does not.
    pub repeats_after: u32,
    /// The distance between states that many periods apart, relative to the amplitude.
    pub residual: f64,
    /// A bound on the distance from the steady motion, relative to the amplitude.
    pub error: f64,
    /// What the integrator's tolerance leaves open of the amplitudes, relative to them; 1 or more where the motion cannot be
    /// told from rest.
    pub noise: f64,
    /// How long the motion ran, s.
    pub time: f64,
    /// Coordinates, velocities and states after the last period: where a motion at a near frequency may begin.
    pub state: Vec<f64>,
    /// Why the motion failed, if it did.
    pub failure: Option<String>,
}

impl ResponsePoint {
    fn failed(frequency: f64, outputs: usize, reason: String) -> ResponsePoint {
        ResponsePoint {
            frequency,
            amplitudes: vec![f64::NAN; outputs],
            largest: vec![f64::NAN; outputs],
            settled: false,
            repeats_after: 1,
            residual: f64::NAN,
            error: f64::NAN,
            noise: f64::NAN,
            time: 0.0,
            state: Vec::new(),
            failure: Some(reason),
        }
    }
}

/// The responses of one branch, at one value of the varied parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseCurve {
    /// How frequencies follow each other.
    pub branch: Branch,
    /// The varied parameter, if there is one.
    pub value: Option<f64>,
    /// How fast the slowest mode about rest dies out, 1/s, if the model comes to rest.
    pub decay_rate: Option<f64>,
    /// At the frequencies that were asked for, in rising order.
    pub points: Vec<ResponsePoint>,
    /// Around the peaks, in rising order of frequency.
    pub refined: Vec<ResponsePoint>,
    /// For each output its peaks, in rising order of frequency.
    pub peaks: Vec<Vec<ResponsePeak>>,
    /// The relative change of the amplitudes at the highest settled point when the integrator's tolerances are a hundred times
    /// smaller; none if it was not asked for, or nothing has settled.
    pub integration_error: Option<f64>,
}

impl ResponseCurve {
    /// All points in rising order of frequency.
    pub fn all_points(&self) -> Vec<&ResponsePoint> {
        let mut all: Vec<&ResponsePoint> = self.points.iter().chain(&self.refined).collect();
        all.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
        all
    }
}

/// Amplitudes against frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The parameter that is the frequency.
    pub frequency: FrequencyParameter,
    /// The parameter that has a curve for each of its values.
    pub varied: Option<String>,
    /// Columns whose amplitudes are given, in the order of the lists at every point.
    pub outputs: Vec<String>,
    /// The branches at the first value of the varied parameter, then at the second, and so on.
    pub curves: Vec<ResponseCurve>,
    /// Whether everything that was asked for is there; else the caller's `stop` has answered `true`.
    pub complete: bool,
    /// What is to be said of the device that was asked for, if one was.
    pub device: Option<String>,
}

/// The part of the work, as it is reported, after which all points are known.
const PROGRESS_AT_POINTS: f64 = 0.7;
/// The part after which all peaks are refined.
const PROGRESS_AT_PEAKS: f64 = 0.95;

/// Finds the response of a model; what was known of it, where `stop` ends the work.
pub fn response(
    model: &Model,
    request: &ResponseRequest,
    stop: &Stop<'_>,
) -> Result<Response, ResponseError> {
    response_shown(model, request, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn response_shown(
    model: &Model,
    request: &ResponseRequest,
    stop: &Stop<'_>,
    show: Option<&Show<'_, Response>>,
) -> Result<Response, ResponseError> {
    request.check()?;
    let frequency = FrequencyParameter::find(model, request.frequency.as_deref())?;
    let driver = ResponseDriver::new(model, request, frequency)?;
    let (points, peaks) = (PROGRESS_AT_POINTS, PROGRESS_AT_PEAKS);
    let mut curves = driver.curves();
    let mut complete = driver.find_points(&mut curves, &|part| stop(points * part), show);
    driver.engine.check_device()?;
    let refinements = if complete { request.refinements } else { 0 };
    let refined = |part: f64| stop(points + (peaks - points) * part);
    complete &= driver.find_peaks(&mut curves, refinements, &refined, show);
    if let Some(tighter) = request.tighter().filter(|_| request.certify && complete) {
        let driver = ResponseDriver::new(model, &tighter, driver.frequency.clone())?;
        complete = driver.certify(&mut curves, &|part| stop(peaks + (1.0 - peaks) * part));
    }
    let ResponseDriver { frequency, outputs, engine, .. } = driver;
    engine.check_device()?;
    let device = engine.device_words();
    let varied = request.parameter.as_ref().map(|axis| axis.name.clone());
    Ok(Response { frequency, varied, outputs, curves, complete, device })
}
