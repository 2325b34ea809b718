//! The sources of the page, inside the program.

/// The frame of the document, with the names of styles and scripts that a browser loads while the page is being made.
pub(crate) static INDEX: &str = include_str!("index.html");

/// Paths below `src` and texts of all scripts and styles, sorted by path.
pub(crate) static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The text of one of them.
pub(crate) fn text_of(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}
