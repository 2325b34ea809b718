//! The conditions of the study: what it prints, what can be changed, and what its method is.

use crate::digits::digits;
use crate::{Laboratory, StudyError};
use catena::analysis::AnswerFilm;
use catena::model::{Kind, OptionRow, power_of_ten};
use catena::{Animation, Model, Refusal, Run, RunSettings};
use std::f64::consts::PI;

pub(super) static RTOL: OptionRow =
    OptionRow::new("rtol", Kind::Positive, "relative tolerance of the study's runs")
        .default("1e-9");
pub(super) static ATOL: OptionRow =
    OptionRow::new("atol", Kind::Positive, "absolute tolerance of the study's runs")
        .default("1e-6");
pub(super) static THETA0: OptionRow = OptionRow::new(
    "theta0",
    Kind::Positive,
    "angle from the downward vertical at which the pendulum is released",
)
.unit("rad")
.default("pi/4");
pub(super) static SPIN: OptionRow =
    OptionRow::new("spin", Kind::Number, "rate of the crank at the start of the second motion")
        .unit("rad/s")
        .default("12");

/// Time of the pendulum, s: Table 1 of the study.
pub(super) const PENDULUM_TIME: f64 = 3.0;
/// Distance of the study's outputs, which bounds the first step of `ode45`, s: Table 1 of the study.
pub(super) const OUTPUT_STEP: f64 = 0.001;
/// Time of the linkage, s; the study does not give its own.
pub(super) const LINKAGE_TIME: f64 = 10.0;
/// Distance of rows of the linkage, s.
pub(super) const LINKAGE_ROWS: f64 = 0.01;
/// Tolerance of the motions that others are compared with.
pub(super) const REFERENCE_TOLERANCE: f64 = 1e-13;
/// The tolerances that `ode45` takes if it is told none: relative, absolute.
pub(super) const ODE45_DEFAULTS: [f64; 2] = [1e-3, 1e-6];

/// The two motions of the linkage, in words for captions.
pub(super) const MOTIONS: [&str; 2] = ["rest", "spin"];

/// The tolerances of the study's runs: relative, absolute.
pub(super) fn tolerances(lab: &Laboratory<'_>) -> [f64; 2] {
    [lab.number(&RTOL), lab.number(&ATOL)]
}

/// Tolerances as people write them: 1e-9/1e-6.
pub(super) fn tolerance_words([rtol, atol]: [f64; 2]) -> String {
    format!("{}/{}", power_of_ten(rtol), power_of_ten(atol))
}

/// The method of the study: multipliers at the level of accelerations, `ode45`, nothing against drift.
pub(super) fn study_method([rtol, atol]: [f64; 2]) -> RunSettings {
    RunSettings {
        rtol: Some(rtol),
        atol: Some(atol),
        first_step: Some(OUTPUT_STEP),
        ..RunSettings::new().formulation("multipliers").integrator("ode45").no_certify()
    }
}

/// A method whose errors are small relative to all others.
pub(super) fn reference_method(formulation: &str) -> RunSettings {
    RunSettings::new()
        .formulation(formulation)
        .integrator("dop853")
        .tolerance(REFERENCE_TOLERANCE)
        .no_certify()
}

/// The angle of release, rad, from which the pendulum must swing and not stand.
pub(super) fn release_angle(lab: &Laboratory<'_>) -> Result<f64, StudyError> {
    let angle = lab.number(&THETA0);
    if angle < PI {
        return Ok(angle);
    }
    let message =
        format!("a pendulum released at {} rad does not swing to and fro", digits(angle, 4));
    let help = "give theta0 an angle below 180 deg";
    Err(Refusal::of_question(message, help).into())
}

/// The pendulum of Table 1.
pub(super) fn pendulum_model(lab: &Laboratory<'_>) -> Result<Model, StudyError> {
    lab.model("single-pendulum", &[format!("theta={}", release_angle(lab)?)])
}

/// The linkage with the study's eight constraints, at rest and with a spinning crank.
pub(super) fn linkage_models(lab: &Laboratory<'_>) -> Result<[Model; 2], StudyError> {
    let spin = lab.number(&SPIN);
    Ok([lab.model("four-bar", &[])?, lab.model("four-bar", &[format!("theta2'={spin}")])?])
}

/// The linkage of bodies and pins, at rest and with a spinning crank.
pub(super) fn pinned_models(lab: &Laboratory<'_>) -> Result<[Model; 2], StudyError> {
    let spin = lab.number(&SPIN);
    let name = "four-bar-bodies";
    Ok([lab.model(name, &[])?, lab.model(name, &[format!("crank_angle'={spin}")])?])
}

/// A column of a run; nothing if it has none of this name.
pub(super) fn column<'r>(run: &'r Run, name: &str) -> &'r [f64] {
    run.table.numbers(name).unwrap_or_default()
}

/// Whether a run was not ended before its time, s.
pub(super) fn reached_end(run: &Run, t_end: f64) -> bool {
    run.certificate.time >= t_end * (1.0 - f64::EPSILON.sqrt())
}

/// The largest distance of two columns, row by row.
pub(super) fn largest_difference(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The value of a parameter of a model.
pub(super) fn parameter(model: &Model, name: &str) -> f64 {
    let found = model.parameters.iter().find(|parameter| parameter.entry.name == name);
    found.map_or(f64::NAN, |parameter| parameter.value)
}

/// Runs that were filmed, with one clock.
pub(super) fn animation(title: &str, about: &str, runs: Vec<(&str, Run)>) -> Animation {
    let films = runs.into_iter().map(|(label, run)| AnswerFilm {
        label: label.to_owned(),
        film: run.film.unwrap_or_default(),
        verdict: None,
    });
    Animation {
        title: title.to_owned(),
        about: about.to_owned(),
        films: films.collect(),
        figure: None,
        clock: Some([String::new(), "s".to_owned()]),
        duration: None,
        speed: None,
    }
}
