//! The languages, one row each.

use crate::ExportError;
use crate::exported_model::ExportedModel;
use catena_model::{CoordinateSet, Model};

/// A language that models are written in.
pub struct Language {
    /// As users name it.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What the names of files end in, without the dot.
    pub ending: &'static str,
    /// A line about what is written.
    pub summary: &'static str,
    pub(crate) write: fn(&ExportedModel<'_>) -> Result<String, ExportError>,
}

/// Every language. The command line and its help are made from this list.
pub static LANGUAGES: &[&Language] =
    &[&crate::c::LANGUAGE, &crate::python::LANGUAGE, &crate::json::LANGUAGE];

/// The language of this name.
pub fn find(name: &str) -> Option<&'static Language> {
    let is_it = |language: &&Language| language.name == name || language.aliases.contains(&name);
    LANGUAGES.iter().copied().find(is_it)
}

/// Writes a model in a set of coordinates as source. `name` is what the file is called, without its ending: programs and
/// functions are named after it.
pub fn export(
    model: &Model,
    set: CoordinateSet,
    language: &Language,
    name: &str,
) -> Result<String, ExportError> {
    let exported = ExportedModel::new(model, set, name)?;
    (language.write)(&exported)
}
