//! A chapter for each formulation.

use super::head::{CHOICE, EQUATIONS, Head, REFERENCE};
use super::pairs::{ROD, pairs, partners};
use super::{Catalogue, tables};
use crate::chapter::Chapter;
use catena::formulation::{Entry, FORMULATIONS};
use catena::model::plain;
use catena::{Source, simulation::AUTO};

pub(crate) const TITLE: &str = "Formulations";

pub(crate) fn page(name: &str) -> String {
    format!("formulation-{name}")
}

pub(crate) fn catalogue() -> Result<Catalogue, String> {
    let methods = tables::chapter("methods")?;
    let entries: Result<Vec<_>, String> = FORMULATIONS
        .iter()
        .map(|entry| Ok((chapter(entry, &methods)?, entry.summary.to_owned())))
        .collect();
    let introduction = format!(
        "How constraints enter the equations of motion: `--formulation NAME`, or `{AUTO}`, which takes one by the structure \
         of the model. [Which method?](methods.md) compares them."
    );
    Ok(Catalogue::new(TITLE, "formulations", &introduction, entries?))
}

fn chapter(entry: &Entry, methods: &str) -> Result<Chapter, String> {
    let name = entry.name;
    let file = format!("crates/formulation/src/methods/{}.rs", name.replace('-', "_"));
    let head = Head::of_file(&file, &[EQUATIONS, CHOICE, REFERENCE])?;
    let mut text = format!("# {name}\n\n{}\n\n", head.first_paragraph());
    text += &head.markdown();
    let row = tables::row_of(methods, name);
    if let Some((_, beware)) =
        row.iter().find(|(heading, cell)| heading == "beware" && !cell.is_empty())
    {
        text += &format!("## Beware\n\n{}.\n\n", first_upper(beware));
    }
    let options = entry.options.iter().map(|option| {
        let default = option.default.map_or("from the model".to_owned(), plain);
        vec![format!("`{}`", option.name), default, option.description()]
    });
    let options = tables::table(&["option", "default", "meaning"], options);
    text += "## Options\n\n";
    text += &match options.is_empty() {
        true => "It has none.\n\n".to_owned(),
        false => format!("Given as `--with NAME=VALUE`.\n\n{options}\n"),
    };
    text += "## Integrators\n\n";
    let tried = pairs()?.iter().filter(|pair| pair.formulation == name);
    text += &partners(tried.map(|pair| (pair.integrator, pair.refused.as_deref())), "integrator");
    let tangents: Vec<String> =
        entry.tangents.iter().map(|tangent| format!("`newton={}`", tangent.name())).collect();
    if !tangents.is_empty() {
        text += &format!(
            "\nFor the Newton iterations of implicit ones it has the tangents {}.\n",
            tangents.join(", ")
        );
    }
    text += "\n";
    text += &example(entry)?;
    text += &head.reference();
    Ok(Chapter::generated(page(name), text))
}

/// A motion under it: with a constraint, how well that is kept.
fn example(entry: &Entry) -> Result<String, String> {
    let name = entry.name;
    let rod = catena::read(Source::new("rod.toml", ROD), &[]).map_err(|error| error.to_string())?;
    if (entry.refuses)(&rod).is_none() {
        return Ok(format!(
            "## Example\n\nA bob in x and y whose rod is a constraint. `stretch` is by how much the rod has become longer, at a \
             loose tolerance, so that it can be seen:\n\n```toml rod.toml\n{ROD}```\n\n\
             ```console\n$ catena run rod.toml --formulation {name} --to 20 --rtol 1e-5 --atol 1e-5 --columns stretch --plot stretch.svg\n```\n\n\
             ![Stretch of the rod under {name}](stretch.svg)\n\n"
        ));
    }
    let system = if entry.needs_mass_matrix { "double-pendulum" } else { "chain" };
    Ok(format!(
        "## Example\n\n```console\n$ catena run {system} --formulation {name} --to 4 --plot motion.svg\n\
         $ catena draw {system} --to 4 --poses 9 --trails -o poses.svg\n```\n\n\
         ![The motion under {name}](motion.svg)\n\n![Nine poses of it](poses.svg)\n\n"
    ))
}

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
