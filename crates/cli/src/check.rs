//! `catena check`

use crate::output::{bold, mark, red, yellow};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, output, report, signals};
use catena::{Diagnosis, Model};
use std::process::ExitCode;
use std::sync::Mutex;

#[derive(clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    model: ModelArguments,
    /// Map which penalty factor is stable at which step, and propose a pair
    #[arg(long)]
    penalty: bool,
    /// The integrator of that map [default: implicit-midpoint]
    #[arg(long, requires = "penalty")]
    integrator: Option<String>,
}

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        let model = match self.model.load() {
            Ok(model) => model,
            Err(code) => return code,
        };
        let diagnosis = catena::diagnose(&model);
        let code = output::print(&written(&model, &diagnosis));
        match diagnosis.can_run() {
            true if self.penalty => self.map(&model),
            true => code,
            false => ExitCode::from(FAILED),
        }
    }

    /// Asks for the map of penalties behind the diagnosis.
    fn map(&self, model: &Model) -> ExitCode {
        let mut progress = Progress::new();
        let stop = Mutex::new(&mut progress);
        let options: Vec<(&str, &str)> =
            self.integrator.iter().map(|name| ("integrator", name.as_str())).collect();
        let asked = catena::ask_watched("penalty", model, &options, 1, &|part| {
            stop.lock().is_ok_and(|mut progress| progress.step(part))
        });
        progress.finish();
        match asked {
            Ok(answer) => {
                let printed = output::print(&format!("\n{}", answer.words.write(&mark, &bold)));
                match answer.shortfall {
                    Some(_) => signals::exit_code().unwrap_or_else(|| ExitCode::from(FAILED)),
                    None => printed,
                }
            }
            Err(_) if progress.was_interrupted() => report::interrupted(),
            Err(refusal) => report::refusal(&refusal, &[]),
        }
    }
}

fn written(model: &Model, diagnosis: &Diagnosis) -> String {
    let count = |number: usize, what: &str| match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    };
    let mut text = format!("{}\n", bold(&model.title));
    text += &format!(
        "{}, {}, {}, {}\n",
        count(diagnosis.coordinates, "coordinate"),
        count(diagnosis.constraints, "constraint"),
        count(diagnosis.states, "first-order state"),
        count(model.parameters.len(), "parameter"),
    );
    if diagnosis.coordinates > 0 {
        text += &freedom(diagnosis);
    }
    if !diagnosis.angles.is_empty() {
        text += &format!("angles: {}\n", diagnosis.angles.join(", "));
    }
    if let Some(start) = &diagnosis.start {
        let at = if start.t == 0.0 { String::new() } else { format!(" at t = {} s", start.t) };
        text += &match start.solved.as_slice() {
            [] => format!("start{at}: as given\n"),
            solved => format!("start{at}: assembled, solved for {}\n", solved.join(", ")),
        };
    }
    if let Some([kinetic, potential]) = diagnosis.energies {
        // adding 0 turns a negative zero into a plain one
        text += &format!(
            "energy at the start: kinetic {:.6} J, potential {:.6} J, together {:.6} J\n",
            kinetic + 0.0,
            potential + 0.0,
            kinetic + potential + 0.0
        );
    }
    for warning in model.warnings.iter().take(report::MOST_SHOWN) {
        text += &format!("\n{}\n", report::warning(warning, &model.sources));
    }
    if let Some(more @ 1..) = model.warnings.len().checked_sub(report::MOST_SHOWN) {
        text += &format!("\nand {more} more warnings\n");
    }
    for finding in &diagnosis.findings {
        let label = if finding.can_run { yellow("warning") } else { red("error") };
        text += &format!("\n{label}: {}\n", finding.kind.message());
        text += &format!("  help: {}\n", finding.kind.help());
    }
    if let Some(shared) = &diagnosis.shared {
        text += &format!("\n{}: {shared}\n", yellow("note"));
    }
    text +=
        if diagnosis.can_run() { "\nThe model can run.\n" } else { "\nThe model cannot run.\n" };
    text
}

fn freedom(diagnosis: &Diagnosis) -> String {
    let (count, rank) = (diagnosis.freedom_by_count(), diagnosis.freedom_by_rank());
    let plural = |number: i64| if number == 1 { "degree" } else { "degrees" };
    if diagnosis.constraints == 0 {
        return format!("{rank} {} of freedom\n", plural(rank as i64));
    }
    format!(
        "{rank} {} of freedom by the rank of the constraints ({} − {}), {count} by count ({} − {})\n",
        plural(rank as i64),
        diagnosis.coordinates,
        diagnosis.rank,
        diagnosis.coordinates,
        diagnosis.constraints,
    )
}
