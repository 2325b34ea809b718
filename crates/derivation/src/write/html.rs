//! A page that stands alone: MathML, no script, no font, nothing to fetch.

use super::{CHECK_TITLE, check_sentence};
use crate::{Derivation, LegendRow, Step};
use catena_symbolic::Notation;

/// How formulas look. Brackets of matrices are drawn as borders: without a mathematical font nothing stretches.
pub(super) const MATH_STYLE: &str = "\
math { font-family: 'STIX Two Math', 'Cambria Math', 'Latin Modern Math', 'Libertinus Math', math, serif; font-size: 1.08em; }
math[display=block] { display: block math; text-align: left; width: max-content; }
mtd { padding: .25em .6em; }
mtable.lines mtd { padding-left: 0; }
mtable.matrix mtd { padding-left: .6em; }
mo.prime { font-family: Georgia, 'Times New Roman', serif; }
mo.bracket { display: none; }
mtable.matrix { --bar: max(1px, .07em); margin: 0 .15em; padding: .1em .1em;
  border-left: var(--bar) solid currentColor; border-right: var(--bar) solid currentColor;
  background: linear-gradient(currentColor, currentColor) 0 0, linear-gradient(currentColor, currentColor) 100% 0,
    linear-gradient(currentColor, currentColor) 0 100%, linear-gradient(currentColor, currentColor) 100% 100%;
  background-size: .35em var(--bar); background-repeat: no-repeat; print-color-adjust: exact; }
";

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fdfdfb; --faint: #5d6470; --line: #d5d8dc; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6ea; --paper: #16181b; --faint: #a0a7b3; --line: #3b4048; }
}
* { box-sizing: border-box; }
body { color: var(--ink); background: var(--paper); font: 17px/1.55 Georgia, 'Times New Roman', serif;
  max-width: 66rem; margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3rem) 4rem; overflow-wrap: break-word; }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2.1rem); line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h2 span { color: var(--faint); font-weight: normal; margin-right: .5rem; }
p { margin: .5rem 0; max-width: 44rem; }
.lead { color: var(--faint); }
.intro { color: var(--faint); font-style: italic; margin: .9rem 0 0; }
.formula, .legend { overflow-x: auto; }
.formula { padding: .25rem 0 .25rem clamp(0rem, 2vw, 1.5rem); }
table { border-collapse: collapse; margin: .5rem 0; font-size: .95em; }
caption { text-align: left; color: var(--faint); font-style: italic; padding: .3rem 0; }
th, td { text-align: left; vertical-align: baseline; padding: .2rem 1.4rem .2rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: normal; }
td.number { font-variant-numeric: tabular-nums; }
";

const PRINT_STYLE: &str = "\
@media print {
  :root { --ink: #000; --paper: #fff; --faint: #444; --line: #bbb; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  math { font-size: .93em; }
  h2 { break-after: avoid; }
  .formula { break-inside: avoid; overflow: visible; }
}
";

/// What marks the primes of words in a formula, and what the reader is told about them.
const PRIME: &str = "class=\"prime\"";
const DOTS_AND_PRIMES: &str = "<p class=\"lead\">A dot over a letter, or a prime behind a word, is a derivative with \
    respect to time.</p>\n";

pub(super) fn write(derivation: &Derivation) -> String {
    let title = escape(&derivation.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}: equations of motion</title>\n<style>\n{STYLE}{MATH_STYLE}{PRINT_STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p class=\"lead\">{}</p>\n",
        escape(&derivation.description)
    );
    out += &legends(derivation);
    out += &equations(derivation);
    out += "</body>\n</html>\n";
    out
}

/// Coordinates and parameters with what they stand for.
pub(super) fn legends(derivation: &Derivation) -> String {
    legend("Coordinates", &derivation.coordinate_legend)
        + &legend("Parameters", &derivation.parameter_legend)
}

/// All steps, and how they were checked.
pub(super) fn equations(derivation: &Derivation) -> String {
    let steps: String = derivation.steps.iter().map(written_step).collect();
    let explained = if steps.contains(PRIME) { DOTS_AND_PRIMES } else { "" };
    let check = check_sentence(derivation.agreement.as_ref());
    let heading = heading("✓", CHECK_TITLE);
    format!("{explained}{steps}{heading}<p>{}</p>\n", escape(&check))
}

fn written_step(step: &Step) -> String {
    let mut out = heading(&step.number.to_string(), &step.title);
    out += &format!("<p>{}</p>\n", escape(&step.explanation));
    for statement in &step.statements {
        if !statement.text.is_empty() {
            out += &format!("<p class=\"intro\">{}</p>\n", escape(&statement.text));
        }
        // a formula that is wider than the page can be scrolled with the keyboard, too
        let formula = statement.notation.to_mathml();
        out += &format!("<div class=\"formula\" tabindex=\"0\">{formula}</div>\n");
    }
    out
}

/// Letters with what they stand for; columns that would be empty are left out.
fn legend(caption: &str, rows: &[LegendRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let has = |known: fn(&LegendRow) -> bool| rows.iter().any(known);
    let columns = [
        ("meaning", has(|row| !row.meaning.is_empty())),
        ("value", has(|row| row.value.is_some())),
        ("unit", has(|row| !row.unit.is_empty())),
    ];
    let shown = |name: &str| columns.iter().any(|(column, shown)| *column == name && *shown);
    let mut out =
        format!("<div class=\"legend\"><table>\n<caption>{caption}</caption>\n<tr><th>name</th>");
    for (name, _) in columns.iter().filter(|(_, shown)| *shown) {
        out += &format!("<th>{name}</th>");
    }
    out += "</tr>\n";
    for row in rows {
        out += &format!("<tr><td>{}</td>", inline(&Notation::name(&row.name)));
        if shown("meaning") {
            out += &format!("<td>{}</td>", escape(&row.meaning));
        }
        if shown("value") {
            let digits = if row.formula.is_some() { rounded } else { |value| value };
            let value = row.value.map_or(String::new(), |value| digits(value).to_string());
            let formula = row.formula.as_ref().map(|formula| format!("{} = ", inline(formula)));
            out += &format!("<td class=\"number\">{}{value}</td>", formula.unwrap_or_default());
        }
        if shown("unit") {
            out += &format!("<td>{}</td>", row.unit);
        }
        out += "</tr>\n";
    }
    out + "</table></div>\n"
}

/// Six digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Mathematics in a line of text.
fn inline(notation: &Notation) -> String {
    notation.to_mathml().replacen(" display=\"block\"", "", 1)
}

fn heading(number: &str, title: &str) -> String {
    format!("<h2><span>{number}</span>{}</h2>\n", escape(title))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
