//! The frequency parameter of a model: which one sets the frequency of its drive, and in which unit.
//!
//! A parameter p is the frequency if all functions of the equations are the same again one period later, with the period
//! 1/p (Hz) or 2π/p (rad/s), for two values of p.

use super::ResponseError;
use catena_compile::Evaluator;
use catena_model::Model;
use catena_symbolic::nearest;
use std::f64::consts::TAU;

/// Functions that differ by less than this, relative to the largest, are equal.
const PERIODICITY_TOLERANCE: f64 = 1e-8;
/// Times at which functions are compared, s: without a common period.
const PROBE_TIMES: [f64; 5] = [0.0, 0.377, 1.618, 4.669, 11.31];
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
        let mut functions = TimeDependence::new(model);
        if !functions.change() {
            return Err(ResponseError::NoDrive);
        }
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            let meant = nearest(name, names.iter().copied()).map(str::to_owned);
            return Err(ResponseError::UnknownFrequency { name: name.to_owned(), meant });
        }
        let mut unit_of = |name: &str| functions.unit(name);
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

/// How all functions of the equations depend on time, at one state.
struct TimeDependence<'a> {
    model: &'a Model,
    evaluator: Evaluator,
    state: [Vec<f64>; 3],
}

impl TimeDependence<'_> {
    fn new(model: &Model) -> TimeDependence<'_> {
        let evaluator = Evaluator::derived(model, &model.own);
        let (n, states) = (evaluator.sizes().coordinates, evaluator.sizes().states);
        // a generic state: nothing vanishes there by symmetry
        let list = |count: usize, phase: f64| -> Vec<f64> {
            (0..count).map(|at| 0.4 * (phase + 1.3 * at as f64).sin()).collect()
        };
        let state = [list(n, 0.5), list(n, 2.0), list(states, 3.1)];
        TimeDependence { model, evaluator, state }
    }

    fn at(&mut self, t: f64) -> Vec<f64> {
        let [q, v, states] = &self.state;
        let values = self.evaluator.values_at(t, q, v, states);
        let lists = [
            values.mass_matrix,
            values.forces,
            values.constraints,
            values.constraint_jacobian,
            values.constraint_rate,
            values.gamma,
            values.state_rates,
        ];
        lists.concat()
    }

    fn are_equal(&mut self, t: f64, later: f64) -> bool {
        let (now, then) = (self.at(t), self.at(later));
        let scale = now.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        now.iter().zip(&then).all(|(now, then)| (now - then).abs() <= PERIODICITY_TOLERANCE * scale)
    }

    /// Whether time changes any of them.
    fn change(&mut self) -> bool {
        self.evaluator.equations().depends_on_time()
            && !PROBE_TIMES.iter().all(|&t| self.are_equal(t, t + 0.1234))
    }

    /// The unit in which a parameter is the frequency, if it is.
    fn unit(&mut self, name: &str) -> Option<FrequencyUnit> {
        let value = self.model.parameter(name).filter(|value| *value > 0.0)?;
        let units = [FrequencyUnit::Hertz, FrequencyUnit::RadiansPerSecond];
        let found = units.into_iter().find(|&unit| {
            [value, SECOND_VALUE_RATIO * value].into_iter().all(|value| {
                self.set(name, value);
                PROBE_TIMES.iter().all(|&t| self.are_equal(t, t + unit.period(value)))
            })
        });
        self.set(name, value);
        found
    }

    fn set(&mut self, name: &str, value: f64) {
        let mut changed = self.model.clone();
        let at = changed.parameters.iter().position(|parameter| parameter.entry.name == name);
        changed.change_parameters(|parameter| (Some(parameter) == at).then_some(value));
        let values: Vec<f64> = changed.parameter_values();
        self.evaluator.set_parameters(&values);
    }
}
