//! How the answer to a question is shown and kept: the same for all of them.

use crate::output::bold;
use crate::run::check_destination;
use crate::{output, report};
use catena::Answer;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(super) struct Presentation {
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Draw: a file that ends in .svg
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw in the terminal
    #[arg(long)]
    show: bool,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

impl Presentation {
    /// Asks before the work whether its result can be kept.
    pub(super) fn check(&self, endings: &[&str]) -> Result<(), ExitCode> {
        check_destination(self.output.as_deref(), endings)?;
        check_destination(self.plot.as_deref(), &["svg"])
    }

    /// Writes the files that are asked for, then shows the answer with its text.
    pub(super) fn present(&self, answer: &Answer, text: &str) -> Result<ExitCode, ExitCode> {
        if let Some(path) = &self.output {
            catena::write_table(&answer.table, path).map_err(lost)?;
        }
        let rows = answer.table.len();
        let kept = self.output.as_ref();
        let kept = kept.map(|path| {
            let plural = if rows == 1 { "" } else { "s" };
            format!("{rows} row{plural} in {}\n", path.display())
        });
        self.show(answer, &format!("{text}{}", kept.unwrap_or_default()))
    }

    /// The same where the file is not the table.
    pub(super) fn show(&self, answer: &Answer, text: &str) -> Result<ExitCode, ExitCode> {
        if let Some(path) = &self.plot {
            catena::write(path, answer.figure.to_svg().as_bytes()).map_err(lost)?;
        }
        if self.json {
            return Ok(output::print(&format!("{:#}\n", answer.to_json())));
        }
        let mut all = format!("{}\n\n", bold(&answer.title));
        if let Some(panel) = answer.figure.panels.first().filter(|_| self.show) {
            all += &format!("{}\n\n", panel.to_terminal(output::width(), output::PLOT_ROWS));
        }
        all += text;
        if let Some(path) = &self.plot {
            all += &format!("drawn in {}\n", path.display());
        }
        Ok(output::print(&all))
    }
}

/// Says that a file could not be written.
pub(super) fn lost(error: catena::WriteError) -> ExitCode {
    report::error(&error.to_string(), None)
}
