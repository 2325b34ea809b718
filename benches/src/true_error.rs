//! How wrong a run really is: compared, row by row, with two references that were computed in different ways.
//!
//! A reference is as exact as double precision allows, and takes no step longer than a row, so that nothing short is
//! stepped over. What separates the two references bounds what either of them knows.

use catena::simulation::{Run, StopReason, Table};
use catena::{Model, RunSettings};

/// Tolerance of the references, relative and absolute.
const REFERENCE_TOLERANCE: f64 = 1e-13;
/// Steps after which a reference is given up.
const MAX_REFERENCE_STEPS: u64 = 100_000;
/// The second reference takes no step longer than this part of the first one's longest: its steps end elsewhere.
const OTHER_STEPS: f64 = 0.371;
/// A row is judged where the references differ by at most this part of the reported error ...
const KNOWN_PART: f64 = 0.1;
/// ... or by this, which is what double precision leaves.
const MIN_KNOWN: f64 = 1e-11;

/// The motion of a model, as well as it can be known.
pub struct Reference {
    table: Table,
    /// Difference of the two references in the norm of the estimate, by row.
    uncertainty: Vec<f64>,
}

/// The error of a run up to a time.
#[derive(Clone, Debug)]
pub struct TrueError {
    /// |a − b|/max(1, |b|), the largest over coordinates, velocities, states and rows.
    pub largest: f64,
    /// The same less what the references differ by, row by row: what is certain.
    pub at_least: f64,
    /// The same with what the references differ by.
    pub at_most: f64,
    /// The column of the largest one.
    pub column: String,
    /// The time of the largest one, s.
    pub time: f64,
    /// The last row that was judged, s.
    pub judged_until: f64,
}

impl Reference {
    /// Moves a model twice, by the first two of the fitting methods that get to the end.
    pub fn new(model: &Model, t_end: f64, every: f64) -> Result<Reference, String> {
        let mut tables: Vec<Table> = Vec::new();
        let mut reasons = Vec::new();
        // another formulation tells more than another integrator
        let fitting = formulations(model);
        let attempts = INTEGRATORS.iter().flat_map(|integrator| {
            fitting.iter().map(move |formulation| (*formulation, *integrator))
        });
        for (formulation, integrator) in attempts {
            let part = if tables.is_empty() { 1.0 } else { OTHER_STEPS };
            let settings = RunSettings {
                max_step: Some(part * every),
                max_steps: Some(MAX_REFERENCE_STEPS),
                t_end: Some(t_end),
                every: Some(every),
                ..plain().formulation(formulation).integrator(integrator)
            };
            match catena::run(model, &settings.tolerance(REFERENCE_TOLERANCE)) {
                Ok(run) if run.certificate.stop == StopReason::Finished => tables.push(run.table),
                Ok(run) => {
                    reasons.push(format!("{formulation}, {integrator}: {:?}", run.certificate.stop))
                }
                Err(error) => reasons.push(format!("{formulation}, {integrator}: {error}")),
            }
            if tables.len() == 2 {
                let other = tables.remove(1);
                let table = tables.remove(0);
                let uncertainty = (0..table.len())
                    .map(|row| largest_difference(&table, &other, state_columns(model), row).0)
                    .collect();
                return Ok(Reference { table, uncertainty });
            }
        }
        Err(reasons.join("; "))
    }

    /// The error of a run up to a time, s; `reported` is what the run says of itself.
    pub fn error_of(&self, model: &Model, run: &Run, reported: f64, until: f64) -> TrueError {
        let names = state_columns(model);
        let mut error = TrueError {
            largest: 0.0,
            at_least: 0.0,
            at_most: 0.0,
            column: String::new(),
            time: 0.0,
            judged_until: 0.0,
        };
        let known = (KNOWN_PART * reported).max(MIN_KNOWN);
        let rows = run.table.len().min(self.table.len());
        for (row, &uncertainty) in self.uncertainty[..rows].iter().enumerate() {
            let time = self.table.columns[0].numbers()[row];
            if time > until || uncertainty > known || uncertainty.is_nan() {
                break;
            }
            let (difference, column) =
                largest_difference(&run.table, &self.table, names.clone(), row);
            if difference > error.largest || difference.is_nan() {
                (error.largest, error.column, error.time) = (difference, column, time);
            }
            error.at_least = error.at_least.max(difference - uncertainty);
            error.at_most = error.at_most.max(difference + uncertainty);
            error.judged_until = time;
        }
        error
    }
}

/// Nothing said, and no second run.
fn plain() -> RunSettings {
    RunSettings::new()
}

/// Those that keep the constraints, exact ones only.
fn formulations(model: &Model) -> Vec<&'static str> {
    let all = ["recursive", "minimal", "null-space", "projection", "coordinate-partitioning"];
    let fits = |name: &&str| {
        catena::formulation::find(name).is_some_and(|entry| (entry.refuses)(model).is_none())
    };
    // only sets of coordinates that have the columns of the default run
    let absolute = |name: &&str| model.chain.is_none() || ["recursive", "minimal"].contains(name);
    all.into_iter().filter(fits).filter(absolute).collect()
}

/// Explicit methods are exact wherever they arrive; the last one is for what is too stiff for them.
const INTEGRATORS: [&str; 3] = ["dop853", "dopri5", "radau5"];

/// Names of coordinates, velocities and states.
fn state_columns(model: &Model) -> Vec<String> {
    let coordinates = || model.own.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let states = model.own.states.iter().map(|state| state.name.clone());
    coordinates().chain(coordinates().map(|name| format!("{name}'"))).chain(states).collect()
}

/// The largest |a − b|/max(1, |b|) of a row, and its column.
fn largest_difference(a: &Table, b: &Table, names: Vec<String>, row: usize) -> (f64, String) {
    let mut largest = (0.0_f64, String::new());
    for name in names {
        let values = [a, b].map(|table| table.column(&name).and_then(|column| column.get(row)));
        let difference = match values {
            [Some(a), Some(b)] => (a - b).abs() / b.abs().max(1.0),
            _ => f64::NAN,
        };
        if difference > largest.0 || difference.is_nan() {
            largest = (difference, name);
        }
    }
    largest
}
