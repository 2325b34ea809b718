//! A model: read once, never changed.

use crate::answer::Answer;
use crate::drawing::{Marks, drawing};
use crate::fault::Fault;
use crate::prepared::Prepared;
use crate::run::{Run, settings};
use crate::watch::{Watch, beside};
use catena::simulation::{Host, RunPlan};
use catena::{CoordinateSet, Setting, Source};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::time::Instant;

/// A model that was read, with the text that it came from.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct Model {
    pub(crate) model: Arc<catena::Model>,
    /// A ready system, a path, or what the user calls it.
    #[pyo3(get)]
    name: String,
    /// The text of the model file.
    #[pyo3(get)]
    text: String,
}

fn set(pairs: Vec<(String, String)>) -> Vec<Setting> {
    pairs.into_iter().map(|(name, value)| Setting(format!("{name}={value}"))).collect()
}

#[pymethods]
impl Model {
    /// A ready system or a model file.
    #[staticmethod]
    fn load(py: Python<'_>, name: String, settings: Vec<(String, String)>) -> PyResult<Model> {
        let model = py.detach(|| catena::load(&name, &set(settings))).map_err(Fault::from)?;
        Ok(Model::of(name, model))
    }

    /// The text of a model file.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        name: String,
        text: String,
        settings: Vec<(String, String)>,
    ) -> PyResult<Model> {
        let read = py.detach(|| catena::read(Source::new(&name, &text), &set(settings)));
        Ok(Model::of(name, read.map_err(Fault::from)?))
    }

    #[getter]
    fn title(&self) -> &str {
        &self.model.title
    }

    #[getter]
    fn description(&self) -> &str {
        &self.model.description
    }

    /// Two models with the same hash have the same text and the same values set.
    #[getter]
    fn hash(&self) -> u64 {
        self.model.hash()
    }

    /// Parameters and their values, in the order of the model.
    #[getter]
    fn parameters(&self) -> Vec<(&str, f64)> {
        let parameters = self.model.parameters.iter();
        parameters.map(|parameter| (parameter.entry.name.as_str(), parameter.value)).collect()
    }

    /// The examination of the model, as JSON.
    fn diagnosis(&self, py: Python<'_>) -> String {
        let model = &self.model;
        py.detach(|| catena::diagnosis_json(&model.title, &catena::diagnose(model)).to_string())
    }

    /// What the model looks like at its start, as a file of this ending.
    fn drawing<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
        marks: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let model = &self.model;
        let bytes = py.detach(|| {
            let (film, _) = catena::film_of_start(model, model.run.t_start.unwrap_or(0.0));
            drawing(&model.title, film, 1, &Marks(marks), ending)
        });
        Ok(PyBytes::new(py, &bytes?))
    }

    /// Derives and compiles the model once, for the formulation of these settings.
    fn prepare(&self, py: Python<'_>, options: Vec<(String, String)>) -> PyResult<Prepared> {
        let settings = settings(&options)?;
        let model = self.model.clone();
        let prepared = py.detach(|| Prepared::new(model, settings));
        Ok(prepared?)
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
        let settings = settings(&options)?;
        let model = &self.model;
        let mut watch = Watch::new(progress);
        let run = py.detach(|| {
            let began = Instant::now();
            let mut plan = RunPlan::new(model, &settings, &model.run)?;
            if film {
                plan.options.film = catena::analysis::frames_to_watch(model, &plan);
            }
            plan.options.samples = samples;
            let mut clock = || began.elapsed().as_secs_f64();
            let mut stop = |part: f64| watch.step(part);
            let run = plan.run(model, &mut Host::new(&mut clock, &mut stop));
            run.map(|run| (run, plan.options)).map_err(catena::RunFailure::from)
        });
        watch.finish()?;
        let (run, options) = run.map_err(Fault::from)?;
        Ok(Run::new(self.model.clone(), run, options))
    }

    /// Asks a question of the catalogue.
    fn ask(
        &self,
        py: Python<'_>,
        question: &str,
        options: Vec<(String, String)>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let model = self.model.clone();
        let answer = beside(py, progress, |stop| {
            let pairs: Vec<(&str, &str)> =
                options.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
            catena::ask_watched(question, &model, &pairs, threads, stop)
        })?;
        Ok(Answer::new(answer.map_err(Fault::from)?))
    }

    /// The description in another language: C, Python, Octave and others.
    fn export(&self, py: Python<'_>, language: &str) -> PyResult<String> {
        let known = catena::export::LANGUAGES.iter().map(|language| language.name);
        let found = catena::export::find(language).ok_or_else(|| {
            let near = catena::symbolic::nearest(language, known.clone());
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are: {}", known.collect::<Vec<_>>().join(", ")),
            };
            Fault::of_request(format!("there is no language `{language}`"), Some(help))
        })?;
        let name = catena::export::SourceName::Model(&self.name);
        let model = &self.model;
        let written = py.detach(|| catena::export::export(model, CoordinateSet::Own, found, name));
        Ok(written.map_err(|error| Fault::of_motion(error.to_string(), error.help()))?)
    }
}

impl Model {
    fn of(name: String, model: catena::Model) -> Model {
        let text = model.sources.first().map(|source| source.text.clone()).unwrap_or_default();
        Model { model: Arc::new(model), name, text }
    }
}
