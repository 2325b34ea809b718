//! The head of a source file: what a method is, its equations, when to choose it, where it comes from.

use crate::root;

/// The `//!` lines of a file, as Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What stands above the first heading.
    pub summary: String,
    /// Headings and what stands below them.
    pub sections: Vec<(String, String)>,
}

/// Headings that the head of every method has.
pub(crate) const EQUATIONS: &str = "Equations";
pub(crate) const CHOICE: &str = "When to choose it";
pub(crate) const REFERENCE: &str = "Reference";

impl Head {
    /// The head of a file of the repository, which must have some sections.
    pub fn of_file(file: &str, needed: &[&str]) -> Result<Head, String> {
        let source = std::fs::read_to_string(root().join(file))
            .map_err(|error| format!("{file}: {error}"))?;
        let head = Head::of_source(&source);
        for heading in needed {
            if head.section(heading).is_none_or(str::is_empty) {
                return Err(format!("the head of {file} has no section `# {heading}`"));
            }
        }
        match head.summary.is_empty() {
            true => Err(format!("the head of {file} says nothing")),
            false => Ok(head),
        }
    }

    fn of_source(source: &str) -> Head {
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let mut head = Head { summary: String::new(), sections: Vec::new() };
        for line in lines {
            let line = line.strip_prefix(' ').unwrap_or(line);
            match (line.strip_prefix("# "), head.sections.last_mut()) {
                (Some(heading), _) => {
                    head.sections.push((heading.trim().to_owned(), String::new()));
                }
                (None, Some((_, text))) => *text += &format!("{line}\n"),
                (None, None) => head.summary += &format!("{line}\n"),
            }
        }
        head.summary = for_readers(head.summary.trim());
        for (_, text) in &mut head.sections {
            *text = for_readers(text.trim());
        }
        head
    }

    /// What stands below a heading.
    pub fn section(&self, heading: &str) -> Option<&str> {
        let found = self.sections.iter().find(|(name, _)| name == heading);
        found.map(|(_, text)| text.as_str())
    }

    /// What stands above the first heading, without what is for those who read the code.
    pub(crate) fn first_paragraph(&self) -> &str {
        self.summary.split("\n\n").next().unwrap_or_default()
    }

    /// All sections but the reference, one level deeper.
    pub(crate) fn markdown(&self) -> String {
        let sections = self.sections.iter().filter(|(heading, _)| heading != REFERENCE);
        sections.map(|(heading, text)| format!("## {heading}\n\n{text}\n\n")).collect()
    }

    /// The reference as a section.
    pub(crate) fn reference(&self) -> String {
        let text = self.section(REFERENCE);
        text.map_or(String::new(), |text| format!("## {REFERENCE}\n\n{text}\n\n"))
    }
}

/// Links into the code become names, for a book has no code behind it.
fn for_readers(text: &str) -> String {
    let mut all = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[`") {
        let Some((path, after)) = behind.split_once("`]") else { break };
        let name = path.rsplit("::").next().unwrap_or(path);
        all += &format!("{before}`{name}`");
        rest = after;
    }
    all + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_taken_apart() {
        let source = "//! A method: so.\n//!\n//! # Equations\n//! $x$ as in [`super::dopri5`]\n//!\n//! # Reference\n//! A 1900.\n\nuse x;\n//! no";
        let head = Head::of_source(source);
        assert_eq!(head.summary, "A method: so.");
        assert_eq!(head.section(EQUATIONS), Some("$x$ as in `dopri5`"));
        assert_eq!(head.reference(), "## Reference\n\nA 1900.\n\n");
        assert_eq!(head.markdown(), "## Equations\n\n$x$ as in `dopri5`\n\n");
    }
}
