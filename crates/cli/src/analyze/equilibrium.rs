//! `catena analyze equilibrium`

use super::not_at_rest;
use super::presentation::Presentation;
use crate::ModelArguments;
use crate::output::{fixed, table, yellow};
use catena::analysis::{Resting, equilibria, nearest_equilibrium};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(super) struct Equilibrium {
    #[command(flatten)]
    model: ModelArguments,
    /// Search from random starts too, and list all distinct equilibria that are found
    #[arg(long)]
    all: bool,
    /// How many random starts
    #[arg(long, default_value = "100", requires = "all")]
    starts: usize,
    /// What the random starts follow from
    #[arg(long, default_value = "1", requires = "all")]
    seed: u64,
    #[command(flatten)]
    presentation: Presentation,
}

impl Equilibrium {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        self.presentation.check(catena::TABLE_FORMATS)?;
        let starts = if self.all { self.starts } else { 0 };
        let found = match self.all {
            true => equilibria(&model, starts, self.seed),
            false => nearest_equilibrium(&model).map(|resting| vec![resting]),
        };
        let found = found.map_err(|error| not_at_rest(&error))?;
        let answer = catena::equilibrium_answer(&model, &found, starts, self.seed);
        let mut text = String::new();
        for (number, resting) in found.iter().enumerate() {
            if found.len() > 1 {
                text += &format!("equilibrium {}\n", number + 1);
            }
            text += &written(resting);
        }
        self.presentation.present(&answer, &text)
    }
}

/// Where it is, what holds it, and whether it stays.
fn written(resting: &Resting<'_>) -> String {
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
    let mut text = table(&["", "at rest"], &rows);
    text += &match &resting.modes {
        Ok(modes) => format!("{}\n", modes.stability().words()),
        Err(error) => format!("{}: nothing is known about stability: {error}\n", yellow("note")),
    };
    if !rest.steady {
        text += "the drive is off\n";
    }
    text + &format!("balanced to {:.1e} in {} steps\n", rest.residual, rest.iterations)
}
