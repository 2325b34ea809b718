//! What people read of an answer: sentences, remarks and small tables, for a terminal or a page.

pub use catena_model::fixed;
pub(crate) use catena_model::plain;

/// Lines in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// From top to bottom.
    pub lines: Vec<Line>,
}

/// One piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A sentence, or several.
    Text(String),
    /// A sentence with a word in front that draws attention.
    Marked {
        /// How urgent it is.
        tone: Tone,
        /// The word, as in "note".
        mark: String,
        /// The sentence.
        text: String,
    },
    /// Rows under their headings, the first column to the left and the others to the right.
    Table {
        /// One for each column.
        headings: Vec<String>,
        /// As many cells as headings.
        rows: Vec<Vec<String>>,
    },
}

/// How urgent a remark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Worth a look.
    Remark,
    /// Something went wrong.
    Failure,
}

impl Words {
    /// Adds a line; an empty one separates.
    pub fn say(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Text(text.into()));
    }

    /// Adds a remark such as "note: …".
    pub fn remark(&mut self, mark: &str, text: impl Into<String>) {
        let (tone, mark, text) = (Tone::Remark, mark.to_owned(), text.into());
        self.lines.push(Line::Marked { tone, mark, text });
    }

    /// Adds what went wrong, such as "stopped: …".
    pub fn failure(&mut self, mark: &str, text: impl Into<String>) {
        let (tone, mark, text) = (Tone::Failure, mark.to_owned(), text.into());
        self.lines.push(Line::Marked { tone, mark, text });
    }

    /// Adds rows under their headings.
    pub fn table(
        &mut self,
        headings: impl IntoIterator<Item = impl Into<String>>,
        rows: Vec<Vec<String>>,
    ) {
        let headings = headings.into_iter().map(Into::into).collect();
        self.lines.push(Line::Table { headings, rows });
    }

    /// As plain text, a line each.
    pub fn to_text(&self) -> String {
        self.write(&|_, mark| mark.to_owned(), &|heading| heading.to_owned())
    }

    /// As text, with marks and headings as the edge shows them.
    pub fn write(
        &self,
        mark_of: &dyn Fn(Tone, &str) -> String,
        heading_of: &dyn Fn(&str) -> String,
    ) -> String {
        let mut all = String::new();
        for line in &self.lines {
            match line {
                Line::Text(text) => all += &format!("{text}\n"),
                Line::Marked { tone, mark, text } => {
                    all += &format!("{}: {text}\n", mark_of(*tone, mark));
                }
                Line::Table { headings, rows } => {
                    let lines = aligned(headings, rows);
                    for (number, line) in lines.iter().enumerate() {
                        all += &match number {
                            0 => heading_of(line),
                            _ => line.clone(),
                        };
                        all.push('\n');
                    }
                }
            }
        }
        all
    }
}

/// Headings and rows as lines of even columns.
fn aligned(headings: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let wide = |text: &String| text.chars().count();
    let mut widths: Vec<usize> = headings.iter().map(wide).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(wide(cell));
        }
    }
    let line = |cells: &[String]| {
        let mut text = String::new();
        for (at, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - wide(cell));
            match at {
                0 => text += &format!("{cell}{gap}"),
                _ => text += &format!("  {gap}{cell}"),
            }
        }
        text.trim_end().to_owned()
    };
    std::iter::once(line(headings)).chain(rows.iter().map(|row| line(row))).collect()
}

/// A time in the unit that suits it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_even_and_marks_stand_in_front() {
        let mut words = Words::default();
        words.table(["", "at rest"], vec![vec!["theta".into(), "0.5".into()]]);
        words.say("stable");
        words.remark("note", "the drive is off");
        assert_eq!(
            words.to_text(),
            "       at rest\ntheta      0.5\nstable\nnote: the drive is off\n"
        );
    }
}
