//! Orbit diagrams: to which points motions settle, over a parameter, and where their periods double.

use super::Analysis;
use super::column_units::units;
use super::poincare::{DIRECTION, PERIOD, SECTION, coordinates, long_run, return_map};
use super::response::branch;
use crate::live::with_x_range;
use crate::orbits::orbit_diagram_shown;
use crate::quantity::axis_label;
use crate::words::{Words, plain};
use crate::{
    Answer, Branch, Orbit, OrbitBranch, OrbitDiagram, OrbitRequest, Question, Refusal, Watch,
};
use catena_ensemble::{Axis as VariedAxis, DeviceChoice, read_axis};
use catena_figure::{Axis, Colour, Figure, Panel, Series};
use catena_model::run_settings::METHODS_OF_MANY;
use catena_model::{Kind, OptionRow, plain_to};
use catena_simulation::Table;
use catena_symbolic::{figure_label, nearest};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The row of the catalogue.
pub(super) static BIFURCATION: Analysis = Analysis {
    name: "bifurcation",
    summary: "orbits over a parameter: their points, jumps, coexisting branches and period doublings",
    needs: "a drive with a period, or a section: an event or a formula",
    run_options: METHODS_OF_MANY,
    run_defaults: METHOD_DEFAULTS,
    options: &[
        &OVER, &COLUMN, &BRANCHES, &TRANSIENT, &KEEP, &TOLERANCE, &SECTION, &DIRECTION, &PERIOD,
    ],
    example: "driven-pendulum --over drive=1:1.15:600 --plot orbits.png",
    parallel: true,
    ..Analysis::answered_by(ask)
};

static METHOD_DEFAULTS: &[(&str, &str)] =
    &[("integrator", "dop853"), ("rtol", "1e-9"), ("atol", "1e-12"), ("max_steps", "no bound")];
static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Repeated,
    "The parameter and its values: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...",
)
.value_name("NAME=RANGE");
static COLUMN: OptionRow = OptionRow::new("column", Kind::Word, "The column that is drawn")
    .value_name("NAME")
    .default("the rate of the first coordinate, or the first state");
static BRANCHES: OptionRow = OptionRow::new(
    "branches",
    Kind::Words,
    "Each value from where the one before has ended, or all from the model's own start: up, down, rest",
)
.value_name("A,B,...")
.default("up,down");
static TRANSIENT: OptionRow = OptionRow::new(
    "transient",
    Kind::Count(0),
    "How many points of each motion are left out at its beginning",
)
.value_name("N")
.default("200");
static KEEP: OptionRow =
    OptionRow::new("keep", Kind::Count(2), "How many points of each motion are kept then")
        .value_name("N")
        .default("100");
static TOLERANCE: OptionRow = OptionRow::new(
    "tolerance",
    Kind::Positive,
    "How far points a period apart may differ, relative to the size of the orbit",
)
.value_name("R")
.default("1e-4");

