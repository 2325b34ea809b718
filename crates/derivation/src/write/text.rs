//! Unicode text for the terminal.

use super::{CHECK_TITLE, check_sentence};
use crate::Derivation;
use catena_symbolic::display_width;

/// Columns of running text.
const TEXT_WIDTH: usize = 96;

pub(super) fn write(derivation: &Derivation, color: bool) -> String {
    let heading = |text: &str| if color { format!("\x1b[1;36m{text}\x1b[0m") } else { text.into() };
    let faint = |text: &str| if color { format!("\x1b[2m{text}\x1b[0m") } else { text.into() };
    let mut out = format!("{}\n", heading(&derivation.title));
    out += &paragraph(&derivation.description);
    for step in &derivation.steps {
        out += &format!("\n{}\n", heading(&format!("{}. {}", step.number, step.title)));
        out += &paragraph(&step.explanation);
        out += "\n";
        for statement in &step.statements {
            if !statement.text.is_empty() {
                out += &format!("  {}\n", faint(&format!("{}:", statement.text)));
            }
            let block = statement.notation.to_text();
            for line in block.lines() {
                out += &format!("    {line}\n");
            }
            if block.contains('\n') {
                out += "\n";
            }
        }
        if out.ends_with("\n\n") {
            out.pop();
        }
    }
    out += &format!("\n{}\n", heading(CHECK_TITLE));
    out += &paragraph(&check_sentence(derivation.agreement.as_ref()));
    out
}

/// Words wrapped at the page width.
fn paragraph(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = display_width(word);
        if width > 0 && width + 1 + length > TEXT_WIDTH {
            out += "\n";
            width = 0;
        }
        if width > 0 {
            out += " ";
            width += 1;
        }
        out += word;
        width += length;
    }
    if out.is_empty() { out } else { out + "\n" }
}
