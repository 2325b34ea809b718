//! Motions as points: once in a period of the drive, or where they cross a section.

use super::Analysis;
use super::column_units::units;
use super::phase::AFTER;
use crate::facts::columns_json;
use crate::family::Family;
use crate::quantity::axis_label;
use crate::returns::poincare_shown;
use crate::words::{Words, plain};
use crate::{
    Answer, Poincare, PoincareMotion, PoincareRequest, Question, Refusal, ReturnMap, Watch,
};
use catena_ensemble::{Axis as VariedAxis, DIRECTIONS, SweptAxis, read_axis};
use catena_figure::{Axis, Figure, Panel, Series, Style};
use catena_integrator::for_exact_motions;
use catena_model::run_settings::{
    ATOL, FORMULATION, INTEGRATOR, MAX_STEP, MAX_STEPS, RTOL, STEP, T_END, T_START, WITH,
};
use catena_model::{CoordinateSet, Kind, Model, OptionRow, Options, Role, RunOption, RunSettings};
use catena_simulation::{RunPlan, Table};
use catena_symbolic::Formula;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static POINCARE: Analysis = Analysis {
    name: "poincare",
    summary: "motions as points: once in a period of the drive, or where they cross a section",
    needs: "a drive with a period, or a section: an event or a formula",
    run_options: LONG_RUN,
    run_defaults: LONG_RUN_DEFAULTS,
    options: &[&SECTION, &DIRECTION, &PERIOD, &COLUMNS, &OVER, &POINTS, &TRANSIENT, &AFTER_START],
    example: "double-pendulum --over \"theta2=10 deg,45 deg,90 deg\" --plot section.png",
    parallel: true,
    ..Analysis::answered_by(ask)
};

/// What can be told about motions that are long.
static LONG_RUN: &[&RunOption] = &[
    &FORMULATION,
    &INTEGRATOR,
    &RTOL,
    &ATOL,
    &STEP,
    &MAX_STEP,
    &MAX_STEPS,
    &T_START,
    &T_END,
    &WITH,
];
/// Relative and absolute tolerance of long motions.
const TOLERANCES: [f64; 2] = [1e-9, 1e-12];
static LONG_RUN_DEFAULTS: &[(&str, &str)] = &[
    ("integrator", "dop853"),
    ("rtol", "1e-9"),
    ("atol", "1e-12"),
    ("max_steps", "no bound"),
    ("t_end", "as long as the points take; on a section 100 times as long as a run at most"),
];
/// On a section a motion ends after this many times the length of a run, where nobody says more.
const SECTION_RUN_RATIO: f64 = 100.0;
/// The end of motions that end by the number of their points, s.
const FAR_END: f64 = 1e15;
/// Points of a motion where nobody says how many or how long.
const DEFAULT_POINTS: u64 = 1000;
/// Points that are left out at the beginning where a drive makes the motion forget its start.
const DEFAULT_TRANSIENT: u64 = 100;
/// Points of more motions than this are not listed by motion, and more points than this not in JSON.
const MAX_LISTED_MOTIONS: usize = 12;
const MAX_LISTED_POINTS: usize = 10_000;

/// Where motions are looked at.
pub(super) static SECTION: OptionRow = OptionRow::new(
    "section",
    Kind::Word,
    "Look where an event happens or a formula is zero, as \"theta1 = 0\"; an angle that equals a constant is meant on the circle",
)
.value_name("EVENT|FORMULA")
.default("the period of the drive, else the event `section`, else the only one");
/// Which crossings count.
pub(super) static DIRECTION: OptionRow = OptionRow::new(
    "direction",
    Kind::Choice(&["up", "down", "both"]),
    "Count crossings from below zero, from above, or both",
)
.default("that of the event; of a formula both");
/// When motions are looked at.
pub(super) static PERIOD: OptionRow = OptionRow::new(
    "period",
    Kind::Word,
    "Look once in this time, a formula of the parameters, s; a drive must repeat after it",
)
.value_name("FORMULA")
.default("that of the drive");
static COLUMNS: OptionRow = OptionRow::new(
    "columns",
    Kind::Words,
    "Columns of the points; the first two are drawn against each other",
)
.value_name("A,B,...")
.default("a coordinate that the section leaves free, and its rate");
static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Repeated,
    "A motion for each value of a parameter or a value at the start: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or \
     NAME=VALUE,VALUE,...",
)
.value_name("NAME=RANGE");
static POINTS: OptionRow =
    OptionRow::new("points", Kind::Count(1), "How many points are kept of each motion")
        .value_name("N")
        .default("1000, or as many as there are until the end that is given");
