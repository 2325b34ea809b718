//! The start of a motion as a table of values, for people and programs that want to know which pose was assembled.

use crate::Assembly;
use catena_model::System;

/// A coordinate or a first-order state at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct StartValue {
    /// Its name in the model.
    pub name: String,
    /// Its value, in `unit`.
    pub value: f64,
    /// `rad` of an angle, `m` of a place in a mechanism; empty where the model does not say.
    pub unit: &'static str,
    /// The rate of a coordinate, in `unit` per second.
    pub rate: Option<f64>,
}

impl StartValue {
    /// The value of an angle in degrees.
    pub fn degrees(&self) -> Option<f64> {
        (self.unit == "rad").then(|| self.value.to_degrees())
    }

    /// The unit of the rate; empty where the model does not say.
    pub fn rate_unit(&self) -> &'static str {
        match self.unit {
            "rad" => "rad/s",
            "m" => "m/s",
            _ => "",
        }
    }
}

/// All coordinates, then all states, in the order of the model.
pub(crate) fn start_values(
    system: &System,
    is_angle: &[bool],
    is_mechanism: bool,
    start: &Assembly,
) -> Vec<StartValue> {
    let unit = |at: usize| match (is_mechanism && at % 3 == 2 || is_angle[at], is_mechanism) {
        (true, _) => "rad",
        (false, true) => "m",
        (false, false) => "",
    };
    let coordinates = system.coordinates.iter().enumerate().map(|(at, coordinate)| StartValue {
        name: coordinate.name.clone(),
        value: start.q[at],
        unit: unit(at),
        rate: Some(start.v[at]),
    });
    let states = system.states.iter().zip(&start.states).map(|(state, &value)| StartValue {
        name: state.name.clone(),
        value,
        unit: "",
        rate: None,
    });
    coordinates.chain(states).collect()
}
