//! Chapters made from the catalogues: one for each formulation, integrator, joint, element and analysis.
//!
//! Equations, when to choose a method and where it comes from are told by the head of its own file, as `cargo doc` shows it;
//! names, options and defaults by its row. Commands are run, and what they print is put below them.

mod analyses;
mod elements;
mod formulations;
mod head;
mod integrators;
mod joints;
mod order_figure;
mod pairs;
mod tables;

pub use head::Head;
pub use order_figure::MeasuredOrder;
pub use pairs::{Pair, pairs};

use crate::chapter::Chapter;
use crate::contents::Part;

/// The chapters of one catalogue, behind a page that lists them.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// What the part is called.
    pub title: &'static str,
    /// The list first.
    pub chapters: Vec<Chapter>,
}

impl Catalogue {
    /// The same in the contents.
    pub fn part(&self) -> Part {
        let chapters = self.chapters.iter().map(|chapter| chapter.name.clone()).collect();
        Part { title: self.title.to_owned(), chapters }
    }

    /// The list of entries, by name and summary, and the entries.
    fn new(
        title: &'static str,
        file: &str,
        introduction: &str,
        entries: Vec<(Chapter, String)>,
    ) -> Catalogue {
        let row = |(chapter, summary): &(Chapter, String)| {
            format!("| [{}]({}.md) | {} |\n", chapter.title(), chapter.name, tables::cell(summary))
        };
        let rows: String = entries.iter().map(row).collect();
        let list = format!(
            "# All {}\n\n{introduction}\n\n| name | in short |\n|---|---|\n{rows}",
            title.to_lowercase()
        );
        let list = Chapter::generated(file.to_owned(), list);
        let chapters = entries.into_iter().map(|(chapter, _)| chapter);
        Catalogue { title, chapters: std::iter::once(list).chain(chapters).collect() }
    }
}

const TITLES: [&str; 5] =
    [formulations::TITLE, integrators::TITLE, joints::TITLE, elements::TITLE, analyses::TITLE];

/// Whether a part of the contents is a catalogue.
pub(crate) fn is_catalogue(title: &str) -> bool {
    TITLES.contains(&title)
}

/// Makes all chapters, or says which entry lacks what.
pub fn catalogues() -> Result<Vec<Catalogue>, String> {
    Ok(vec![
        formulations::catalogue()?,
        integrators::catalogue()?,
        joints::catalogue()?,
        elements::catalogue()?,
        analyses::catalogue()?,
    ])
}

/// The page of what a piece of code names: a method, a joint, an analysis, or the command that lists them.
pub(crate) fn page_of(code: &str) -> Option<String> {
    use catena::{
        analysis::ANALYSES, formulation::FORMULATIONS, integrator::INTEGRATORS, model::JOINTS,
    };
    if let Some(list) = code.strip_prefix("catena list ") {
        let lists = ["formulations", "integrators", "analyses"];
        return lists.contains(&list).then(|| list.to_owned());
    }
    let analysis = code.strip_prefix("catena analyze ").unwrap_or(code);
    match () {
        () if FORMULATIONS.iter().any(|entry| entry.name == code) => Some(formulations::page(code)),
        () if INTEGRATORS.iter().any(|entry| entry.name == code) => Some(integrators::page(code)),
        () if JOINTS.iter().any(|joint| joint.name == code) => Some(joints::page(code)),
        () if ANALYSES.iter().any(|entry| entry.name == analysis) => Some(analyses::page(analysis)),
        () => None,
    }
}
