//! Markdown with LaTeX formulas.

use super::{CHECK_TITLE, check_sentence};
use crate::Derivation;

pub(super) fn write(derivation: &Derivation) -> String {
    let mut out = format!("# {}\n\n{}\n", derivation.title, derivation.description);
    for step in &derivation.steps {
        out += &format!("\n## {}. {}\n\n{}\n\n", step.number, step.title, step.explanation);
        for statement in &step.statements {
            if !statement.text.is_empty() {
                out += &format!("{}:\n\n", statement.text);
            }
            out += &format!("$$\n{}\n$$\n\n", statement.notation.to_latex());
        }
        out.pop();
    }
    let check = check_sentence(derivation.agreement.as_ref());
    out += &format!("\n## {CHECK_TITLE}\n\n{check}\n");
    out
}
