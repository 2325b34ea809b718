//! The answer to a question: facts, a table, words, a picture.

use crate::arrays;
use crate::fault::Fault;
use crate::run::{named, plot_style};
use catena::present::{Bytes, animation_bytes, picture_bytes};
use catena::{Animation, write_table};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// The answer to a question.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct Answer {
    answer: catena::Answer,
}

impl Answer {
    pub(crate) fn new(answer: catena::Answer) -> Answer {
        Answer { answer }
    }
}

#[pymethods]
impl Answer {
    #[getter]
    fn question(&self) -> &'static str {
        self.answer.question
    }

    #[getter]
    fn title(&self) -> &str {
        &self.answer.title
    }

    /// What was found, with the settings that it was found with, as JSON.
    fn to_json(&self) -> String {
        self.answer.to_json().to_string()
    }

    /// What is missing of the answer, if something is.
    #[getter]
    fn shortfall(&self) -> Option<&str> {
        self.answer.shortfall.as_deref()
    }

    /// In words.
    fn words(&self) -> String {
        self.answer.words.to_text()
    }

    /// The columns of the table by name, as arrays that share the memory of the answer.
    fn columns<'py>(slf: &Bound<'py, Answer>) -> PyResult<Bound<'py, PyDict>> {
        // SAFETY: the answer is frozen and nothing of it is ever written
        unsafe { arrays::columns(&slf.get().answer.table, slf.as_any()) }
    }

    /// What the columns are measured in.
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        arrays::units(py, &self.answer.table)
    }

    /// A text that goes with the answer, as a model file of the linear model.
    fn text(&self) -> PyResult<Option<String>> {
        match &self.answer.file {
            None => Ok(None),
            Some(file) => Ok(Some(file.text.clone().map_err(Fault::from)?)),
        }
    }

    /// Writes the table; the ending names the format.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        Ok(py.detach(|| write_table(&self.answer.table, &path)).map_err(Fault::from)?)
    }

    /// The picture of the answer, as a file of this ending.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
        style: Vec<(String, String)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let style = plot_style(&style)?;
        let figure = style.applied(self.answer.figure.clone(), &self.answer.description());
        let bytes = py.detach(|| picture_bytes(&figure, &named(ending)));
        Ok(PyBytes::new(py, &bytes.map_err(Fault::from)?))
    }

    /// What moves, as a file of this ending; nothing where the answer was not filmed.
    fn animation<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Some(animation) = Animation::of_answer(&self.answer) else { return Ok(None) };
        let bytes = py.detach(|| animation_bytes(&animation, &named(ending), &mut |_| false));
        Ok(match bytes.map_err(Fault::from)? {
            Bytes::Made { bytes, .. } => Some(PyBytes::new(py, &bytes)),
            Bytes::NothingToDraw | Bytes::Interrupted => None,
        })
    }
}
