//! Bodies and joints move as the same systems do when their energies and constraints are written
//! down, and the forces that they report are those of Newton and Euler.

mod cams;
mod elements;
mod joints;
mod reactions;
mod repeated;
mod slides;
mod teeth;
mod zoo;

use catena::simulation::Run;
use catena::{Model, RunSettings};

/// A run that is nearly exact.
fn run_with(model: &Model, formulation: &str, t_end: f64, every: f64) -> Run {
    let request = RunSettings {
        formulation: Some(formulation.into()),
        integrator: Some("dop853".into()),
        rtol: Some(1e-13),
        atol: Some(1e-13),
        t_end: Some(t_end),
        every: Some(every),
        ..RunSettings::default()
    };
    let run = catena::run(model, &request).unwrap_or_else(|error| panic!("{error}"));
    let rows = column(&run, "t");
    assert_eq!(rows[rows.len() - 1], t_end, "{}: {:?}", model.title, run.certificate.stop);
    run
}

/// Constraints are kept exactly, so that small errors do not add up. Joint coordinates tell the same.
fn run(model: &Model, t_end: f64, every: f64) -> Run {
    let constrained = !model.own.constraints.is_empty();
    let run = run_with(model, if constrained { "projection" } else { "minimal" }, t_end, every);
    if model.mechanism.is_none() {
        return run;
    }
    let recursive = run_with(model, "recursive", t_end, every);
    for found in &recursive.table.columns {
        let name = &found.name;
        let gap = gap(found.numbers(), column(&run, name));
        assert!(gap <= 1e-8, "{}, {name} by recursive: {gap:.1e}", model.title);
    }
    run
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_else(|| panic!("there is a column {name}"))
}

/// Largest difference of two columns, relative to the largest value or to 1.
fn gap(a: &[f64], b: &[f64]) -> f64 {
    catena_tests::difference(a, b)
}

/// Every row of a column is this function of time.
fn assert_is(run: &Run, name: &str, tolerance: f64, expected: impl Fn(f64) -> f64) {
    let expected: Vec<f64> = column(run, "t").iter().map(|&t| expected(t)).collect();
    let gap = gap(column(run, name), &expected);
    assert!(gap <= tolerance, "{name}: {gap:.1e}");
}