const DEFAULT_TRANSIENT: u64 = 200;
const DEFAULT_KEEP: u64 = 100;
const DEFAULT_TOLERANCE: f64 = 1e-4;
/// More jumps, or ranges of coexistence, than this are counted and not listed.
const MAX_LISTED: usize = 8;
/// On a section a motion is given up after so many times the points it is asked for, in lengths of the model's own run.
const LONGEST_RETURN_IN_RUNS: f64 = 1.0;

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let request = request(question, watch)?;
    let show = |so_far: &dyn Fn() -> OrbitDiagram| {
        watch.draw(|| {
            with_x_range(figure(question, &request, &so_far()), &request.parameter.values)
        });
    };
    let found = orbit_diagram_shown(question.model, &request, watch.stop, watch.looked_at(&show))?;
    let mut answer = Answer::new(BIFURCATION.name, &question.model.title);
    let names: Vec<&str> = request.branches.iter().map(|branch| branch.name()).collect();
    let options = &request.run.options;
    answer.settings = json!({
        "parameter": request.parameter.name,
        "column": request.column,
        "branches": names,
        "looked_at": request.map.words(),
        "transient": request.transient,
        "keep": request.keep,
        "tolerance": request.tolerance,
        "formulation": request.run.formulation.entry.name,
        "integrator": options.integrator.name,
        "rtol": options.integration.rtol,
        "atol": options.integration.atol,
    });
    answer.result = facts(&found);
    answer.error_estimate = found.doublings.iter().map(|it| it.error).reduce(f64::max);
    answer.table = table(question, &request, &found);
    answer.figure = figure(question, &request, &found);
    say(&mut answer.words, &request, &found);
    let orbits = || found.branches.iter().flat_map(|branch| &branch.orbits);
    if let Some(orbit) = orbits().find(|orbit| orbit.failure.is_some()) {
        let reason = orbit.failure.clone().unwrap_or_default();
        let count = orbits().filter(|orbit| orbit.failure.is_some()).count();
        let at = format!("{} = {}", request.parameter.name, plain(orbit.value));
        answer.words.failure("failed", format!("{count} motions, first at {at}: {reason}"));
        answer.shortfall = Some(reason);
    }
    answer.note_device(found.device.clone());
    if !found.complete {
        answer.note_interruption("the orbits that were found until then are there");
    }
    Ok(answer)
}

fn request(question: &Question<'_>, watch: &Watch<'_>) -> Result<OrbitRequest, Refusal> {
    let (model, options) = (question.model, question.options);
    let parameter = parameter(question)?;
    let set = coordinates(question)?;
    let map = return_map(question, set)?;
    let transient = options.count(&TRANSIENT).unwrap_or(DEFAULT_TRANSIENT);
    let keep = options.count(&KEEP).unwrap_or(DEFAULT_KEEP);
    let length = model.run.t_end.map_or(10.0, |end| end - model.run.t_start.unwrap_or(0.0));
    let points = (transient + keep) as f64;
    let end = LONGEST_RETURN_IN_RUNS * points * length;
    let run = long_run(question, Some(end))?;
    let system = model.system(run.formulation.entry.coordinates);
    let coordinate = system.coordinates.first().map(|it| format!("{}'", it.name));
    let state = || system.states.first().map(|it| it.name.clone());
    let column = match options.word(&COLUMN) {
        Some(name) => name.to_owned(),
        None => coordinate.or_else(state).ok_or_else(|| {
            Refusal::of_model("nothing in the model moves", "{check} says more about the model")
        })?,
    };
    let branches = match options.words(&BRANCHES) {
        [] => vec![Branch::Up, Branch::Down],
        names => {
            let mut branches: Vec<Branch> = Vec::new();
            for name in names {
                let branch = branch(name)?;
                if !branches.contains(&branch) {
                    branches.push(branch);
                }
            }
            branches
        }
    };
    let tolerance = options.number(&TOLERANCE).unwrap_or(DEFAULT_TOLERANCE);
    let threads = watch.threads;
    let device = DeviceChoice::of(question.run);
    Ok(OrbitRequest {
        parameter,
        map,
        column,
        branches,
        transient,
        keep,
        tolerance,
        run,
        device,
        threads,
    })
}

