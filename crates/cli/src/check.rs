//! `catena check`

use crate::output::{bold, red, table, yellow};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, output, report};
use catena::analysis::{Cell, PenaltyMap, Proposal, STEPS};
use catena::{Diagnosis, Model};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    model: ModelArguments,
    /// Map which penalty factor is stable at which step, and propose a pair
    #[arg(long)]
    penalty: bool,
    /// The integrator of that map
    #[arg(long, default_value = "implicit-midpoint", requires = "penalty")]
    integrator: String,
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

    fn map(&self, model: &Model) -> ExitCode {
        let mut progress = Progress::new();
        let mapped = catena::penalty_map(model, &self.integrator, &mut |done| progress.step(done));
        progress.finish();
        match mapped {
            Ok(map) => output::print(&mapped_text(&map, &self.integrator)),
            Err(failure) => report::run_failure(&failure),
        }
    }
}

fn mapped_text(map: &PenaltyMap, integrator: &str) -> String {
    let title = format!(
        "Springs in the place of constraints with {integrator}, {} s: largest error of a velocity",
        map.t_end
    );
    let steps: Vec<String> = STEPS.iter().map(|step| format!("step {step}")).collect();
    let mut headings = vec!["alpha"];
    headings.extend(steps.iter().map(String::as_str));
    let rows: Vec<Vec<String>> = map
        .cells
        .chunks(STEPS.len())
        .map(|row| {
            let cell = |cell: &Cell| match cell.unstable {
                true => "unstable".to_owned(),
                false => format!("{:.1e}", cell.velocity_error),
            };
            let alpha = row.first().map_or(String::new(), |cell| format!("{:.0e}", cell.alpha));
            std::iter::once(alpha).chain(row.iter().map(cell)).collect()
        })
        .collect();
    let mut text = format!("\n{}\n\n{}\n", bold(&title), table(&headings, &rows));
    text += &match &map.proposal {
        None => "no pair keeps velocities right to half a per cent: take `projection`, or shorter steps\n"
            .to_owned(),
        Some(Proposal { formulation, omega, cell }) => {
            let with = omega.map_or(String::new(), |omega| format!(" --with omega={omega} --with xi=1"));
            format!(
                "proposed: --formulation {formulation} --integrator {integrator} --step {} \
                 --with alpha={:e}{with}\nwhich keeps velocities right to {:.1e} (the largest is {:.1}) and \
                 constraints to {:.1e}\n",
                cell.step, cell.alpha, cell.velocity_error, map.largest_velocity, cell.drift
            )
        }
    };
    text
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
        text += &match start.solved.as_slice() {
            [] => "start: as given\n".to_owned(),
            solved => format!("start: assembled, solved for {}\n", solved.join(", ")),
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
