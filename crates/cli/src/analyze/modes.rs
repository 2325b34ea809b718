//! `catena analyze modes`

use super::not_at_rest;
use super::presentation::Presentation;
use crate::ModelArguments;
use crate::output::{fixed, table, yellow};
use catena::analysis::{self, Character, LinearModel, Mode, Rest};
use std::process::ExitCode;

/// More coordinates than this are not read in a terminal.
const MOST_COORDINATES: usize = 12;
/// A phase this near to 0 or π is one.
const REAL: f64 = 1e-6;

#[derive(clap::Args)]
pub(super) struct Modes {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    presentation: Presentation,
}

impl Modes {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        self.presentation.check(catena::TABLE_FORMATS)?;
        let linear = Rest::nearest(&model).and_then(LinearModel::new);
        let linear = linear.map_err(|error| not_at_rest(&error))?;
        let modes = analysis::Modes::new(&linear).map_err(|error| not_at_rest(&error))?;
        let answer = catena::modes_answer(&linear, &modes);
        self.presentation.present(&answer, &written(&linear, &modes))
    }
}

fn written(linear: &LinearModel<'_>, modes: &analysis::Modes) -> String {
    if modes.modes.is_empty() {
        return format!("{}\n", modes.stability().words());
    }
    let mut text = frequencies(modes);
    text += &format!("\n{}\n", modes.stability().words());
    for (number, mode) in modes.modes.iter().enumerate() {
        let time = 1.0 / mode.value.re;
        text += &match mode.character {
            Character::Growing => {
                format!("{}: mode {} grows e-fold in {time:.4} s\n", yellow("unstable"), number + 1)
            }
            Character::Free => format!("mode {} is free: nothing holds it\n", number + 1),
            _ => String::new(),
        };
    }
    text += &format!("frequencies right to {:.1e} of their size\n\n", modes.error());
    text + &shapes(linear, modes)
}

fn frequencies(modes: &analysis::Modes) -> String {
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
    table(&headings, &modes.modes.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// A column for each mode; phases where they are not 0 or 180°.
fn shapes(linear: &LinearModel<'_>, modes: &analysis::Modes) -> String {
    let system = linear.rest.system;
    let coordinates = system.coordinates.iter().map(|coordinate| &coordinate.name);
    let names: Vec<&String> =
        coordinates.chain(system.states.iter().map(|state| &state.name)).collect();
    let shown = modes.modes.len().min(MOST_COORDINATES);
    let numbers: Vec<String> = (1..=shown).map(|number| format!("mode {number}")).collect();
    let mut headings = vec!["shape"];
    headings.extend(numbers.iter().map(String::as_str));
    let cell = |mode: &Mode, at: usize| {
        let x = mode.shape[at];
        match x.im.abs() <= REAL * x.norm().max(REAL) {
            true => fixed(x.re, 4),
            false => format!("{:.4} ∠ {:.1}°", x.norm(), x.arg().to_degrees()),
        }
    };
    let row = |(at, name): (usize, &&String)| {
        let cells = modes.modes[..shown].iter().map(|mode| cell(mode, at));
        std::iter::once((*name).clone()).chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = names.iter().enumerate().take(MOST_COORDINATES).map(row).collect();
    let mut text = table(&headings, &rows);
    if names.len().max(modes.modes.len()) > MOST_COORDINATES {
        text += "and more: -o FILE.csv keeps all of them\n";
    }
    text
}
