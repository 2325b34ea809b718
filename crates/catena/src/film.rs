//! Films: what a model looks like while it moves.

use catena_analysis::frames_to_watch;
use catena_model::{Model, RunSettings};
use catena_simulation::{Host, Run, RunFailure, RunPlan};
use std::time::Instant;

/// When frames are taken.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameTimes {
    /// At these times, s, ascending.
    At(Vec<f64>),
    /// This many, evenly from the start to the end.
    Evenly(usize),
    /// As many as it takes to watch it, evenly from the start to the end.
    ToWatch,
}

/// Moves a model in time and films it. `stop` is what it is for [`run_watched`](crate::run_watched).
pub fn film_run(
    model: &Model,
    settings: &RunSettings,
    frames: &FrameTimes,
    stop: &mut dyn FnMut(f64) -> bool,
) -> Result<Run, RunFailure> {
    let began = Instant::now();
    let mut plan = RunPlan::new(model, settings, &model.run)?;
    plan.options.film = match frames {
        FrameTimes::At(times) => times.clone(),
        FrameTimes::Evenly(count) => plan.options.evenly(*count),
        FrameTimes::ToWatch => frames_to_watch(model, &plan),
    };
    let mut clock = || began.elapsed().as_secs_f64();
    Ok(plan.run(model, &mut Host::new(&mut clock, stop))?)
}
