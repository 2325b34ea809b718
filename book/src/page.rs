//! From Markdown to HTML: headings with anchors, mathematics as MathML, consoles, tables that scroll.

use crate::anchors::anchor;
use crate::chapter::{Chapter, Origin};
use crate::console;
use crate::links::Anchors;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Parser, Tag, TagEnd, html::push_html,
};
use pulldown_latex::{RenderConfig, Storage, config::DisplayMode};

/// Lines of what a command printed that a generated chapter shows.
const MAX_PRINTED_LINES: usize = 44;

/// What a chapter needs to know of its book and of its run to become a page.
pub(crate) struct Setting<'a> {
    pub(crate) anchors: &'a Anchors,
    /// Pages of catalogue entries, by the name that stands in code.
    pub(crate) named_pages: &'a dyn Fn(&str) -> Option<String>,
    /// What each command printed.
    pub(crate) printed: &'a [Option<String>],
    /// Whether a file was made by its commands.
    pub(crate) was_made: &'a dyn Fn(&str) -> bool,
}

/// A page without its frame.
pub(crate) struct Body {
    pub(crate) html: String,
    /// Headings of the second level with their anchors.
    pub(crate) sections: Vec<(String, String)>,
}

/// Mathematics that could not be read is a mistake in a head or a chapter.
pub(crate) fn mathml(latex: &str, display_mode: DisplayMode) -> Result<String, String> {
    let storage = Storage::new();
    let events: Result<Vec<_>, _> = pulldown_latex::Parser::new(latex, &storage).collect();
    let events = events.map_err(|error| format!("{latex}: {error}"))?;
    let mut text = String::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    pulldown_latex::push_mathml(&mut text, events, config).map_err(|error| error.to_string())?;
    Ok(text)
}

pub(crate) fn body(chapter: &Chapter, setting: &Setting<'_>) -> Result<Body, String> {
    let events: Vec<Event> = Parser::new_ext(&chapter.markdown, Chapter::dialect()).collect();
    let mut writer = Writer {
        chapter,
        setting,
        out: Vec::new(),
        sections: Vec::new(),
        commands: 0,
        in_link: false,
        open_links: Vec::new(),
    };
    let mut at = 0;
    while at < events.len() {
        at = writer.event(&events, at)?;
    }
    let mut html = String::new();
    push_html(&mut html, writer.out.into_iter());
    Ok(Body { html, sections: writer.sections })
}

struct Writer<'a, 'b> {
    chapter: &'a Chapter,
    setting: &'a Setting<'a>,
    out: Vec<Event<'b>>,
    sections: Vec<(String, String)>,
    /// Commands so far.
    commands: usize,
    in_link: bool,
    /// Whether each link that is open is written as one.
    open_links: Vec<bool>,
}

