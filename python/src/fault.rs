//! Failures as exceptions of `catena.errors`, with the words of the command line, their place in the model and what to do.

use catena::model::Problem;
use catena::{LoadError, Problems, Refusal, RunFailure, Source, WriteError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Why there is no result.
pub(crate) struct Fault {
    /// The class of `catena.errors`.
    class: &'static str,
    message: String,
    help: Option<String>,
    problems: Option<Problems>,
}

impl Fault {
    /// What was asked for makes no sense.
    pub(crate) fn of_request(message: impl Into<String>, help: Option<String>) -> Fault {
        Fault { class: "RequestError", message: message.into(), help, problems: None }
    }

    /// Whoever computes for us does not.
    pub(crate) fn of_executor(message: impl Into<String>, help: Option<String>) -> Fault {
        Fault { class: "ExecutorError", message: message.into(), help, problems: None }
    }

    /// A file cannot be used.
    pub(crate) fn of_file(message: impl Into<String>, help: Option<String>) -> Fault {
        Fault { class: "FileError", message: message.into(), help, problems: None }
    }

    /// There is no result for this model.
    pub(crate) fn of_motion(message: impl Into<String>, help: Option<String>) -> Fault {
        Fault { class: "MotionError", message: message.into(), help, problems: None }
    }

    fn raised(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("catena.errors")?.getattr(self.class)?;
        let mut places = Vec::new();
        if let Some(Problems { sources, problems }) = &self.problems {
            for problem in problems {
                places.push(at_place(py, problem, sources)?);
            }
        }
        let instance = class.call1((self.message, self.help, places))?;
        Ok(PyErr::from_value(instance))
    }
}

/// A problem with its place, as `catena.errors.Problem` takes it.
fn at_place<'py>(
    py: Python<'py>,
    problem: &Problem,
    sources: &[Source],
) -> PyResult<Bound<'py, PyDict>> {
    let source = sources.get(problem.place.source);
    let text = source.map_or("", |source| source.text.as_str());
    let span = &problem.place.span;
    let before = text.get(..span.start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_text = text[line_start..].lines().next().unwrap_or_default();
    let marked = text.get(span.clone()).unwrap_or_default().lines().next().unwrap_or_default();
    let place = PyDict::new(py);
    place.set_item("message", problem.kind.to_string())?;
    place.set_item("help", problem.kind.help())?;
    let is_model = problem.place.source == 0;
    let name = source.map_or("", |source| if is_model { source.name.as_str() } else { "set" });
    place.set_item("source", name)?;
    place.set_item("line", before.matches('\n').count() + 1)?;
    place.set_item("column", before[line_start..].chars().count() + 1)?;
    place.set_item("length", marked.chars().count())?;
    place.set_item("text", line_text)?;
    Ok(place)
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| fault.raised(py).unwrap_or_else(|error| error))
    }
}

impl From<Problems> for Fault {
    fn from(problems: Problems) -> Fault {
        let help = problems.problems.first().and_then(|problem| problem.kind.help());
        let message = problems.to_string();
        Fault { class: "ModelError", message, help, problems: Some(problems) }
    }
}

impl From<LoadError> for Fault {
    fn from(error: LoadError) -> Fault {
        let message = error.to_string();
        match error {
            LoadError::Problems(problems) => problems.into(),
            LoadError::NotFound { name } => {
                let known = catena::systems::SYSTEMS.iter().map(|system| system.name);
                let lower = name.to_lowercase().replace(['_', ' '], "-");
                let near = catena::symbolic::nearest(&lower, known);
                let help = match near {
                    Some(near) => {
                        format!("did you mean `{near}`? `catena.systems()` lists all of them")
                    }
                    None => "`catena.systems()` lists the ready systems".to_owned(),
                };
                Fault { class: "NotFoundError", message, help: Some(help), problems: None }
            }
            _ => Fault { class: "NotFoundError", message, help: None, problems: None },
        }
    }
}

impl From<RunFailure> for Fault {
    fn from(failure: RunFailure) -> Fault {
        let help = failure.help();
        match failure.is_usage() {
            true => Fault::of_request(failure.to_string(), help),
            false => Fault::of_motion(failure.to_string(), help),
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        if let Some(failure) = refusal.run {
            return (*failure).into();
        }
        // deeds and options are named as Python names them
        let help = refusal.help_naming(|key| match key {
            "check" => "`model.check()`".to_owned(),
            "set" => "`model.set`".to_owned(),
            "equilibrium" => "`model.equilibrium(all=True)`".to_owned(),
            key => format!("`{key}`"),
        });
        let help = help.map(|help| with_keyword(&help));
        match refusal.is_usage {
            true => Fault::of_request(refusal.message, help),
            false => Fault::of_motion(refusal.message, help),
        }
    }
}

/// An example of an option as Python writes it: "as in `drive` theta2" is `drive="theta2"`.
fn with_keyword(help: &str) -> String {
    let example = help.split_once("as in `").and_then(|(before, rest)| {
        let (key, rest) = rest.split_once("` ")?;
        let (value, after) = rest.split_at(rest.find([' ', ';']).unwrap_or(rest.len()));
        Some(format!("{before}as in `{key}=\"{value}\"`{after}"))
    });
    example.unwrap_or_else(|| help.to_owned())
}

impl From<WriteError> for Fault {
    fn from(error: WriteError) -> Fault {
        let (message, help) = (error.to_string(), error.help());
        let class = if error.is_usage() { "RequestError" } else { "FileError" };
        Fault { class, message, help, problems: None }
    }
}
