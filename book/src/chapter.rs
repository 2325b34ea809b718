//! A chapter, and what its Markdown asks for.

use crate::anchors::anchor;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Who wrote a chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// People: what it shows below a command is what the command must print.
    Written,
    /// The generator: below its commands stands what they have printed.
    Generated,
}

/// A page of the book before it is one.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// The name of its file without an ending.
    pub name: String,
    /// Its text.
    pub markdown: String,
    /// Who wrote it.
    pub origin: Origin,
    /// Files that come with it, by name: pictures that no command makes.
    pub files: Vec<(String, String)>,
}

/// What a chapter asks for, in the order of its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A block of code.
    Block(Block),
    /// A picture, by its address.
    Picture(String),
    /// A link, by its address.
    Link(String),
    /// A heading: its level, its text and its anchor.
    Heading(HeadingLevel, String, String),
}

/// A block of code.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The words behind the fence; none for indented lines.
    pub info: Option<String>,
    /// What is inside.
    pub text: String,
}

impl Block {
    /// The words behind the fence.
    pub fn words(&self) -> Vec<&str> {
        self.info.as_deref().unwrap_or_default().split_whitespace().collect()
    }

    /// Whether these are commands, and whether they take long.
    pub fn console(&self) -> Option<bool> {
        match self.words().as_slice() {
            ["console"] => Some(false),
            ["console", "slow"] => Some(true),
            _ => None,
        }
    }
}

impl Chapter {
    /// A chapter that people wrote.
    pub fn written(name: &str, markdown: &str) -> Chapter {
        let (name, markdown) = (name.to_owned(), markdown.to_owned());
        Chapter { name, markdown, origin: Origin::Written, files: Vec::new() }
    }

    /// A chapter that was made.
    pub fn generated(name: String, markdown: String) -> Chapter {
        Chapter { name, markdown, origin: Origin::Generated, files: Vec::new() }
    }

    /// The dialect of all chapters: tables, and mathematics between dollar signs.
    pub(crate) fn dialect() -> Options {
        Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH
    }

    /// What it asks for.
    pub fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut block: Option<Block> = None;
        let mut heading: Option<(HeadingLevel, String)> = None;
        for event in Parser::new_ext(&self.markdown, Chapter::dialect()) {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let info = match kind {
                        CodeBlockKind::Fenced(info) => Some(info.to_string()),
                        CodeBlockKind::Indented => None,
                    };
                    block = Some(Block { info, text: String::new() });
                }
                Event::End(TagEnd::CodeBlock) => items.extend(block.take().map(Item::Block)),
                Event::Start(Tag::Heading { level, .. }) => heading = Some((level, String::new())),
                Event::End(TagEnd::Heading(_)) => {
                    let found = heading.take();
                    items.extend(found.map(|(level, text)| {
                        let anchor = anchor(&text);
                        Item::Heading(level, text, anchor)
                    }));
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    items.push(Item::Picture(dest_url.to_string()));
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    items.push(Item::Link(dest_url.to_string()));
                }
                Event::Text(text) | Event::Code(text) => match (&mut block, &mut heading) {
                    (Some(block), _) => block.text += &text,
                    (None, Some((_, heading))) => *heading += &text,
                    (None, None) => {}
                },
                _ => {}
            }
        }
        items
    }

    /// Its first heading.
    pub fn title(&self) -> String {
        let heading = self.items().into_iter().find_map(|item| match item {
            Item::Heading(HeadingLevel::H1, text, _) => Some(text),
            _ => None,
        });
        heading.unwrap_or_else(|| self.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_taken_apart_in_its_order() {
        let text = "# A `b`\n\n```toml x.toml\nm = 1\n```\n\n![p](p.svg) and [q](q.md#r)\n\n    indented\n";
        let items = Chapter::written("a", text).items();
        let block = |info: Option<&str>, text: &str| {
            Item::Block(Block { info: info.map(str::to_owned), text: text.to_owned() })
        };
        let expected = vec![
            Item::Heading(HeadingLevel::H1, "A b".to_owned(), "a-b".to_owned()),
            block(Some("toml x.toml"), "m = 1\n"),
            Item::Picture("p.svg".to_owned()),
            Item::Link("q.md#r".to_owned()),
            block(None, "indented\n"),
        ];
        assert_eq!(items, expected);
    }
}
