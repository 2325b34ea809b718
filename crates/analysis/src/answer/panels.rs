//! Columns of tables as panels.

use catena_figure::{Axis, Figure, Panel, Series};
use catena_simulation::{Run, Table};

/// The largest number of curves in one panel.
const MAX_CURVES: usize = 40;

/// Columns of a run against time; without names, the coordinates.
pub fn run_panel(title: &str, run: &Run, columns: &[String]) -> Panel {
    let names = || run.table.names().skip(1).map(str::to_owned);
    let chosen: Vec<String> = match columns {
        [] if run.start.q.is_empty() => names().take(run.start.states.len()).collect(),
        [] => names().take(run.start.q.len()).collect(),
        columns => columns.to_vec(),
    };
    let times = run.table.column("t").unwrap_or_default();
    let panel = Panel::new(title, Axis::linear("t, s"), Axis::linear(""));
    with_columns(panel, &run.table, ("t", times), &chosen)
}

/// Columns of a table against one of them.
pub fn table_panel(title: &str, table: &Table, against: &str, columns: &[String]) -> Panel {
    let x = table.column(against).unwrap_or_default();
    let panel = Panel::new(title, Axis::linear(against), Axis::linear(""));
    with_columns(panel, table, (against, x), columns)
}

/// The same as a figure.
pub fn table_figure(title: &str, table: &Table, against: &str, columns: &[String]) -> Figure {
    Figure::from(table_panel(title, table, against, columns))
}

fn with_columns(
    panel: Panel,
    table: &Table,
    (against, x): (&str, &[f64]),
    columns: &[String],
) -> Panel {
    let curves = columns
        .iter()
        .filter(|name| *name != against)
        .filter_map(|name| Some(Series::line(name.as_str(), x, table.column(name)?)));
    curves.take(MAX_CURVES).fold(panel, Panel::with)
}
