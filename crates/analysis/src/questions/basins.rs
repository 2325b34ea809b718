//! Which start leads where: basins of attraction over two initial values.

use super::class_map::{Kind as CellKind, figure, units};
use super::classify::{CLASSIFY_DEFAULTS, PERIOD, common_request};
use super::{Analysis, over};
use crate::basins::basins_shown;
use crate::words::fixed;
use crate::{
    Answer, BasinAttractor, Basins, ClassifyRequest, MotionClass, Question, Refusal, Watch,
};
use catena_ensemble::DeviceChoice;
use catena_model::run_settings::METHODS_OF_MANY;
use catena_model::{Kind, OptionRow};
use catena_simulation::Table;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static BASINS: Analysis = Analysis {
    name: "basins",
    summary: "which start leads where: attractors and their basins over two initial values",
    needs: "a drive, damping and two initial values",
    run_options: METHODS_OF_MANY,
    run_defaults: CLASSIFY_DEFAULTS,
    options: &[&OVER, &PERIOD, &PERIODS],
    example: "driven-pendulum --set drive=1.35 --over theta=-pi:pi:200 --over \"theta'=-6:6:200\" --plot basins.png",
    parallel: true,
    ..Analysis::answered_by(ask)
};

static OVER: OptionRow = OptionRow::new(
    "over",
    Kind::Repeated,
    "The two initial values: NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,...",
)
.value_name("NAME=RANGE");
static PERIODS: OptionRow = OptionRow::new(
    "periods",
    Kind::Count(64),
    "Periods after which a start that has come to no attractor is examined by itself",
)
.value_name("N")
.default("512");

/// Periods after which a start is examined, where nobody says otherwise.
const DEFAULT_PERIODS: u64 = 512;

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let options = question.options;
    let axes = over::axes(question, options.words(&OVER), 2)?;
    let mut request = common_request(question, watch, axes)?;
    request.device = DeviceChoice::of(question.run);
    request.max_periods = options.count(&PERIODS).unwrap_or(DEFAULT_PERIODS);
    let title = &question.model.title;
    let show = |so_far: &dyn Fn() -> Basins| {
        watch.draw(|| {
            let found = so_far();
            let mut kinds = kinds(&found);
            // what is not known yet is not undecided
            kinds.pop();
            figure(title, &request.over, &table(question, &request, &found), &kinds)
        });
    };
    let found = basins_shown(question.model, &request, watch.stop, watch.looked_at(&show))?;
    let mut answer = Answer::new(BASINS.name, &question.model.title);
    answer.settings = json!({
        "period": found.period,
        "periods": request.max_periods,
        "formulation": request.formulation.name,
        "integrator": request.integrator.name,
        "rtol": request.integration.rtol,
    });
    answer.result = result_json(&found);
    answer.table = table(question, &request, &found);
    answer.error_estimate = found.attractors.iter().map(|it| it.fraction[1]).reduce(f64::max);
    let kinds = kinds(&found);
    answer.figure = figure(&question.model.title, &request.over, &answer.table, &kinds);
    say(&mut answer, &request, &found);
    answer.note_device(found.device.clone());
    if !found.complete {
        let known = found.labels.iter().flatten().count();
        answer.note_interruption(format!("{known} of {} starts are known", found.labels.len()));
    }
    Ok(answer)
}

/// What an attractor is called: its number and what it is.
fn name(at: usize, attractor: &BasinAttractor) -> String {
    let what = match (attractor.class, attractor.multiple) {
        (MotionClass::Rotating, multiple) => {
            let way = if attractor.turns > 0 { "forward" } else { "backward" };
            let turns = attractor.turns.abs();
            match (turns, multiple) {
                (1, 1) => format!("rotating {way}"),
                _ => format!("rotating {way}, {turns} turns in {multiple} periods"),
            }
        }
        (MotionClass::AtRest, _) => "at rest".to_owned(),
        (_, 1) => "periodic".to_owned(),
        (MotionClass::Periodic, multiple) => format!("{multiple} periods"),
        (MotionClass::Undecided, _) => "never repeats".to_owned(),
        (class, _) => class.name().to_owned(),
    };
    format!("{}: {what}", at + 1)
}

