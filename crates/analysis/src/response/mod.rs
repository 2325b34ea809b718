//! Nonlinear frequency response: how far a driven system swings when its transient is over.
//!
//! # Equations
//! A drive with the frequency p makes the equations periodic, $T = 1/p$ or $2\pi/p$. From some start the motion runs until
//! the state after whole periods stays what it is; the amplitude of an output is half the way from its smallest to its
//! largest value over the last periods.
//!
//! # When to choose it
//! Where the linear transfer function no longer tells: large amplitudes, several branches, jumps. *From rest* every
//! frequency begins at the model's own start; *up* and *down* each begins where the one before has settled, so that both
//! sides of a fold are seen. What does not settle (quasi-periodic, chaotic, or too slow) is marked, not hidden.
//!
//! # Reference
//! A. H. Nayfeh and D. T. Mook, *Nonlinear Oscillations*, 1979, chapter 4

mod bench;
mod decay;
mod drive;
mod error;
mod extremes;
mod peaks;
mod request;
mod settling;
mod survey;

pub use drive::{Frequency, FrequencyUnit};
pub use error::ResponseError;
pub use peaks::Peak;
pub(crate) use request::check_ranges;
pub use request::{Branch, ResponseRequest, Settling};

use bench::Bench;
use catena_model::Model;

/// The response at one frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// In the unit of the frequency parameter.
    pub frequency: f64,
    /// For each output half the way from its smallest to its largest value over the last periods; NaN after a failure.
    pub amplitudes: Vec<f64>,
    /// For each output its largest size over the last periods; NaN after a failure.
    pub largest: Vec<f64>,
    /// Whether the motion repeats itself within the tolerance.
    pub settled: bool,
    /// After how many periods of the drive it does; 1 where it does not.
    pub repeats_after: u32,
    /// The distance between states that lie so many periods apart, beside the amplitude.
    pub residual: f64,
    /// How far the motion may still be from the steady one, beside the amplitude.
    pub error: f64,
    /// How long it ran, s.
    pub time: f64,
    /// Coordinates, velocities and states after the last period: where a motion at a near frequency may begin.
    pub state: Vec<f64>,
    /// Why there is no response.
    pub failure: Option<String>,
}

impl Point {
    fn failed(frequency: f64, outputs: usize, reason: String) -> Point {
        Point {
            frequency,
            amplitudes: vec![f64::NAN; outputs],
            largest: vec![f64::NAN; outputs],
            settled: false,
            repeats_after: 1,
            residual: f64::NAN,
            error: f64::NAN,
            time: 0.0,
            state: Vec::new(),
            failure: Some(reason),
        }
    }
}

/// The responses of one branch, at one value of the varied parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// How frequencies follow each other.
    pub branch: Branch,
    /// The varied parameter, if there is one.
    pub value: Option<f64>,
    /// How fast the slowest mode about rest dies out, 1/s, if the model comes to rest.
    pub decay_rate: Option<f64>,
    /// At the frequencies that were asked for, in rising order.
    pub points: Vec<Point>,
    /// Around the peaks, in rising order of frequency.
    pub refined: Vec<Point>,
    /// For each output its peaks, in rising order of frequency.
    pub peaks: Vec<Vec<Peak>>,
    /// How much the amplitudes change, beside their size, at the highest settled point when the tolerances of the integrator
    /// are a hundred times smaller; none if it was not asked for, or nothing has settled.
    pub integration_error: Option<f64>,
}

impl Curve {
    /// All points in rising order of frequency.
    pub fn all_points(&self) -> Vec<&Point> {
        let mut all: Vec<&Point> = self.points.iter().chain(&self.refined).collect();
        all.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
        all
    }
}

/// Amplitudes against frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The parameter that is the frequency.
    pub frequency: Frequency,
    /// The parameter that has a curve for each of its values.
    pub varied: Option<String>,
    /// What swings.
    pub outputs: Vec<String>,
    /// For each value of the varied parameter the branches.
    pub curves: Vec<Curve>,
}

/// Told which part of the work is done, from 0 to 1; answers whether it is to end there.
pub type Stop<'a> = dyn Fn(f64) -> bool + Sync + 'a;

/// Parts of the work after which the points, and what is around the peaks, are known.
const PARTS: [f64; 2] = [0.7, 0.95];

/// Finds the response of a model.
pub fn response(
    model: &Model,
    request: &ResponseRequest,
    stop: &Stop<'_>,
) -> Result<Response, ResponseError> {
    request.check()?;
    let frequency = Frequency::of(model, request.frequency.as_deref())?;
    let bench = Bench::new(model, request, frequency)?;
    let [points, peaks] = PARTS;
    let mut curves = bench.curves();
    bench.find_points(&mut curves, &|part| stop(points * part))?;
    bench.find_peaks(&mut curves, &|part| stop(points + (peaks - points) * part))?;
    if request.certify {
        let tighter = request.tighter();
        let bench = Bench::new(model, &tighter, bench.frequency.clone())?;
        bench.certify(&mut curves, &|part| stop(peaks + (1.0 - peaks) * part))?;
    }
    let Bench { frequency, outputs, .. } = bench;
    let varied = request.parameter.as_ref().map(|axis| axis.name.clone());
    Ok(Response { frequency, varied, outputs, curves })
}
