//! A run, with the clock of this machine.

use catena_model::{Model, RunSettings};
use catena_simulation::{Host, Run, RunFailure, RunPlan};
use std::time::Instant;

/// Moves a model in time.
pub fn run(model: &Model, settings: &RunSettings) -> Result<Run, RunFailure> {
    run_watched(model, settings, &mut |_| false)
}

/// Moves a model in time. After every step `stop` is told which part of the work is done, from 0 to 1;
/// if it answers `true`, the run ends there and keeps what it has.
pub fn run_watched(
    model: &Model,
    settings: &RunSettings,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Run, RunFailure> {
    let began = Instant::now();
    let mut clock = || began.elapsed().as_secs_f64();
    run_on(model, settings, &mut Host::new(&mut clock, stop))
}

/// The same where somebody else brings the clock: in a browser, or under a test.
pub fn run_on(
    model: &Model,
    settings: &RunSettings,
    host: &mut Host<'_>,
) -> Result<Run, RunFailure> {
    Ok(RunPlan::new(model, settings, &model.run)?.run(model, host)?)
}
