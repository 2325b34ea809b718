//! `catena bench`

use crate::compare::Choice;
use crate::output::{bold, seconds, table};
use crate::progress::Progress;
use crate::run::check_destination;
use crate::{output, report};
use catena::{BenchError, BenchOutcome, BenchRequest, CompareRequest, RunSettings};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Numbers of links
    #[arg(long, value_delimiter = ',', default_value = "2,4,8,16,20,40")]
    links: Vec<usize>,
    #[command(flatten)]
    choice: Choice,
    /// Distances of rows, s
    #[arg(long, value_delimiter = ',', default_value = "0.01")]
    every: Vec<f64>,
    /// End of each run, s
    #[arg(long = "to", value_name = "T", default_value = "5")]
    t_end: f64,
    /// The ready system: chain (rods) or pendulum-chain (bobs)
    #[arg(long, default_value = "chain")]
    system: String,
    /// An option of the formulations or integrators, such as omega=10
    #[arg(long = "with", value_name = "OPTION=VALUE")]
    with: Vec<String>,
    /// Write all figures to a file: .csv or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw time against links, tolerance and error: a file that ends in .svg
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// What is measured when nothing is said.
const FORMULATIONS: [&str; 5] =
    ["recursive", "minimal", "multipliers", "baumgarte", "augmented-lagrangian"];
const TOLERANCES: [f64; 4] = [1e-2, 1e-4, 1e-6, 1e-8];

impl Bench {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        check_destination(self.output.as_deref(), catena::COMPARISON_FORMATS)?;
        check_destination(self.plot.as_deref(), &["svg"])?;
        let mut methods = CompareRequest {
            formulations: self.choice.formulations.clone(),
            integrators: self.choice.integrators.clone(),
            tolerances: self.choice.tolerances.clone(),
            run: RunSettings {
                t_end: Some(self.t_end),
                with: self.with.clone(),
                ..RunSettings::default()
            },
        };
        if methods.formulations.is_empty() {
            methods.formulations = FORMULATIONS.map(str::to_owned).to_vec();
        }
        if methods.tolerances.is_empty() {
            methods.tolerances = TOLERANCES.to_vec();
        }
        let request = BenchRequest {
            system: self.system.clone(),
            links: self.links.clone(),
            every: self.every.clone(),
            methods,
        };
        let mut progress = Progress::new();
        let outcome = catena::bench(&request, &mut |done| progress.step(done));
        progress.finish();
        let outcomes = outcome.map_err(|error| match &error {
            BenchError::Load(error) => report::load_error(error),
            BenchError::Run(failure) => report::run_failure(failure),
            other => report::error(&other.to_string(), None),
        })?;
        let lost = |error: catena::WriteError| report::error(&error.to_string(), None);
        if let Some(path) = &self.output {
            catena::write_bench(&outcomes, path).map_err(lost)?;
        }
        if let Some(path) = &self.plot {
            let figure = catena::bench_figure(&outcomes);
            catena::write(path, figure.to_svg().as_bytes()).map_err(lost)?;
        }
        Ok(output::print(&self.written(&outcomes)))
    }

    fn written(&self, outcomes: &[BenchOutcome]) -> String {
        let mut text = String::new();
        for (heading, rows) in catena::bench_tables(outcomes) {
            let headings: Vec<&str> = rows.headings.iter().map(String::as_str).collect();
            let cell = |cell: &catena::BenchCell| match *cell {
                catena::BenchCell::Text(ref text) => text.clone(),
                catena::BenchCell::Seconds(value) => seconds(value),
                catena::BenchCell::Error(value) => format!("{value:.1e}"),
                catena::BenchCell::Exponent(value) => format!("{value:.2}"),
                catena::BenchCell::None => "–".to_owned(),
            };
            let rows: Vec<Vec<String>> =
                rows.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
            text += &format!("{}\n\n{}\n", bold(&heading), table(&headings, &rows));
        }
        text
    }
}
