//! The site: one page a chapter, with contents at its side, in one folder that needs no network.

use crate::chapter::Chapter;
use crate::contents::{Contents, INDEX};
use crate::generated;
use crate::links::Anchors;
use crate::page::{self, Body, Setting, escaped};
use crate::search::index_script;
use crate::session::Outcome;
use std::path::Path;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("search.js");
const TITLE: &str = "The Catena book";

/// Chapters in the order of the book, and what running them gave.
pub struct Site<'a> {
    /// The parts of the book.
    pub contents: &'a Contents,
    /// All chapters.
    pub chapters: &'a [Chapter],
    /// What came of each of them.
    pub outcomes: &'a [Outcome],
}

impl Site<'_> {
    /// Writes the site into a folder, in the place of what was there.
    pub fn write(&self, folder: &Path, book: &Path) -> Result<usize, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(failed)?;
        }
        std::fs::create_dir_all(folder).map_err(failed)?;
        std::fs::write(folder.join("style.css"), STYLE).map_err(failed)?;
        std::fs::write(folder.join("search.js"), SCRIPT).map_err(failed)?;
        let index = index_script(self.chapters.iter());
        std::fs::write(folder.join("search-index.js"), index).map_err(failed)?;
        copy_folder(&book.join("pictures"), &folder.join("pictures")).map_err(failed)?;
        let anchors = Anchors::of(self.chapters);
        let order: Vec<&str> =
            self.contents.names().into_iter().filter(|name| anchors.has_chapter(name)).collect();
        for (at, name) in order.iter().enumerate() {
            let number = self.chapters.iter().position(|chapter| chapter.name == *name);
            let Some(number) = number else { continue };
            let (chapter, outcome) = (&self.chapters[number], &self.outcomes[number]);
            copy_folder(&outcome.scratch.work(), &folder.join(name)).map_err(failed)?;
            let setting = Setting {
                anchors: &anchors,
                named_pages: &generated::page_of,
                printed: &outcome.printed,
                was_made: &|file| outcome.scratch.file(file).exists(),
            };
            let body = page::body(chapter, &setting).map_err(|error| format!("{name}: {error}"))?;
            let neighbour = |at: Option<usize>| at.and_then(|at| order.get(at)).copied();
            let around = [neighbour(at.checked_sub(1)), neighbour(Some(at + 1))];
            let html = self.framed(chapter, &body, around, &anchors);
            std::fs::write(folder.join(format!("{name}.html")), html).map_err(failed)?;
        }
        Ok(order.len())
    }

    fn title_of(&self, name: &str) -> String {
        let chapter = self.chapters.iter().find(|chapter| chapter.name == name);
        chapter.map_or(name.to_owned(), Chapter::title)
    }

    fn framed(
        &self,
        chapter: &Chapter,
        body: &Body,
        [before, behind]: [Option<&str>; 2],
        anchors: &Anchors,
    ) -> String {
        let title = escaped(&chapter.title());
        let heading =
            if chapter.name == INDEX { TITLE.to_owned() } else { format!("{title} · {TITLE}") };
        let turn = |name: Option<&str>, class: &str, relation: &str| {
            name.map_or(String::new(), |name| {
                let title = escaped(&self.title_of(name));
                format!("<a class=\"{class}\" rel=\"{relation}\" href=\"{name}.html\">{title}</a>")
            })
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{heading}</title>\n\
             <link rel=\"stylesheet\" href=\"style.css\">\n<link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n\
             <p class=\"top\"><a href=\"index.html\">{TITLE}</a> <a href=\"#contents\">Contents</a></p>\n\
             <main>\n{}\n<p class=\"turn\">{}{}</p>\n</main>\n{}<script src=\"search.js\"></script>\n</body>\n</html>\n",
            body.html,
            turn(before, "before", "prev"),
            turn(behind, "behind", "next"),
            self.sidebar(chapter, body, anchors),
        )
    }

    fn sidebar(&self, current: &Chapter, body: &Body, anchors: &Anchors) -> String {
        let mut html = format!(
            "<nav id=\"contents\" aria-label=\"Contents\">\n<p class=\"book\"><a href=\"index.html\">{TITLE}</a></p>\n\
             <label class=\"search\" hidden>Search <input type=\"search\" autocomplete=\"off\"></label>\n<ol class=\"found\" hidden></ol>\n"
        );
        for part in &self.contents.parts {
            let here = part.chapters.contains(&current.name);
            // catalogues are long, so that they open where they are read
            let is_catalogue = generated::is_catalogue(&part.title);
            let open = if here || !is_catalogue { " open" } else { "" };
            html += &format!("<details{open}><summary>{}</summary>\n<ul>\n", escaped(&part.title));
            for name in part.chapters.iter().filter(|name| anchors.has_chapter(name)) {
                let title = escaped(&self.title_of(name));
                let is_current = *name == current.name;
                let mark = if is_current { " aria-current=\"page\"" } else { "" };
                html += &format!("<li><a{mark} href=\"{name}.html\">{title}</a>");
                if is_current && body.sections.len() > 1 && !is_catalogue {
                    html += "<ul>";
                    for (section, anchor) in &body.sections {
                        html += &format!("<li><a href=\"#{anchor}\">{}</a></li>", escaped(section));
                    }
                    html += "</ul>";
                }
                html += "</li>\n";
            }
            html += "</ul></details>\n";
        }
        html + "</nav>\n"
    }
}

/// Copies the files of a folder that exists and is not empty.
fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if path.is_file() {
            std::fs::create_dir_all(to)?;
            std::fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}
