//! `catena report`

use crate::destinations::Destinations;
use crate::flags::{RunFlags, WHOLE_RUN};
use crate::run::moved;
use crate::{ModelArguments, output, report};
use catena::{CoordinateSet, Extent, Report, RunSettings};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct ReportCommand {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunFlags<WHOLE_RUN>,
    /// The page [default: the name of the model with .html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ReportCommand {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let path = self.output.clone().unwrap_or_else(|| self.model.file_with("html"));
        let mut destinations = Destinations::of(&self.model);
        destinations.add(Some(&path), &["html"])?;
        let model = self.model.load()?;
        let RunFlags(settings) = &self.settings;
        let diagnosis = catena::diagnose(&model);
        // forces and energies are told whatever is plotted
        let everything = RunSettings { columns: Vec::new(), ..settings.clone() };
        let run = moved(&model, &everything, true)?;
        let plotted = match settings.columns.is_empty() {
            true => None,
            false => Some(moved(&model, settings, false)?),
        };
        let derivation = catena::derive_as_far(&model, CoordinateSet::Own, Extent::Readable).ok();
        let figure = match &plotted {
            Some(plotted) => {
                let names: Vec<String> = plotted.table.names().skip(1).map(str::to_owned).collect();
                catena::run_figure("", plotted, &names)
            }
            None => catena::run_figure("", &run, &[]),
        };
        let page = Report {
            model: &model,
            diagnosis: &diagnosis,
            derivation: derivation.as_ref(),
            figure,
            run: &run,
            commands: self.commands(&path),
        };
        catena::write(&path, page.to_html().as_bytes())
            .map_err(|error| report::error(&error.to_string(), None))?;
        Ok(output::print(&format!(
            "{}: {}\nreport in {}\n",
            output::graded(run.certificate.verdict.grade, run.certificate.verdict.grade.name()),
            run.certificate.verdict.reason,
            path.display()
        )))
    }

    /// The command as it was typed, and those that show parts of it by themselves.
    fn commands(&self, path: &Path) -> Vec<String> {
        let own: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
        let model = quoted(&self.model.model);
        let settings: String =
            self.model.settings.iter().map(|set| format!(" --set {}", quoted(set))).collect();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        vec![
            format!("catena {}", own.join(" ")),
            format!("catena run {model}{settings} -o {}", quoted(&format!("{stem}.csv"))),
            format!("catena derive {model}{settings}"),
        ]
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}
