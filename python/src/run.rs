//! A motion: its rows as arrays, its certificate, its pictures and files.

use crate::arrays;
use crate::drawing::{Marks, drawing};
use crate::fault::Fault;
use catena::analysis::PlotStyle;
use catena::model::Options;
use catena::model::run_settings::every_option;
use catena::present::{Bytes, animation_bytes, picture_bytes};
use catena::simulation::{RunOptions, StopReason};
use catena::{Animation, CoordinateSet, Extent, PLOT_OPTIONS, Report, RunSettings};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A motion that was computed.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct Run {
    model: Arc<catena::Model>,
    run: catena::Run,
    /// Where it began and ended, s.
    span: (f64, f64),
}

/// The settings of a run, from names and texts.
pub(crate) fn settings(options: &[(String, String)]) -> Result<RunSettings, Fault> {
    let mut run = RunSettings::default();
    for (key, text) in options {
        let option = every_option().find(|option| option.row.key == key.as_str());
        let option = option.ok_or_else(|| {
            let known = every_option().map(|option| option.row.key);
            let near = catena::symbolic::nearest(key, known.clone());
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are: {}", known.collect::<Vec<_>>().join(", ")),
            };
            Fault::of_request(format!("there is no option `{key}`"), Some(help))
        })?;
        let set = option.set_text(&mut run, text);
        set.map_err(|error| Fault::of_request(error.to_string(), Some(error.help())))?;
    }
    Ok(run)
}

/// How a picture is to look, from names and texts.
pub(crate) fn plot_style(options: &[(String, String)]) -> Result<PlotStyle, Fault> {
    let mut own = Options::new(PLOT_OPTIONS);
    for (key, text) in options {
        let set = own.set_text(key, text);
        set.map_err(|error| Fault::of_request(error.to_string(), Some(error.help())))?;
    }
    PlotStyle::new(&own).map_err(|bad| {
        Fault::of_request(format!("`{}` cannot be `{}`", bad.flag, bad.text), Some(bad.help.into()))
    })
}

impl Run {
    pub(crate) fn new(model: Arc<catena::Model>, run: catena::Run, options: RunOptions) -> Run {
        Run { model, run, span: (options.t_start, options.t_end) }
    }
}

#[pymethods]
impl Run {
    #[getter]
    fn span(&self) -> (f64, f64) {
        self.span
    }

