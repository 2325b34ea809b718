//! A chapter for each type of joint.

use super::head::{CHOICE, EQUATIONS, Head, REFERENCE};
use super::{Catalogue, elements, tables};
use crate::chapter::Chapter;
use catena::model::{JOINTS, JointType};

pub(crate) const TITLE: &str = "Joints";

pub(crate) fn page(name: &str) -> String {
    format!("joint-{name}")
}

pub(crate) fn catalogue() -> Result<Catalogue, String> {
    let language = tables::chapter("model-files")?;
    let entries: Result<Vec<_>, String> = JOINTS
        .iter()
        .map(|joint| Ok((chapter(joint, &language)?, joint.summary.to_owned())))
        .collect();
    let introduction = "What ties two bodies together, or a body to the ground: the `type` of a `[[joint]]`. The first end is the \
                        point r₁ of a body with the angle θ₁, the second r₂ with θ₂; a is the direction `axis`, which turns with the \
                        first body, and n is perpendicular to it. [The model language](model-files.md#bodies-and-joints) says how \
                        mechanisms are written.";
    Ok(Catalogue::new(TITLE, "joints", introduction, entries?))
}

fn chapter(joint: &JointType, language: &str) -> Result<Chapter, String> {
    let name = joint.name;
    let file = format!("crates/model/src/mechanism/joints/{}.rs", name.replace('-', "_"));
    let head = Head::of_file(&file, &[EQUATIONS, CHOICE, REFERENCE])?;
    let mut text = format!("# {name}\n\n{}\n\n", head.first_paragraph());
    text += &head.markdown();
    text += "## Keys\n\nBesides `name`, `type`, `between` and `repeat`:\n\n";
    let keys = joint.keys.iter().map(|key| {
        let needed = if key.required { "yes" } else { "" };
        vec![format!("`{}`", key.name), needed.to_owned(), key.help.to_owned()]
    });
    let keys = tables::table(&["key", "needed", "what to write"], keys);
    text += if keys.is_empty() { "none.\n" } else { &keys };
    let cell = |heading: &str| {
        let row = tables::row_of(language, name);
        row.into_iter().find(|(found, _)| found == heading).map(|(_, cell)| cell)
    };
    let columns =
        cell("columns").ok_or_else(|| format!("model-files.md has no row for `{name}`"))?;
    text += "\n## What it gives\n\n";
    text += &format!(
        "A joint `B` of this type has the constraints {} and the columns {columns}.\n\n",
        constraints(joint)
    );
    text += &elements::example(name)?;
    text += &head.reference();
    Ok(Chapter::generated(page(name), text))
}

fn constraints(joint: &JointType) -> String {
    let names: Vec<String> =
        joint.constraints().iter().map(|ending| format!("`B_{ending}`")).collect();
    names.join(", ")
}
