//! What the model says about its start: values that are kept and guesses for the others.

use catena_model::{Entry, Model, Role, System};

/// Values at the start, in the order of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Coordinates: given, guessed, or 0.
    pub q: Vec<f64>,
    /// Velocities: given, guessed, or 0.
    pub v: Vec<f64>,
    /// First-order states.
    pub states: Vec<f64>,
    /// Which coordinates are given.
    pub q_given: Vec<bool>,
    /// Which velocities are given.
    pub v_given: Vec<bool>,
}

impl Start {
    /// Reads `[initial]` and `[guess]`.
    pub fn new(model: &Model, system: &System) -> Start {
        let n = system.coordinates.len();
        let mut start = Start {
            q: vec![0.0; n],
            v: vec![0.0; n],
            states: vec![0.0; system.states.len()],
            q_given: vec![false; n],
            v_given: vec![false; n],
        };
        for entry in &system.guess {
            start.set(model, system, entry, false);
        }
        for entry in &system.initial {
            start.set(model, system, entry, true);
        }
        start
    }

    fn set(&mut self, model: &Model, system: &System, entry: &Entry, given: bool) {
        let value = entry.formula.evaluate(|name, _| model.parameter(name).unwrap_or(f64::NAN));
        match (system.names.role(&entry.name), entry.primes) {
            (Some(Role::Coordinate(at)), 0) => {
                self.q[at] = value;
                self.q_given[at] = given;
            }
            (Some(Role::Coordinate(at)), _) => {
                self.v[at] = value;
                self.v_given[at] = given;
            }
            (Some(Role::State(at)), _) => self.states[at] = value,
            _ => {}
        }
    }
}