static TRANSIENT: OptionRow = OptionRow::new(
    "transient",
    Kind::Count(0),
    "How many points of each motion are left out at its beginning",
)
.value_name("N")
.default("100 under a drive, none else");
static AFTER_START: OptionRow = OptionRow { default: "the start", ..AFTER };

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let request = request(question, watch)?;
    let show = |so_far: &dyn Fn() -> Poincare| {
        watch.draw(|| figure(question.model, &request, &so_far()));
    };
    let found = poincare_shown(question.model, &request, watch.stop, watch.looked_at(&show))?;
    let mut answer = Answer::new(POINCARE.name, &question.model.title);
    let options = &request.run.options;
    answer.settings = json!({
        "looked_at": request.map.words(),
        "columns": request.columns,
        "transient": request.transient,
        "formulation": request.run.formulation.entry.name,
        "integrator": options.integrator.name,
        "rtol": options.integration.rtol,
        "atol": options.integration.atol,
    });
    answer.table = table(question.model, &request, &found);
    answer.result = facts(&request, &found, &answer.table);
    answer.error_estimate = found.check.map(|check| check.error);
    answer.figure = figure(question.model, &request, &found);
    say(&mut answer.words, &request, &found);
    let failed = found.motions.iter().find_map(|motion| motion.failure.as_ref());
    if let Some(reason) = failed {
        let count = found.motions.iter().filter(|motion| motion.failure.is_some()).count();
        let (reason, of) = (reason.clone(), found.motions.len());
        answer.words.failure("failed", format!("{count} of {of} motions: {reason}"));
        answer.shortfall = Some(reason);
    }
    if !found.complete {
        answer.note_interruption("the points that were found until then are there");
    }
    Ok(answer)
}

/// What is asked. What is left out about the motion is not taken from the model's `[run]`, but chosen for motions that are
/// long.
fn request(question: &Question<'_>, watch: &Watch<'_>) -> Result<PoincareRequest, Refusal> {
    let (model, options) = (question.model, question.options);
    let over = axes(question)?;
    let set = coordinates(question)?;
    let map = return_map(question, set)?;
    let ends_by_points = matches!(map, ReturnMap::Period(_));
    let run = long_run(question, ends_by_points.then_some(FAR_END))?;
    let points = options.count(&POINTS);
    let points = points.unwrap_or(match question.run.t_end.is_some() {
        true => u64::MAX,
        false => DEFAULT_POINTS,
    });
    let usual = if ends_by_points { DEFAULT_TRANSIENT } else { 0 };
    let after = options.number(&AFTER_START);
    let transient = options.count(&TRANSIENT).unwrap_or(if after.is_some() { 0 } else { usual });
    let after = after.unwrap_or(run.options.t_start);
    if after >= run.options.t_end {
        return Err(Refusal::of_question(
            format!("the motion ends at {} s: nothing is left after {after} s", run.options.t_end),
            "run longer with {t_end}, or begin earlier with {after}",
        ));
    }
    let columns = match options.words(&COLUMNS) {
        [] => default_columns(model, set, &map)?,
        [_] => {
            return Err(Refusal::of_question(
                "one column makes no picture of points",
                "name two with {columns}, as theta1,theta1'",
            ));
        }
        columns => columns.to_vec(),
    };
    Ok(PoincareRequest {
        map,
        over,
        columns,
        transient,
        points,
        after,
        run,
        threads: watch.threads,
    })
}

/// The coordinates in which the model is moved.
pub(super) fn coordinates(question: &Question<'_>) -> Result<CoordinateSet, Refusal> {
    Ok(long_run(question, Some(FAR_END))?.formulation.entry.coordinates)
}

/// When motions are looked at, as the options say.
pub(super) fn return_map(
    question: &Question<'_>,
    set: CoordinateSet,
) -> Result<ReturnMap, Refusal> {
    let options = question.options;
    let direction = direction(options);
    let section = options.word(&SECTION).map(|text| (text, direction));
    let map = ReturnMap::choose(question.model, set, section, options.word(&PERIOD))?;
    match map {
        ReturnMap::Period(_) if direction.is_some() => Err(Refusal::of_question(
            "a direction is that of crossings, and no section is looked at",
            "name one with {section}, or leave out {direction}",
        )),
        // that of the model, in another direction
        ReturnMap::Section(section) if options.word(&SECTION).is_none() => {
            let direction = direction.unwrap_or(section.direction);
            Ok(ReturnMap::Section(catena_ensemble::PoincareSection { direction, ..section }))
        }
        map => Ok(map),
    }
}

fn direction(options: &Options) -> Option<i8> {
    let word = options.word(&DIRECTION)?;
    DIRECTIONS.iter().find(|(name, _)| *name == word).map(|(_, direction)| *direction)
}

