//! The languages, one row each.

use crate::exported_model::ExportedModel;
use crate::{ExportError, c, json, latex, octave, python};
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
    &[&c::LANGUAGE, &python::LANGUAGE, &octave::LANGUAGE, &latex::LANGUAGE, &json::LANGUAGE];

/// The language of this name.
pub fn find(name: &str) -> Option<&'static Language> {
    let is_it = |language: &&Language| language.name == name || language.aliases.contains(&name);
    LANGUAGES.iter().copied().find(is_it)
}

/// What a source is called: programs and functions are named after it.
#[derive(Clone, Copy, Debug)]
pub enum SourceName<'a> {
    /// After the file that it is written to, without its ending.
    File(&'a str),
    /// After the model, where there is no file yet.
    Model(&'a str),
}

/// Writes a model in a set of coordinates as source.
///
/// ```
/// use catena_export::{SourceName, export, find};
/// # let model = catena_model::Model::builder("Spring").parameter("k", 2).coordinate("x", "").kinetic("x'^2/2")
/// #     .potential("k*x^2/2").build().unwrap();
/// let c = find("c").expect("it is in the table");
/// let source = export(&model, Default::default(), c, SourceName::File("spring"))?;
/// assert!(source.contains("Q[0] = -k*x;"));
/// # Ok::<(), catena_export::ExportError>(())
/// ```
pub fn export(
    model: &Model,
    set: CoordinateSet,
    language: &Language,
    name: SourceName<'_>,
) -> Result<String, ExportError> {
    let exported = ExportedModel::new(model, set, name)?;
    (language.write)(&exported)
}
