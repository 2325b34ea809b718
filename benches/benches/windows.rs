//! A row of n square windows swings for 10 s through flat poses: the largest step that keeps its energy, and the time.
//!
//! `cargo bench -p catena-benches --bench windows [-- [--json] [TABLE ...]]`

use catena::analysis::exponent;
use catena_benches::command::{self, Measure};
use catena_benches::stopwatch::Stopwatch;
use catena_benches::table::{Cell, Table, json_number};
use catena_benches::windows::{Kept, T_END, Windows, pendulum};

/// Everything that is compared is measured in turn, this many times.
const ROUNDS: usize = 20;
/// Rows of so many windows.
const COUNTS: [usize; 5] = [2, 5, 10, 20, 40];
const FORMULATIONS: [&str; 3] = ["projection", "ggl", "coordinate-partitioning"];
const INTEGRATORS: [&str; 3] = ["rk4", "dopri5", "dop853"];
/// Even steps that the ten seconds are cut into.
const STEPS: [u32; 13] = [40, 50, 64, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640];
/// The energy may change by this, J, and the uprights may differ by this, rad.
const ENERGY_ERROR: f64 = 1e-3;
const SPLIT: f64 = 1e-6;
/// The angle at the end may be wrong by this, rad, where the phase counts: the energy does not tell it.
const ANGLE_ERROR: f64 = 5e-6;

/// Every table: the name that the command line and `--json` use, and how it is measured.
const TABLES: [(&str, Measure); 3] =
    [("windows", windows), ("accurate", accurate), ("formulations", formulations)];

static COLUMNS: [&str; 14] = [
    "formulation",
    "integrator",
    "windows",
    "step",
    "alone_ms",
    "alone_median",
    "run_ms",
    "run_median",
    "evaluations",
    "energy_error",
    "split",
    "angle_error",
    "exponent",
    "run_exponent",
];

fn main() {
    command::main(&TABLES, || {
        let angles = COUNTS.map(|count| {
            let angle = json_number(pendulum(count));
            format!(r#"{{"windows": {count}, "angle": {angle}}}"#)
        });
        vec![format!(r#""angles": [{}]"#, angles.join(", "))]
    });
}

/// Rows of all lengths.
fn windows() -> Table {
    Table {
        title: "n windows for 10 s, largest step with the energy within 1e-3 J; exponents from 2 windows to the row's",
        columns: &COLUMNS,
        rows: measured(&FORMULATIONS[..1], &COUNTS, f64::INFINITY),
    }
}

/// The same where the phase counts, too.
fn accurate() -> Table {
    Table {
        title: "the same, and the angle at the end within 5e-6 rad",
        columns: &COLUMNS,
        rows: measured(&FORMULATIONS[..1], &COUNTS, ANGLE_ERROR),
    }
}

/// Two windows under several formulations.
fn formulations() -> Table {
    Table {
        title: "two windows for 10 s under several formulations, largest step with the energy within 1e-3 J",
        columns: &COLUMNS,
        rows: measured(&FORMULATIONS, &COUNTS[..1], f64::INFINITY),
    }
}

/// A method with the largest step that is good enough.
struct Measurement {
    windows: Windows,
    formulation: &'static str,
    integrator: &'static str,
    fit: Option<(f64, Kept)>,
    evaluations: u64,
    alone: Stopwatch,
    run: Stopwatch,
}

impl Measurement {
    fn new(
        formulation: &'static str,
        integrator: &'static str,
        count: usize,
        angle_error: f64,
    ) -> Measurement {
        let mut windows = Windows::new(count, formulation);
        let fit = largest_step(&mut windows, integrator, angle_error);
        let (alone, run) = (Stopwatch::default(), Stopwatch::default());
        Measurement { windows, formulation, integrator, fit, evaluations: 0, alone, run }
    }

    /// Measures once.
    fn lap(&mut self) {
        let Some((step, _)) = self.fit else { return };
        let (case, integrator) = (&mut self.windows.case, self.integrator);
        let done = self.alone.lap(|| case.integrate_evenly(integrator, step));
        self.evaluations = done.expect("it moved before").evaluations;
        self.run.lap(|| case.run_evenly(integrator, step));
    }
}

/// The largest step of the list that keeps energy and uprights, as do all shorter ones: where a stage comes close to
/// a flat pose chance decides, and a step must not be good by chance.
fn largest_step(windows: &mut Windows, integrator: &str, angle_error: f64) -> Option<(f64, Kept)> {
    let mut steps = STEPS.iter().rev().map(|&steps| T_END / f64::from(steps));
    let mut good = |step: f64| {
        let kept = windows.kept(integrator, step).ok()?;
        let shape = kept.energy_error <= ENERGY_ERROR && kept.split <= SPLIT;
        (shape && kept.angle_error <= angle_error).then_some((step, kept))
    };
    std::iter::from_fn(|| good(steps.next()?)).last()
}

/// A row for every method and number of windows.
fn measured(formulations: &[&'static str], counts: &[usize], angle_error: f64) -> Vec<Vec<Cell>> {
    let methods =
        formulations.iter().flat_map(|&outer| INTEGRATORS.map(|integrator| (outer, integrator)));
    let mut measurements: Vec<Measurement> = methods
        .flat_map(|(formulation, integrator)| {
            counts
                .iter()
                .map(move |&count| Measurement::new(formulation, integrator, count, angle_error))
        })
        .collect();
    for _ in 0..ROUNDS {
        for measurement in &mut measurements {
            measurement.lap();
        }
    }
    measurements.chunks(counts.len()).flat_map(rows).collect()
}

/// The rows of one method.
fn rows(measurements: &[Measurement]) -> Vec<Vec<Cell>> {
    let mut points = [Vec::new(), Vec::new()];
    let row = |done: &Measurement| {
        let count = done.windows.count as f64;
        let Some((step, kept)) = done.fit else {
            let figures = [&[count][..], &[f64::NAN; COLUMNS.len() - 3]].concat();
            return named(done, &figures);
        };
        let times =
            [&done.alone, &done.run].map(|watch| [watch.best() * 1e3, watch.median() * 1e3]);
        for (points, [best, _]) in points.iter_mut().zip(times) {
            points.push((count, best));
        }
        let growth = points.each_ref().map(|points| exponent(points).unwrap_or(f64::NAN));
        let errors = [kept.energy_error, kept.split, kept.angle_error];
        let evaluations = [done.evaluations as f64];
        let figures = [&[count, step][..], &times.concat(), &evaluations, &errors, &growth];
        named(done, &figures.concat())
    };
    measurements.iter().map(row).collect()
}

fn named(done: &Measurement, figures: &[f64]) -> Vec<Cell> {
    let formulation = Cell::Text(done.formulation.to_owned());
    std::iter::once(formulation).chain(Cell::row(done.integrator, figures)).collect()
}