/// How long motions are computed; they end at the latest as they are told to, or here.
pub(super) fn long_run(question: &Question<'_>, end: Option<f64>) -> Result<RunPlan, Refusal> {
    let (model, said) = (question.model, question.run);
    let t_start = said.t_start.or(model.run.t_start).unwrap_or(0.0);
    let length = model.run.t_end.map_or(10.0, |end| end - model.run.t_start.unwrap_or(0.0));
    let t_end = said.t_end.or(end).unwrap_or(t_start + SECTION_RUN_RATIO * length);
    let defaults = RunSettings {
        formulation: model.run.formulation.clone(),
        integrator: Some(for_exact_motions().name.to_owned()),
        rtol: Some(TOLERANCES[0]),
        atol: Some(TOLERANCES[1]),
        max_steps: Some(u64::MAX),
        t_start: Some(t_start),
        t_end: Some(t_end),
        every: Some((t_end - t_start).abs().max(f64::MIN_POSITIVE)),
        ..RunSettings::default()
    };
    Ok(RunPlan::new(model, said, &defaults)?)
}

/// What is varied.
fn axes(question: &Question<'_>) -> Result<Vec<VariedAxis>, Refusal> {
    let texts = question.options.words(&OVER);
    let axes = texts.iter().map(|text| read_axis(text)).collect::<Result<Vec<_>, _>>();
    let axes = axes.map_err(|error| Refusal::of_question(error.to_string(), error.help()))?;
    for (at, SweptAxis { name, .. }) in axes.iter().enumerate() {
        if let Some(setting) = question.model.setting_of(name) {
            return Err(Refusal::set_and_varied(name, setting, "{over}"));
        }
        if axes[..at].iter().any(|other| other.name == *name) {
            return Err(Refusal::of_question(
                format!("`{name}` is varied twice"),
                "leave out one {over}",
            ));
        }
    }
    Ok(axes.into_iter().map(|SweptAxis { name, values, .. }| VariedAxis { name, values }).collect())
}

/// A coordinate that the section leaves free and its rate; without coordinates two states.
fn default_columns(
    model: &Model,
    set: CoordinateSet,
    map: &ReturnMap,
) -> Result<Vec<String>, Refusal> {
    let system = model.system(set);
    let fixed = |name: &String| match map {
        ReturnMap::Period(_) => false,
        ReturnMap::Section(section) => uses(model, set, &section.formula, name),
    };
    let coordinates: Vec<String> = system.coordinates.iter().map(|it| it.name.clone()).collect();
    let states: Vec<String> = system.states.iter().map(|it| it.name.clone()).collect();
    let free = |names: &[String]| names.iter().find(|name| !fixed(name)).cloned();
    if let Some(name) = free(&coordinates).or_else(|| coordinates.first().cloned()) {
        return Ok(vec![name.clone(), format!("{name}'")]);
    }
    match states.as_slice() {
        [_, _, ..] => {
            let first = free(&states).unwrap_or_else(|| states[0].clone());
            let others: Vec<String> = states.into_iter().filter(|name| *name != first).collect();
            let second = free(&others).unwrap_or_else(|| others[0].clone());
            Ok(vec![first, second])
        }
        _ => Err(Refusal::of_model(
            "one state alone has no section: its motion is a line",
            "ask for {columns} that there are, or look at the run itself",
        )),
    }
}

/// Whether a formula uses a name, itself or by a definition.
fn uses(model: &Model, set: CoordinateSet, formula: &Formula, name: &str) -> bool {
    let system = model.system(set);
    formula.names().any(|(used, _, _)| {
        used == name
            || match system.names.role(used) {
                Some(Role::Definition(at)) => {
                    uses(model, set, &system.definitions[at].formula, name)
                }
                _ => false,
            }
    })
}

/// A row for each point: what is varied, the time, the columns.
fn table(model: &Model, request: &PoincareRequest, found: &Poincare) -> Table {
    let set = request.run.formulation.entry.coordinates;
    let motions = &found.motions;
    let each = |value: &dyn Fn(&PoincareMotion) -> f64| -> Vec<f64> {
        let repeated =
            motions.iter().map(|motion| std::iter::repeat_n(value(motion), motion.times.len()));
        repeated.flatten().collect()
    };
    let mut table = Table::default();
    for (at, axis) in request.over.iter().enumerate() {
        let name = match request.columns.contains(&axis.name) {
            true => format!("{}_start", axis.name),
            false => axis.name.clone(),
        };
        let unit = units(model, set, std::slice::from_ref(&axis.name))[0];
        table = table.with_numbers(name, unit, each(&|motion| motion.values[at]));
    }
    let times = motions.iter().flat_map(|motion| &motion.times).copied().collect();
    if !request.columns.iter().any(|column| column == "t") {
        table = table.with_numbers("t", "s", times);
    }
    for ((at, name), unit) in
        request.columns.iter().enumerate().zip(units(model, set, &request.columns))
    {
        let values = motions.iter().flat_map(|motion| &motion.columns[at]).copied().collect();
        table = table.with_numbers(name.as_str(), unit, values);
    }
    table
}

