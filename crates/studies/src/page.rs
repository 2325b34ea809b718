//! A study as one page that needs no network.

use crate::digits::digits;
use crate::machine::machine;
use crate::{Block, Claim, Findings};
use catena::figure::{escaped, page_head};
use catena::model::plain_to;
use catena::simulation::{ColumnValues, Table};
use catena::{Animation, Report, figure_sheet};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// Films are as high as what they show.
const FRAMES_SCRIPT: &str = "<script>\nfor (const frame of document.querySelectorAll('iframe.film')) {\n  \
    const fit = () => { const page = frame.contentDocument?.documentElement; \
    if (page) frame.style.height = page.scrollHeight + 4 + 'px'; };\n  \
    frame.addEventListener('load', fit);\n  addEventListener('resize', fit);\n  fit();\n}\n</script>\n";

/// Tables with more rows than this are folded.
const MOST_ROWS: usize = 24;
/// Digits of numbers in tables.
const DIGITS: usize = 4;

/// A page under this title, with nothing on it yet.
fn head(title: &str) -> String {
    let mut page = page_head(title, &format!("{}{STYLE}", Report::style()));
    page += "<body class=\"report study\">\n<main class=\"page\">\n";
    let _ = writeln!(page, "<header><h1>{}</h1></header>", escaped(title));
    page
}

/// The page of a study.
pub(crate) fn study_page(findings: &Findings, command: &str) -> String {
    let study = findings.study;
    let mut page = head(study.title);
    let _ = writeln!(page, "<p class=\"publication\">{}</p>", escaped(study.publication));
    if findings.quick {
        page += "<p class=\"publication\">The quick form: fewer and shorter runs than the full one.</p>\n";
    }
    let changes = findings.changes();
    if !changes.is_empty() {
        let changes = escaped(&changes.join(", "));
        let _ = writeln!(
            page,
            "<p class=\"changes\">With other settings than the study: {changes}.</p>"
        );
    }
    write_paragraphs(&mut page, study.about);
    page += "<section id=\"claims\"><h2>Claims</h2>\n";
    page += &claims_table(&findings.claims());
    page += "</section>\n";
    for (title, section) in &findings.sections {
        let _ = writeln!(page, "<section><h2>{}</h2>", escaped(title));
        for block in &section.blocks {
            write_block(&mut page, block);
        }
        page += "</section>\n";
    }
    if !study.misprints.is_empty() {
        page += "<section><h2>Misprints of the publication</h2>\n<dl class=\"misprints\">\n";
        for (place, right) in study.misprints {
            let _ = writeln!(page, "<dt>{}</dt><dd>{}</dd>", inline(place), inline(right));
        }
        page += "</dl></section>\n";
    }
    let _ = writeln!(
        page,
        "<section><h2>Made by</h2>\n<p>Catena {} on {}, in {} s:</p>\n<pre>{}</pre></section>\n</main>\n{FRAMES_SCRIPT}</body>\n</html>",
        env!("CARGO_PKG_VERSION"),
        escaped(&machine()),
        plain_to(findings.seconds, 3),
        escaped(command)
    );
    page
}

/// The page that leads to several studies.
pub(crate) fn overview_page(all: &[Findings], command: &str) -> String {
    let mut page = head("Published studies, run again");
    for findings in all {
        let study = findings.study;
        let _ = writeln!(
            page,
            "<section><h2><a href=\"{0}/index.html\">{1}</a></h2>\n<p class=\"publication\">{2}</p>",
            study.name,
            escaped(study.title),
            escaped(study.publication)
        );
        page += &claims_table(&findings.claims());
        page += "</section>\n";
    }
    let _ = writeln!(page, "<pre>{}</pre>\n</main>\n</body>\n</html>", escaped(command));
    page
}

fn claims_table(claims: &[&Claim]) -> String {
    let mut html = "<div class=\"sheet-table\"><table class=\"claims\"><thead><tr><th></th><th>claim</th><th>published</th>\
        <th>measured</th><th>verdict</th><th>why</th></tr></thead>\n<tbody>\n"
        .to_owned();
    for claim in claims {
        let _ = writeln!(
            html,
            "<tr><td class=\"id\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"kind {}\">{}</td><td>{}</td></tr>",
            claim.id,
            inline(&claim.says),
            inline(if claim.published.is_empty() { "no figures given" } else { &claim.published }),
            inline(&claim.measured),
            claim.verdict.kind(),
            escaped(&claim.verdict.to_string()),
            inline(&claim.why)
        );
    }
    html + "</tbody></table></div>\n"
}

