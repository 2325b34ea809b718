//! The frequency parameter of a model: which one sets the frequency of its drive, and in which unit.
//!
//! A parameter p is the frequency if all functions of the equations are the same again one period later, with the period
//! 1/p (Hz) or 2π/p (rad/s), for two values of p.

use super::ResponseError;
use crate::period::Periodicity;
use catena_model::Model;
use catena_symbolic::nearest;
use std::f64::consts::TAU;

/// The second value of a parameter at which it is tried, relative to the first.
const SECOND_VALUE_RATIO: f64 = 1.37;
/// Names that are tried before the others.
const USUAL_NAMES: [&str; 2] = ["f", "omega"];

/// How a parameter sets the frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequencyUnit {
    /// The period is 1/p.
    Hertz,
    /// The period is 2π/p.
    RadiansPerSecond,
}

impl FrequencyUnit {
    /// The unit as it stands on an axis.
    pub fn symbol(self) -> &'static str {
        match self {
            FrequencyUnit::Hertz => "Hz",
            FrequencyUnit::RadiansPerSecond => "rad/s",
        }
    }

    /// The period of the drive, s, for a value of the parameter.
    pub(crate) fn period(self, value: f64) -> f64 {
        match self {
            FrequencyUnit::Hertz => 1.0 / value,
            FrequencyUnit::RadiansPerSecond => TAU / value,
        }
    }
}

/// The parameter that sets the frequency of the drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrequencyParameter {
    /// Its name in the model.
    pub name: String,
    /// How its value sets the period.
    pub unit: FrequencyUnit,
}

impl FrequencyParameter {
    /// Finds the frequency parameter of a model, or checks the one that is named.
    pub(super) fn find(
        model: &Model,
        name: Option<&str>,
    ) -> Result<FrequencyParameter, ResponseError> {
        let names: Vec<&str> =
            model.parameters.iter().map(|parameter| parameter.entry.name.as_str()).collect();
        let mut functions = Periodicity::new(model);
        if !functions.depend_on_time(&[model.parameter_values()]) {
            return Err(ResponseError::NoDrive);
        }
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            let meant = nearest(name, names.iter().copied()).map(str::to_owned);
            return Err(ResponseError::UnknownFrequency { name: name.to_owned(), meant });
        }
        let mut unit_of = |name: &str| unit(&mut functions, model, name);
        let found = |name: &str, unit| FrequencyParameter { name: name.to_owned(), unit };
        if let Some(name) = name {
            let unit = unit_of(name);
            let refused = ResponseError::NotPeriodic { name: name.to_owned() };
            return unit.map(|unit| found(name, unit)).ok_or(refused);
        }
        let usual = USUAL_NAMES.into_iter().filter(|name| names.contains(name));
        let others = names.iter().copied().filter(|name| !USUAL_NAMES.contains(name));
        let mut all = usual.chain(others);
        all.find_map(|name| unit_of(name).map(|unit| found(name, unit))).ok_or_else(|| {
            let known = names.iter().map(|&name| name.to_owned()).collect();
            ResponseError::NoFrequency { known }
        })
    }
}

/// The unit in which a parameter is the frequency, if it is.
fn unit(functions: &mut Periodicity, model: &Model, name: &str) -> Option<FrequencyUnit> {
    let value = model.parameter(name).filter(|value| *value > 0.0)?;
    let repeats = |functions: &mut Periodicity, value: f64, unit: FrequencyUnit| {
        functions.repeat_after(&parameters_with(model, name, value), unit.period(value), &[])
    };
    let units = [FrequencyUnit::Hertz, FrequencyUnit::RadiansPerSecond];
    units.into_iter().find(|&unit| {
        [value, SECOND_VALUE_RATIO * value].iter().all(|&value| repeats(functions, value, unit))
    })
}

/// All parameters, one of which has another value.
fn parameters_with(model: &Model, name: &str, value: f64) -> Vec<f64> {
    let mut other = model.clone();
    let at = other.parameters.iter().position(|parameter| parameter.entry.name == name);
    other.change_parameters(|parameter| (Some(parameter) == at).then_some(value));
    other.parameter_values()
}
