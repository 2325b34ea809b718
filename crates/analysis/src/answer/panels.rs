//! Columns of tables as figures: a panel for each unit, over one horizontal axis.

use super::quantity::axis_label;
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::RunSettings;
use catena_simulation::{Column, Run, Table};
use catena_symbolic::figure_label;

/// Curves in one panel and panels in one figure, where columns were chosen by nobody.
const MAX_CURVES: usize = 6;
const MAX_PANELS: usize = 4;

/// The same where columns were named.
const MAX_NAMED_CURVES: usize = 40;
const MAX_NAMED_PANELS: usize = 12;

/// Columns whose values differ by less than this part of those of the one that moves most stand still, as it looks.
const STILLNESS: f64 = 0.01;

/// What leads where nobody chose: how units follow each other.
const UNIT_ORDER: [&str; 8] = ["rad", "m", "", "rad/s", "m/s", "rad/s²", "m/s²", "N"];

/// Columns of a run against time; without names, the few coordinates that matter.
pub fn run_figure(title: &str, run: &Run, columns: &[String]) -> Figure {
    let names = || run.table.names().skip(1).map(str::to_owned);
    match columns {
        [] if run.start.q.is_empty() => {
            let states: Vec<String> = names().take(run.start.states.len()).collect();
            table_figure(title, &run.table, "t", &states, false)
        }
        [] => {
            let coordinates: Vec<String> = names().take(run.start.q.len()).collect();
            table_figure(title, &run.table, "t", &coordinates, false)
        }
        _ => table_figure(title, &run.table, "t", &names().collect::<Vec<_>>(), true),
    }
}

/// Where a figure of a run comes from: model, method, tolerance and verdict.
pub fn run_description(title: &str, run: &Run, settings: &RunSettings) -> String {
    let c = &run.certificate;
    let how = match (settings.step, settings.rtol) {
        (Some(step), _) => format!(", step {step} s"),
        (None, Some(tolerance)) => format!(", relative tolerance {tolerance:e}"),
        (None, None) => {
            let said = c.chosen.iter().find_map(|text| Some(text.split_once(": ")?.1));
            let last = c.chosen.last().and_then(|text| Some(text.split_once(": ")?.1)).or(said);
            last.map_or_else(String::new, |text| format!(", {text}"))
        }
    };
    let (grade, reason) = (c.verdict.grade.name(), &c.verdict.reason);
    format!("{title}: {} with {}{how}. {grade}: {reason}.", c.formulation, c.integrator)
}

/// Columns of a table against one of them. Those that were not `named` are only the candidates, of which the figure takes
/// a few of each unit and lists the others as left out.
pub fn table_figure(
    title: &str,
    table: &Table,
    against: &str,
    columns: &[String],
    named: bool,
) -> Figure {
    let Some(horizontal) = table.find(against) else { return Figure::new(title) };
    let candidates = columns.iter().filter(|name| *name != against);
    let found = candidates.filter_map(|name| table.find(name));
    let drawn: Vec<&Column> = found.filter(|column| !column.numbers().is_empty()).collect();
    let mut groups = groups(&drawn);
    if !named {
        groups.sort_by_key(|group| unit_order(group));
        groups.truncate(MAX_PANELS);
        groups = groups.iter().map(|group| few(group)).collect();
    }
    groups.truncate(MAX_NAMED_PANELS);
    groups.iter_mut().for_each(|group| group.truncate(MAX_NAMED_CURVES));
    let shown = |name: &str| groups.iter().flatten().any(|column| column.name == name);
    let left_out = drawn.iter().filter(|column| !shown(&column.name)).map(|it| it.name.clone());
    let mut figure = Figure { left_out: left_out.collect(), ..Figure::new(title) };
    for group in &groups {
        figure = figure.with(panel(table, horizontal, group));
    }
    figure
}

/// The label of one column along an axis: its name and its unit.
pub(crate) fn column_axis(table: &Table, column: &Column) -> Axis {
    Axis {
        magnitude: magnitude(table, &column.unit),
        ..Axis::linear(axis_label(&[&column.name], &column.unit))
    }
}

/// The horizontal axis of a panel. What is driven is called as what it drives.
fn driven_axis(table: &Table, column: &Column) -> Axis {
    let driven = column.name.strip_prefix("drive_").filter(|name| table.find(name).is_some());
    Axis {
        magnitude: magnitude(table, &column.unit),
        ..Axis::linear(axis_label(&[driven.unwrap_or(&column.name)], &column.unit))
    }
}

/// Columns of one unit. Where the unit is unknown, rates go apart from what they are the rates of.
fn groups<'a>(columns: &[&'a Column]) -> Vec<Vec<&'a Column>> {
    let primes = |column: &Column| column.name.matches('\'').count();
    let together = |one: &Column, other: &Column| {
        one.unit == other.unit && (!one.unit.is_empty() || primes(one) == primes(other))
    };
    let mut groups: Vec<Vec<&Column>> = Vec::new();
    for column in columns {
        match groups.iter_mut().find(|group| together(group[0], column)) {
            Some(group) => group.push(column),
            None => groups.push(vec![column]),
        }
    }
    groups
}