impl<'b> Writer<'_, 'b> {
    /// Writes an event, or several that belong together, and says where the next one is.
    fn event(&mut self, events: &[Event<'b>], at: usize) -> Result<usize, String> {
        match &events[at] {
            Event::Start(Tag::Heading { level, .. }) => {
                self.heading(events, at, *level);
            }
            Event::End(TagEnd::Heading(level)) => {
                self.html(format!("</{level}>\n"));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                let texts = events[at + 1..].iter();
                let texts = texts.take_while(|event| !matches!(event, Event::End(_)));
                let text: String = texts.clone().filter_map(text_of).collect();
                let length = texts.count();
                self.code_block(&info, &text);
                return Ok(at + length + 2);
            }
            Event::InlineMath(latex) => {
                let text = mathml(latex, DisplayMode::Inline)?;
                self.out.push(Event::InlineHtml(text.into()));
            }
            Event::DisplayMath(latex) => {
                let text = mathml(latex, DisplayMode::Block)?;
                let html = format!("<span class=\"formula\">{text}</span>");
                self.out.push(Event::InlineHtml(html.into()));
            }
            Event::Start(Tag::Table(columns)) => {
                self.html("<div class=\"table\">".to_owned());
                self.out.push(Event::Start(Tag::Table(columns.clone())));
            }
            Event::End(TagEnd::Table) => {
                self.out.push(Event::End(TagEnd::Table));
                self.html("</div>".to_owned());
            }
            Event::Start(Tag::Link { dest_url, .. }) => self.link(dest_url),
            Event::End(TagEnd::Link) => {
                if self.open_links.pop() == Some(true) {
                    self.out.push(Event::InlineHtml("</a>".into()));
                }
                self.in_link = false;
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let texts = events[at + 1..].iter();
                let texts = texts.take_while(|event| !matches!(event, Event::End(TagEnd::Image)));
                let alt: String = texts.clone().filter_map(text_of).collect();
                let length = texts.count();
                self.picture(dest_url, &alt);
                return Ok(at + length + 2);
            }
            Event::Code(name) if !self.in_link => match (self.setting.named_pages)(name) {
                Some(page) if page != self.chapter.name => {
                    let name = escaped(name);
                    let html = format!("<a href=\"{page}.html\"><code>{name}</code></a>");
                    self.out.push(Event::InlineHtml(html.into()));
                }
                _ => self.out.push(events[at].clone()),
            },
            event => self.out.push(event.clone()),
        }
        Ok(at + 1)
    }

    fn html(&mut self, html: String) {
        self.out.push(Event::Html(CowStr::from(html)));
    }

    fn heading(&mut self, events: &[Event], at: usize, level: HeadingLevel) {
        let inside = events[at + 1..].iter();
        let inside = inside.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text: String = inside.filter_map(text_of).collect();
        let anchor = anchor(&text);
        if level == HeadingLevel::H2 {
            self.sections.push((text, anchor.clone()));
        }
        self.html(format!("<{level} id=\"{anchor}\">"));
    }

    fn link(&mut self, target: &str) {
        self.in_link = true;
        let address = match target.split_once('#').unwrap_or((target, "")) {
            // sources and pages of the repository are not part of the site
            (file, _) if file.starts_with("../") => None,
            (file, anchor) => match file.strip_suffix(".md") {
                Some(name) if !self.setting.anchors.has_chapter(name) => None,
                Some(name) if anchor.is_empty() => Some(format!("{name}.html")),
                Some(name) => Some(format!("{name}.html#{anchor}")),
                None => Some(self.address(target)),
            },
        };
        self.open_links.push(address.is_some());
        if let Some(address) = address {
            let html = format!("<a href=\"{}\">", escaped(&address));
            self.out.push(Event::InlineHtml(html.into()));
        }
    }

    /// Where something is that a chapter shows: what its commands have made has a folder of its own.
    fn address(&self, target: &str) -> String {
        let is_made = !target.contains(['/', '#']);
        if is_made { format!("{}/{target}", self.chapter.name) } else { target.to_owned() }
    }

    fn picture(&mut self, target: &str, alt: &str) {
        let alt = escaped(alt);
        let is_made = !target.contains('/');
        let html = if is_made && !(self.setting.was_made)(target) {
            format!(
                "<p class=\"left-out\">{alt}: <code>book/build --all</code> makes this picture</p>"
            )
        } else {
            let address = escaped(&self.address(target));
            format!("<img src=\"{address}\" alt=\"{alt}\" title=\"{alt}\">")
        };
        self.out.push(Event::InlineHtml(html.into()));
    }

    fn code_block(&mut self, info: &str, text: &str) {
        let mut words = info.split_whitespace();
        let kind = words.next().unwrap_or("text").to_owned();
        if kind == "console" {
            return self.console(text);
        }
        let name = match (kind.as_str(), words.next()) {
            (_, None | Some("excerpt")) => String::new(),
            (_, Some(name)) => format!("<figcaption>{}</figcaption>", escaped(name)),
        };
        let kind = escaped(&kind);
        let text = escaped(text.trim_end_matches('\n'));
        self.html(format!(
            "<figure class=\"code\">{name}<pre class=\"{kind}\"><code>{text}</code></pre></figure>\n"
        ));
    }

    /// Commands, the prompt not to be copied with them, and what they print.
    fn console(&mut self, text: &str) {
        let mut html = String::from("<figure class=\"code\"><pre class=\"console\"><code>");
        for command in console::commands(text) {
            let printed = self.setting.printed.get(self.commands).and_then(Option::as_deref);
            self.commands += 1;
            let shown = match (self.chapter.origin, printed) {
                (Origin::Generated, Some(printed)) => beginning(printed),
                _ => command.shown,
            };
            html += &format!("<kbd>{}</kbd>\n", escaped(&command.line));
            if !shown.trim().is_empty() {
                html += &format!("<samp>{}</samp>\n", escaped(shown.trim_end()));
            }
        }
        html += "</code></pre></figure>\n";
        self.html(html);
    }
}

/// The first lines of what a command printed, and a mark if there are more.
fn beginning(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().collect();
    match lines.get(..MAX_PRINTED_LINES) {
        Some(first) => format!("{}\n...", first.join("\n")),
        None => lines.join("\n"),
    }
}

fn text_of<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

/// The text as it may stand inside an element or an attribute, lines kept.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        let chapters = [Chapter::written("a", markdown), Chapter::written("b", "# B\n")];
        let setting = Setting {
            anchors: &Anchors::of(&chapters),
            named_pages: &|name| (name == "rk4").then(|| "integrator-rk4".to_owned()),
            printed: &[],
            was_made: &|name| name == "made.svg",
        };
        body(&chapters[0], &setting).unwrap().html
    }

    #[test]
    fn mathematics_becomes_markup_that_needs_no_script() {
        let page =
            html("With $\\dot v$ and\n$$M\\begin{bmatrix} 1 & 0 \\\\ 0 & 1 \\end{bmatrix}$$");
        assert!(page.matches("<math").count() == 2 && page.contains("<mtable"), "{page}");
        assert!(mathml("\\frac{1", DisplayMode::Inline).is_err());
    }

    #[test]
    fn links_lead_to_pages_and_files_to_the_folder_of_their_chapter() {
        let page = html(
            "# Two words\n\n[b](b.md#x) [c](c.md) [f](film.html) `rk4` ![p](made.svg) ![q](not.svg)",
        );
        for part in [
            "<h1 id=\"two-words\">",
            "href=\"b.html#x\"",
            "href=\"a/film.html\"",
            "href=\"integrator-rk4.html\"",
            "src=\"a/made.svg\"",
            "book/build --all",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("c.html") && !page.contains("not.svg"), "{page}");
    }

    #[test]
    fn prompts_are_not_part_of_the_text() {
        let page = html("```console\n$ catena list <x>\none\n```\n");
        assert!(page.contains("<kbd>catena list &lt;x&gt;</kbd>\n<samp>one</samp>"), "{page}");
    }
}
