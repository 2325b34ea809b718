//! How long an integration takes: alone, and with everything around it.

use crate::case::{Case, distance};
use crate::stopwatch::Stopwatch;
use crate::table::{Cell, Table};
use catena::integrator::Statistics;

/// Everything that is compared is measured in turn, this many times.
pub const ROUNDS: usize = 20;

/// Columns of [`Measurement::row_of_chain`]; all but the last are those of [`Measurement::row`].
pub static COLUMNS: [&str; 10] = [
    "integrator",
    "tolerance",
    "alone_ms",
    "alone_median",
    "run_ms",
    "run_median",
    "steps",
    "rejected",
    "evaluations",
    "tip_error",
];

/// A method at a tolerance.
pub struct Measurement {
    integrator: &'static str,
    tolerance: f64,
    alone: Stopwatch,
    run: Stopwatch,
    statistics: Statistics,
}

impl Measurement {
    /// Not yet measured.
    pub fn new(integrator: &'static str, tolerance: f64) -> Measurement {
        let (alone, run) = (Stopwatch::default(), Stopwatch::default());
        Measurement { integrator, tolerance, alone, run, statistics: Statistics::default() }
    }

    /// Measures once.
    pub fn lap(&mut self, case: &mut Case) {
        let (integrator, tolerance, t_end) = (self.integrator, self.tolerance, case.t_end);
        self.statistics = self.alone.lap(|| case.integrate(integrator, tolerance, t_end)).1;
        self.run.lap(|| case.run(integrator, tolerance));
    }

    /// The figures so far.
    pub fn row(&self) -> Vec<Cell> {
        let [alone, run] =
            [&self.alone, &self.run].map(|watch| [watch.best() * 1e3, watch.median() * 1e3]);
        let Statistics { steps, rejected, evaluations, .. } = self.statistics;
        let counts = [steps, rejected, evaluations].map(|count| count as f64);
        Cell::row(self.integrator, &[&[self.tolerance], &alone[..], &run, &counts].concat())
    }

    /// With the error of the tip.
    pub fn row_of_chain(&self, chain: &mut Case, reference: [f64; 2]) -> Vec<Cell> {
        let error = distance(chain.tip(self.integrator, self.tolerance), reference);
        let mut row = self.row();
        row.push(Cell::Number(error));
        row
    }
}

/// Methods at tolerances on a falling chain, in turn, with the errors of its tip.
pub fn table_of_chain(
    title: &'static str,
    chain: &mut Case,
    methods: &[(&'static str, f64)],
) -> Table {
    let reference = chain.reference();
    let mut measurements: Vec<Measurement> =
        methods.iter().map(|&(name, tolerance)| Measurement::new(name, tolerance)).collect();
    for _ in 0..ROUNDS {
        for measurement in &mut measurements {
            measurement.lap(chain);
        }
    }
    let rows = measurements.iter().map(|done| done.row_of_chain(chain, reference)).collect();
    Table { title, columns: &COLUMNS, rows }
}