    /// The columns by name, as arrays that share the memory of the run.
    fn columns<'py>(slf: &Bound<'py, Run>) -> PyResult<Bound<'py, PyDict>> {
        // SAFETY: the run is frozen and nothing of it is ever written
        unsafe { arrays::columns(&slf.get().run.table, slf.as_any()) }
    }

    /// Names of coordinates, velocities and first-order states among the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        let Run { model, run, .. } = self;
        let named = catena::formulation::find(run.certificate.formulation);
        let entry = named.unwrap_or_else(|| catena::formulation::structural_base(model));
        let names = state_names(model.system(entry.coordinates));
        names.into_iter().filter(|name| run.table.find(name).is_some()).collect()
    }

    /// A row for every event.
    fn events<'py>(slf: &Bound<'py, Run>) -> PyResult<Bound<'py, PyDict>> {
        // SAFETY: as for columns
        unsafe { arrays::columns(&slf.get().run.events, slf.as_any()) }
    }

    /// States at the times that were asked for besides the rows.
    fn samples<'py>(slf: &Bound<'py, Run>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let samples = slf.get().run.samples.as_ref();
        // SAFETY: as for columns
        samples.map(|table| unsafe { arrays::columns(table, slf.as_any()) }).transpose()
    }

    /// What the columns are measured in.
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        arrays::units(py, &self.run.table)
    }

    /// The certificate as JSON.
    fn certificate(&self) -> String {
        catena::present::certificate_json(&self.run.certificate).to_string()
    }

    /// The certificate in words.
    fn words(&self) -> String {
        let has_energy = !self.model.own.coordinates.is_empty();
        catena::certificate_text(&self.run, true, has_energy, &|_, text| text.to_owned())
    }

    /// How it ended: 0 at the end, 1 at an event, -1 where it failed; and why, in words.
    fn status(&self) -> (i32, String) {
        match &self.run.certificate.stop {
            StopReason::Finished => (0, "the end was reached".to_owned()),
            StopReason::Failed { message } => (-1, message.clone()),
            StopReason::Event { name } => (1, format!("the event `{name}` ended it")),
            _ => (-1, "the run was stopped".to_owned()),
        }
    }

    /// Whether it was filmed.
    fn is_filmed(&self) -> bool {
        self.run.film.is_some()
    }

    /// The same motion with the certificate of another run of it, which was not filmed but examined.
    fn certified_as(&self, other: &Run) -> Run {
        let certificate = other.run.certificate.clone();
        let run = catena::Run { certificate, ..self.run.clone() };
        Run { model: self.model.clone(), run, span: self.span }
    }

    /// Writes the table; the ending names the format.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| catena::write_run(&self.run, &path)).map_err(Fault::from)?)
    }

    /// A picture of columns over time, as a file of this ending.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<String>,
        ending: &str,
        style: Vec<(String, String)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        for name in &columns {
            if self.run.table.find(name).is_none() {
                let known = self.run.table.names().map(str::to_owned).collect();
                let error =
                    catena::simulation::RunError::UnknownColumn { name: name.clone(), known };
                return Err(Fault::from(catena::RunFailure::Run(error)).into());
            }
        }
        let style = plot_style(&style)?;
        let bytes = py.detach(|| {
            let title = &self.model.title;
            let figure = match columns.as_slice() {
                [] => catena::run_figure(title, &self.run, &[]),
                named => catena::table_figure(title, &self.run.table, "t", named, true),
            };
            picture_bytes(&style.applied(figure, ""), &named(ending))
        });
        Ok(PyBytes::new(py, &bytes.map_err(Fault::from)?))
    }

    /// Poses of a motion that was filmed, as a file of this ending.
    fn drawing<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
        poses: usize,
        marks: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let film = self.run.film.clone().unwrap_or_default();
        let drawn = || drawing(&self.model.title, film, poses, &Marks(marks), ending);
        Ok(PyBytes::new(py, &py.detach(drawn)?))
    }

    /// What moves, as a file of this ending; nothing where the model does not say what it looks like.
    fn animation<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = py.detach(|| {
            let animation = Animation::of_run(&self.model.title, &self.run, None);
            animation_bytes(&animation, &named(ending), &mut |_| false)
        });
        Ok(match bytes.map_err(Fault::from)? {
            Bytes::Made { bytes, .. } => Some(PyBytes::new(py, &bytes)),
            Bytes::NothingToDraw | Bytes::Interrupted => None,
        })
    }

    /// Everything about the model and its motion on one page of HTML.
    fn report(&self, py: Python<'_>) -> String {
        let Run { model, run, .. } = self;
        py.detach(|| {
            let derivation =
                catena::derive_as_far(model, CoordinateSet::Own, Extent::Readable).ok();
            let report = Report {
                model,
                diagnosis: &catena::diagnose(model),
                derivation: derivation.as_ref(),
                run,
                figure: catena::run_figure(&model.title, run, &[]),
                commands: Vec::new(),
            };
            report.to_html()
        })
    }
}

/// Names of the coordinates of a system, of their rates and of its first-order states.
pub(crate) fn state_names(system: &catena::model::System) -> Vec<String> {
    let coordinates = || system.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let velocities = coordinates().map(|name| format!("{name}'"));
    let states = system.states.iter().map(|state| state.name.clone());
    coordinates().chain(velocities).chain(states).collect()
}

/// A file of this kind: writers go by the ending.
pub(crate) fn named(ending: &str) -> PathBuf {
    Path::new("file").with_extension(ending)
}
