//! A question as it is asked: a model, what is said about its motion, and the options of the analysis.

use crate::{LivePicture, Refusal};
use catena_model::{Model, Options, RunSettings};
use catena_simulation::{Host, Run, RunFailure, RunPlan};

/// A question about a model.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The model.
    pub model: &'a Model,
    /// How it is to be moved, where the analysis moves it.
    pub run: &'a RunSettings,
    /// The options of the analysis.
    pub options: &'a Options,
    /// Whether the answer is to be seen moving.
    pub is_filmed: bool,
}

/// The world outside, as an analysis sees it: it may look from several threads.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Seconds since some fixed moment.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// Told which part of the work is done, from 0 to 1; `true` ends it.
    pub stop: &'a (dyn Fn(f64) -> bool + Sync),
    /// How many threads may compute.
    pub threads: usize,
    /// Who looks at the picture while it fills.
    pub picture: Option<&'a LivePicture<'a>>,
}

/// Told which part of the work is done, from 0 to 1; answers whether it is to end there.
pub(crate) type Stop<'a> = dyn Fn(f64) -> bool + Sync + 'a;

impl Watch<'_> {
    /// Nobody looks: no clock, no end before the end, one thread.
    pub const UNSEEN: Watch<'static> =
        Watch { clock: &|| 0.0, stop: &|_| false, threads: 1, picture: None };
}

impl Question<'_> {
    /// Moves the model as the question says, with these columns.
    pub fn moved(&self, columns: Vec<String>, watch: &Watch<'_>) -> Result<Run, Refusal> {
        self.moved_with(RunSettings { columns, ..self.run.clone() }, watch)
    }

    /// The same with other settings.
    pub fn moved_with(&self, settings: RunSettings, watch: &Watch<'_>) -> Result<Run, Refusal> {
        let plan = RunPlan::new(self.model, &settings, &self.model.run)?;
        let mut host_clock = || (watch.clock)();
        let mut stop = |part: f64| (watch.stop)(part);
        let run = plan.run(self.model, &mut Host::new(&mut host_clock, &mut stop));
        run.map_err(|error| RunFailure::Run(error).into())
    }

    /// The name of the first coordinate, or of the first state where there is none.
    pub fn first_column(&self) -> Result<String, Refusal> {
        let system = &self.model.own;
        let coordinate = system.coordinates.first().map(|coordinate| coordinate.name.clone());
        let state = || system.states.first().map(|state| state.name.clone());
        coordinate.or_else(state).ok_or_else(|| {
            Refusal::of_model("nothing in the model moves", "{check} says more about the model")
        })
    }
}
