//! Modes as an answer.

use super::{Answer, by_name, shape_json};
use catena_analysis::{Character, LinearModel, MODES, Mode, Modes};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_simulation::Table;
use serde_json::{Value, json};

/// More shapes than this are no picture.
const MOST_SHAPES: usize = 8;

/// The modes of a linear model.
pub fn modes_answer(linear: &LinearModel<'_>, modes: &Modes) -> Answer {
    let rest = &linear.rest;
    let names: Vec<String> = moving_names(linear);
    let values = [rest.equilibrium.q.as_slice(), &rest.equilibrium.states].concat();
    let list: Vec<Value> = modes.modes.iter().map(|mode| one(&names, mode)).collect();
    let frequency = |square: &f64| square.signum() * square.abs().sqrt();
    let undamped = modes.undamped.as_ref();
    Answer {
        question: MODES.name,
        title: rest.model.title.clone(),
        settings: json!({ "about": by_name(names.iter(), &values) }),
        result: json!({
            "stability": modes.stability().word(),
            "degrees_of_freedom": linear.independent.len(),
            "modes": list,
            // of an unstable direction the rate over 2π with a minus sign
            "undamped_hz": undamped.map(|squares| squares.iter().map(frequency).collect::<Vec<_>>()),
        }),
        error_estimate: Some(modes.error()),
        table: table(&names, modes),
        figure: figure(&rest.model.title, modes),
    }
}

/// The names of coordinates and states.
fn moving_names(linear: &LinearModel<'_>) -> Vec<String> {
    let system = linear.rest.system;
    let coordinates = system.coordinates.iter().map(|coordinate| &coordinate.name);
    coordinates.chain(system.states.iter().map(|state| &state.name)).cloned().collect()
}

fn one(names: &[String], mode: &Mode) -> Value {
    json!({
        "character": mode.character.word(),
        "real": mode.value.re,
        "imaginary": mode.value.im,
        "natural_hz": mode.natural_frequency(),
        "natural_rad_s": mode.value.norm(),
        "damped_hz": mode.damped_frequency(),
        "damped_rad_s": mode.value.im.abs(),
        "damping_ratio": mode.damping_ratio(),
        "relative_error": mode.relative_error(),
        "shape": shape_json(names.iter(), &mode.shape),
    })
}

/// A row for each mode.
fn table(names: &[String], modes: &Modes) -> Table {
    let figures =
        ["natural_hz", "damped_hz", "damping_ratio", "real", "imaginary", "relative_error"];
    let mut all: Vec<String> = figures.map(str::to_owned).to_vec();
    all.extend(names.iter().flat_map(|name| [name.clone(), format!("{name}_phase")]));
    let mut table = Table::new(all, modes.modes.len());
    for mode in &modes.modes {
        let figures = [
            mode.natural_frequency(),
            mode.damped_frequency(),
            mode.damping_ratio(),
            mode.value.re,
            mode.value.im,
            mode.relative_error(),
        ];
        let shape = mode.shape.iter().flat_map(|x| [x.norm(), x.arg()]);
        table.push(figures.into_iter().chain(shape));
    }
    table
}

/// Shapes side by side, and the roots in their plane.
fn figure(title: &str, modes: &Modes) -> Figure {
    let axes = (Axis::linear("coordinate"), Axis::linear("shape"));
    let mut shapes = Panel::new(format!("{title}: modes"), axes.0, axes.1);
    for mode in modes.modes.iter().take(MOST_SHAPES) {
        let places: Vec<f64> = (1..=mode.shape.len()).map(|at| at as f64).collect();
        let sizes: Vec<f64> = mode.shape.iter().map(|x| x.re).collect();
        shapes = shapes.with(Series::line_and_marks(mode_name(mode), places, sizes));
    }
    Figure::new("").with(shapes).with(roots(modes))
}

/// The roots λ in the complex plane.
pub(super) fn roots(modes: &Modes) -> Panel {
    let mirrored = modes.modes.iter().flat_map(|mode| {
        let pair = [(mode.value.re, mode.value.im), (mode.value.re, -mode.value.im)];
        pair.into_iter().take(if mode.value.im == 0.0 { 1 } else { 2 })
    });
    let (x, y): (Vec<f64>, Vec<f64>) = mirrored.unzip();
    Panel::new("Roots", Axis::linear("Re λ, 1/s"), Axis::linear("Im λ, rad/s"))
        .with(Series::marks("λ", x, y))
}

fn mode_name(mode: &Mode) -> String {
    match mode.character {
        Character::Free => "free".to_owned(),
        Character::Oscillating => format!("{:.4} Hz", mode.damped_frequency()),
        Character::Growing if mode.value.im > 0.0 => {
            format!("{:.4} Hz, growing", mode.damped_frequency())
        }
        Character::Growing | Character::Decaying => format!("{:.4} 1/s", mode.value.re),
    }
}
