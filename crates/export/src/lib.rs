//! The equations of a model as source for other programs: functions named as in the model, and a driver that runs them.
//!
//! A language is a row of [`LANGUAGES`] and a file of its own. All of them write the same [`catena_compile::Program`]s,
//! so that a source is as long as the straight line of operations that Catena itself runs, however long the equations
//! would be if they were written out.

mod c;
mod error;
mod exported_model;
mod functions_used;
mod identifiers;
mod json;
mod language;
mod latex;
mod octave;
mod python;
mod routine;
mod scope;
mod straight_line;
mod syntax;
mod words;

pub use error::ExportError;
pub use language::{LANGUAGES, Language, SourceName, export, find};
