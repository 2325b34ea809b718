//! Lyapunov exponents over one or two ranges: a curve or a map.

use super::class_map::ranged;
use super::lyapunov::{LYAPUNOV, plain_to, refused};
use crate::live::with_x_range;
use crate::lyapunov::lyapunov_map_shown;
use crate::panels::column_axis;
use crate::words::Words;
use crate::{Answer, LyapunovCell, LyapunovMap, LyapunovRequest, Question, Refusal, Watch};
use catena_ensemble::Axis as VariedAxis;
use catena_figure::{Axis, Colour, ColourBar, Figure, Panel, Scale, Series};
use catena_simulation::Table;
use serde_json::{Value, json};

/// Colours of a map: more could not be told apart.
const COLOURS: usize = 32;
/// An exponent that is farther from zero than so many of its errors has a sign.
pub(super) const ERRORS_OF_A_SIGN: f64 = 3.0;

/// Answers for every cell of a grid.
pub(super) fn ask(
    question: &Question<'_>,
    request: &LyapunovRequest,
    axes: &[VariedAxis],
    watch: &Watch<'_>,
) -> Result<Answer, Refusal> {
    let model = question.model;
    let show = |so_far: &dyn Fn() -> LyapunovMap| {
        watch.draw(|| {
            with_x_range(figure(&model.title, axes, &table(axes, &so_far())), &axes[0].values)
        });
    };
    let found = lyapunov_map_shown(model, axes, request, watch.stop, watch.looked_at(&show));
    let found = found.map_err(|error| refused(&error))?;
    let mut answer = Answer::new(LYAPUNOV.name, &model.title);
    let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
    answer.settings = json!({
        "over": names.join(", "),
        "cells": found.cells.len(),
        "formulation": request.formulation.name,
        "integrator": request.integrator.name,
        "rtol": request.integration.rtol,
        "atol": request.integration.atol,
    });
    answer.result = json!({ "cells": found.cells.iter().map(cell_json).collect::<Vec<Value>>() });
    answer.error_estimate = median_error(&found);
    answer.table = table(axes, &found);
    answer.figure = figure(&model.title, axes, &answer.table);
    say(&mut answer.words, &found);
    if !found.complete {
        let all: usize = axes.iter().map(|axis| axis.values.len()).product();
        answer.note_interruption(format!("{} of {all} cells are known", found.cells.len()));
    }
    Ok(answer)
}

fn cell_json(cell: &LyapunovCell) -> Value {
    match &cell.exponents {
        Ok(found) => json!({
            "values": cell.values,
            "exponents": found.iter().map(|exponent| exponent.value).collect::<Vec<f64>>(),
            "errors": found.iter().map(|exponent| exponent.error).collect::<Vec<f64>>(),
        }),
        Err(reason) => json!({ "values": cell.values, "failure": reason }),
    }
}

fn median_error(found: &LyapunovMap) -> Option<f64> {
    let known = found.cells.iter().filter_map(|cell| cell.exponents.as_ref().ok()?.first());
    let mut errors: Vec<f64> = known.map(|exponent| exponent.error).collect();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).copied()
}

fn say(words: &mut Words, found: &LyapunovMap) {
    let known: Vec<_> =
        found.cells.iter().filter_map(|cell| cell.exponents.as_ref().ok()?.first()).collect();
    let count = |sign: f64| {
        known
            .iter()
            .filter(|exponent| sign * exponent.value > ERRORS_OF_A_SIGN * exponent.error)
            .count()
    };
    let (parting, meeting) = (count(1.0), count(-1.0));
    words.say(format!(
        "{} cells: neighbouring motions part in {parting}, meet in {meeting}, and do neither that the error can tell in {}",
        found.cells.len(),
        known.len() - parting - meeting
    ));
    let largest = known.iter().max_by(|a, b| a.value.total_cmp(&b.value));
    if let Some(largest) = largest {
        let (value, error) = (plain_to(largest.value), plain_to(largest.error));
        words.say(format!("the largest exponent is {value} ± {error} 1/s, natural logarithm"));
    }
    let failed = found.cells.iter().filter_map(|cell| cell.exponents.as_ref().err());
    let failures: Vec<&String> = failed.collect();
    if let Some(first) = failures.first() {
        words.remark("note", format!("{} cells failed: {first}", failures.len()));
    }
}

/// A row for each cell; NaN where it failed.
fn table(axes: &[VariedAxis], found: &LyapunovMap) -> Table {
    let lists = || found.cells.iter().filter_map(|cell| cell.exponents.as_ref().ok());
    let count = lists().map(Vec::len).max().unwrap_or(1);
    let mut table = Table::default();
    for (at, axis) in axes.iter().enumerate() {
        let values = found.cells.iter().map(|cell| cell.values[at]).collect();
        table = table.with_numbers(axis.name.clone(), "", values);
    }
    for at in 0..count {
        let column = |of: fn(&crate::Exponent) -> f64| -> Vec<f64> {
            let exponent = |cell: &LyapunovCell| Some(of(cell.exponents.as_ref().ok()?.get(at)?));
            found.cells.iter().map(|cell| exponent(cell).unwrap_or(f64::NAN)).collect()
        };
        let name = format!("lambda_{}", at + 1);
        table = table.with_numbers(name.clone(), "1/s", column(|exponent| exponent.value));
        table =
            table.with_numbers(format!("{name}_error"), "1/s", column(|exponent| exponent.error));
    }
    table
}

/// A curve over one axis, a map over two.
fn figure(title: &str, axes: &[VariedAxis], table: &Table) -> Figure {
    match axes {
        [_] => curve(title, table),
        _ => map(title, axes, table),
    }
}

fn curve(title: &str, table: &Table) -> Figure {
    let x = column_axis(table, &table.columns[0]);
    let mut panel = Panel::new(title, x, Axis::linear("exponent, 1/s"));
    let exponents = table.columns[1..].iter().step_by(2).enumerate();
    for (at, column) in exponents {
        let name = format!("$λ_{{{}}}$", at + 1);
        panel = panel.with(Series::line(name, table.columns[0].numbers(), column.numbers()));
    }
    Figure::from(panel)
}

fn map(title: &str, axes: &[VariedAxis], table: &Table) -> Figure {
    let [x, y] = [0, 1].map(|at| ranged(column_axis(table, &table.columns[at]), &axes[at].values));
    let [across, up, values] = [0, 1, 2].map(|at| table.columns[at].numbers());
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let range =
        [finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max)];
    let width = ((range[1] - range[0]) / COLOURS as f64).max(f64::MIN_POSITIVE);
    let mut panel = Panel::new(title, x, y);
    for level in 0..COLOURS {
        let in_level =
            |value: f64| (((value - range[0]) / width) as usize).min(COLOURS - 1) == level;
        let cells = values.iter().enumerate();
        let cells: Vec<usize> = cells
            .filter(|(_, value)| value.is_finite() && in_level(**value))
            .map(|(cell, _)| cell)
            .collect();
        if cells.is_empty() {
            continue;
        }
        let [x, y] =
            [across, up].map(|list| cells.iter().map(|&at| list[at]).collect::<Vec<f64>>());
        let value = range[0] + (level as f64 + 0.5) * width;
        panel = panel.with(Series::cells("", x, y).coloured(Colour::Value(value)));
    }
    let label = "largest exponent, 1/s".to_owned();
    panel.colour_bar = Some(ColourBar { label, range, scale: Scale::Linear });
    Figure::from(panel)
}
