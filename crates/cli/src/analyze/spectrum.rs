//! `catena analyze spectrum`

use super::presentation::Presentation;
use super::{check_after, first_column, nothing_moves};
use crate::flags::{MOTION, RunFlags};
use crate::output::{red, table};
use crate::run::moved;
use crate::{FAILED, ModelArguments, report};
use catena::RunSettings;
use catena::analysis::{self, SpectrumError, spectrum};
use catena::simulation::StopReason;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(super) struct Spectrum {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    method: RunFlags<MOTION>,
    /// Which column; the first coordinate if absent
    #[arg(long)]
    column: Option<String>,
    /// How rows are weighed
    #[arg(long, value_enum, default_value = "hann")]
    window: Window,
    /// Leave out what comes before, s
    #[arg(long, value_name = "T", default_value = "0", allow_negative_numbers = true)]
    after: f64,
    /// Most peaks
    #[arg(long, default_value = "5")]
    peaks: usize,
    /// Run the linear model about the equilibrium nearest the start
    #[arg(long)]
    linear: bool,
    #[command(flatten)]
    presentation: Presentation,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Window {
    /// A raised cosine: the usual choice
    Hann,
    /// All rows alike: for a whole number of periods
    None,
    /// Small peaks beside large ones
    BlackmanHarris,
}

impl Spectrum {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        self.presentation.check(catena::TABLE_FORMATS)?;
        check_after(self.after)?;
        let column = self.column.clone().or_else(|| first_column(&model));
        let column = column.ok_or_else(nothing_moves)?;
        let columns = vec!["t".to_owned(), column.clone()];
        let request = RunSettings { columns, linear: self.linear, ..self.method.0.clone() };
        let run = moved(&model, &request)?;
        let window = match self.window {
            Window::Hann => analysis::Window::Hann,
            Window::None => analysis::Window::None,
            Window::BlackmanHarris => analysis::Window::BlackmanHarris,
        };
        let [times, values] = [0, 1].map(|at| run.table.columns[at].numbers());
        let first = times.iter().position(|&t| t >= self.after).unwrap_or(times.len());
        let found = spectrum(&times[first..], &values[first..], window, self.peaks);
        let found = found.map_err(|error| refused(&error))?;
        let answer = catena::spectrum_answer(&model, &run, &column, window, self.after, &found);
        let mut text = written(&column, &found);
        let failed = matches!(run.certificate.stop, StopReason::Failed { .. });
        if let StopReason::Failed { message } = &run.certificate.stop {
            text += &format!("{}: {message}\n", red("stopped"));
        }
        let printed = self.presentation.present(&answer, &text)?;
        Ok(if failed { ExitCode::from(FAILED) } else { printed })
    }
}

fn refused(error: &SpectrumError) -> ExitCode {
    let help = match error {
        SpectrumError::TooShort { .. } => "run longer with --to, or take more rows with --every",
        SpectrumError::NotFinite { .. } => "choose another column, or end before with --to",
        _ => "take rows at equal distances with --every",
    };
    report::error(&error.to_string(), Some(help));
    ExitCode::from(FAILED)
}

fn written(column: &str, found: &analysis::Spectrum) -> String {
    let row = |peak: &analysis::Peak| {
        vec![
            format!("{:.6}", peak.frequency),
            format!("{:.6e}", peak.amplitude),
            format!("{:.1}", peak.phase.to_degrees()),
        ]
    };
    let rows: Vec<Vec<String>> = found.peaks.iter().map(row).collect();
    let mut text = match rows.is_empty() {
        true => format!("{column} does not oscillate\n"),
        false => table(&["f, Hz", "amplitude", "phase, °"], &rows),
    };
    text += &format!("{column} about {:.6e}; ", found.mean);
    text += &format!("frequencies nearer than {:.3e} Hz are not told apart; ", found.resolution);
    text + &format!("{:.1e} (rms) is left\n", found.rest)
}
