//! The order of the book: the lists of links in `book/index.md`, with the generated chapters behind them.

use crate::chapter::Chapter;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use std::path::Path;

/// The chapter that everything begins with.
pub(crate) const INDEX: &str = "index";

/// A part of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its heading.
    pub title: String,
    /// Names of its chapters.
    pub chapters: Vec<String>,
}

/// All parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the book.
    pub parts: Vec<Part>,
}

impl Contents {
    /// The chapters that the lists of an index link to; each heading of the second level begins a part.
    pub fn of_index(markdown: &str) -> Contents {
        let mut parts: Vec<Part> = Vec::new();
        let (mut items, mut is_heading) = (0, false);
        for event in Parser::new_ext(markdown, Chapter::dialect()) {
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                    parts.push(Part { title: String::new(), chapters: Vec::new() });
                    is_heading = true;
                }
                Event::End(TagEnd::Heading(_)) => is_heading = false,
                Event::Start(Tag::Item) => items += 1,
                Event::End(TagEnd::Item) => items -= 1,
                Event::Start(Tag::Link { dest_url, .. }) if items > 0 => {
                    let name = dest_url.strip_suffix(".md").filter(|name| !name.contains('/'));
                    if let (Some(name), Some(part)) = (name, parts.last_mut()) {
                        part.chapters.push(name.to_owned());
                    }
                }
                Event::Text(text) | Event::Code(text) if is_heading => {
                    if let Some(part) = parts.last_mut() {
                        part.title += &text;
                    }
                }
                _ => {}
            }
        }
        parts.retain(|part| !part.chapters.is_empty());
        Contents { parts }
    }

    /// Names of all chapters in their order, the index first.
    pub fn names(&self) -> Vec<&str> {
        let listed = self.parts.iter().flat_map(|part| &part.chapters);
        std::iter::once(INDEX).chain(listed.map(String::as_str)).collect()
    }
}

/// The chapters that people have written, as files of a folder, in the order of their names.
pub fn written_chapters(folder: &Path) -> std::io::Result<Vec<Chapter>> {
    let mut chapters = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            chapters.push(Chapter::written(&name, &std::fs::read_to_string(&path)?));
        }
    }
    chapters.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(chapters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_the_index_are_the_contents() {
        let text = "# Book\n\n[not](this.md)\n\n## Begin\n\n- [One](one.md): a\n- [Two](two.md)\n\n\
                    ## Nothing\n\ntext\n\n## More\n\n- [Three](three.md), [far](../far.md)\n";
        let part = |title: &str, names: &[&str]| Part {
            title: title.to_owned(),
            chapters: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let contents = Contents::of_index(text);
        assert_eq!(contents.parts, [part("Begin", &["one", "two"]), part("More", &["three"])]);
        assert_eq!(contents.names(), ["index", "one", "two", "three"]);
    }
}
