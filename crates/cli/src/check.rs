//! `catena check`

use crate::destinations::Destinations;
use crate::output::{bold, mark, red, yellow};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, draw, output, report, signals};
use catena::analysis::Words;
use catena::model::{fixed, plain, scientific};
use catena::simulation::StartValue;
use catena::{Diagnosis, Model};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

/// More values of the start than this are counted, not shown.
const MAX_LISTED_VALUES: usize = 60;

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
    /// Draw what assembly found; joints that stay open are red
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Print everything as one JSON object
    #[arg(long, conflicts_with = "penalty")]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        Destinations::of(&self.model).add_picture(self.draw.as_deref())?;
        // the diagnosis has all warnings
        let model = self.model.load_quietly()?;
        let diagnosis = catena::diagnose(&model);
        let drawn = match &self.draw {
            Some(path) => {
                draw::draw_start(&model, path)?;
                format!("drawn in {}\n", path.display())
            }
            None => String::new(),
        };
        let code = output::print(&match self.json {
            true => format!("{:#}\n", catena::diagnosis_json(&model.title, &diagnosis)),
            false => written(&model, &diagnosis) + &drawn,
        });
        Ok(match diagnosis.can_run() {
            true if self.penalty => self.map(&model),
            true => code,
            false => ExitCode::from(FAILED),
        })
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
        let at =
            if start.t == 0.0 { String::new() } else { format!(" at t = {} s", plain(start.t)) };
        text += &match start.solved.as_slice() {
            [] => format!("start{at}: as given\n"),
            solved => format!("start{at}: assembled, solved for {}\n", solved.join(", ")),
        };
        text += &start_table(&diagnosis.start_values);
    }
    if let Some([kinetic, potential]) = diagnosis.energies {
        let [kinetic, potential, together] =
            [kinetic, potential, kinetic + potential].map(|energy| fixed(energy, 6));
        text += &format!(
            "energy at the start: kinetic {kinetic} J, potential {potential} J, together {together} J\n"
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
    for note in diagnosis.notes() {
        text += &format!("\n{}: {note}\n", yellow("note"));
    }
    text +=
        if diagnosis.can_run() { "\nThe model can run.\n" } else { "\nThe model cannot run.\n" };
    text
}

/// The pose and the velocities of the start.
fn start_table(values: &[StartValue]) -> String {
    // farther than that the digits behind the point are noise
    let number = |value: f64| match value.abs() < 1e8 {
        true => fixed(value, 6),
        false => scientific(value, 6),
    };
    let with_unit = |value: f64, unit: &str| match unit {
        "" => number(value),
        unit => format!("{} {unit}", number(value)),
    };
    let has_angles = values.iter().any(|value| value.degrees().is_some());
    let row = |value: &StartValue| {
        let mut row = vec![format!("  {}", value.name), with_unit(value.value, value.unit)];
        if has_angles {
            row.push(
                value.degrees().map_or(String::new(), |degrees| format!("{}°", fixed(degrees, 4))),
            );
        }
        row.push(value.rate.map_or(String::new(), |rate| with_unit(rate, value.rate_unit())));
        row
    };
    let mut words = Words::default();
    let headings = match has_angles {
        true => vec!["", "value", "", "rate"],
        false => vec!["", "value", "rate"],
    };
    words.table(headings, values.iter().take(MAX_LISTED_VALUES).map(row).collect());
    if let Some(more @ 1..) = values.len().checked_sub(MAX_LISTED_VALUES) {
        words.say(format!("  and {more} more, all of them with --json"));
    }
    words.write(&mark, &bold)
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
