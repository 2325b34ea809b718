//! How a system moves by itself about an equilibrium.

use super::Analysis;
use super::column_units::with_units;
use super::mode_film::mode_films;
use crate::facts::{by_name, shape_json};
use crate::words::{Words, fixed};
use crate::{Answer, Character, LinearModel, Mode, Modes, Question, Refusal, Rest, Watch};
use catena_figure::{Axis, Figure, Panel, Series};
use catena_model::Model;
use catena_simulation::Table;
use catena_symbolic::figure_label;
use serde_json::{Value, json};

/// The row of the catalogue.
pub(super) static MODES: Analysis = Analysis {
    name: "modes",
    summary: "natural frequencies, damping and shapes about an equilibrium, and whether it is stable",
    needs: "a state of rest near the start",
    moves: true,
    ..Analysis::answered_by(ask)
};

/// The largest number of shapes in one panel.
const MAX_DRAWN_SHAPES: usize = 8;
/// The largest number of coordinates, and of modes, whose shapes are written out in words.
const MAX_WRITTEN_COORDINATES: usize = 12;
/// An imaginary part smaller than this, relative to the entry, is rounding: its phase is 0 or π.
const REAL_SHAPE_TOLERANCE: f64 = 1e-6;
/// Shapes that may be off by more than this are pointed out: it shows in the digits that are written.
const MAX_SILENT_SHAPE_ERROR: f64 = 1e-4;

fn ask(question: &Question<'_>, _: &Watch<'_>) -> Result<Answer, Refusal> {
    let linear = Rest::nearest(question.model).and_then(LinearModel::new)?;
    let modes = Modes::new(&linear)?;
    let rest = &linear.rest;
    let names: Vec<String> = moving_names(&linear);
    let values = [rest.equilibrium.q.as_slice(), &rest.equilibrium.states].concat();
    let list: Vec<Value> = modes.modes.iter().map(|mode| one(&names, mode)).collect();
    let frequency = |square: &f64| square.signum() * square.abs().sqrt();
    let undamped = modes.undamped.as_ref();
    let mut answer = Answer::new(MODES.name, &rest.model.title);
    answer.settings = json!({ "about": by_name(names.iter(), &values) });
    answer.result = json!({
        "stability": modes.stability().word(),
        "degrees_of_freedom": linear.independent.len(),
        "modes": list,
        // of an unstable direction the rate over 2π with a minus sign
        "undamped_hz": undamped.map(|squares| squares.iter().map(frequency).collect::<Vec<_>>()),
    });
    answer.error_estimate = Some(modes.error());
    answer.table = table(rest.model, &names, &modes);
    answer.figure = figure(&rest.model.title, &names, &modes);
    say(&mut answer.words, &names, &modes);
    if question.is_filmed {
        answer.films = Some(mode_films(rest, &modes));
    }
    Ok(answer)
}

fn say(words: &mut Words, names: &[String], modes: &Modes) {
    if modes.modes.is_empty() {
        words.say(modes.stability().words());
        return;
    }
    say_frequencies(words, modes);
    words.say("");
    words.say(modes.stability().words());
    for (number, mode) in modes.modes.iter().enumerate() {
        match mode.character {
            Character::Growing => words.remark("unstable", growth(number + 1, mode)),
            Character::Free => words.say(format!("mode {} is free: nothing holds it", number + 1)),
            Character::Oscillating | Character::Decaying => {}
        }
    }
    say_equal_values(words, modes);
    words.say(format!("frequencies accurate to {:.1e} of their size", modes.error()));
    words.say(format!(
        "shapes accurate to {:.1e} of their largest entry; put into their equations they leave {:.1e} of its terms",
        modes.shape_error(),
        modes.shape_residual()
    ));
    for (number, mode) in modes.modes.iter().enumerate() {
        if mode.shape_error > MAX_SILENT_SHAPE_ERROR {
            let text = format!(
                "the shape of mode {} may be off by {:.1e}: its value is hardly apart from others",
                number + 1,
                mode.shape_error
            );
            words.remark("note", text);
        }
    }
    words.say("");
    say_shapes(words, names, modes);
}

/// How fast a mode leaves the equilibrium.
fn growth(number: usize, mode: &Mode) -> String {
    match 1.0 / mode.value.re {
        time if time.is_infinite() => format!(
            "mode {number} grows in proportion to time: {} equal values have {}",
            mode.multiplicity,
            shapes(mode.independent_shapes)
        ),
        time if time < 1e4 => format!("mode {number} grows by a factor of e in {time:.4} s"),
        time => format!("mode {number} grows by a factor of e in {time:.3e} s"),
    }
}

fn shapes(count: usize) -> String {
    if count == 1 { "one shape".to_owned() } else { format!("{count} shapes") }
}

/// Which modes have one value, and what becomes of their shapes.
fn say_equal_values(words: &mut Words, modes: &Modes) {
    let all = &modes.modes;
    let mut first = 0;
    while first < all.len() {
        let mode = &all[first];
        let next = all[first..].iter().take_while(|other| other.value == mode.value).count();
        let end = first + next;
        if mode.multiplicity == next && next > 1 && mode.character != Character::Free {
            let (from, to) = (first + 1, end);
            words.say(match mode.independent_shapes == next {
                true => format!(
                    "modes {from} to {to} have one value, within {:.1e} 1/s: combinations of their shapes are shapes too",
                    mode.error
                ),
                false => format!(
                    "modes {from} to {to} have one value, within {:.1e} 1/s, and {}: their motion is e^(λt) times powers \
                     of t",
                    mode.error,
                    shapes(mode.independent_shapes)
                ),
            });
        }
        first = end;
    }
}

