//! `catena run`

use crate::output::{bold, red};
use crate::{FAILED, ModelArguments, WRONG_USAGE, output, report};
use catena::simulation::{Certificate, Run as Result, StopReason};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Run {
    #[command(flatten)]
    model: ModelArguments,
    /// How constraints enter (see `catena list formulations`)
    #[arg(long)]
    formulation: Option<String>,
    /// How time advances (see `catena list integrators`)
    #[arg(long)]
    integrator: Option<String>,
    /// Relative tolerance
    #[arg(long, allow_negative_numbers = true)]
    rtol: Option<f64>,
    /// Absolute tolerance
    #[arg(long, allow_negative_numbers = true)]
    atol: Option<f64>,
    /// Fixed step, s
    #[arg(long, allow_negative_numbers = true)]
    step: Option<f64>,
    /// Length of the first step, s
    #[arg(long, allow_negative_numbers = true)]
    first_step: Option<f64>,
    /// Longest step, s
    #[arg(long, allow_negative_numbers = true)]
    max_step: Option<f64>,
    /// End of the run, s
    #[arg(long = "to", value_name = "T", allow_negative_numbers = true)]
    t_end: Option<f64>,
    /// Rows at multiples of this, s
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    every: Option<f64>,
    /// Only these columns
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// Write the table to a file: .csv, .npz or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(crate) fn run(self) -> ExitCode {
        let model = match self.model.load() {
            Ok(model) => model,
            Err(code) => return code,
        };
        if let Some(path) = &self.output
            && let Err(error) = catena::check_format(path)
        {
            report::error(&error.to_string(), Some("name a file that ends in .csv, .npz or .json"));
            return ExitCode::from(WRONG_USAGE);
        }
        let request = catena::RunRequest {
            formulation: self.formulation.clone(),
            integrator: self.integrator.clone(),
            rtol: self.rtol,
            atol: self.atol,
            step: self.step,
            first_step: self.first_step,
            max_step: self.max_step,
            t_end: self.t_end,
            every: self.every,
        };
        let mut result = match catena::run(&model, &request) {
            Ok(result) => result,
            Err(error) => {
                report::error(&error.to_string(), error.help().as_deref());
                return ExitCode::from(if error.is_usage() { WRONG_USAGE } else { FAILED });
            }
        };
        if !self.columns.is_empty() {
            match result.table.select(&self.columns) {
                Ok(table) => result.table = table,
                Err(name) => {
                    let known = result.table.names.iter().map(String::as_str);
                    let help = match catena_symbolic::nearest(&name, known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("columns: {}", result.table.names.join(", ")),
                    };
                    report::error(&format!("there is no column `{name}`"), Some(&help));
                    return ExitCode::from(WRONG_USAGE);
                }
            }
        }
        if let Some(path) = &self.output
            && let Err(error) = catena::write_run(&result, path)
        {
            return report::error(&error.to_string(), None);
        }
        let text = match self.json {
            true => format!("{:#}\n", catena::run_json(&result)),
            false => written(&model.title, &result, self.output.as_deref()),
        };
        let printed = output::print(&text);
        match result.certificate.stop {
            StopReason::Failed { .. } => ExitCode::from(FAILED),
            _ => printed,
        }
    }
}

fn written(title: &str, result: &Result, path: Option<&std::path::Path>) -> String {
    let Certificate { statistics, .. } = &result.certificate;
    let c = &result.certificate;
    let mut text = format!("{}\n", bold(title));
    text += &format!(
        "{} with {}: {} steps, {} rejected, {} evaluations\n",
        c.formulation, c.integrator, statistics.steps, statistics.rejected, statistics.evaluations
    );
    text += &match &c.stop {
        StopReason::Finished => format!("reached {} s\n", c.time),
        StopReason::Event { name } => format!("ended by the event `{name}` at {} s\n", c.time),
        StopReason::Cancelled => format!("stopped at {} s on request\n", c.time),
        StopReason::Failed { message } => format!("{}: {message}\n", red("stopped")),
        _ => format!("ended at {} s\n", c.time),
    };
    text += &format!("energy {:.6e} J, balance kept to {:.1e} J\n", c.energy, c.energy_residual);
    if c.constraint_error > 0.0 || c.constraint_rate_error > 0.0 {
        text += &format!(
            "constraints kept to {:.1e}, their rates to {:.1e}\n",
            c.constraint_error, c.constraint_rate_error
        );
    }
    if !result.events.is_empty() {
        text += &format!("{} events\n", result.events.len());
    }
    match path {
        Some(path) => text += &format!("{} rows in {}\n", result.table.len(), path.display()),
        None => text += &format!("{} rows; -o FILE.csv keeps them\n", result.table.len()),
    }
    text
}