fn unit_order(group: &[&Column]) -> usize {
    let known = UNIT_ORDER.iter().position(|unit| *unit == group[0].unit);
    let primes = group[0].name.matches('\'').count();
    // rates of what has no unit follow it
    known.unwrap_or(UNIT_ORDER.len()) + if group[0].unit.is_empty() { 2 * primes } else { 0 }
}

/// A few columns of a group: what stands still is left out first, and of the rest every so many are kept, with the first
/// and the last.
fn few<'a>(group: &[&'a Column]) -> Vec<&'a Column> {
    if group.len() <= MAX_CURVES {
        return group.to_vec();
    }
    let extent = |column: &Column| {
        let (low, high) = extremes(column.numbers());
        high - low
    };
    let largest = group.iter().map(|column| extent(column)).fold(0.0, f64::max);
    let moves = |column: &&&Column| extent(column) > STILLNESS * largest;
    let moving: Vec<&Column> = group.iter().filter(moves).copied().collect();
    let moving = if moving.is_empty() { group.to_vec() } else { moving };
    let count = moving.len().min(MAX_CURVES);
    (0..count).map(|at| moving[at * (moving.len() - 1) / (count - 1).max(1)]).collect()
}

fn panel(table: &Table, horizontal: &Column, group: &[&Column]) -> Panel {
    let names: Vec<&str> = group.iter().map(|column| column.name.as_str()).collect();
    let unit = &group[0].unit;
    let y = Axis { magnitude: magnitude(table, unit), ..Axis::linear(axis_label(&names, unit)) };
    let mut panel = Panel::new("", driven_axis(table, horizontal), y);
    // a path in a plane looks as it does in the world
    panel.equal_scales = unit == "m" && horizontal.unit == "m";
    for column in group {
        let (x, y) = (horizontal.numbers(), column.numbers());
        panel = panel.with(Series::line(figure_label(&column.name), x, y));
    }
    panel
}

/// The largest value of all columns of a unit.
fn magnitude(table: &Table, unit: &str) -> f64 {
    let same = table.columns.iter().filter(|column| column.unit == unit);
    let sizes = same.flat_map(|column| column.numbers()).map(|value| value.abs());
    sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

fn extremes(values: &[f64]) -> (f64, f64) {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(table: &Table) -> Vec<String> {
        table.names().skip(1).map(str::to_owned).collect()
    }

    fn table(columns: &[(&str, &'static str)]) -> Table {
        let wave = |at: usize| (0..9).map(|row| (row * (at + 1)) as f64).collect();
        columns.iter().enumerate().fold(Table::default(), |table, (at, (name, unit))| {
            table.with_numbers(*name, *unit, wave(at))
        })
    }

    #[test]
    fn units_have_panels_of_their_own_and_angles_come_first() {
        let table = table(&[
            ("t", "s"),
            ("x", "m"),
            ("theta", "rad"),
            ("x'", "m/s"),
            ("a", ""),
            ("a'", ""),
            ("y", "m"),
        ]);
        let figure = table_figure("", &table, "t", &names(&table), false);
        let labels: Vec<&str> = figure.panels.iter().map(|it| it.y.label.as_str()).collect();
        assert_eq!(labels, ["$θ$, rad", "position, m", "$a$", "$x\u{307}$, m/s"]);
        assert_eq!(figure.left_out, ["a'"]);
        let named = table_figure("", &table, "t", &names(&table), true);
        assert_eq!((named.panels.len(), named.left_out.len()), (5, 0));
    }

    #[test]
    fn many_columns_are_thinned_to_a_few_with_the_first_and_the_last() {
        let columns: Vec<String> = (1..=20).map(|at| format!("theta{at}")).collect();
        let all: Vec<(&str, &str)> = std::iter::once(("t", "s"))
            .chain(columns.iter().map(|name| (name.as_str(), "rad")))
            .collect();
        let figure = table_figure("", &table(&all), "t", &columns, false);
        let drawn: Vec<&str> = figure.panels[0].series.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(drawn, ["$θ_{1}$", "$θ_{4}$", "$θ_{8}$", "$θ_{12}$", "$θ_{16}$", "$θ_{20}$"]);
        assert_eq!(figure.left_out.len(), 14);
    }

    #[test]
    fn rounding_errors_do_not_fill_an_axis() {
        let noise = |size: f64| -> Vec<f64> { (0..9).map(|at| size * f64::from(at % 2)).collect() };
        let energy = noise(1e-14).into_iter().map(|it| 22.192_63 + it).collect();
        let table = Table::default()
            .with_numbers("t", "s", noise(1.0))
            .with_numbers("energy", "J", energy)
            .with_numbers("x", "m", noise(1e-17))
            .with_numbers("y", "m", noise(1.0));
        let only = |name: &str| {
            let figure = table_figure("", &table, "t", &[name.to_owned()], true);
            figure.to_svg().matches("×10").count()
        };
        assert_eq!([only("energy"), only("x")], [0, 0], "no axis is in parts of rounding errors");
    }

    #[test]
    fn paths_have_equal_scales() {
        let table = table(&[("B_x", "m"), ("B_y", "m"), ("theta", "rad")]);
        let figure = table_figure("", &table, "B_x", &names(&table), true);
        let equal: Vec<bool> = figure.panels.iter().map(|panel| panel.equal_scales).collect();
        assert_eq!(equal, [true, false]);
    }
}
