//! Where a system rests, what holds it there, and whether it stays.

use super::Analysis;
use super::column_units::with_units;
use crate::facts::by_name;
use crate::words::{Words, fixed};
use crate::{
    Answer, Modes, Question, Refusal, Rest, Resting, Watch, equilibria_watched, nearest_equilibrium,
};
use catena_derivation::angles;
use catena_figure::{Axis, Figure, Panel, Series, film_lines};
use catena_model::{CoordinateSet, Kind, Model, OptionRow};
use catena_simulation::{Table, film_of_poses};
use catena_symbolic::figure_label;
use serde_json::{Value, json};
use std::cell::Cell;

/// The row of the catalogue.
pub(super) static EQUILIBRIUM: Analysis = Analysis {
    name: "equilibrium",
    summary: "where the system rests with its drive off, the constraint forces there, and stability",
    needs: "forces that can balance",
    options: &[&ALL, &STARTS, &SEED],
    ..Analysis::answered_by(ask)
};

static ALL: OptionRow = OptionRow::new(
    "all",
    Kind::Switch,
    "Search from random starts too, and list all distinct equilibria that are found",
);
static STARTS: OptionRow = OptionRow::new("starts", Kind::Count(0), "How many random starts")
    .value_name("N")
    .default("100");
static SEED: OptionRow = OptionRow::new("seed", Kind::Count(0), "Seed of the random starts")
    .value_name("N")
    .default("1");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let (model, options) = (question.model, question.options);
    let all = options.is_on(&ALL);
    if !all && (options.is_given(&STARTS) || options.is_given(&SEED)) {
        return Err(Refusal::of_question(
            "there are no random starts without a search for all equilibria",
            "add {all}",
        ));
    }
    let seed = options.count(&SEED).unwrap_or(1);
    let starts = if all { options.count(&STARTS).unwrap_or(100) as usize } else { 0 };
    let stopped_after = Cell::new(None);
    let stop = |tried: usize| {
        let stop = (watch.stop)(tried as f64 / starts as f64);
        stopped_after.set(stop.then_some(tried));
        stop
    };
    let found = match all {
        true => equilibria_watched(model, starts, seed, &stop)?,
        false => vec![nearest_equilibrium(model)?],
    };
    let mut answer = Answer::new(EQUILIBRIUM.name, &model.title);
    answer.settings = json!({ "random_starts": starts, "seed": seed });
    answer.result = json!({ "equilibria": found.iter().map(one).collect::<Vec<_>>() });
    answer.error_estimate =
        found.iter().map(|resting| resting.rest.equilibrium.residual).reduce(f64::max);
    answer.table = table(model, &found);
    answer.figure = figure(model, &found);
    for (number, resting) in found.iter().enumerate() {
        if found.len() > 1 {
            answer.words.say(format!("equilibrium {}", number + 1));
        }
        say(&mut answer.words, resting);
    }
    if let Some(tried) = stopped_after.get() {
        answer.note_interruption(format!("{tried} of {starts} random starts were tried"));
    }
    Ok(answer)
}

/// Where it is, what holds it, and whether it stays.
fn say(words: &mut Words, resting: &Resting<'_>) {
    let (system, rest) = (resting.rest.system, &resting.rest.equilibrium);
    let row = |name: &str, value: f64| vec![name.to_owned(), fixed(value, 9)];
    let mut rows = Vec::new();
    for (coordinate, value) in system.coordinates.iter().zip(&rest.q) {
        rows.push(row(&coordinate.name, *value));
    }
    for (state, value) in system.states.iter().zip(&rest.states) {
        rows.push(row(&state.name, *value));
    }
    for (constraint, value) in system.constraints.iter().zip(&rest.multipliers) {
        rows.push(row(&format!("lambda_{}", constraint.name), *value));
    }
    words.table(["", "at rest"], rows);
    match &resting.modes {
        Ok(modes) => words.say(modes.stability().words()),
        Err(error) => words.remark("note", format!("nothing is known about stability: {error}")),
    }
    if !rest.steady {
        words.say("the drive is off");
    }
    words.say(format!("balanced to {:.1e} in {} steps", rest.residual, rest.iterations));
}

