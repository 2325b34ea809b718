//! `catena analyze phase`

use super::presentation::Presentation;
use super::{check_after, first_column, no_column, nothing_moves};
use crate::flags::{MOTION, RunFlags};
use crate::output::red;
use crate::run::moved;
use crate::{FAILED, ModelArguments, WRONG_USAGE, report};
use catena::RunSettings;
use catena::analysis::{PhaseError, phase_portrait};
use catena::simulation::StopReason;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(super) struct Phase {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    method: RunFlags<MOTION>,
    /// The column along the horizontal axis; the first coordinate if absent
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// The column along the vertical axis; the rate of the first one if absent
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    /// Leave out what comes before, s
    #[arg(long, value_name = "T", default_value = "0", allow_negative_numbers = true)]
    after: f64,
    /// Run the linear model about the equilibrium nearest the start
    #[arg(long)]
    linear: bool,
    /// Estimate the error with a second, more exact run
    #[arg(long)]
    certify: bool,
    #[command(flatten)]
    presentation: Presentation,
}

impl Phase {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        self.presentation.check(catena::TABLE_FORMATS)?;
        check_after(self.after)?;
        let x = self.x.clone().or_else(|| first_column(&model)).ok_or_else(nothing_moves)?;
        let y = self.y.clone().unwrap_or_else(|| beside(&model, &x));
        let mut columns = vec!["t".to_owned(), x.clone()];
        columns.extend((y != x).then(|| y.clone()));
        let request = RunSettings {
            columns,
            linear: self.linear,
            certify: self.certify,
            ..self.method.0.clone()
        };
        let run = moved(&model, &request)?;
        let portrait = phase_portrait(&run.table, [&x, &y], self.after);
        let portrait = portrait.map_err(|error| refused(&error))?;
        let (rows, first) = (portrait.len(), portrait.columns[0].numbers()[0]);
        let answer = catena::phase_answer(&model, &run, portrait, self.after);
        let end = run.certificate.time;
        let mut text = format!("{y} against {x}: {rows} rows from {first} s to {end} s\n");
        if let Some(estimate) = &run.certificate.estimate {
            text += &format!("coordinates and velocities right to {:.1e}\n", estimate.error);
        }
        let failed = matches!(run.certificate.stop, StopReason::Failed { .. });
        if let StopReason::Failed { message } = &run.certificate.stop {
            text += &format!("{}: {message}\n", red("stopped"));
        }
        let printed = self.presentation.present(&answer, &text)?;
        Ok(if failed { ExitCode::from(FAILED) } else { printed })
    }
}

/// The rate of a coordinate; of a state, which has no such column, the next state.
fn beside(model: &catena::Model, x: &str) -> String {
    let states = &model.own.states;
    let next = states.iter().position(|state| state.name == x).map(|at| (at + 1) % states.len());
    next.map_or_else(|| format!("{x}'"), |at| states[at].name.clone())
}

fn refused(error: &PhaseError) -> ExitCode {
    match error {
        PhaseError::UnknownColumn { name, known } => no_column(name, known),
        other => {
            let help = "run longer with --to, or begin earlier with --after";
            report::error(&other.to_string(), Some(help));
            ExitCode::from(WRONG_USAGE)
        }
    }
}
