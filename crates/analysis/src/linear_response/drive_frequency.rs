//! The frequency of a drive: which parameter sets it.

use super::transfer::TransferError;
use crate::response::FrequencyUnit;
use crate::rest::Rest;
use catena_model::Model;
use catena_symbolic::Expr;
use std::f64::consts::TAU;

/// Rates that differ by less than this, relative to each other, are equal.
const RATE_TOLERANCE: f64 = 1e-9;

/// A parameter in proportion to which the angle of the drive grows.
pub(crate) struct DriveFrequency {
    parameter: usize,
    /// Angular frequency for a parameter of 1, rad/s.
    per_unit: f64,
}

impl DriveFrequency {
    /// The parameter of this name, or the only one there is.
    pub(crate) fn find(
        rest: &Rest<'_>,
        wanted: Option<&str>,
    ) -> Result<DriveFrequency, TransferError> {
        let model = rest.model;
        if rest.steady || angular_rate(rest, &rest.parameters).is_nan() {
            return Err(TransferError::NoDrive);
        }
        let rate = |at: usize, value: f64| angular_rate(rest, &with_parameter(model, at, value));
        let sets = |at: &usize| {
            let (one, two) = (rate(*at, 1.0), rate(*at, 2.0));
            one > 0.0 && (two / one - 2.0).abs() <= RATE_TOLERANCE
        };
        let name = |at: usize| model.parameters[at].entry.name.as_str();
        let fit: Vec<usize> = (0..model.parameters.len())
            .filter(|at| wanted.is_none_or(|wanted| wanted == name(*at)))
            .filter(sets)
            .collect();
        let parameter = match fit.as_slice() {
            [] => return Err(TransferError::NoFrequency),
            [only] => *only,
            // one that the others are made of stands before them
            [first, ..] if is_source(model, *first, &fit) => *first,
            several => {
                return Err(TransferError::SeveralFrequencies {
                    names: several.iter().map(|&at| name(at).to_owned()).collect(),
                });
            }
        };
        refuse_frequency_at_rest(rest, parameter)?;
        Ok(DriveFrequency { parameter, per_unit: rate(parameter, 1.0) })
    }

    /// Its place among the parameters.
    pub(crate) fn parameter(&self) -> usize {
        self.parameter
    }

    /// Frequency of the drive for a parameter of 1, Hz.
    pub(crate) fn hertz_per_unit(&self) -> f64 {
        self.per_unit / TAU
    }

    /// The unit of the parameter, if it is the frequency itself and not in some other proportion to it.
    pub(crate) fn unit(&self) -> Option<FrequencyUnit> {
        let units = [(TAU, FrequencyUnit::Hertz), (1.0, FrequencyUnit::RadiansPerSecond)];
        let is_unit = |rate: f64| (self.per_unit / rate - 1.0).abs() <= RATE_TOLERANCE;
        units.into_iter().find(|(rate, _)| is_unit(*rate)).map(|(_, unit)| unit)
    }

    /// All parameters when the drive has this angular frequency, rad/s.
    pub(crate) fn parameters_at(&self, model: &Model, omega: f64) -> Vec<f64> {
        with_parameter(model, self.parameter, omega / self.per_unit)
    }
}

/// The equilibrium and its matrices must not depend on the frequency.
fn refuse_frequency_at_rest(rest: &Rest<'_>, parameter: usize) -> Result<(), TransferError> {
    let e = &rest.equations;
    let other = with_parameter(rest.model, parameter, 2.0 * rest.parameters[parameter] + 1.0);
    let changed = (0..other.len()).filter(|&at| other[at] != rest.parameters[at]);
    let symbols: Vec<Expr> = changed.map(|at| e.parameters[at]).collect();
    let lists = [&e.forces, &e.constraints, &e.state_rates];
    let mut resting: Vec<Expr> = lists.into_iter().flatten().copied().collect();
    resting.extend(e.mass_matrix.iter().map(|&(_, _, entry)| entry));
    if e.graph.any_depends_on(&resting, &symbols) {
        let parameter = rest.model.parameters[parameter].entry.name.clone();
        return Err(TransferError::FrequencyAtRest { parameter });
    }
    Ok(())
}

/// The slowest of the rates at which angles of the drive grow, rad/s; NaN without a drive.
fn angular_rate(rest: &Rest<'_>, parameters: &[f64]) -> f64 {
    let e = &rest.driven;
    let mut graph = e.graph.clone();
    let rates: Vec<Expr> =
        e.drive_angles().into_iter().map(|angle| graph.derivative(angle, e.time)).collect();
    let value = |name: &str| {
        let at = rest.model.parameters.iter().position(|p| p.entry.name == name);
        at.map_or(0.0, |at| parameters[at])
    };
    graph.evaluate(&rates, value).into_iter().map(f64::abs).fold(f64::NAN, f64::min)
}

/// All parameters when one has another value and those made of it follow.
fn with_parameter(model: &Model, changed: usize, value: f64) -> Vec<f64> {
    let mut model = model.clone();
    model.change_parameters(|at| (at == changed).then_some(value));
    model.parameter_values()
}

/// Whether all others follow from one parameter.
fn is_source(model: &Model, source: usize, all: &[usize]) -> bool {
    let changed = with_parameter(model, source, 2.0 * model.parameters[source].value + 1.0);
    all.iter().all(|&at| changed[at] != model.parameters[at].value)
}
