//! What an answer shows moving.

use crate::{Question, Refusal, Watch};
use catena_figure::Pace;
use catena_model::{Film, Model, RunSettings};
use catena_simulation::{Host, RunFailure, RunPlan, Verdict};

/// A film, and what tells it from others beside it.
#[derive(Clone, Debug)]
pub struct AnswerFilm {
    /// May be empty where there is only one.
    pub label: String,
    /// What is seen.
    pub film: Film,
    /// How good it is, where that is known.
    pub verdict: Option<Verdict>,
}

/// The films of an answer, which have one clock.
#[derive(Clone, Debug)]
pub struct AnswerFilms {
    /// Side by side.
    pub films: Vec<AnswerFilm>,
    /// What the times of frames are, in words and with their unit; none for shapes of modes.
    pub clock: Option<[String; 2]>,
    /// Seconds that it takes to watch; none if the times of frames are seconds.
    pub duration: Option<f64>,
    /// Whether the panels of the answer have the clock along their horizontal axis.
    pub with_figure: bool,
}

/// When frames are taken of a run that is to be watched, s: as many as its page has room for.
pub fn frames_to_watch(model: &Model, plan: &RunPlan) -> Vec<f64> {
    let sketch = model.sketch(plan.formulation.entry.coordinates);
    plan.options.evenly(Pace::most_frames(sketch.tracks.len()))
}

impl Question<'_> {
    /// A film of the motion with these settings, with as many frames as it takes to watch it.
    pub(crate) fn filmed(
        &self,
        label: String,
        settings: &RunSettings,
        watch: &Watch<'_>,
    ) -> Result<AnswerFilm, Refusal> {
        let mut plan = RunPlan::new(self.model, settings, &self.model.run)?;
        plan.options.film = frames_to_watch(self.model, &plan);
        let (mut clock, mut stop) = (|| (watch.clock)(), |part: f64| (watch.stop)(part));
        let run = plan.run(self.model, &mut Host::new(&mut clock, &mut stop));
        let run = run.map_err(RunFailure::Run)?;
        let verdict = Some(run.certificate.verdict);
        Ok(AnswerFilm { label, film: run.film.unwrap_or_default(), verdict })
    }
}
