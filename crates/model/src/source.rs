//! Texts that models are read from, and places in them.

use catena_symbolic::Span;

/// A text with the name under which it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The file's name, or what stands for it.
    pub name: String,
    /// As it was read, in UTF-8.
    pub text: String,
}

impl Source {
    /// A text with its name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// The file's name without folders and ending: what a model is called that has no title.
    pub(crate) fn stem(&self) -> &str {
        let stem = std::path::Path::new(&self.name).file_stem();
        stem.and_then(|stem| stem.to_str()).unwrap_or(&self.name)
    }
}

/// A place in one of the texts that a model was read from: the file is the first, settings follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Position of the text in [`Model::sources`](crate::Model::sources).
    pub source: usize,
    /// Where in it, in bytes.
    pub span: Span,
}