/// The parameter that is varied.
fn parameter(question: &Question<'_>) -> Result<VariedAxis, Refusal> {
    let model = question.model;
    let example = "as in {over} drive=1:1.1:500";
    let text = match question.options.words(&OVER) {
        [text] => text,
        [] => {
            return Err(Refusal::of_question(
                "no parameter is varied",
                format!("name one with its values, {example}"),
            ));
        }
        _ => {
            return Err(Refusal::of_question(
                "an orbit diagram has one parameter",
                "give {over} once; a map over two parameters is made by `catena sweep`",
            ));
        }
    };
    let axis =
        read_axis(text).map_err(|error| Refusal::of_question(error.to_string(), error.help()))?;
    if let Some(setting) = model.setting_of(&axis.name) {
        return Err(Refusal::set_and_varied(&axis.name, setting, "{over}"));
    }
    if model.parameter(&axis.name).is_none() {
        let names = || model.parameters.iter().map(|it| it.entry.name.as_str());
        let help = match nearest(&axis.name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("parameters: {}", names().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("`{}` is not a parameter of this model", axis.name);
        return Err(Refusal::of_question(message, help));
    }
    let mut values = axis.values;
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.len() < 2 {
        return Err(Refusal::of_question(
            "one value makes no diagram",
            "give several; `poincare` shows the orbit at one",
        ));
    }
    Ok(VariedAxis { name: axis.name, values })
}

fn facts(found: &OrbitDiagram) -> Value {
    let values = |orbits: &[Orbit], which: fn(&Orbit) -> bool| -> Vec<f64> {
        orbits.iter().filter(|orbit| which(orbit)).map(|orbit| orbit.value).collect()
    };
    let branches = found.branches.iter().map(|branch| {
        let orbits = &branch.orbits;
        json!({
            "branch": branch.branch.name(),
            "values": orbits.iter().map(|orbit| orbit.value).collect::<Vec<_>>(),
            "multiples": orbits.iter().map(|orbit| orbit.multiple).collect::<Vec<_>>(),
            "jumps": values(orbits, |orbit| orbit.jump),
            "coexisting": values(orbits, |orbit| orbit.coexists),
        })
    });
    let doublings = found.doublings.iter().map(|doubling| {
        json!({
            "value": doubling.value,
            "error": doubling.error,
            "from": doubling.multiple,
            "to": 2 * doubling.multiple,
            "branches": doubling.branches.iter().map(|it| it.name()).collect::<Vec<_>>(),
        })
    });
    json!({
        "branches": branches.collect::<Vec<_>>(),
        "doublings": doublings.collect::<Vec<_>>(),
        "side_by_side": found.lanes,
    })
}

/// A row for each point.
fn table(question: &Question<'_>, request: &OrbitRequest, found: &OrbitDiagram) -> Table {
    let set = request.run.formulation.entry.coordinates;
    let orbits = || {
        let pairs = found.branches.iter();
        pairs.flat_map(|branch| branch.orbits.iter().map(move |orbit| (branch.branch, orbit)))
    };
    let each = |value: &dyn Fn(&Orbit) -> f64| -> Vec<f64> {
        let repeated = orbits().map(|(_, it)| std::iter::repeat_n(value(it), it.points.len()));
        repeated.flatten().collect()
    };
    let names = orbits()
        .flat_map(|(branch, it)| std::iter::repeat_n(branch.name().to_owned(), it.points.len()));
    let flag = |on: bool| if on { 1.0 } else { 0.0 };
    let unit = units(question.model, set, std::slice::from_ref(&request.column))[0];
    let points = orbits().flat_map(|(_, orbit)| orbit.points.iter().copied()).collect();
    Table::default()
        .with_words("branch", names.collect())
        .with_numbers(request.parameter.name.as_str(), "", each(&|orbit| orbit.value))
        .with_numbers(request.column.as_str(), unit, points)
        .with_numbers("multiple", "", each(&|orbit| orbit.multiple.unwrap_or(0) as f64))
        .with_numbers("jump", "", each(&|orbit| flag(orbit.jump)))
        .with_numbers("coexists", "", each(&|orbit| flag(orbit.coexists)))
}

fn figure(question: &Question<'_>, request: &OrbitRequest, found: &OrbitDiagram) -> Figure {
    let set = request.run.formulation.entry.coordinates;
    let unit = units(question.model, set, std::slice::from_ref(&request.column))[0];
    let mut panel = Panel::new(
        question.model.title.as_str(),
        Axis::linear(figure_label(&request.parameter.name)),
        Axis::linear(axis_label(&[&request.column], unit)),
    );
    for (at, OrbitBranch { branch, orbits }) in found.branches.iter().enumerate() {
        let x: Vec<f64> = orbits
            .iter()
            .flat_map(|orbit| std::iter::repeat_n(orbit.value, orbit.points.len()))
            .collect();
        let y: Vec<f64> = orbits.iter().flat_map(|orbit| orbit.points.iter().copied()).collect();
        panel = panel.with(Series::marks(branch.name(), x, y).coloured(Colour::Number(at)));
    }
    Figure::from(panel)
}

fn say(words: &mut Words, request: &OrbitRequest, found: &OrbitDiagram) {
    let name = &request.parameter.name;
    words.say(format!(
        "{} over {name}, {}: {} points left out, {} kept",
        request.column,
        request.map.words(),
        request.transient,
        request.keep
    ));
    for OrbitBranch { branch, orbits } in &found.branches {
        words.say(format!("{}: {} values, {}", branch.name(), orbits.len(), multiples(orbits)));
        let jumps: Vec<String> = orbits
            .iter()
            .filter(|orbit| orbit.jump)
            .map(|orbit| plain_to(orbit.value, 6))
            .collect();
        if !jumps.is_empty() {
            words.say(format!("  jumps at {name} = {}", listed(&jumps)));
        }
    }
    let coexisting = found.branches.first().map_or(Vec::new(), |first| ranges(&first.orbits));
    if !coexisting.is_empty() {
        words.say(format!("branches differ, orbits coexist, at {name} = {}", listed(&coexisting)));
    } else if found.branches.len() > 1 {
        words.say("the branches have the same orbits");
    }
    if !found.doublings.is_empty() {
        let rows = found.doublings.iter().map(|doubling| {
            let branches: Vec<&str> = doubling.branches.iter().map(|it| it.name()).collect();
            vec![
                format!("{} to {}", doubling.multiple, 2 * doubling.multiple),
                format!("{:.10}", doubling.value),
                format!("{:.0e}", doubling.error),
                branches.join(", "),
            ]
        });
        words.table(["doubling", name.as_str(), "±", "seen"], rows.collect());
    }
}

/// After how many points orbits repeat: "repeat after 1 (310), 2 (52) points, 238 not within 50".
fn multiples(orbits: &[Orbit]) -> String {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for multiple in orbits.iter().filter_map(|orbit| orbit.multiple) {
        *counts.entry(multiple).or_default() += 1;
    }
    let never_repeats = |orbit: &&Orbit| orbit.multiple.is_none() && orbit.failure.is_none();
    let others = orbits.iter().filter(never_repeats).count();
    let known: Vec<String> =
        counts.iter().map(|(multiple, count)| format!("{multiple} ({count})")).collect();
    let half = orbits.iter().map(|orbit| orbit.points.len() / 2).max().unwrap_or(0);
    match (known.is_empty(), others) {
        (true, _) => format!("none repeats within {half} points"),
        (false, 0) => format!("orbits repeat after {} points", listed(&known)),
        (false, others) => {
            format!("orbits repeat after {} points, {others} do not within {half}", listed(&known))
        }
    }
}

fn listed(texts: &[String]) -> String {
    match texts.len() > MAX_LISTED {
        false => texts.join(", "),
        true => {
            format!("{} and {} more", texts[..MAX_LISTED].join(", "), texts.len() - MAX_LISTED)
        }
    }
}

/// Neighbouring values at which orbits coexist, as ranges.
fn ranges(orbits: &[Orbit]) -> Vec<String> {
    orbits
        .chunk_by(|a, b| a.coexists == b.coexists)
        .filter(|chunk| chunk[0].coexists)
        .map(|chunk| {
            let [first, last] =
                [&chunk[0], &chunk[chunk.len() - 1]].map(|orbit| plain_to(orbit.value, 6));
            if chunk.len() == 1 { first } else { format!("{first} to {last}") }
        })
        .collect()
}
