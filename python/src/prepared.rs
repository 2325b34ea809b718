//! A model that was derived and compiled once and runs many times.

use crate::compiled::Compiled;
use crate::fault::Fault;
use crate::functions::Functions;
use crate::model::Model;
use crate::run::{Run, settings, state_names};
use crate::watch::Watch;
use catena::simulation::{Host, RunError, RunPlan, Start};
use catena::{RunFailure, RunSettings};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// A model, ready for one formulation.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct Prepared {
    model: Arc<catena::Model>,
    /// What it was prepared with; runs may say more.
    settings: RunSettings,
    compiled: Arc<Compiled>,
    /// Parameters and start where they are others than those that it was prepared with.
    varied: Option<(Vec<f64>, Start)>,
}

impl Prepared {
    pub(crate) fn new(model: Arc<catena::Model>, settings: RunSettings) -> Result<Prepared, Fault> {
        let plan = RunPlan::new(&model, &settings, &model.run)?;
        let prepared = plan.formulation.prepare(&model).map_err(RunFailure::from)?;
        // further runs have the same formulation, whoever chose it; some integrators have none
        let formulation =
            plan.settings().formulation.filter(|_| !plan.options.integrator.structural);
        let settings = RunSettings { formulation, ..settings };
        let compiled = Arc::new(Compiled::new(prepared));
        Ok(Prepared { model, settings, compiled, varied: None })
    }
}

#[pymethods]
impl Prepared {
    /// The name of the formulation.
    #[getter]
    fn formulation(&self) -> &'static str {
        self.compiled.prepared.formulation().name
    }

    /// Names of coordinates, velocities and first-order states, in the coordinates of the formulation.
    #[getter]
    fn names(&self) -> Vec<String> {
        state_names(self.compiled.prepared.system())
    }

    /// Coordinates, velocities and first-order states at the start, those that are not given solved for.
    fn assembled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let assembly = py.detach(|| {
            let set = self.compiled.prepared.formulation().coordinates;
            let t = self.settings.t_start.or(self.model.run.t_start).unwrap_or(0.0);
            let start = Start { t, ..Start::new(&self.model, set) };
            let parameters = self.model.parameter_values();
            self.compiled.with_workspace(|prepared| prepared.assemble(&parameters, &start))
        });
        let found =
            assembly.map_err(|error| Fault::from(RunFailure::Run(RunError::from(error))))?;
        let joined = [found.q, found.v, found.states].concat();
        Ok(PyArray1::from_vec(py, joined))
    }

    /// The functions of the model, with its parameters.
    fn functions(&self) -> Functions {
        Functions::new(self.compiled.clone(), self.model.parameter_values())
    }

    /// The same for a model that differs in values alone; nothing where it has other equations.
    fn varied(&self, other: &Model) -> Option<Prepared> {
        let model = other.model.clone();
        if !model.has_equations_of(&self.model) {
            return None;
        }
        let compiled = self.compiled.clone();
        let start = Start::new(&model, compiled.prepared.formulation().coordinates);
        Some(Prepared {
            varied: Some((model.parameter_values(), start)),
            model,
            settings: self.settings.clone(),
            compiled,
        })
    }

    /// Moves the model in time.
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
            if let Some((parameters, start)) = &self.varied {
                plan.options.parameters = Some(parameters.clone());
                plan.options.start = Some(start.clone());
            }
            let mut clock = || began.elapsed().as_secs_f64();
            let mut stop = |part: f64| watch.step(part);
            let mut host = Host::new(&mut clock, &mut stop);
            let run = self.compiled.with_workspace(|prepared| {
                prepared.run_certified(&plan.options, plan.certification, &mut host)
            });
            let mut run = run.map_err(RunFailure::from)?;
            run.certificate.model_hash = model.hash();
            Ok((run, plan.options))
        });
        watch.finish()?;
        let (run, options) = run?;
        Ok(Run::new(self.model.clone(), run, options))
    }
}
