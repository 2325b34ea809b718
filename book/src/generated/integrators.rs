//! A chapter for each integrator.

use super::head::{CHOICE, EQUATIONS, Head, REFERENCE};
use super::pairs::{pairs, partners};
use super::{Catalogue, MeasuredOrder, tables};
use crate::chapter::Chapter;
use crate::root;
use catena::integrator::{Entry, INTEGRATORS};
use catena::model::plain;
use catena::simulation::AUTO;

pub(crate) const TITLE: &str = "Integrators";

/// Folders of the crate that have a file for each method.
const FOLDERS: [&str; 5] = ["explicit", "series", "symplectic", "implicit", "structural"];

pub(crate) fn page(name: &str) -> String {
    format!("integrator-{name}")
}

pub(crate) fn catalogue() -> Result<Catalogue, String> {
    let entries: Result<Vec<_>, String> =
        INTEGRATORS.iter().map(|entry| Ok((chapter(entry)?, entry.summary.to_owned()))).collect();
    let introduction = format!(
        "How time advances: `--integrator NAME`, or `{AUTO}`, which goes by the tolerance and changes over to an implicit one \
         where stiffness is seen. [Which method?](methods.md) compares them."
    );
    Ok(Catalogue::new(TITLE, "integrators", &introduction, entries?))
}

/// The file of a method, by its name.
fn file_of(name: &str) -> Result<String, String> {
    let stem = name.replace('-', "_");
    let files = FOLDERS.iter().flat_map(|folder| {
        let base = format!("crates/integrator/src/{folder}/{stem}");
        [format!("{base}.rs"), format!("{base}/mod.rs")]
    });
    files
        .into_iter()
        .find(|file| root().join(file).exists())
        .ok_or(format!("no file is called after `{name}`"))
}

fn chapter(entry: &Entry) -> Result<Chapter, String> {
    let name = entry.name;
    let file = file_of(name)?;
    let head = Head::of_file(&file, &[EQUATIONS, CHOICE, REFERENCE])?;
    let mut text = format!("# {name}\n\n{}\n\n{}\n", head.first_paragraph(), facts(entry));
    text += &equations(entry, &head)?;
    text += &options(entry);
    text += "## Formulations\n\n";
    let tried = pairs()?.iter().filter(|pair| pair.integrator == name);
    text += &match entry.structural {
        true => "It advances the constrained system itself, and no formulation is named with it.\n"
            .to_owned(),
        false => {
            partners(tried.map(|pair| (pair.formulation, pair.refused.as_deref())), "formulation")
        }
    };
    text += &example(entry);
    if entry.variable_order {
        text += &head.reference();
        return Ok(Chapter::generated(page(name), text));
    }
    let measured = MeasuredOrder::of(entry)?;
    text += &format!(
        "## Its order, measured\n\nA bob on a spring for a second, by steps each half as long as the one before: the error falls \
         as the power {:.2} of the step; order {} is promised.\n\n![Error against step](order.svg)\n\n",
        measured.order(),
        entry.order
    );
    text += &head.reference();
    let mut chapter = Chapter::generated(page(name), text);
    chapter.files.push(("order.svg".to_owned(), measured.figure(entry).to_svg()));
    Ok(chapter)
}

fn facts(entry: &Entry) -> String {
    let yes = |is: bool, text: &str, otherwise: &str| if is { text } else { otherwise }.to_owned();
    let order = |order: u32| match entry.variable_order {
        true => format!("{order} at the default tolerances; it follows them"),
        false => order.to_string(),
    };
    let mut rows = vec![
        vec!["order".to_owned(), order(entry.order)],
        vec!["order between steps".to_owned(), order(entry.dense_order)],
        vec![
            "step".to_owned(),
            yes(
                entry.adaptive,
                "chosen by an estimate of its error; fixed with `--step`",
                "fixed: `--step`",
            ),
        ],
        vec![
            "equations".to_owned(),
            yes(entry.implicit, "solved in each step (implicit)", "none to solve (explicit)"),
        ],
        vec![
            "side by side".to_owned(),
            yes(entry.lanes().is_some(), "in the lanes of sweeps, too", "one motion at a time"),
        ],
    ];
    if !entry.aliases.is_empty() {
        let names: Vec<String> = entry.aliases.iter().map(|name| format!("`{name}`")).collect();
        rows.insert(0, vec!["other names".to_owned(), names.join(", ")]);
    }
    tables::table(&["", ""], rows)
}

/// The sections of the head; a method of a family has the equations of the family with it.
fn equations(entry: &Entry, head: &Head) -> Result<String, String> {
    let own = head.markdown();
    if !entry.structural {
        return Ok(own);
    }
    let family = Head::of_file("crates/integrator/src/structural/mod.rs", &[EQUATIONS, REFERENCE])?;
    let equations = family.section(EQUATIONS).unwrap_or_default();
    Ok(format!("{own}## The family\n\n{}\n\n{equations}\n\n", family.summary))
}

fn options(entry: &Entry) -> String {
    let rows = entry.options.iter().map(|option| {
        let default = option.default.map_or(String::new(), plain);
        let unit =
            if option.unit.is_empty() { String::new() } else { format!(", {}", option.unit) };
        vec![format!("`{}`", option.key), default, format!("{}{unit}", option.meaning)]
    });
    let rows = tables::table(&["option", "default", "meaning"], rows);
    format!(
        "## Options\n\nGiven as `--with NAME=VALUE`; those of every run have flags, too, as `--rtol` and `--step`.\n\n{rows}\n"
    )
}

/// A motion by it: springs, a mechanism for methods that take the constrained system itself, stiff springs for stiff ones.
fn example(entry: &Entry) -> String {
    let name = entry.name;
    let (arguments, shows) = match (entry.structural, entry.implicit, entry.adaptive) {
        (true, ..) => ("four-bar", "--to 2 --step 2e-3 --columns theta2,theta3,theta4"),
        (_, true, true) => {
            ("double-pendulum-cartesian --formulation penalty", "--to 2 --columns x1,y1,x2,y2")
        }
        (_, _, true) => ("elastic-pendulum", "--to 20 --columns x,y"),
        (_, _, false) => ("elastic-pendulum", "--to 20 --step 0.01 --columns x,y"),
    };
    format!(
        "\n## Example\n\n```console\n$ catena run {arguments} --integrator {name} {shows} --plot motion.svg\n```\n\n\
         ![The motion by {name}](motion.svg)\n\n"
    )
}