fn one(resting: &Resting<'_>) -> Value {
    let Rest { system, equilibrium, .. } = &resting.rest;
    let constraints = system.constraints.iter().map(|constraint| &constraint.name);
    json!({
        "coordinates": by_name(system.coordinates.iter().map(|c| &c.name), &equilibrium.q),
        "states": by_name(system.states.iter().map(|state| &state.name), &equilibrium.states),
        "multipliers": by_name(constraints, &equilibrium.multipliers),
        "residual": equilibrium.residual,
        "iterations": equilibrium.iterations,
        "stability": resting.modes.as_ref().ok().map(|modes| modes.stability().word()),
        "growth_rate": growth_rate(resting),
        "remark": resting.modes.as_ref().err().map(ToString::to_string),
    })
}

/// The largest real part of all modes, 1/s: above 0 a small push grows.
fn growth_rate(resting: &Resting<'_>) -> Option<f64> {
    let modes: &Modes = resting.modes.as_ref().ok()?;
    modes.modes.iter().map(|mode| mode.value.re).reduce(f64::max)
}

fn table(model: &Model, found: &[Resting<'_>]) -> Table {
    let system = &model.own;
    let mut names: Vec<String> = system.coordinates.iter().map(|c| c.name.clone()).collect();
    names.extend(system.states.iter().map(|state| state.name.clone()));
    names.extend(system.constraints.iter().map(|c| format!("lambda_{}", c.name)));
    names.extend(["residual".to_owned(), "growth_rate".to_owned()]);
    let mut table = Table::new(names, found.len());
    for resting in found {
        let rest = &resting.rest.equilibrium;
        let values = rest.q.iter().chain(&rest.states).chain(&rest.multipliers).copied();
        let last = [rest.residual, growth_rate(resting).unwrap_or(f64::NAN)];
        table.push(values.chain(last));
    }
    with_units(table, model, &[("growth_rate", "1/s")], &[])
}

/// The poses, where the model says how it is drawn; otherwise the coordinates side by side, those of one unit in a panel.
fn figure(model: &Model, found: &[Resting<'_>]) -> Figure {
    let system = &model.own;
    let title = format!("{} at rest", model.title);
    let rests = || found.iter().enumerate().map(|(at, rest)| (format!("{}", at + 1), rest));
    if !model.sketch(CoordinateSet::Own).is_empty() {
        let mut panel = Panel::new(title, Axis::linear("$x$, m"), Axis::linear("$y$, m"));
        panel.equal_scales = true;
        return Figure::from(
            rests().fold(panel, |panel, (name, resting)| panel.with(pose(&name, &resting.rest))),
        );
    }
    let is_angle = found.first().map(|resting| angles(&resting.rest.driven, system));
    let is_angle = is_angle.unwrap_or_default();
    let (angles, others): (Vec<usize>, Vec<usize>) =
        (0..is_angle.len()).partition(|at| is_angle[*at]);
    let groups = [(angles, "angle, rad"), (others, "")].into_iter().filter(|it| !it.0.is_empty());
    let mut figure = Figure::new(title);
    for (places, label) in groups {
        let name = |at: &usize| figure_label(&system.coordinates[*at].name);
        let x = Axis::named("", places.iter().map(name));
        let mut panel = Panel::new("", x, Axis::linear(label));
        for (name, resting) in rests() {
            let values: Vec<f64> =
                places.iter().map(|at| resting.rest.equilibrium.q[*at]).collect();
            let along: Vec<f64> = (1..=places.len()).map(|at| at as f64).collect();
            panel = panel.with(Series::marks(name, along, values));
        }
        figure = figure.with(panel);
    }
    figure
}

/// All lines of the sketch, with gaps between them.
fn pose(name: &str, rest: &Rest<'_>) -> Series {
    let equilibrium = &rest.equilibrium;
    let pose = (rest.start.t, equilibrium.q.as_slice(), equilibrium.states.as_slice());
    let film = film_of_poses(rest.model, CoordinateSet::Own, [pose]);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for line in film_lines(&film, 0) {
        x.extend(line.iter().map(|point| point[0]).chain([f64::NAN]));
        y.extend(line.iter().map(|point| point[1]).chain([f64::NAN]));
    }
    Series::line(name, x, y)
}
