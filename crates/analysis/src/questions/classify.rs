//! What kind of motion a model comes to, alone or over a map of parameters or starts.

use super::class_map::{self, Kind as CellKind};
use super::{Analysis, over};
use crate::classification::classify_shown;
use crate::quantity::axis_label;
use crate::words::{Words, fixed};
use crate::{
    Answer, Classified, ClassifiedMotion, ClassifyRequest, DrivePeriod, MotionClass, PeriodError,
    Question, Refusal, Watch,
};
use catena_ensemble::Axis as VariedAxis;
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::run_settings::METHODS;
use catena_model::{Kind, OptionRow, RunSettings, plain_to};
use catena_simulation::{RunPlan, Table};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The row of the catalogue.
pub(super) static CLASSIFY: Analysis = Analysis {
    name: "classify",
    summary: "periodic, rotating, quasi-periodic or chaotic: a vote of independent indicators, also as a map",
    needs: "a motion that goes on",
    run_options: METHODS,
    run_defaults: CLASSIFY_DEFAULTS,
    options: &[&OVER, &PERIOD, &PERIODS],
    example: "driven-pendulum --over drive=0.9:1.5:100 --over tune=0.4:0.9:100 --plot map.png",
    parallel: true,
    ..Analysis::answered_by(ask)
};

/// Motions that are long; a test compares them with [`ClassifyRequest::new`].
pub(super) static CLASSIFY_DEFAULTS: &[(&str, &str)] = &[
    ("formulation", "minimal, or projection where there are constraints"),
    ("integrator", "dop853"),
    ("rtol", "1e-7"),
    ("atol", "1e-10"),
    ("max_steps", "no bound"),
];

static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Repeated,
    "Parameters or initial values of a map, two at most: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or \
     NAME=VALUE,VALUE,...",
)
.value_name("NAME=RANGE");
/// What takes the place of the period that is found from the equations.
pub(super) static PERIOD: OptionRow =
    OptionRow::new("period", Kind::Word, "The period of the drive, s: a formula of parameters")
        .value_name("FORMULA")
        .default("found from the equations");
static PERIODS: OptionRow =
    OptionRow::new("periods", Kind::Count(64), "Periods after which a motion stays undecided")
        .value_name("N")
        .default("32768 of one motion, 1024 in a map");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let request = request(question, watch)?;
    let show = |so_far: &dyn Fn() -> Classified| {
        watch.draw(|| {
            let found = so_far();
            figure(question, &request, &found, &table(question, &request, &found))
        });
    };
    let found = classify_shown(question.model, &request, watch.stop, watch.looked_at(&show))?;
    let mut answer = Answer::new(CLASSIFY.name, &question.model.title);
    answer.table = table(question, &request, &found);
    answer.settings = json!({
        "periods": request.max_periods,
        "formulation": request.formulation.name,
        "integrator": request.integrator.name,
        "rtol": request.integration.rtol,
    });
    answer.result = result_json(&found);
    answer.figure = figure(question, &request, &found, &answer.table);
    match (request.over.is_empty(), found.cells.first()) {
        (true, Some(Some(motion))) => {
            answer.error_estimate = Some(motion.exponent_error).filter(|error| error.is_finite());
            say_motion(&mut answer.words, &request, motion);
        }
        _ => say_map(&mut answer.words, &found),
    }
    if !found.complete {
        let known = found.cells.iter().flatten().count();
        answer.note_interruption(format!("{known} of {} motions are known", found.cells.len()));
    }
    Ok(answer)
}

/// The section of one motion, a curve over one axis or a map over two.
fn figure(
    question: &Question<'_>,
    request: &ClassifyRequest,
    found: &Classified,
    table: &Table,
) -> Figure {
    let title = &question.model.title;
    match found.cells.as_slice() {
        [Some(motion)] if request.over.is_empty() => section_figure(question, request, motion),
        // stopped before the only motion was classified
        _ if request.over.is_empty() => Figure::new(title),
        _ if request.over.len() == 1 => {
            let exponent = |motion: &ClassifiedMotion| motion.exponent;
            let exponents = found.cells.iter().map(|it| it.as_ref().map_or(f64::NAN, exponent));
            class_map::curve(
                title,
                &request.over[0],
                table,
                &exponents.collect::<Vec<_>>(),
                &kinds(found),
            )
        }
        _ => class_map::figure(title, &request.over, table, &kinds(found)),
    }
}

fn request(question: &Question<'_>, watch: &Watch<'_>) -> Result<ClassifyRequest, Refusal> {
    let axes = over::axes(question, question.options.words(&OVER), 2)?;
    let request = common_request(question, watch, axes)?;
    let max_periods = question.options.count(&PERIODS).unwrap_or(request.max_periods);
    Ok(ClassifyRequest { max_periods, ..request })
}