fn say_frequencies(words: &mut Words, modes: &Modes) {
    // without damping they are the same twice
    let damped = modes.modes.iter().any(|mode| mode.damping_ratio() > 0.0);
    let pairs = |squares: &&Vec<f64>| damped && squares.len() == modes.modes.len();
    let undamped = modes.undamped.as_ref().filter(pairs);
    let mut headings = vec!["mode", "f, Hz", "rad/s", "damping", "natural f, Hz", ""];
    if undamped.is_some() {
        headings.insert(5, "undamped f, Hz");
    }
    let row = |(number, mode): (usize, &Mode)| {
        let mut row = vec![
            format!("{}", number + 1),
            fixed(mode.damped_frequency(), 9),
            fixed(mode.value.im.abs(), 9),
            fixed(mode.damping_ratio(), 6),
            fixed(mode.natural_frequency(), 9),
        ];
        row.extend(undamped.map(|squares| match squares[number] {
            square if square < 0.0 => "-".to_owned(),
            square => format!("{:.9}", square.sqrt()),
        }));
        row.push(mode.character.word().to_owned());
        row
    };
    words.table(headings, modes.modes.iter().enumerate().map(row).collect());
}

/// A column for each mode; phases where they are not 0 or 180°.
fn say_shapes(words: &mut Words, names: &[String], modes: &Modes) {
    let shown = modes.modes.len().min(MAX_WRITTEN_COORDINATES);
    let numbers = (1..=shown).map(|number| format!("mode {number}"));
    let headings: Vec<String> = std::iter::once("shape".to_owned()).chain(numbers).collect();
    let cell = |mode: &Mode, at: usize| {
        let x = mode.shape[at];
        match x.im.abs() <= REAL_SHAPE_TOLERANCE * x.norm().max(REAL_SHAPE_TOLERANCE) {
            true => fixed(x.re, 4),
            false => format!("{:.4} ∠ {}°", x.norm(), fixed(x.arg().to_degrees(), 1)),
        }
    };
    let row = |(at, name): (usize, &String)| {
        let cells = modes.modes[..shown].iter().map(|mode| cell(mode, at));
        std::iter::once(name.clone()).chain(cells).collect()
    };
    words
        .table(headings, names.iter().enumerate().take(MAX_WRITTEN_COORDINATES).map(row).collect());
    if names.len().max(modes.modes.len()) > MAX_WRITTEN_COORDINATES {
        words.say("and more: the table has all of them");
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
        "multiplicity": mode.multiplicity,
        "independent_shapes": mode.independent_shapes,
        "shape_error": mode.shape_error,
        "shape_residual": mode.shape_residual,
        "shape": shape_json(names.iter(), &mode.shape),
    })
}

/// A row for each mode.
fn table(model: &Model, names: &[String], modes: &Modes) -> Table {
    let figures =
        ["natural_hz", "damped_hz", "damping_ratio", "real", "imaginary", "relative_error"];
    let mut all: Vec<String> = figures.map(str::to_owned).to_vec();
    all.extend(names.iter().flat_map(|name| [name.clone(), format!("{name}_phase")]));
    all.extend(["shape_error", "shape_residual"].map(str::to_owned));
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
        let last = [mode.shape_error, mode.shape_residual];
        table.push(figures.into_iter().chain(shape).chain(last));
    }
    let phases: Vec<String> = names.iter().map(|name| format!("{name}_phase")).collect();
    let phases = phases.iter().map(|name| (name.as_str(), "rad"));
    let figures =
        [("natural_hz", "Hz"), ("damped_hz", "Hz"), ("real", "1/s"), ("imaginary", "rad/s")];
    // shapes are relative: a coordinate has no unit there
    let shapes = names.iter().map(|name| (name.as_str(), ""));
    let given: Vec<_> = figures.into_iter().chain(phases).chain(shapes).collect();
    with_units(table, model, &given, &[])
}

/// Shapes side by side, and the roots in their plane.
fn figure(title: &str, names: &[String], modes: &Modes) -> Figure {
    let names = names.iter().map(|name| figure_label(name));
    let axes = (Axis::named("", names), Axis::linear("shape, relative to its largest"));
    let mut shapes = Panel::new(format!("{title}: modes"), axes.0, axes.1);
    for mode in modes.modes.iter().take(MAX_DRAWN_SHAPES) {
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

pub(super) fn mode_name(mode: &Mode) -> String {
    match mode.character {
        Character::Free => "free".to_owned(),
        Character::Oscillating => format!("{:.4} Hz", mode.damped_frequency()),
        Character::Growing if mode.value.im > 0.0 => {
            format!("{:.4} Hz, growing", mode.damped_frequency())
        }
        Character::Growing | Character::Decaying => format!("{} 1/s", fixed(mode.value.re, 4)),
    }
}
