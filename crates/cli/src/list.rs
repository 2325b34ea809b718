//! `catena list`

use crate::output;
use catena::Source;
use catena::model::plain;
use catena::simulation::AUTO;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct List {
    /// What to list
    #[arg(value_enum, default_value = "systems")]
    what: What,
}

#[derive(Clone, clap::ValueEnum)]
enum What {
    Systems,
    Formulations,
    Integrators,
    Analyses,
    Formats,
}

impl List {
    pub(crate) fn run(self) -> ExitCode {
        match self.what {
            What::Systems => output::print(&systems()),
            What::Formulations => output::print(&formulations()),
            What::Integrators => output::print(&integrators()),
            What::Analyses => output::print(&analyses()),
            What::Formats => output::print(&formats()),
        }
    }
}

fn systems() -> String {
    let description = |system: &catena::systems::ReadySystem| match catena::read(
        Source::new(system.name, system.text),
        &[],
    ) {
        Ok(model) => model.description,
        Err(problems) => problems.to_string(),
    };
    let rows = catena::systems::SYSTEMS.iter();
    lines(rows.map(|system| (system.name, description(system))))
}

fn formulations() -> String {
    let rows = catena::formulation::FORMULATIONS.iter();
    let automatic = [(AUTO, "taken by the structure of the model; the default".to_owned())];
    let named = rows.map(|entry| {
        let options = entry.options.iter().map(|option| {
            let default = match option.default {
                Some(value) => plain(value),
                None => "from the model".to_owned(),
            };
            (option.name, format!("{} ({default})", option.description()))
        });
        let title = [(entry.name, format!("{} ({})", entry.summary, entry.reference))];
        lines(title.into_iter()) + &indented(options)
    });
    [lines(automatic.into_iter())].into_iter().chain(named).collect()
}

fn integrators() -> String {
    let row = |entry: &&'static catena::integrator::Entry| {
        let aliases = match entry.aliases {
            [] => String::new(),
            aliases => format!("; also {}", aliases.join(", ")),
        };
        let order = match entry.variable_order {
            true => format!("order {} at the default tolerances", entry.order),
            false => format!("order {}", entry.order),
        };
        let text = format!("{} ({order}; {}{aliases})", entry.summary, entry.reference);
        (entry.name, text)
    };
    let automatic = "taken by the tolerance, implicit once stiffness is seen; the default";
    let automatic = [(AUTO, automatic.to_owned())];
    let entries = catena::integrator::INTEGRATORS.iter();
    let named = entries.map(|entry| {
        let options = entry.options.iter().map(|option| {
            let default = option.default.map_or(String::new(), plain);
            let bracket = format!("{default} {}", option.unit).trim().to_owned();
            let bracket = if bracket.is_empty() { bracket } else { format!(" ({bracket})") };
            (option.key, format!("{}{bracket}", option.meaning))
        });
        lines([row(entry)].into_iter()) + &indented(options)
    });
    [lines(automatic.into_iter())].into_iter().chain(named).collect()
}

fn analyses() -> String {
    let rows = catena::analysis::ANALYSES.iter();
    lines(rows.map(|row| (row.name, format!("{} (needs {})", row.summary, row.needs))))
}

fn formats() -> String {
    let rows = catena::present::FORMATS.iter();
    lines(rows.map(|format| (format.ending, format.summary.to_owned())))
}

/// Options under the method that reads them: `--with NAME=VALUE`.
fn indented<'a>(rows: impl Iterator<Item = (&'a str, String)>) -> String {
    rows.map(|(name, text)| format!("    {name:<12}{text}\n")).collect()
}

/// A line for each row, names in a column of their own.
fn lines<'a>(rows: impl Iterator<Item = (&'a str, String)>) -> String {
    let rows: Vec<(&str, String)> = rows.collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, text): &(&str, String)| {
        format!("{}  {text}\n", output::bold(&format!("{name:width$}")))
    };
    rows.iter().map(line).collect()
}