/// What is asked over some axes; what is left out about the motion is chosen for motions that are long.
pub(super) fn common_request(
    question: &Question<'_>,
    watch: &Watch<'_>,
    axes: Vec<VariedAxis>,
) -> Result<ClassifyRequest, Refusal> {
    let (model, options) = (question.model, question.options);
    let period = match options.word(&PERIOD) {
        Some(text) => Some(DrivePeriod::given(model, text)?),
        None => match DrivePeriod::find(model) {
            Err(PeriodError::NoDrive) => None,
            found => Some(found?),
        },
    };
    let standard = ClassifyRequest::new(model, axes, period);
    let defaults = RunSettings {
        formulation: Some(standard.formulation.name.to_owned()),
        integrator: Some(standard.integrator.name.to_owned()),
        rtol: Some(standard.integration.rtol),
        atol: Some(standard.integration.atol),
        max_steps: Some(standard.integration.max_steps),
        ..RunSettings::default()
    };
    let plan = RunPlan::new(model, question.run, &defaults)?;
    Ok(ClassifyRequest {
        formulation: plan.formulation.entry,
        formulation_options: plan.formulation.options,
        integrator: plan.options.integrator,
        integration: plan.options.integration,
        threads: watch.threads,
        ..standard
    })
}

fn table(question: &Question<'_>, request: &ClassifyRequest, found: &Classified) -> Table {
    let known: Vec<(usize, &ClassifiedMotion)> = found
        .cells
        .iter()
        .enumerate()
        .filter_map(|(cell, motion)| motion.as_ref().map(|motion| (cell, motion)))
        .collect();
    let units = class_map::units(question.model, request);
    let mut table = Table::default();
    for (at, axis) in request.over.iter().enumerate() {
        let values = known.iter().map(|(cell, _)| request.values(*cell)[at]).collect();
        table = table.with_numbers(axis.name.clone(), units[at].clone(), values);
    }
    let numbers = |of: &dyn Fn(&ClassifiedMotion) -> f64| -> Vec<f64> {
        known.iter().map(|(_, motion)| of(motion)).collect()
    };
    let words = |of: &dyn Fn(&ClassifiedMotion) -> String| -> Vec<String> {
        known.iter().map(|(_, motion)| of(motion)).collect()
    };
    table
        .with_words("class", words(&|motion| motion.class.name().to_owned()))
        .with_numbers("multiple", "", numbers(&|motion| f64::from(motion.multiple)))
        .with_numbers("turns", "", numbers(&|motion| motion.turns as f64))
        .with_numbers("exponent", "1/s", numbers(&|motion| motion.exponent))
        .with_numbers("exponent_error", "1/s", numbers(&|motion| motion.exponent_error))
        .with_numbers("residual", "", numbers(&|motion| motion.residual))
        .with_numbers("zero_one", "", numbers(&|motion| motion.zero_one))
        .with_numbers("lines", "", numbers(&|motion| f64::from(motion.lines)))
        .with_numbers("periods", "", numbers(&|motion| motion.periods as f64))
        .with_words(
            "doubt",
            words(&|motion| motion.doubt.as_ref().map_or_else(String::new, |doubt| doubt.words())),
        )
}

/// The section of one motion: a coordinate against its rate, or two states.
fn section_figure(
    question: &Question<'_>,
    request: &ClassifyRequest,
    motion: &ClassifiedMotion,
) -> Figure {
    let (columns, units) = class_map::state_units(question.model, request);
    let second = (columns.len() / 2).max(1) % columns.len().max(1);
    let points = |at: usize| -> Vec<f64> {
        let states = motion.section.chunks_exact(columns.len().max(1));
        states
            .map(|state| if units[at] == "rad" { on_circle(state[at]) } else { state[at] })
            .collect()
    };
    let axis = |at: usize| Axis::linear(axis_label(&[&columns[at]], &units[at]));
    let panel = Panel::new(question.model.title.as_str(), axis(0), axis(second));
    let name = format!("section, {}", motion.class.name());
    Figure::from(panel.with(Series::marks(name, points(0), points(second))))
}

