//! The Python package, as far as it is written in Rust: models, runs, questions and arrays. Words, keywords and what a
//! notebook shows are written in Python, next to this.

mod answer;
mod arrays;
mod compiled;
mod drawing;
mod fault;
mod functions;
mod model;
mod prepared;
mod run;
mod sweep;
mod sweep_fault;
mod watch;

use catena_protocol::{Host, Limits, Workbench};
use pyo3::prelude::*;

/// No text that fits into the memory is too long here.
const UNLIMITED: Limits = Limits { model_bytes: usize::MAX, values: usize::MAX };

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::functions::Functions;
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::prepared::Prepared;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::sweep::{SweepPlan, SweepStore};
    #[pymodule_export]
    use crate::{request, version};
}

/// The version of Catena.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// One request of the protocol, as JSON, and its reply: the catalogue, what a model consists of, its derivation, files.
#[pyfunction]
fn request(py: Python<'_>, text: &str) -> String {
    py.detach(|| {
        let host = Host { limits: UNLIMITED, ..Host::ALONE };
        Workbench::default().answer(text, &host).to_string()
    })
}
