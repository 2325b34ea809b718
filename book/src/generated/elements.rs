//! A chapter for everything else that a mechanism is made of: bodies, springs, forces, torques, motors.

use super::{Catalogue, tables};
use crate::chapter::Chapter;
use crate::root;
use catena::model::sections;

pub(crate) const TITLE: &str = "Elements";

/// The section of joints, which have a catalogue of their own.
const JOINT: &str = "joint";

/// Where the types of elements are.
const FILES: [&str; 2] =
    ["crates/model/src/mechanism/elements.rs", "crates/model/src/mechanism/mod.rs"];

pub(crate) fn catalogue() -> Result<Catalogue, String> {
    let language = tables::chapter("model-files")?;
    let entries: Result<Vec<_>, String> =
        names().iter().map(|name| chapter(name, &language)).collect();
    let introduction = "What stands in a file of bodies and joints besides the joints. \
                        [The model language](model-files.md#bodies-and-joints) says how mechanisms are written.";
    Ok(Catalogue::new(TITLE, "elements", introduction, entries?))
}

/// The sections that are made of items.
fn names() -> Vec<String> {
    let headings = sections().into_iter().map(|section| section.heading);
    let items = headings.filter_map(|heading| {
        heading.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")).map(str::to_owned)
    });
    items.filter(|name| name != JOINT).collect()
}

fn chapter(name: &str, language: &str) -> Result<(Chapter, String), String> {
    let model = model(name)?;
    let (summary, _) = remarks(&model);
    let keys = tables::section(language, &format!("### `[[{name}]]`"))
        .ok_or_else(|| format!("model-files.md describes no `[[{name}]]`"))?;
    let text = format!(
        "# {name}\n\n{summary}\n\n## Equations\n\n{}\n\n## Keys\n\nOf `[[{name}]]`; a `*` marks what must be given.\n\n{keys}\n\n{}",
        equations(name)?,
        example(name)?
    );
    Ok((Chapter::generated(format!("element-{name}"), text), first_sentence(&summary)))
}

/// The documentation of its type, which says what it adds to energies and forces.
fn equations(name: &str) -> Result<String, String> {
    let words = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
    let declaration = format!("struct {} {{", words.collect::<String>());
    let mut remarks: Vec<String> = Vec::new();
    for file in FILES {
        let source = std::fs::read_to_string(root().join(file))
            .map_err(|error| format!("{file}: {error}"))?;
        for line in source.lines() {
            match line.strip_prefix("///") {
                _ if line.ends_with(&declaration) => return Ok(remarks.join(" ")),
                Some(text) => remarks.push(text.trim().to_owned()),
                None if line.starts_with("#[") => {}
                None => remarks.clear(),
            }
        }
    }
    Err(format!("no file has a {declaration}"))
}

fn first_sentence(text: &str) -> String {
    text.split(". ").next().unwrap_or(text).trim_end_matches('.').to_owned()
}

/// The model that shows an element or a joint.
fn model(name: &str) -> Result<String, String> {
    let file = format!("book/models/{name}.toml");
    std::fs::read_to_string(root().join(&file))
        .map_err(|_| format!("{file} is missing: a small mechanism that shows `{name}`"))
}

/// The remarks at the beginning of a model, and what to run with it: a line `# columns: A,B`.
fn remarks(model: &str) -> (String, Option<String>) {
    let lines: Vec<&str> =
        model.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    let columns = lines.iter().find_map(|line| line.strip_prefix("columns: ")).map(str::to_owned);
    let text = lines.into_iter().filter(|line| !line.starts_with("columns: "));
    (text.collect::<Vec<_>>().join(" "), columns)
}

/// The model, its drawing, and some of its columns.
pub(crate) fn example(name: &str) -> Result<String, String> {
    let model = model(name)?;
    let (_, columns) = remarks(&model);
    let columns =
        columns.ok_or_else(|| format!("book/models/{name}.toml has no line `# columns: A,B`"))?;
    let body: String = model
        .lines()
        .skip_while(|line| line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    Ok(format!(
        "## Example\n\n```toml {name}.toml\n{}```\n\n\
         ```console\n$ catena draw {name}.toml --names -o {name}.svg\n\
         $ catena run {name}.toml --columns \"{columns}\" --plot columns.svg\n```\n\n\
         ![{name}, drawn]({name}.svg)\n\n![Its columns](columns.svg)\n\n",
        body.trim_start()
    ))
}
