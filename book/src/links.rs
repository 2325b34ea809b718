//! Links between chapters: where they lead must be there, anchors as well.

use crate::chapter::{Chapter, Item};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The anchors of each chapter, by its name.
#[derive(Clone, Debug, Default)]
pub struct Anchors(HashMap<String, HashSet<String>>);

impl Anchors {
    /// Those of all headings.
    pub fn of(chapters: &[Chapter]) -> Anchors {
        let anchors = |chapter: &Chapter| {
            let items = chapter.items().into_iter();
            let found = items.filter_map(|item| match item {
                Item::Heading(_, _, anchor) => Some(anchor),
                _ => None,
            });
            (chapter.name.clone(), found.collect())
        };
        Anchors(chapters.iter().map(anchors).collect())
    }

    /// Whether there is a chapter of this name.
    pub fn has_chapter(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    fn check(&self, from: &str, target: &str, folder: &Path) -> Result<(), String> {
        if target.contains("://") || target.starts_with("mailto:") {
            return Ok(());
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let name = match file {
            "" => from,
            file => match file.strip_suffix(".md") {
                Some(name) if !file.contains('/') => name,
                // files of the repository, pictures, and what commands have made, which is looked for as they run
                _ if file.contains('/') && !folder.join(file).exists() => {
                    return Err(format!("there is no {file}"));
                }
                _ => return Ok(()),
            },
        };
        match self.0.get(name) {
            None => Err(format!("there is no chapter {name}")),
            Some(anchors) if !anchor.is_empty() && !anchors.contains(anchor) => {
                Err(format!("the chapter {name} has no heading #{anchor}"))
            }
            Some(_) => Ok(()),
        }
    }
}

/// Links and pictures of chapters that lead nowhere; paths begin in a folder.
pub fn broken_links(chapters: &[Chapter], folder: &Path) -> Vec<String> {
    let anchors = Anchors::of(chapters);
    let mut broken = Vec::new();
    for chapter in chapters {
        for item in chapter.items() {
            if let Item::Link(target) | Item::Picture(target) = item
                && let Err(problem) = anchors.check(&chapter.name, &target, folder)
            {
                broken.push(format!("{}: {target}: {problem}", chapter.name));
            }
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "# A\n\n[1](b.md#two-words) [2](#a) [3](c.md) [4](b.md#three) [5](../book/no.rs) ![6](x.svg)";
        let chapters =
            [Chapter::written("a", text), Chapter::written("b", "# B\n\n## Two words\n")];
        let broken = broken_links(&chapters, Path::new(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(broken.len(), 3, "{broken:?}");
        assert!(broken[0].contains("chapter c") && broken[1].contains("#three"), "{broken:?}");
    }
}
