//! The forces in joints: how large they get, when and where.

use catena_analysis::table_figure;
use catena_figure::{Figure, film_place};
use catena_model::{Film, Model, PartShape};
use catena_simulation::{Run, Table};

/// More joints than this are not listed, and more than this not drawn.
const MAX_LISTED: usize = 40;
const MAX_DRAWN: usize = 4;

/// The largest force of a joint.
pub(super) struct LargestForce {
    pub(super) joint: String,
    /// N
    pub(super) size: f64,
    /// x and y, N.
    pub(super) components: [f64; 2],
    /// s
    pub(super) time: f64,
    /// Where the joint is then, m, if the film shows it.
    pub(super) place: Option<[f64; 2]>,
}

/// The largest force of every joint, the largest first.
pub(super) fn largest_forces(model: &Model, run: &Run) -> Vec<LargestForce> {
    if model.mechanism.is_none() && model.chain.is_none() {
        return Vec::new();
    }
    let table = &run.table;
    let times = table.column("t").unwrap_or_default();
    let stems = table.names().filter_map(|name| name.strip_suffix("_fx"));
    let mut forces: Vec<LargestForce> = stems
        .filter_map(|joint| {
            let [x, y] = ["fx", "fy"].map(|axis| table.column(&format!("{joint}_{axis}")));
            let (x, y) = (x?, y?);
            let size = |row: &usize| x[*row].hypot(y[*row]);
            let known = (0..times.len()).filter(|row| size(row).is_finite());
            let row = known.max_by(|a, b| size(a).total_cmp(&size(b)))?;
            Some(LargestForce {
                joint: joint.to_owned(),
                size: size(&row),
                components: [x[row], y[row]],
                time: times[row],
                place: run.film.as_ref().and_then(|film| place(film, joint, times[row])),
            })
        })
        .collect();
    forces.sort_by(|a, b| b.size.total_cmp(&a.size));
    forces.truncate(MAX_LISTED);
    forces
}

/// The largest value of what drives, springs and dampers: name, unit, value and time, s.
pub(super) fn largest_efforts(run: &Run) -> Vec<(String, String, f64, f64)> {
    let times = run.table.column("t").unwrap_or_default();
    let is_effort = |name: &str| name.ends_with("_torque") || name.ends_with("_force");
    let columns = run.table.columns.iter().filter(|column| is_effort(&column.name));
    let efforts = columns.filter_map(|column| {
        let values = column.numbers();
        let known = (0..values.len()).filter(|row| values[*row].is_finite());
        let row = known.max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()))?;
        Some((column.name.clone(), column.unit.to_string(), values[row], times[row]))
    });
    efforts.take(MAX_LISTED).collect()
}

/// Where a joint is at a time, by the nearest frame.
fn place(film: &Film, joint: &str, time: f64) -> Option<[f64; 2]> {
    let anchor = film.sketch.parts.iter().find_map(|part| match part.shape {
        PartShape::Pin { ends, .. } if part.name == joint => Some(ends[1]),
        _ => None,
    })?;
    let distance = |frame: &usize| (film.times[*frame] - time).abs();
    let frame = (0..film.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    // what rounding leaves of 0 is 0
    Some(film_place(film, anchor, frame).map(|value| if value.abs() < 1e-12 { 0.0 } else { value }))
}

/// The sizes of the largest forces against time.
pub(super) fn curves(forces: &[LargestForce], run: &Run) -> Figure {
    let times = run.table.column("t").unwrap_or_default().to_vec();
    let mut table = Table::default().with_numbers("t", "s", times);
    let mut names = Vec::new();
    for force in forces.iter().take(MAX_DRAWN) {
        let [x, y] = ["fx", "fy"]
            .map(|axis| run.table.column(&format!("{}_{axis}", force.joint)).unwrap_or_default());
        let sizes = x.iter().zip(y).map(|(x, y)| x.hypot(*y)).collect();
        let name = format!("{}_f", force.joint);
        table = table.with_numbers(&name, "N", sizes);
        names.push(name);
    }
    table_figure("", &table, "t", &names, true)
}
