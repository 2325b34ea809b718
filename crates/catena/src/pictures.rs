//! Results as pictures.

use crate::BenchOutcome;
use catena_analysis::Outcome;
use catena_figure::{Axis, Figure, Panel, Series};
use catena_simulation::{Run, Table};

/// More curves than this are no picture.
const MOST_CURVES: usize = 40;

/// Columns of a run against time; without names, the coordinates.
pub fn run_panel(title: &str, run: &Run, columns: &[String]) -> Panel {
    let names = run.table.names().skip(1);
    let chosen: Vec<&str> = match columns {
        [] if run.start.q.is_empty() => names.take(run.start.states.len()).collect(),
        [] => names.take(run.start.q.len()).collect(),
        columns => columns.iter().map(String::as_str).collect(),
    };
    let times = run.table.column("t").unwrap_or_default();
    let curves = chosen.into_iter().filter(|name| *name != "t").filter_map(|name| {
        let values = run.table.column(name)?;
        Some(Series::line(name, times, values))
    });
    let panel = Panel::new(title, Axis::linear("t, s"), Axis::linear(""));
    curves.take(MOST_CURVES).fold(panel, Panel::with)
}

/// Columns of a table against one of them.
pub fn table_panel(title: &str, table: &Table, against: &str, columns: &[String]) -> Panel {
    let x = table.column(against).unwrap_or_default();
    let curves = columns
        .iter()
        .filter(|name| *name != against)
        .filter_map(|name| Some(Series::line(name.as_str(), x, table.column(name)?)));
    let panel = Panel::new(title, Axis::linear(against), Axis::linear(""));
    curves.take(MOST_CURVES).fold(panel, Panel::with)
}

/// Time against error, a curve for each pair of methods.
pub fn comparison_panel<'a>(title: &str, outcomes: impl Iterator<Item = &'a Outcome>) -> Panel {
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for outcome in outcomes.filter(|outcome| outcome.is_whole()) {
        let name = format!("{}, {}", outcome.formulation, outcome.integrator);
        let point = (outcome.error.error, outcome.seconds);
        match curves.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    let axes = (Axis::logarithmic("largest error"), Axis::logarithmic("time, s"));
    curves.into_iter().fold(Panel::new(title, axes.0, axes.1), |panel, (name, mut points)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
        panel.with(Series::line_and_marks(name, x, y))
    })
}

/// Time against links, tolerance and error.
pub fn bench_figure(outcomes: &[BenchOutcome]) -> Figure {
    let tightest = outcomes.iter().map(|o| o.outcome.tolerance).fold(f64::INFINITY, f64::min);
    let longest = outcomes.iter().map(|o| o.links).max().unwrap_or(0);
    let finest = outcomes.iter().map(|o| o.outcome.every).fold(f64::INFINITY, f64::min);
    let panel = |title: String,
                 label: &str,
                 x: fn(&BenchOutcome) -> f64,
                 wanted: &dyn Fn(&BenchOutcome) -> bool| {
        let mut panel = Panel::new(title, Axis::logarithmic(label), Axis::logarithmic("time, s"));
        let mut names: Vec<&str> = Vec::new();
        for outcome in outcomes {
            if !names.contains(&outcome.outcome.formulation) {
                names.push(outcome.outcome.formulation);
            }
        }
        for name in names {
            let mut points: Vec<(f64, f64)> = outcomes
                .iter()
                .filter(|o| o.outcome.formulation == name && o.outcome.every == finest)
                .filter(|o| o.outcome.failure.is_none() && wanted(o))
                .map(|o| (x(o), o.outcome.seconds))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            panel = panel.with(Series::line_and_marks(name, x, y));
        }
        panel
    };
    Figure::new("Chains")
        .with(panel(
            format!("Time against links, tolerance {tightest:e}"),
            "links",
            |o| o.links as f64,
            &|o| o.outcome.tolerance == tightest,
        ))
        .with(panel(
            format!("Time against tolerance, {longest} links"),
            "tolerance",
            |o| o.outcome.tolerance,
            &|o| o.links == longest,
        ))
        .with(panel(
            format!("Time against error, {longest} links"),
            "largest error",
            |o| o.outcome.error.error,
            &|o| o.links == longest && o.outcome.is_whole(),
        ))
}
