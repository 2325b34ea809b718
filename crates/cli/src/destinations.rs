//! Where results go, asked before the work: nothing that is read is replaced, and what cannot be written is known.

use crate::output::is_standard;
use crate::{FAILED, ModelArguments, WRONG_USAGE, report};
use catena::WriteError;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files that a command reads, and those it has been found to be able to write.
#[derive(Default)]
pub(crate) struct Destinations {
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

impl Destinations {
    /// Of a command that reads these files.
    pub(crate) fn reading(inputs: impl IntoIterator<Item = PathBuf>) -> Destinations {
        Destinations { inputs: inputs.into_iter().collect(), outputs: Vec::new() }
    }

    /// Of a command that reads a model, which may be a ready system and no file.
    pub(crate) fn of(model: &ModelArguments) -> Destinations {
        let file = PathBuf::from(&model.model);
        Destinations::reading(Some(file).filter(|file| file.exists()))
    }

    /// Adds a file whose name ends in one of these.
    pub(crate) fn add(&mut self, path: Option<&Path>, endings: &[&str]) -> Result<(), ExitCode> {
        let Some(path) = path else { return Ok(()) };
        self.add_any(path)?;
        catena::check_destination(path, endings).map_err(refused)
    }

    /// Adds a table; `-` is standard output, which replaces nothing.
    pub(crate) fn add_table(&mut self, path: Option<&Path>) -> Result<(), ExitCode> {
        self.add(path.filter(|path| !is_standard(Some(path))), catena::TABLE_FORMATS)
    }

    /// Adds a picture.
    pub(crate) fn add_picture(&mut self, path: Option<&Path>) -> Result<(), ExitCode> {
        self.add(path, catena::PICTURE_FORMATS)
    }

    /// Adds something that moves.
    pub(crate) fn add_animation(&mut self, path: Option<&Path>) -> Result<(), ExitCode> {
        self.add(path, catena::ANIMATION_FORMATS)
    }

    /// Adds a file of whatever name, whose writer looks after the rest.
    pub(crate) fn add_any(&mut self, path: &Path) -> Result<(), ExitCode> {
        catena::check_replaces_nothing(path, &self.inputs, &self.outputs).map_err(refused)?;
        self.outputs.push(path.to_owned());
        Ok(())
    }
}

fn refused(error: WriteError) -> ExitCode {
    let help = error.help().unwrap_or_else(|| "nothing was run; name another file".to_owned());
    report::error(&error.to_string(), Some(&help));
    ExitCode::from(if error.is_usage() { WRONG_USAGE } else { FAILED })
}