/// An angle between −π and π.
fn on_circle(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// The cells of each kind of motion, in colours that are the same in every map.
fn kinds(found: &Classified) -> Vec<CellKind> {
    let of = |class: MotionClass| {
        let all = found.cells.iter().enumerate();
        let own = all.filter(|(_, motion)| motion.as_ref().is_some_and(|it| it.class == class));
        let colour = match class {
            MotionClass::Periodic => 0,
            MotionClass::Chaotic => 1,
            MotionClass::Rotating => 2,
            MotionClass::QuasiPeriodic => 4,
            MotionClass::AtRest => 5,
            MotionClass::Undecided => 6,
        };
        let cells = own.map(|(cell, _)| cell).collect();
        CellKind { name: class.name().to_owned(), colour, cells }
    };
    MotionClass::ALL.into_iter().map(of).collect()
}

fn counts(found: &Classified) -> Vec<(MotionClass, usize)> {
    let count = |class: MotionClass| {
        let same = found.cells.iter().flatten().filter(|motion| motion.class == class);
        (class, same.count())
    };
    MotionClass::ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
}

fn result_json(found: &Classified) -> Value {
    let entries =
        counts(found).into_iter().map(|(class, count)| (class.name().into(), json!(count)));
    let counts = Value::Object(entries.collect::<Map<_, _>>());
    match found.cells.as_slice() {
        [Some(motion)] => json!({
            "counts": counts,
            "class": motion.class.name(),
            "multiple": motion.multiple,
            "turns": motion.turns,
            "period": motion.period,
            "exponent": motion.exponent,
            "exponent_error": motion.exponent_error,
            "residual": motion.residual,
            "zero_one": motion.zero_one,
            "lines": motion.lines,
            "gali_falls": motion.aligns,
            "periods": motion.periods,
            "doubt": motion.doubt.as_ref().map(|doubt| doubt.words()),
        }),
        _ => json!({ "counts": counts, "doubts": doubts(found) }),
    }
}

/// Why motions are undecided, with their number.
fn doubts(found: &Classified) -> BTreeMap<String, usize> {
    let mut doubts: BTreeMap<String, usize> = BTreeMap::new();
    for doubt in found.cells.iter().flatten().filter_map(|motion| motion.doubt.as_ref()) {
        *doubts.entry(doubt.words()).or_default() += 1;
    }
    doubts
}

/// How many cells are of each kind, and why others are not decided.
fn say_map(words: &mut Words, found: &Classified) {
    let known = found.cells.iter().flatten().count();
    let rows = counts(found).into_iter().map(|(class, count)| {
        let part = 100.0 * count as f64 / known.max(1) as f64;
        vec![class.name().to_owned(), count.to_string(), format!("{} %", fixed(part, 1))]
    });
    words.table(["motion", "cells", "part"], rows.collect());
    for (doubt, count) in doubts(found) {
        words.remark("undecided", format!("{count} of {known} because {doubt}"));
    }
    if counts(found)
        .iter()
        .any(|(class, count)| *class == MotionClass::Undecided && 2 * count > known)
    {
        words.remark("hint", "most cells are undecided: more periods may decide them");
    }
}

/// One motion: what it is, and what each indicator saw.
fn say_motion(words: &mut Words, request: &ClassifyRequest, motion: &ClassifiedMotion) {
    let is_driven = request.period.is_some();
    let beat = if is_driven { "periods of the drive" } else { "crossings of its section" };
    let again = match (motion.multiple, is_driven) {
        (1, true) => "the same again after every period of the drive".to_owned(),
        (1, false) => "the same again after every crossing of its section".to_owned(),
        (multiple, _) => format!("the same again after {multiple} {beat}"),
    };
    let each = if motion.multiple == 1 { "" } else { " each" };
    let again = format!("{again}, {} s{each}", plain_to(motion.period, 6));
    words.say(match motion.class {
        MotionClass::Periodic => format!("periodic: {again}"),
        MotionClass::Rotating => {
            let direction = if motion.turns < 0 { "backward" } else { "forward" };
            let turns = match motion.turns.unsigned_abs() {
                1 => "a turn".to_owned(),
                turns => format!("{turns} turns"),
            };
            format!("rotating: {again}, and {turns} {direction}")
        }
        MotionClass::Undecided => format!(
            "undecided: {}",
            motion.doubt.as_ref().map_or_else(String::new, |doubt| doubt.words())
        ),
        class => class.name().to_owned(),
    });
    let told =
        |value: f64| if value.is_nan() { "not asked".to_owned() } else { plain_to(value, 3) };
    let mut rows = vec![
        vec![
            "largest exponent, 1/s".to_owned(),
            format!("{} ± {}", told(motion.exponent), told(motion.exponent_error)),
        ],
        vec!["recurrence of the section".to_owned(), told(motion.residual)],
        vec!["0–1 test".to_owned(), told(motion.zero_one)],
        vec![
            "lines of the spectrum".to_owned(),
            match motion.lines {
                0 => "not asked".to_owned(),
                lines => lines.to_string(),
            },
        ],
    ];
    if let Some(falls) = motion.aligns {
        let text = if falls { "falls exponentially" } else { "keeps its size" };
        rows.push(vec!["GALI₂".to_owned(), text.to_owned()]);
    }
    words.table(["indicator", "what it saw"], rows);
    let counted = if is_driven { ", without the zero of the drive's phase" } else { "" };
    words.say(format!(
        "{} {beat} were computed; exponents by natural logarithms{counted}",
        motion.periods
    ));
}
