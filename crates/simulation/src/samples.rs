//! States of a run besides its rows, at which it is compared with a more exact one: how right a run is does not depend on
//! how many of its rows somebody asked for.

use crate::Table;
use catena_model::System;

/// Takes states at times of its own.
pub(crate) struct Samples {
    /// When, s, ascending.
    times: Vec<f64>,
    /// The time, coordinates, velocities and first-order states.
    pub(crate) table: Table,
}

impl Samples {
    pub(crate) fn new(system: &System, times: Vec<f64>) -> Samples {
        let coordinates = || system.coordinates.iter().map(|coordinate| coordinate.name.clone());
        let states = system.states.iter().map(|state| state.name.clone());
        let rates = coordinates().map(|name| format!("{name}'"));
        let names = ["t".to_owned()].into_iter().chain(coordinates()).chain(rates).chain(states);
        Samples { table: Table::new(names, times.len()), times }
    }

    /// The time of the next one.
    pub(crate) fn next_time(&self) -> Option<f64> {
        self.times.get(self.table.len()).copied()
    }

    /// Writes a state down.
    pub(crate) fn take(&mut self, t: f64, [q, v, states]: [&[f64]; 3]) {
        self.table.push([t].iter().chain(q).chain(v).chain(states).copied());
    }
}
