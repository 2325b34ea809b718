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
    let plan = RunPlan::new(model, settings, &model.run)?;
    let mut clock = || began.elapsed().as_secs_f64();
    Ok(plan.run(model, &mut Host::new(&mut clock, stop))?)
}
