//! `catena analyze linearize`

use super::not_at_rest;
use super::presentation::{Presentation, lost};
use crate::output::{fixed, table};
use crate::{FAILED, ModelArguments, report};
use catena::analysis::{self, LinearModel, Matrix, Rest, linear_file};
use std::path::Path;
use std::process::ExitCode;

/// Larger matrices are not read in a terminal.
const LARGEST: usize = 8;

#[derive(clap::Args)]
#[command(
    after_help = "-o FILE.toml writes the linear model as a model file: catena run FILE.toml"
)]
pub(super) struct Linearize {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    presentation: Presentation,
}

impl Linearize {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        self.presentation.check(&[catena::TABLE_FORMATS, &["toml"]].concat())?;
        let linear = Rest::nearest(&model).and_then(LinearModel::new);
        let linear = linear.map_err(|error| not_at_rest(&error))?;
        let modes = analysis::Modes::new(&linear).map_err(|error| not_at_rest(&error))?;
        let answer = catena::linearize_answer(&linear, &modes);
        let text = written(&linear);
        let is_model = |path: &&Path| path.extension().is_some_and(|ending| ending == "toml");
        let Some(path) = self.presentation.output.as_deref().filter(is_model) else {
            return self.presentation.present(&answer, &text);
        };
        let file = linear_file(&linear).map_err(|error| {
            let help = "`catena run --linear` moves it all the same";
            report::error(&error.to_string(), Some(help));
            ExitCode::from(FAILED)
        })?;
        catena::write(path, file.as_bytes()).map_err(lost)?;
        let place = path.display();
        let text = format!("{text}the linear model is in {place}: catena run {place}\n");
        self.presentation.show(&answer, &text)
    }
}

fn written(linear: &LinearModel<'_>) -> String {
    let system = linear.rest.system;
    let names: Vec<&str> =
        linear.independent.iter().map(|&at| system.coordinates[at].name.as_str()).collect();
    let mut text = String::new();
    let minimal = &linear.minimal;
    let parts = [("M", &minimal.mass), ("C", &minimal.damping), ("K", &minimal.stiffness)];
    for (letter, matrix) in parts.into_iter().filter(|_| names.len() <= LARGEST) {
        text += &format!("{}\n", matrix_table(letter, &names, matrix));
    }
    if names.len() > LARGEST {
        text += &format!("{} × {} matrices; -o FILE.csv keeps them\n", names.len(), names.len());
    }
    if !system.constraints.is_empty() {
        let all = system.coordinates.len();
        text += &format!("{} of {all} coordinates are independent\n", names.len());
    }
    text + &format!("about an equilibrium balanced to {:.1e}\n", linear.rest.equilibrium.residual)
}

fn matrix_table(letter: &str, names: &[&str], matrix: &Matrix) -> String {
    let headings: Vec<&str> = std::iter::once(letter).chain(names.iter().copied()).collect();
    let row = |(row, name): (usize, &&str)| {
        let cells = matrix.row(row).iter().map(|entry| fixed(*entry, 6));
        std::iter::once((*name).to_owned()).chain(cells).collect()
    };
    table(&headings, &names.iter().enumerate().map(row).collect::<Vec<_>>())
}
