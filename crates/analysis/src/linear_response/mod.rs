//! Linear frequency response: the transfer function from the drive to what it moves, as curves with peaks.
//!
//! # Equations
//! $H(i\omega) = \hat y/\hat u$, the complex amplitude of an output over that of the input, for small motions about the
//! equilibrium nearest the start; `transfer` says how both are found. A peak is where the slope of $\ln|H|$ is zero: the exact
//! function is evaluated between the frequencies, so that peaks do not depend on them.
//!
//! # When to choose it
//! For small drives, and to see what is nonlinear in a `response`: the magnitude times the amplitude of the input is the
//! amplitude of the output. It costs a linear system for each frequency, without a motion and without a transient.
//!
//! # Reference
//! L. Meirovitch, *Fundamentals of Vibrations*, 2001

mod curve;
mod drive_frequency;
mod error;
mod harmonic_forcing;
mod input;
mod peaks;
mod transfer;

pub use curve::{LinearCurve, LinearPeak};
pub use error::LinearResponseError;
pub use transfer::{Transfer, TransferError, TransferRequest, transfer};

use crate::response::{FrequencyUnit, ResponseError, check_ranges};
use crate::rest::{LinearModel, Rest};
use catena_ensemble::Axis;
use catena_model::Model;
use catena_symbolic::nearest;
use drive_frequency::DriveFrequency;
use harmonic_forcing::HarmonicForcing;

/// What is asked of a driven system.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearResponseRequest {
    /// The parameter that is the frequency of the drive; found if absent.
    pub frequency: Option<String>,
    /// Its values, in rising order.
    pub values: Vec<f64>,
    /// A parameter with a curve for each of its values.
    pub parameter: Option<Axis>,
    /// What the drive moves; the only definition that depends on time alone if absent.
    pub input: Option<String>,
    /// The outputs; all coordinates and states if there are none.
    pub outputs: Vec<String>,
}

/// Transfer functions against frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearResponse {
    /// The parameter that is the frequency.
    pub frequency: String,
    /// Its unit, unless it is in some other proportion to the frequency.
    pub unit: Option<FrequencyUnit>,
    /// Frequency of the drive when the parameter is 1, Hz.
    pub hertz_per_unit: f64,
    /// The parameter that has a curve for each of its values.
    pub varied: Option<String>,
    /// The quantity that the drive moves, to whose amplitude the responses are relative.
    pub input: String,
    /// The outputs, in the order of the lists of every curve.
    pub outputs: Vec<String>,
    /// Values of the frequency parameter, in rising order.
    pub values: Vec<f64>,
    /// One for each value of the varied parameter.
    pub curves: Vec<LinearCurve>,
}

impl LinearResponse {
    /// The largest error of a response, relative to the largest response of its output.
    pub fn error(&self) -> f64 {
        self.curves.iter().flat_map(|curve| &curve.errors).copied().fold(0.0, f64::max)
    }
}

/// Finds the linear response of a model.
pub fn linear_response(
    model: &Model,
    request: &LinearResponseRequest,
) -> Result<LinearResponse, LinearResponseError> {
    check_ranges(&request.values, request.parameter.as_ref())?;
    let Some(axis) = &request.parameter else {
        return found_for(model, request, None);
    };
    let names = || model.parameters.iter().map(|parameter| parameter.entry.name.as_str());
    let Some(varied) = names().position(|name| name == axis.name) else {
        let meant = nearest(&axis.name, names()).map(str::to_owned);
        let (name, known) = (axis.name.clone(), names().map(str::to_owned).collect());
        return Err(LinearResponseError::NoParameter { name, meant, known });
    };
    let mut all: Option<LinearResponse> = None;
    for &value in &axis.values {
        let mut changed = model.clone();
        changed.change_parameters(|at| (at == varied).then_some(value));
        let found = found_for(&changed, request, Some(value))?;
        match &mut all {
            Some(all) => all.curves.extend(found.curves),
            None => all = Some(found),
        }
    }
    all.ok_or_else(|| ResponseError::BadFrequencies.into())
}

/// The response with one curve.
fn found_for(
    model: &Model,
    request: &LinearResponseRequest,
    value: Option<f64>,
) -> Result<LinearResponse, LinearResponseError> {
    let linear = LinearModel::new(Rest::nearest(model)?)?;
    let rest = &linear.rest;
    let drive = DriveFrequency::find(rest, request.frequency.as_deref());
    let drive = drive.map_err(|error| no_frequency(model, request, error))?;
    let frequency = model.parameters[drive.parameter()].entry.name.clone();
    if request.parameter.as_ref().is_some_and(|axis| axis.name == frequency) {
        return Err(ResponseError::Twice { name: frequency }.into());
    }
    let asked = TransferRequest {
        parameter: Some(frequency.clone()),
        input: match &request.input {
            Some(input) => input.clone(),
            None => input::only(rest)?,
        },
        outputs: match request.outputs.is_empty() {
            true => {
                let names = rest.system.coordinates.iter().map(|coordinate| &coordinate.name);
                names.chain(rest.system.states.iter().map(|state| &state.name)).cloned().collect()
            }
            false => request.outputs.clone(),
        },
        frequencies: Vec::new(),
    };
    let forcing = HarmonicForcing::new(&linear, &asked)?;
    let curve =
        LinearCurve::new(&forcing, &request.values, value).map_err(|error| match error {
            TransferError::StillInput { name } => {
                LinearResponseError::StillInput { name, candidates: input::candidates(rest) }
            }
            TransferError::Resonance { frequency: hertz } => {
                let value = hertz / forcing.drive.hertz_per_unit();
                LinearResponseError::Resonance { parameter: frequency.clone(), value }
            }
            error => error.into(),
        })?;
    Ok(LinearResponse {
        frequency,
        unit: forcing.drive.unit(),
        hertz_per_unit: forcing.drive.hertz_per_unit(),
        varied: request.parameter.as_ref().map(|axis| axis.name.clone()),
        input: asked.input,
        outputs: asked.outputs,
        values: request.values.clone(),
        curves: vec![curve],
    })
}

/// The error of a frequency that was asked for by name: it names the parameter.
fn no_frequency(
    model: &Model,
    request: &LinearResponseRequest,
    error: TransferError,
) -> LinearResponseError {
    let (TransferError::NoFrequency, Some(name)) = (&error, &request.frequency) else {
        return error.into();
    };
    let names = || model.parameters.iter().map(|parameter| parameter.entry.name.as_str());
    let name = name.clone();
    match names().any(|known| known == name) {
        true => ResponseError::NotPeriodic { name }.into(),
        false => {
            let meant = nearest(&name, names()).map(str::to_owned);
            ResponseError::UnknownFrequency { name, meant }.into()
        }
    }
}
