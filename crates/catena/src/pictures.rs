//! Results as pictures.

use catena_figure::{Axis, Panel, Series};
use catena_simulation::Run;

/// More curves than this are no picture.
const MOST_CURVES: usize = 40;

/// Columns of a run against time; without names, the coordinates.
pub fn run_panel(title: &str, run: &Run, columns: &[String]) -> Panel {
    let chosen = match columns {
        [] if run.start.q.is_empty() => &run.table.names[1..=run.start.states.len()],
        [] => &run.table.names[1..=run.start.q.len()],
        columns => columns,
    };
    let times = run.table.column("t").unwrap_or_default();
    let curves = chosen.iter().filter(|name| *name != "t").filter_map(|name| {
        let values = run.table.column(name)?;
        Some(Series::line(name.as_str(), times, values))
    });
    let panel = Panel::new(title, Axis::linear("t, s"), Axis::linear(""));
    curves.take(MOST_CURVES).fold(panel, Panel::with)
}