fn write_block(page: &mut String, block: &Block) {
    match block {
        Block::Text(text) => write_paragraphs(page, text),
        Block::Formula(lines) => {
            let lines: Vec<String> = lines.lines().map(escaped).collect();
            let _ = writeln!(page, "<pre class=\"formula\">{}</pre>", lines.join("\n"));
        }
        Block::Figure { caption, figure, .. } => {
            page.push_str(&figure_sheet(&figure.to_svg(), caption, caption));
        }
        Block::Drawing { caption, svg, .. } => page.push_str(&figure_sheet(svg, caption, caption)),
        Block::Table { caption, table, .. } if table.len() > MOST_ROWS => {
            let _ = writeln!(
                page,
                "<details><summary>{}: {} rows</summary>",
                inline(caption),
                table.len()
            );
            write_table(page, "", table);
            page.push_str("</details>\n");
        }
        Block::Table { caption, table, .. } => write_table(page, caption, table),
        Block::Film { caption, animation, .. } => write_film(page, caption, animation),
        Block::Equations(equations) => {
            for equation in equations {
                // one that is wider than the page can be scrolled with the keyboard, too
                let mathml = equation.to_mathml();
                let _ = writeln!(page, "<div class=\"formula\" tabindex=\"0\">{mathml}</div>");
            }
        }
        Block::Derivation(derivation) => {
            let _ = writeln!(
                page,
                "<details><summary>{}: the equations of motion, how they come about, and how they were checked</summary>\n{}{}</details>",
                escaped(&derivation.title),
                derivation.legends_html(),
                derivation.equations_html()
            );
        }
    }
}

fn write_table(page: &mut String, caption: &str, table: &Table) {
    let _ = write!(
        page,
        "<div class=\"sheet-table\"><table><caption>{}</caption>\n<thead><tr>",
        inline(caption)
    );
    for column in &table.columns {
        let unit =
            if column.unit.is_empty() { String::new() } else { format!(", {}", column.unit) };
        let class = if column.numbers().is_empty() { "" } else { " class=\"number\"" };
        let _ = write!(page, "<th{class}>{}{}</th>", inline(&column.name), escaped(&unit));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in 0..table.len() {
        page.push_str("<tr>");
        for column in &table.columns {
            let _ = match &column.values {
                ColumnValues::Numbers(numbers) if numbers[row].is_finite() => {
                    write!(page, "<td class=\"number\">{}</td>", digits(numbers[row], DIGITS))
                }
                ColumnValues::Numbers(_) => write!(page, "<td class=\"number\">–</td>"),
                ColumnValues::Words(words) => write!(page, "<td>{}</td>", inline(&words[row])),
            };
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

/// A page within the page, with controls of its own.
fn write_film(page: &mut String, caption: &str, animation: &Animation) {
    let Some(player) = animation.player() else { return };
    let inner = player.to_html().replace('&', "&amp;").replace('"', "&quot;");
    let _ = writeln!(
        page,
        "<iframe class=\"film\" title=\"{0}\" srcdoc=\"{inner}\"></iframe>\n<p class=\"film-caption\">{1}</p>",
        escaped(caption),
        inline(caption)
    );
}

fn write_paragraphs(page: &mut String, text: &str) {
    for paragraph in text.split("\n\n") {
        let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "<p>{}</p>", inline(&words));
    }
}

/// Text in which backticks enclose code.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code_and_nothing_is_markup() {
        assert_eq!(inline("a < `b & c`"), "a &lt; <code>b &amp; c</code>");
    }

    #[test]
    fn a_value_that_is_not_known_is_a_dash() {
        let table = Table::default().with_numbers("x", "m", vec![1.0 / 3.0, f64::NAN]);
        let mut page = String::new();
        write_table(&mut page, "a table", &table);
        assert!(
            page.contains("<th class=\"number\">x, m</th>")
                && page.contains(">0.3333<")
                && page.contains(">–<")
        );
    }
}
