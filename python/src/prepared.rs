//! A model that was derived and compiled once and runs many times.

use crate::fault::Fault;
use crate::run::{Run, settings};
use crate::watch::Watch;
use catena::simulation::{Host, RunPlan};
use catena::{RunFailure, RunSettings};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A model, ready for one formulation.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct Prepared {
    model: Arc<catena::Model>,
    /// What it was prepared with; runs may say more.
    settings: RunSettings,
    prepared: Mutex<catena::Prepared>,
}

impl Prepared {
    pub(crate) fn new(model: Arc<catena::Model>, settings: RunSettings) -> Result<Prepared, Fault> {
        let plan = RunPlan::new(&model, &settings, &model.run)?;
        let prepared = plan.formulation.prepare(&model).map_err(RunFailure::from)?;
        // further runs have the same formulation, whoever chose it
        let settings = RunSettings { formulation: plan.settings().formulation, ..settings };
        Ok(Prepared { model, settings, prepared: Mutex::new(prepared) })
    }

    /// Its own workspace for whoever comes while another one is at work.
    fn workspace(&self) -> catena::Prepared {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl Prepared {
    /// The name of the formulation.
    #[getter]
    fn formulation(&self) -> &'static str {
        self.workspace().formulation().name
    }

    /// Moves the model in time. Parameters and a start are those of this run only.
    fn run(
        &self,
        py: Python<'_>,
        options: Vec<(String, String)>,
        film: bool,
        samples: Vec<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        let settings = settings(&options)?.or(&self.settings);
        let model = &self.model;
        let mut watch = Watch::new(progress);
        let run = py.detach(|| -> Result<_, Fault> {
            let began = Instant::now();
            let mut plan = RunPlan::new(model, &settings, &model.run)?;
            if film {
                plan.options.film = catena::analysis::frames_to_watch(model, &plan);
            }
            plan.options.samples = samples;
            let mut clock = || began.elapsed().as_secs_f64();
            let mut stop = |part: f64| watch.step(part);
            let mut host = Host::new(&mut clock, &mut stop);
            let run = match self.prepared.try_lock() {
                Ok(mut own) => own.run_certified(&plan.options, plan.certification, &mut host),
                Err(_) => {
                    self.workspace().run_certified(&plan.options, plan.certification, &mut host)
                }
            };
            Ok((run.map_err(RunFailure::from)?, plan.options))
        });
        watch.finish()?;
        let (run, options) = run?;
        Ok(Run::new(self.model.clone(), run, options))
    }
}
