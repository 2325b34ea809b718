//! A chapter for each analysis.

use super::head::{CHOICE, EQUATIONS, Head, REFERENCE};
use super::{Catalogue, tables};
use crate::chapter::Chapter;
use catena::analysis::{ANALYSES, Analysis};
use catena::model::{Kind, OptionRow};

pub(crate) const TITLE: &str = "Analyses";

pub(crate) fn page(name: &str) -> String {
    format!("analysis-{name}")
}

/// Where the head of an analysis stands, and a quick example whose answer is a picture.
struct Shown {
    name: &'static str,
    file: &'static str,
    /// What stands behind `catena analyze NAME`, with `--plot` where there is a figure.
    example: &'static str,
}

const FOLDER: &str = "crates/analysis/src/";

/// One row for each analysis; a test looks for all of them.
const SHOWN: &[Shown] = &[
    shown("kinematics", "driven/kinematics.rs", "four-bar --drive theta2 --columns theta3,theta4"),
    shown(
        "inverse",
        "driven/kinematics.rs",
        "slider-crank-bodies --drive crank_angle --columns drive_torque",
    ),
    shown("equilibrium", "rest/equilibria.rs", "double-pendulum --all"),
    shown("linearize", "rest/linear_model.rs", "double-pendulum -o linear.toml"),
    shown("modes", "rest/modes.rs", "triple-pendulum"),
    shown(
        "spectrum",
        "signal/spectrum.rs",
        "double-pendulum --set theta1=0.1 --set theta2=0 --to 60 --column theta1",
    ),
    shown("phase", "questions/phase.rs", "driven-pendulum --set drive=1.07 --after 200 --to 300"),
    shown("poincare", "returns/mod.rs", "driven-pendulum --points 4000"),
    shown("bifurcation", "orbits/mod.rs", "driven-pendulum --over drive=1.05:1.09:120"),
    shown("lyapunov", "lyapunov/mod.rs", "lorenz --to 60"),
    shown("response", "response/mod.rs", "triple-pendulum --over f=0.5:1:26"),
    shown(
        "resonance",
        "response/resonance.rs",
        "triple-pendulum --over f=0.66:0.84:10 --over R=0.3:0.5:3",
    ),
    shown("classify", "classification/mod.rs", "driven-pendulum --over drive=1.05:1.15:60"),
    shown(
        "basins",
        "basins/mod.rs",
        "driven-pendulum --set drive=1.35 --over theta=-pi:pi:40 --over \"theta'=-4:4:40\"",
    ),
    shown("continuation", "continuation/mod.rs", "driven-pendulum --over drive=0.9:1.1"),
    shown(
        "compare",
        "methods/comparison.rs",
        "four-bar --formulations multipliers,projection --tolerances 1e-4,1e-6,1e-8 --to 2",
    ),
    shown("bench", "methods/bench.rs", "chain --links 2,4,8 --to 1"),
    shown(
        "penalty",
        "methods/penalty_map.rs",
        "double-pendulum-cartesian --integrator implicit-midpoint --to 1",
    ),
];

const fn shown(name: &'static str, file: &'static str, example: &'static str) -> Shown {
    Shown { name, file, example }
}

pub(crate) fn catalogue() -> Result<Catalogue, String> {
    let entries: Result<Vec<_>, String> = ANALYSES
        .iter()
        .map(|analysis| Ok((chapter(analysis)?, analysis.summary.to_owned())))
        .collect();
    let introduction = "Questions about a model: `catena analyze NAME MODEL`. [Which method?](methods.md#questions-about-a-model) \
                        says how large the error of each answer is, and [chaos](chaos.md) tells the longer stories.";
    Ok(Catalogue::new(TITLE, "analyses", introduction, entries?))
}

fn chapter(analysis: &Analysis) -> Result<Chapter, String> {
    let name = analysis.name;
    let shown = SHOWN.iter().find(|shown| shown.name == name);
    let shown = shown.ok_or_else(|| format!("the analysis `{name}` has no example in the book"))?;
    let head = Head::of_file(&format!("{FOLDER}{}", shown.file), &[EQUATIONS, CHOICE, REFERENCE])?;
    let mut text = format!(
        "# {name}\n\n{}: `catena analyze {name} MODEL`. It needs {}.\n\n{}\n\n",
        first_upper(analysis.summary),
        analysis.needs,
        head.first_paragraph()
    );
    text += &head.markdown();
    text += &options(analysis);
    text += &format!(
        "## Example\n\n```console\n$ catena analyze {name} {} --plot {name}.svg\n```\n\n![What `{name}` draws]({name}.svg)\n\n",
        shown.example
    );
    text += &head.reference();
    Ok(Chapter::generated(page(name), text))
}

fn options(analysis: &Analysis) -> String {
    let mut text = String::from("## Options\n\n");
    let own = tables::table(
        &["option", "default", "meaning"],
        analysis.options.iter().map(|row| described(row, "")),
    );
    text += if own.is_empty() { "It has none of its own.\n" } else { &own };
    let default = |key: &str| {
        let other = analysis.run_defaults.iter().find(|(name, _)| *name == key);
        other.map_or("", |(_, default)| *default)
    };
    let of_runs =
        analysis.run_options.iter().map(|option| described(&option.row, default(option.row.key)));
    let of_runs = tables::table(&["option", "default", "meaning"], of_runs);
    if !of_runs.is_empty() {
        text += &format!("\nThose of the motion that it makes:\n\n{of_runs}");
    }
    text + "\n`-o`, `--plot`, `--show` and `--json` keep the answer, as everywhere ([pictures](methods.md#pictures)).\n\n"
}

/// A row of a table of options; a default that differs from the usual one goes before.
fn described(row: &OptionRow, default: &str) -> Vec<String> {
    let value = match row.kind {
        Kind::Switch => String::new(),
        _ if row.value_name.is_empty() => format!(" {}", row.key.to_uppercase()),
        _ => format!(" {}", row.value_name),
    };
    // most lines of help name the unit themselves
    let unit = format!(", {}", row.unit);
    let unit = if row.unit.is_empty() || row.help.contains(&unit) { "" } else { &unit };
    let default = if default.is_empty() { row.default } else { default };
    vec![format!("`--{}{value}`", row.flag), default.to_owned(), format!("{}{unit}", row.help)]
}

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
