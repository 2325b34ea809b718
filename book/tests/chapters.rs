//! Every command of the book is run, and every page is made of what came out.

use catena_book::{
    Chapter, Contents, Extent, Outcome, Site, broken_links, generated, root, run_all,
    written_chapters,
};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn book() -> PathBuf {
    root().join("book")
}

/// All chapters in the order of the book.
fn all() -> (Contents, Vec<Chapter>) {
    let mut chapters = written_chapters(&book()).expect("the book can be read");
    let index = chapters.iter().find(|chapter| chapter.name == "index").expect("there is an index");
    let mut contents = Contents::of_index(&index.markdown);
    let catalogues = generated::catalogues().unwrap_or_else(|problem| panic!("{problem}"));
    contents.parts.extend(catalogues.iter().map(generated::Catalogue::part));
    chapters.extend(catalogues.into_iter().flat_map(|catalogue| catalogue.chapters));
    (contents, chapters)
}

fn assert_all_hold(outcomes: &[Outcome]) {
    let problems: Vec<&str> =
        outcomes.iter().flat_map(|outcome| &outcome.problems).map(String::as_str).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

fn run(chapters: &[Chapter], extent: Extent) -> Vec<Outcome> {
    let executable = Path::new(env!("CARGO_BIN_EXE_catena-book"));
    run_all(chapters, executable, extent).expect("chapters have folders to run in")
}

/// What an attribute of a page is set to.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let before = format!(" {name}=\"");
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once(before.as_str()) {
        let (value, after) = behind.split_once('"').expect("an attribute ends");
        found.push(value);
        rest = after;
    }
    found
}

#[test]
fn every_quick_command_prints_what_is_shown_and_every_page_can_be_opened() {
    let (contents, chapters) = all();
    let outcomes = run(&chapters, Extent::Quick);
    assert_all_hold(&outcomes);
    let commands = outcomes.iter().flat_map(|outcome| &outcome.printed).flatten().count();
    assert!(commands > 100, "the catalogues alone have more than {commands} commands");

    let folder = std::env::temp_dir().join(format!("catena-book-site-{}", std::process::id()));
    let site = Site { contents: &contents, chapters: &chapters, outcomes: &outcomes };
    let pages = site.write(&folder, &book()).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(pages > 60, "{pages} pages");
    for chapter in &chapters {
        let name = format!("{}.html", chapter.name);
        let page = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(page.contains("<main>"), "{name} is not in the contents");
        for target in attributes(&page, "src").into_iter().chain(attributes(&page, "href")) {
            let (file, _) = target.split_once('#').unwrap_or((target, ""));
            let is_elsewhere = target.contains("://") || target.starts_with("data:");
            let is_there = file.is_empty() || folder.join(file).exists();
            assert!(is_elsewhere || is_there, "{name} leads to {target}, which is not there");
        }
        assert!(attributes(&page, "src").iter().all(|target| !target.contains("://")), "{name}");
    }
    std::fs::remove_dir_all(&folder).expect("the pages can be removed");
}

#[test]
#[ignore = "minutes: tests/full runs it"]
fn every_slow_command_prints_what_is_shown() {
    let (_, mut chapters) = all();
    chapters.retain(|chapter| chapter.markdown.contains("```console slow\n"));
    assert!(chapters.len() >= 2);
    assert_all_hold(&run(&chapters, Extent::Everything));
}

#[test]
fn links_lead_somewhere() {
    let (_, chapters) = all();
    let broken = broken_links(&chapters, &book());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_index_lists_every_chapter_and_no_other() {
    let (contents, chapters) = all();
    let there: HashSet<&str> = chapters.iter().map(|chapter| chapter.name.as_str()).collect();
    let listed: HashSet<&str> = contents.names().into_iter().collect();
    let missing: Vec<&&str> = listed.difference(&there).collect();
    let unlisted: Vec<&&str> = there.difference(&listed).collect();
    assert!(missing.is_empty(), "book/index.md lists chapters that are missing: {missing:?}");
    assert!(unlisted.is_empty(), "book/index.md does not list {unlisted:?}");
    assert_eq!(contents.names().len(), listed.len(), "a chapter is listed twice");
}
