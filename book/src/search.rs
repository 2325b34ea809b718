//! The index of the full-text search: a script that sets a list, because pages from disk may fetch nothing.

use crate::chapter::Chapter;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// A section of a chapter: what it is called, where it is, and its words.
#[derive(Debug, PartialEq)]
struct Section {
    title: String,
    address: String,
    text: String,
}

fn sections(chapter: &Chapter) -> Vec<Section> {
    let page = format!("{}.html", chapter.name);
    let title = chapter.title();
    let mut all =
        vec![Section { title: title.clone(), address: page.clone(), text: String::new() }];
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(&chapter.markdown, Chapter::dialect()) {
        match event {
            Event::Start(Tag::Heading { level, .. }) if level >= HeadingLevel::H2 => {
                heading = Some(String::new());
            }
            Event::End(TagEnd::Heading(_)) => {
                if let (None, Some(section)) = (&heading, all.last_mut()) {
                    section.text.push(' ');
                }
                if let Some(text) = heading.take() {
                    let address = format!("{page}#{}", crate::anchors::anchor(&text));
                    let title = format!("{title}: {text}");
                    all.push(Section { title, address, text: String::new() });
                }
            }
            Event::Text(text) | Event::Code(text) => match (&mut heading, all.last_mut()) {
                (Some(heading), _) => *heading += &text,
                (None, Some(section)) => section.text += &text,
                (None, None) => {}
            },
            // words of neighbouring lines and cells stay apart
            Event::SoftBreak | Event::End(_) => {
                if let Some(section) = all.last_mut() {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
    }
    all
}

/// The index of all chapters as a script.
pub(crate) fn index_script<'a>(chapters: impl Iterator<Item = &'a Chapter>) -> String {
    let rows: Vec<serde_json::Value> = chapters
        .flat_map(sections)
        .map(|section| {
            let words: Vec<&str> = section.text.split_whitespace().collect();
            serde_json::json!([section.title, section.address, words.join(" ")])
        })
        .collect();
    format!("window.bookIndex = {};\n", serde_json::Value::Array(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_has_a_row_for_each_section() {
        let chapter =
            Chapter::written("a", "# A\n\nOne\ntwo `three`.\n\n## B c\n\n| x |\n|---|\n| y |\n");
        let script = index_script([chapter].iter());
        let expected = "window.bookIndex = [[\"A\",\"a.html\",\"A One two three.\"],[\"A: B c\",\"a.html#b-c\",\"x y\"]];\n";
        assert_eq!(script, expected);
    }
}