fn kinds(found: &Basins) -> Vec<CellKind> {
    let cells = |label: Option<usize>| -> Vec<usize> {
        let all = found.labels.iter().enumerate();
        all.filter(|(_, other)| **other == label).map(|(cell, _)| cell).collect()
    };
    let attractors = found.attractors.iter().enumerate();
    let mut kinds: Vec<CellKind> = attractors
        .map(|(at, it)| CellKind { name: name(at, it), colour: at, cells: cells(Some(at)) })
        .collect();
    let colour = kinds.len().max(6);
    kinds.push(CellKind { name: "undecided".to_owned(), colour, cells: cells(None) });
    kinds
}

fn table(question: &Question<'_>, request: &ClassifyRequest, found: &Basins) -> Table {
    let units = units(question.model, request);
    let mut table = Table::default();
    let cells = 0..found.labels.len();
    for (at, axis) in request.over.iter().enumerate() {
        let values = cells.clone().map(|cell| request.values(cell)[at]).collect();
        table = table.with_numbers(axis.name.clone(), units[at].clone(), values);
    }
    let label = |label: &Option<usize>| label.map_or(0.0, |label| (label + 1) as f64);
    let class = |label: &Option<usize>| match label {
        Some(at) => found.attractors[*at].class.name().to_owned(),
        None => MotionClass::Undecided.name().to_owned(),
    };
    table
        .with_numbers("attractor", "", found.labels.iter().map(label).collect())
        .with_words("class", found.labels.iter().map(class).collect())
}

fn result_json(found: &Basins) -> Value {
    let attractor = |it: &BasinAttractor| {
        json!({
            "class": it.class.name(),
            "multiple": it.multiple,
            "turns": it.turns,
            "exponent": it.exponent[0],
            "exponent_error": it.exponent[1],
            "fraction": it.fraction[0],
            "fraction_error": it.fraction[1],
            "states": it.states,
            "outside_the_box": it.is_outside,
        })
    };
    json!({
        "attractors": found.attractors.iter().map(attractor).collect::<Vec<_>>(),
        "undecided": found.labels.iter().filter(|label| label.is_none()).count(),
        "border_fraction": found.border_fraction,
        "entropy": found.entropy,
    })
}

fn say(answer: &mut Answer, request: &ClassifyRequest, found: &Basins) {
    let words = &mut answer.words;
    let cells = found.labels.len();
    let undecided = found.labels.iter().filter(|label| label.is_none()).count();
    let count = found.attractors.len();
    words.say(match count {
        0 => format!("no attractor was found from {cells} starts"),
        1 => format!(
            "one attractor: all of the {} starts that are decided lead to it",
            cells - undecided
        ),
        _ => format!(
            "{count} attractors from {cells} starts; the border is {} % of them",
            fixed(100.0 * found.border_fraction, 1)
        ),
    });
    let rows = found.attractors.iter().enumerate().map(|(at, it)| {
        let place = match (it.multiple, it.states.first()) {
            (1.., Some(state)) => {
                state.iter().map(|value| fixed(*value, 4)).collect::<Vec<_>>().join(", ")
            }
            _ => String::new(),
        };
        vec![
            name(at, it),
            format!("{} ± {}", fixed(it.fraction[0], 4), fixed(it.fraction[1], 4)),
            format!("{} ± {}", plain_to_three(it.exponent[0]), plain_to_three(it.exponent[1])),
            place,
        ]
    });
    if count > 0 {
        words.table(
            ["attractor", "part of the starts", "exponent, 1/s", "a state of its section"],
            rows.collect(),
        );
    }
    for (at, it) in found.attractors.iter().enumerate() {
        if it.is_outside {
            words.remark(
                "outside",
                format!("attractor {} lies outside of the box of starts, or leaves it", at + 1),
            );
        }
        if let Some(other) = it.shares_cell_with.filter(|other| *other > at) {
            words.remark(
                "one cell",
                format!(
                    "attractors {} and {} have states in one cell: a finer grid tells them apart",
                    at + 1,
                    other + 1
                ),
            );
        }
    }
    for (reason, count) in &found.undecided {
        words.remark("undecided", format!("{count} of {cells} starts because {reason}"));
    }
    words.say(format!(
        "section every {} s, entropy of the basins {}, rtol {:e}",
        catena_model::plain_to(found.period, 6),
        fixed(found.entropy, 3),
        request.integration.rtol
    ));
}

fn plain_to_three(value: f64) -> String {
    catena_model::plain_to(value, 3)
}
