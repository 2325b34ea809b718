//! Where experiments are made: models, runs and questions, on all threads, with one account of progress.

use catena::analysis::Watch;
use catena::model::{OptionRow, OptionValue, Options};
use catena::{Answer, FrameTimes, Model, Refusal, Run, RunFailure, RunSettings, Setting};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why an experiment did not come to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A model could not be read: a setting that does not fit it.
    #[error(transparent)]
    Load(#[from] catena::LoadError),
    /// A model could not be moved.
    #[error(transparent)]
    Run(#[from] RunFailure),
    /// A question has no answer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Equations did not pass their check.
    #[error(transparent)]
    Check(#[from] catena::CheckError),
    /// The caller ended the work.
    #[error("interrupted")]
    Interrupted,
}

/// The conditions of an experiment, and what it works with.
#[derive(Clone)]
pub struct Laboratory<'a> {
    /// Whether fewer and shorter runs are to do.
    pub quick: bool,
    settings: &'a Options,
    watch: &'a Watch<'a>,
    /// Which part of all work this is.
    part: Range<f64>,
}

impl<'a> Laboratory<'a> {
    /// For a whole study.
    pub fn new(quick: bool, settings: &'a Options, watch: &'a Watch<'a>) -> Laboratory<'a> {
        Laboratory { quick, settings, watch, part: 0.0..1.0 }
    }

    /// The same for a part of the work, from 0 to 1.
    #[must_use]
    pub fn part(&self, part: Range<f64>) -> Laboratory<'a> {
        let length = self.part.end - self.part.start;
        let at = |inner: f64| self.part.start + inner * length;
        Laboratory { part: at(part.start)..at(part.end), ..self.clone() }
    }

    /// The value of a setting of the study; its default, which is a number, if it was not given.
    pub fn number(&self, row: &OptionRow) -> f64 {
        let default = || row.read(row.default).ok();
        match self.settings.get(row).cloned().or_else(default) {
            Some(OptionValue::Number(number)) => number,
            Some(OptionValue::Count(count)) => count as f64,
            _ => f64::NAN,
        }
    }

    /// One of two values: for a quick study and for a full one.
    pub fn quick_or<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Tells which part of this work is done, from 0 to 1.
    pub fn reached(&self, done: f64) -> Result<(), StudyError> {
        let part = self.part.start + done.clamp(0.0, 1.0) * (self.part.end - self.part.start);
        match (self.watch.stop)(part) {
            true => Err(StudyError::Interrupted),
            false => Ok(()),
        }
    }

    /// Seconds since some fixed moment.
    pub fn clock(&self) -> f64 {
        (self.watch.clock)()
    }

    /// A ready system with some values changed, each as NAME=VALUE.
    pub fn model(&self, name: &str, settings: &[String]) -> Result<Model, StudyError> {
        let settings: Vec<Setting> = settings.iter().cloned().map(Setting).collect();
        Ok(catena::load(name, &settings)?)
    }

    /// Moves a model in time.
    pub fn run(&self, model: &Model, settings: &RunSettings) -> Result<Run, StudyError> {
        let run = catena::run_watched(model, settings, &mut |_| self.reached(0.0).is_err())?;
        self.reached(0.0)?;
        Ok(run)
    }

    /// Moves a model in time and films it.
    pub fn film(
        &self,
        model: &Model,
        settings: &RunSettings,
        frames: &FrameTimes,
    ) -> Result<Run, StudyError> {
        let run = catena::film_run(model, settings, frames, &mut |_| self.reached(0.0).is_err())?;
        self.reached(0.0)?;
        Ok(run)
    }

    /// Asks a question of the catalogue about a model, on all threads.
    pub fn ask(
        &self,
        question: &str,
        model: &Model,
        options: &[(&str, &str)],
    ) -> Result<Answer, StudyError> {
        let stop = |done: f64| self.reached(done).is_err();
        let answer = catena::ask_watched(question, model, options, self.watch.threads, &stop);
        self.reached(0.0)?;
        Ok(answer?)
    }

    /// What becomes of each item, in their order; items are worked on side by side.
    pub fn each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&Laboratory<'a>, &T) -> Result<R, StudyError> + Sync,
    ) -> Result<Vec<R>, StudyError> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found: Mutex<Vec<(usize, Result<R, StudyError>)>> = Mutex::new(Vec::new());
        let worker = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return };
                let finished = done.load(Ordering::Relaxed) as f64 / items.len() as f64;
                let result = work(&self.part(finished..finished), item);
                done.fetch_add(1, Ordering::Relaxed);
                let failed = result.is_err();
                found.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((at, result));
                if failed {
                    // the others find nothing more to do
                    next.store(items.len(), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.watch.threads.clamp(1, items.len().max(1)) {
                scope.spawn(worker);
            }
            worker();
        });
        let mut found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, result)| result).collect()
    }
}
