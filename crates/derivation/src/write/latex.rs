//! A LaTeX document.

use super::{CHECK_TITLE, check_sentence};
use crate::Derivation;

pub(super) fn write(derivation: &Derivation) -> String {
    let mut out = String::from(
        "\\documentclass[a4paper]{article}\n\\usepackage[margin=2cm,landscape]{geometry}\n\
         \\usepackage{amsmath}\n\\allowdisplaybreaks\n\\begin{document}\n",
    );
    out += &format!(
        "\\section*{{{}}}\n{}\n",
        escape(&derivation.title),
        escape(&derivation.description)
    );
    for step in &derivation.steps {
        out += &format!("\n\\subsection*{{{}. {}}}\n", step.number, escape(&step.title));
        out += &format!("{}\n", escape(&step.explanation));
        for statement in &step.statements {
            if !statement.text.is_empty() {
                out += &format!("\\noindent {}:\n", escape(&statement.text));
            }
            out += &format!("\\[ {} \\]\n", statement.notation.to_latex());
        }
    }
    let check = check_sentence(derivation.agreement.as_ref());
    out += &format!("\n\\subsection*{{{CHECK_TITLE}}}\n{}\n\\end{{document}}\n", escape(&check));
    out
}

/// Words for LaTeX: its special characters, and the letters that its fonts lack outside math.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // the only letter that our sentences write with dots; one character stands for it meanwhile
    for character in text.replace("q\u{308}", "\u{1}").chars() {
        match character {
            '\u{1}' => out += r"$\ddot q$",
            '\\' => out += r"\textbackslash{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(character);
            }
            '~' => out += r"\textasciitilde{}",
            '^' => out += r"\textasciicircum{}",
            '<' => out += "$<$",
            '>' => out += "$>$",
            'Φ' => out += r"$\Phi$",
            'λ' => out += r"$\lambda$",
            'γ' => out += r"$\gamma$",
            '−' => out += "$-$",
            'ᵀ' => out += r"$^{\mathsf T}$",
            'ₜ' => out += r"$_t$",
            '²' => out += "$^2$",
            other => out.push(other),
        }
    }
    out
}
