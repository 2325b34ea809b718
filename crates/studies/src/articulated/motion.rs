//! The true motion, and the chain at several instants: Figure 9.

use super::chain::{
    Bench, Conditions, INTEGRATOR, Method, Rods, Steps, T_END, TOLERANCES, Trial, figure,
};
use super::truth::{EVERY, Truth};
use crate::{Laboratory, Section, StudyError};
use catena::figure::{Axis, Colour, ColourBar, Figure, Panel, Scale, Series};
use catena::model::plain_to;
use catena::simulation::Table;

/// Time between two poses, s.
const BETWEEN_POSES: f64 = 0.5;
/// The grid of the poses, s.
const GRID: f64 = 0.1;
/// Digits of the true motion that are written.
const DIGITS: usize = 9;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let truth = Truth::find(lab, &conditions)?;
    let mut section = Section::default();
    section.text(format!(
        "What errors are measured against is computed here: the recursive method with `dop853` at a tolerance of 10⁻¹³. The same motion in \
         absolute coordinates, with `projection`, stays within {} m of its tip all the time; the two share neither coordinates nor \
         equations, and errors below that are not known.",
        figure(truth.error)
    ));
    section.table(
        "true-tip",
        "The true motion of the tip: at 5 s, where it is lowest, and where it is fastest, by rows every 0.01 s.",
        true_tip(&truth.trial),
    );
    let loosest = TOLERANCES[0];
    let mut panels = Figure::new("");
    for (title, method) in [
        (format!("recursive, tolerance {loosest}"), Method::recursive()),
        (format!("{}, tolerance {loosest}", conditions.augmented().label), conditions.augmented()),
    ] {
        let mut bench = Bench::new(lab, conditions.links, &method)?.with_integrator(INTEGRATOR);
        let steps = Steps { tolerance: loosest, first: GRID, every: EVERY };
        panels = panels.with(poses(&title, &bench.trial(lab, steps)?, conditions.links));
    }
    section.figure(
        "figure-9-chain",
        "Figure 9 of the study: the chain every half second, by both methods at tolerance 0.1, grid 0.1 s. Where joints have opened \
         the rods are apart.",
        panels,
    );
    Ok(section)
}

/// The rows of a motion that its tip makes special.
fn true_tip(trial: &Trial) -> Table {
    let (y, speed) = (trial.column("tip_y"), trial.speed());
    let by = |less: &dyn Fn(usize, usize) -> bool| {
        (0..y.len()).reduce(|best, row| if less(row, best) { row } else { best }).unwrap_or(0)
    };
    let lowest = by(&|row, best| y[row] < y[best]);
    let fastest = by(&|row, best| speed[row] > speed[best]);
    let rows = [y.len() - 1, lowest, fastest];
    let mut table = Table::default()
        .with_words("", ["at the end", "lowest", "fastest"].map(str::to_owned).to_vec());
    let names = [("t", "t, s"), ("tip_x", "x, m"), ("tip_y", "y, m")];
    let rates = [("tip_vx", "vx, m/s"), ("tip_vy", "vy, m/s")];
    for (name, heading) in names.into_iter().chain(rates) {
        let values = rows.map(|row| plain_to(trial.column(name)[row], DIGITS).replace('-', "−"));
        table = table.with_words(heading, values.to_vec());
    }
    let speeds = rows.map(|row| plain_to(speed[row], DIGITS));
    table.with_words("speed, m/s", speeds.to_vec())
}

/// Poses of a motion in the colours of their times.
fn poses(title: &str, trial: &Trial, links: usize) -> Panel {
    let mut panel = Panel::new(title, Axis::linear("$x$, m"), Axis::linear("$y$, m"));
    panel.equal_scales = true;
    panel.colour_bar =
        Some(ColourBar { label: "$t$, s".to_owned(), range: [0.0, T_END], scale: Scale::Linear });
    let rods = Rods::of(&trial.table, links);
    let stride = (BETWEEN_POSES / EVERY).round() as usize;
    for row in (0..trial.table.len()).step_by(stride) {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for [start, end] in rods.ends(row) {
            // what is not a number breaks the line between rods
            x.extend([start[0], end[0], f64::NAN]);
            y.extend([start[1], end[1], f64::NAN]);
        }
        let time = trial.column("t")[row];
        panel = panel.with(Series::line("", x, y).coloured(Colour::Value(time)));
    }
    panel
}