fn facts(request: &PoincareRequest, found: &Poincare, table: &Table) -> Value {
    let names: Vec<&str> = request.over.iter().map(|axis| axis.name.as_str()).collect();
    let motions = found.motions.iter().map(|motion| {
        let at: serde_json::Map<String, Value> = names
            .iter()
            .zip(&motion.values)
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        json!({
            "at": at,
            "points": motion.times.len(),
            "from": motion.times.first(),
            "to": motion.times.last(),
            "failure": motion.failure,
        })
    });
    let motions: Vec<Value> = motions.collect();
    let points = (table.len() <= MAX_LISTED_POINTS).then(|| columns_json(table));
    json!({ "points": table.len(), "motions": motions, "columns": points })
}

/// The first two columns against each other; a colour for each motion.
fn figure(model: &Model, request: &PoincareRequest, found: &Poincare) -> Figure {
    let set = request.run.formulation.entry.coordinates;
    let shown = &request.columns[..2];
    let labels: Vec<String> = shown
        .iter()
        .zip(units(model, set, shown))
        .map(|(name, unit)| axis_label(&[name], unit))
        .collect();
    let mut panel = Panel::new(
        model.title.as_str(),
        Axis::linear(labels[0].as_str()),
        Axis::linear(labels[1].as_str()),
    );
    // with several axes a motion is a number
    let (name, value): (Option<&str>, &dyn Fn(usize) -> f64) = match request.over.as_slice() {
        [] => (None, &|_| 0.0),
        [axis] => (Some(axis.name.as_str()), &|at| found.motions[at].values[0]),
        _ => (Some("motion"), &|at| at as f64 + 1.0),
    };
    let family = Family::new(name, (0..found.motions.len()).map(value), vec![String::new()]);
    for (at, motion) in found.motions.iter().enumerate() {
        let (x, y) = (motion.columns[0].clone(), motion.columns[1].clone());
        let curve = family.curve(name.map(|_| value(at)), 0, x, y);
        panel = panel.with(Series { style: Style::Marks, ..curve });
    }
    Figure::from(family.explained(panel))
}

fn say(words: &mut Words, request: &PoincareRequest, found: &Poincare) {
    let points: usize = found.motions.iter().map(|motion| motion.times.len()).sum();
    let motions = match found.motions.len() {
        1 => String::new(),
        count => format!(" of {count} motions"),
    };
    words.say(format!("{points} points{motions}, {}", request.map.words()));
    if found.motions.len() > 1 && found.motions.len() <= MAX_LISTED_MOTIONS {
        let rows = found.motions.iter().map(|motion| {
            let values = motion.values.iter().map(|value| catena_model::plain_to(*value, 6));
            let to = motion.times.last().map_or("–".to_owned(), |&t| format!("{t:.6}"));
            values.chain([motion.times.len().to_string(), to]).collect()
        });
        let names = request.over.iter().map(|axis| axis.name.clone());
        let headings = names.chain(["points".to_owned(), "last at, s".to_owned()]);
        words.table(headings.collect::<Vec<_>>(), rows.collect());
    }
    let angles: Vec<&str> = request
        .columns
        .iter()
        .zip(&found.on_circle)
        .filter(|(_, angle)| **angle)
        .map(|(name, _)| name.as_str())
        .collect();
    if !angles.is_empty() {
        words.say(format!("on the circle, from -π to π: {}", angles.join(", ")));
    }
    if let Some(check) = found.check {
        words.say(format!(
            "tolerances a hundred times smaller change the first point of a motion by {:.1e} of its span at most",
            check.error
        ));
        if check.agreed < check.compared {
            let points = check.agreed;
            words.remark(
                "note",
                format!("after {points} points a motion has parted from its more exact twin: what follows is another motion, as in chaos"),
            );
        }
    }
    let few = found.motions.iter().filter(|motion| motion.times.len() < 2).count();
    if few > 0 && found.complete && matches!(request.map, ReturnMap::Section(_)) {
        let end = plain(request.run.options.t_end);
        words.remark(
            "note",
            format!(
                "{few} of {} motions have fewer than two points until {end} s",
                found.motions.len()
            ),
        );
    }
}
