//! A page that stands alone: MathML, no script, no font, nothing to fetch.

use super::{CHECK_TITLE, check_sentence};
use crate::Derivation;

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --faint: #888; }
body { font: 17px/1.55 Georgia, 'Times New Roman', serif; max-width: 62rem; margin: 3rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h2 span { color: var(--faint); font-weight: normal; margin-right: .5rem; }
p { margin: .5rem 0; }
.lead { color: var(--faint); }
.intro { color: var(--faint); font-style: italic; margin: .9rem 0 0; }
.formula { overflow-x: auto; padding: .25rem 0; }
math { font-size: 1.08em; }
math[display=block] { display: block math; text-align: left; margin: .3rem 0 .3rem 1.5rem; width: max-content; }
mtd { padding: .25em .6em; }
";

pub(super) fn write(derivation: &Derivation) -> String {
    let title = escape(&derivation.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: equations of motion</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p class=\"lead\">{}</p>\n",
        escape(&derivation.description)
    );
    for step in &derivation.steps {
        out += &heading(&step.number.to_string(), &step.title);
        out += &format!("<p>{}</p>\n", escape(&step.explanation));
        for statement in &step.statements {
            if !statement.text.is_empty() {
                out += &format!("<p class=\"intro\">{}</p>\n", escape(&statement.text));
            }
            out += &format!("<div class=\"formula\">{}</div>\n", statement.notation.to_mathml());
        }
    }
    let check = check_sentence(derivation.agreement.as_ref());
    out += &heading("✓", CHECK_TITLE);
    out += &format!("<p>{}</p>\n</body>\n</html>\n", escape(&check));
    out
}

fn heading(number: &str, title: &str) -> String {
    format!("<h2><span>{number}</span>{}</h2>\n", escape(title))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
