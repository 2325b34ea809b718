//! How wrong a run really is: compared, row by row, with two references that were computed in different ways.
//!
//! A reference is as exact as double precision allows, and takes no step longer than a row, so that nothing short is
//! stepped over. What separates the two references bounds what either of them knows.

use catena::simulation::{Run, StopReason, Table};
use catena::{Model, RunSettings};

/// Tolerance of the references, relative and absolute.
const REFERENCE_TOLERANCE: f64 = 1e-13;
/// The second reference takes no step longer than this part of the first one's longest: its steps end elsewhere.
const OTHER_STEPS: f64 = 0.371;
/// References agree where they differ by at most this; if they do not up to the end another one is made ...
const AGREEMENT: f64 = 1e-10;
/// ... of at most this many.
const MAX_REFERENCES: usize = 3;
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

/// A column that hardly moves is measured against this part of the largest motion of its kind.
const LEAST_MOTION: f64 = 1e-2;
/// Parts of the motion are known where the references differ by at most this part of it.
const KNOWN_PART_OF_MOTION: f64 = 1e-3;

impl Reference {
    /// Moves a model by the first two of the fitting methods that get to the end, and by a third where they differ: the two
    /// that agree longest count.
    pub fn new(model: &Model, t_end: f64, every: f64) -> Result<Reference, String> {
        let mut tables: Vec<Table> = Vec::new();
        let mut reasons = Vec::new();
        // another formulation tells more than another integrator
        let fitting = formulations(model);
        let attempts = INTEGRATORS.iter().flat_map(|integrator| {
            fitting.iter().map(move |formulation| (*formulation, *integrator))
        });
        for (formulation, (integrator, max_steps)) in attempts {
            let part = if tables.is_empty() { 1.0 } else { OTHER_STEPS };
            let settings = RunSettings {
                max_step: Some(part * every),
                max_steps: Some(max_steps),
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
            if tables.len() >= 2 && agreement(model, &tables).1 == tables[0].len()
                || tables.len() == MAX_REFERENCES
            {
                break;
            }
        }
        if tables.len() >= 2 {
            let ([one, other], _) = agreement(model, &tables);
            let uncertainty = uncertainty(model, &tables[one], &tables[other]);
            return Ok(Reference { table: tables.swap_remove(one), uncertainty });
        }
        Err(reasons.join("; "))
    }

    /// The error of a run up to a time, s; `reported` is what the run says of itself.
    pub fn error_of(&self, model: &Model, run: &Run, reported: f64, until: f64) -> TrueError {
        let names = known_columns(model, &self.table);
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
            let (difference, column) = largest_difference(&run.table, &self.table, &names, row);
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

impl Reference {
    /// The largest error of a column up to a time, s, relative to the motion that the column covers until then: the
    /// greatest less the least value. Columns of a kind, coordinates, velocities or states, share a least motion.
    pub fn part_of_motion(&self, model: &Model, run: &Run, until: f64) -> f64 {
        let names = state_columns(model);
        let (n, states) = (model.own.coordinates.len(), model.own.states.len());
        let times = self.table.columns[0].numbers();
        let mut part = 0.0_f64;
        for (first, count) in [(0, n), (n, n), (2 * n, states)] {
            let columns: Vec<[&[f64]; 2]> = names[first..first + count]
                .iter()
                .filter_map(|name| Some([run.table.column(name)?, self.table.column(name)?]))
                .collect();
            let rows = (0..run.table.len().min(self.table.len()))
                .take_while(|&row| times[row] <= until)
                .take_while(|&row| self.uncertainty[row] <= KNOWN_PART_OF_MOTION)
                .count();
            let ranges: Vec<f64> = columns.iter().map(|[_, exact]| range(&exact[..rows])).collect();
            let least = LEAST_MOTION * ranges.iter().copied().fold(0.0, f64::max);
            for ([values, exact], range) in columns.iter().zip(ranges) {
                let pairs = values[..rows].iter().zip(&exact[..rows]);
                let error = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                if error > MIN_KNOWN {
                    part = part.max(error / range.max(least).max(f64::MIN_POSITIVE));
                }
            }
        }
        part
    }
}

/// The greatest less the least value.
fn range(values: &[f64]) -> f64 {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (greatest - least).max(0.0)
}

/// Of several motions of a model the two that agree longest, and on how many rows they do.
fn agreement(model: &Model, tables: &[Table]) -> ([usize; 2], usize) {
    let pairs =
        (0..tables.len()).flat_map(|one| (one + 1..tables.len()).map(move |other| [one, other]));
    let rows = |[one, other]: [usize; 2]| {
        let uncertainty = uncertainty(model, &tables[one], &tables[other]);
        uncertainty.iter().take_while(|difference| **difference <= AGREEMENT).count()
    };
    let pairs = pairs.map(|pair| (pair, rows(pair)));
    pairs.max_by_key(|(_, rows)| *rows).expect("there are two")
}

/// The difference of two motions of a model in the norm of the estimate, by row.
fn uncertainty(model: &Model, one: &Table, other: &Table) -> Vec<f64> {
    let names = known_columns(model, one);
    (0..one.len()).map(|row| largest_difference(other, one, &names, row).0).collect()
}

/// Nothing said, and no second run.
fn plain() -> RunSettings {
    RunSettings::new().no_certify()
}

/// Those that keep the constraints, exact ones only.
fn formulations(model: &Model) -> Vec<&'static str> {
    let all = ["recursive", "minimal", "coordinate-partitioning", "null-space", "projection"];
    let fits = |name: &&str| {
        catena::formulation::find(name).is_some_and(|entry| (entry.refuses)(model).is_none())
    };
    // only sets of coordinates that have the columns of the default run
    let absolute = |name: &&str| model.chain.is_none() || ["recursive", "minimal"].contains(name);
    all.into_iter().filter(fits).filter(absolute).collect()
}

/// Explicit methods are exact wherever they arrive; the last one is for what is too stiff for them.
/// With each the steps after which it is given up.
const INTEGRATORS: [(&str, u64); 3] = [("dop853", 60_000), ("dopri5", 200_000), ("radau5", 10_000)];

/// Names of coordinates, velocities and states.
fn state_columns(model: &Model) -> Vec<String> {
    let coordinates = || model.own.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let states = model.own.states.iter().map(|state| state.name.clone());
    coordinates().chain(coordinates().map(|name| format!("{name}'"))).chain(states).collect()
}

/// Those of them that a reference has: an equivalent model may have a few only.
fn known_columns(model: &Model, table: &Table) -> Vec<String> {
    state_columns(model).into_iter().filter(|name| table.column(name).is_some()).collect()
}

/// The largest |a − b|/max(1, |b|) of a row, and its column.
fn largest_difference(a: &Table, b: &Table, names: &[String], row: usize) -> (f64, String) {
    let mut largest = (0.0_f64, String::new());
    for name in names {
        let values = [a, b].map(|table| table.column(name).and_then(|column| column.get(row)));
        let difference = match values {
            [Some(a), Some(b)] => (a - b).abs() / b.abs().max(1.0),
            _ => f64::NAN,
        };
        if difference > largest.0 || difference.is_nan() {
            largest = (difference, name.clone());
        }
    }
    largest
}
