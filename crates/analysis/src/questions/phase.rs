//! Phase portrait: one column of a motion against another, after its transient.
//!
//! # Equations
//! The points $(x(t), y(t))$ of two columns for $t$ from `--after` on: of a coordinate and its rate, if nothing else is asked for.
//!
//! # When to choose it
//! The quickest look at what a motion does: a closed curve repeats, a spiral comes to rest, a tangle asks for `classify`. Of several
//! degrees of freedom a portrait is a shadow; sections (`poincare`) say more.
//!
//! # Reference
//! S. H. Strogatz, *Nonlinear Dynamics and Chaos*, 1994, chapter 6

use super::Analysis;
use crate::facts::columns_json;
use crate::panels::column_axis;
use crate::{Answer, Question, Refusal, Watch};
use catena_figure::{Figure, Panel, Series};
use catena_model::{Kind, Model, OptionRow};
use catena_model::{plain, run_settings::ONE_RUN};
use catena_simulation::Table;
use catena_symbolic::figure_label;
use serde_json::json;

/// The row of the catalogue.
pub(super) static PHASE: Analysis = Analysis {
    name: "phase",
    summary: "one column of a run against another, such as an angle and its rate",
    needs: "a run",
    run_options: ONE_RUN,
    options: &[&X, &Y, &AFTER],
    ..Analysis::answered_by(ask)
};

static X: OptionRow = OptionRow::new("x", Kind::Word, "The column along the horizontal axis")
    .value_name("COLUMN")
    .default("the first coordinate");
static Y: OptionRow = OptionRow::new("y", Kind::Word, "The column along the vertical axis")
    .value_name("COLUMN")
    .default("the rate of x, or the next state");
/// Where rows begin to count.
pub(crate) static AFTER: OptionRow =
    OptionRow::new("after", Kind::NotNegative, "Leave out everything before this time, s")
        .value_name("T")
        .unit("s")
        .default("the start");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let (model, options) = (question.model, question.options);
    let x = match options.word(&X) {
        Some(name) => name.to_owned(),
        None => question.first_column()?,
    };
    let y = options.word(&Y).map_or_else(|| counterpart(model, &x), str::to_owned);
    let mut columns = vec!["t".to_owned(), x.clone()];
    columns.extend((y != x).then(|| y.clone()));
    let run = question.moved(columns, watch)?;
    let after = options.number(&AFTER).unwrap_or(run.start.t);
    let portrait = portrait(&run.table, [&x, &y], after)?;
    let (c, rows) = (&run.certificate, portrait.len());
    let [times, xs, ys] = [0, 1, 2].map(|at| portrait.columns[at].numbers());
    let axis = |at: usize| column_axis(&portrait, &portrait.columns[at]);
    let mut panel = Panel::new(model.title.as_str(), axis(1), axis(2));
    panel.equal_scales = portrait.columns[1].unit == "m" && portrait.columns[2].unit == "m";
    let mut answer = Answer::new(PHASE.name, &model.title);
    answer.settings = json!({
        "x": x,
        "y": y,
        "after": after,
        "to": c.time,
        "formulation": c.formulation,
        "integrator": c.integrator,
    });
    answer.result = columns_json(&portrait);
    answer.error_estimate = c.estimate.map(|estimate| estimate.error);
    answer.figure = Figure::from(panel.with(Series::line(figure_label(&y), xs, ys)));
    let words = &mut answer.words;
    let (from, to) = (plain(times[0]), plain(c.time));
    words.say(format!("{y} against {x}: {rows} rows from {from} s to {to} s"));
    if let Some(estimate) = &c.estimate {
        words.say(format!("coordinates and velocities accurate to {:.1e}", estimate.error));
    }
    answer.note_stop(&c.stop);
    answer.table = portrait;
    Ok(answer)
}

/// The rate of a coordinate; of a state, which has no such column, the next state.
fn counterpart(model: &Model, x: &str) -> String {
    let states = &model.own.states;
    let next = states.iter().position(|state| state.name == x).map(|at| (at + 1) % states.len());
    next.map_or_else(|| format!("{x}'"), |at| states[at].name.clone())
}

/// The rows of t and two columns from a time on.
fn portrait(table: &Table, columns: [&str; 2], after: f64) -> Result<Table, Refusal> {
    let names: Vec<String> = ["t", columns[0], columns[1]].map(str::to_owned).to_vec();
    let mut portrait =
        table.select(&names).map_err(|name| Refusal::unknown("column", &name, table.names()))?;
    let times = portrait.columns[0].numbers();
    let end = times.last().copied().unwrap_or(0.0);
    let Some(first) = times.iter().position(|&t| t >= after) else {
        return Err(Refusal::of_question(
            format!("the run ends at {end} s: nothing is left after {after} s"),
            "run longer with {t_end}, or begin earlier with {after}",
        ));
    };
    portrait.skip_rows(first);
    Ok(portrait)
}
