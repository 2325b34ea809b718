//! `catena list`

use crate::output;
use catena::Source;
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
}

impl List {
    pub(crate) fn run(self) -> ExitCode {
        match self.what {
            What::Systems => output::print(&systems()),
        }
    }
}

fn systems() -> String {
    let width = catena::systems::SYSTEMS.iter().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for system in catena::systems::SYSTEMS {
        let description = match catena::read(Source::new(system.name, system.text), &[]) {
            Ok(model) => model.description,
            Err(problems) => problems.to_string(),
        };
        let name = format!("{:width$}", system.name);
        text += &format!("{}  {description}\n", output::bold(&name));
    }
    text
}
