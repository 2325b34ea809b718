//! `catena compare`

use crate::flags::{MANY, RunFlags};
use crate::output::{bold, red, seconds, table, yellow};
use crate::progress::Progress;
use crate::run::check_destination;
use crate::{FAILED, ModelArguments, output, report};
use catena::CompareRequest;
use catena::analysis::{Comparison, Outcome};
use catena::figure::Figure;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    method: RunFlags<MANY>,
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw time against error: a file that ends in .svg
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

/// Which methods take part.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// Only these formulations
    #[arg(long, value_delimiter = ',')]
    pub(crate) formulations: Vec<String>,
    /// These integrators
    #[arg(long, value_delimiter = ',')]
    pub(crate) integrators: Vec<String>,
    /// These tolerances, relative and absolute alike
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true)]
    pub(crate) tolerances: Vec<f64>,
}

impl Compare {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        check_destination(self.output.as_deref(), catena::TABLE_FORMATS)?;
        check_destination(self.plot.as_deref(), &["svg"])?;
        let request = CompareRequest {
            formulations: self.choice.formulations.clone(),
            integrators: self.choice.integrators.clone(),
            tolerances: self.choice.tolerances.clone(),
            run: self.method.0.clone(),
        };
        let mut progress = Progress::new();
        let outcome = catena::compare(&model, &request, &mut |done| progress.step(done));
        progress.finish();
        let comparison = outcome.map_err(|failure| report::run_failure(&failure))?;
        let lost = |error: catena::WriteError| report::error(&error.to_string(), None);
        if let Some(path) = &self.output {
            catena::write_comparison(&comparison, path).map_err(lost)?;
        }
        if let Some(path) = &self.plot {
            let panel = catena::comparison_panel(&model.title, comparison.outcomes.iter());
            catena::write(path, Figure::from(panel).to_svg().as_bytes()).map_err(lost)?;
        }
        let text = match self.json {
            true => format!("{:#}\n", catena::comparison_json(&comparison)),
            false => written(&model.title, &comparison),
        };
        let printed = output::print(&text);
        Ok(if comparison.outcomes.is_empty() { ExitCode::from(FAILED) } else { printed })
    }
}

fn written(title: &str, comparison: &Comparison) -> String {
    let mut text = format!("{}\n\n", bold(title));
    let constrained = comparison.outcomes.iter().any(|o| o.constraint_error > 0.0);
    let forces = comparison.outcomes.iter().any(|o| o.force_error.is_some());
    let mut headings =
        vec!["formulation", "integrator", "tolerance", "time", "steps", "evaluations"];
    headings.push("error");
    if forces {
        headings.push("force error");
    }
    headings.push("energy, J");
    if constrained {
        headings.extend(["|Φ|", "|Φ̇|"]);
    }
    let rows: Vec<Vec<String>> =
        comparison.outcomes.iter().map(|o| row(o, forces, constrained)).collect();
    text += &table(&headings, &rows);
    text += "\n";
    for outcome in comparison.outcomes.iter() {
        if let Some(failure) = &outcome.failure {
            text += &format!("{} `{}`: {failure}\n", red("stopped"), outcome.formulation);
        }
        for remark in &outcome.remarks {
            text += &format!("{} `{}`: {remark}\n", yellow("note"), outcome.formulation);
        }
    }
    for (name, reason) in &comparison.refused {
        text += &format!("left out: {name}: {reason}\n");
    }
    let (formulation, integrator, tolerance) = comparison.reference;
    if !comparison.outcomes.is_empty() {
        text += &format!(
            "errors against {formulation} with {integrator} at {tolerance:.0e}, as parts of max(1, value); \
             ≥ means: until the motions part\n"
        );
        text += &format!("\n{}\n", bold(&comparison.recommendation));
    }
    text
}

fn row(outcome: &Outcome, forces: bool, constrained: bool) -> Vec<String> {
    let s = &outcome.statistics;
    let size = |value: f64| if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") };
    let parted = outcome.failure.is_some() || outcome.error.diverged;
    let error = match parted {
        true => {
            format!("≥ {} at {} s", size(outcome.error.error), short(outcome.error.valid_until))
        }
        false => size(outcome.error.error),
    };
    let mut row = vec![
        outcome.formulation.to_owned(),
        outcome.integrator.to_owned(),
        match outcome.fixed_step {
            true => format!("step {}", short(outcome.tolerance)),
            false => format!("{:e}", outcome.tolerance),
        },
        seconds(outcome.seconds),
        s.steps.to_string(),
        s.evaluations.to_string(),
        error,
    ];
    if forces {
        row.push(outcome.force_error.map_or("–".to_owned(), size));
    }
    row.push(size(outcome.energy_residual));
    if constrained {
        row.extend([size(outcome.constraint_error), size(outcome.constraint_rate_error)]);
    }
    row
}

/// A number with no more digits than it needs.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    format!("{rounded}")
}
