//! `catena new`

use crate::{WRONG_USAGE, output, report};
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct New {
    /// The file to write; it must not exist yet
    file: std::path::PathBuf,
    /// Copy a ready system instead of the short starter
    #[arg(long, value_name = "SYSTEM")]
    from: Option<String>,
}

impl New {
    pub(crate) fn run(self) -> ExitCode {
        let text = match &self.from {
            None => catena::systems::STARTER,
            Some(name) => match catena::systems::find(name) {
                Some(system) => system.text,
                None => {
                    let known = catena::systems::SYSTEMS.iter().map(|system| system.name);
                    let near = catena::symbolic::nearest(name, known);
                    let help = near.map_or("see `catena list`".to_owned(), |near| {
                        format!("did you mean `{near}`?")
                    });
                    report::error(&format!("there is no ready system `{name}`"), Some(&help));
                    return ExitCode::from(WRONG_USAGE);
                }
            },
        };
        let path = self.file.display();
        // never over an existing file, not even one that appears meanwhile
        let created = std::fs::OpenOptions::new().write(true).create_new(true).open(&self.file);
        match created.and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => output::print(&format!(
                "wrote {path}\n\n  catena check {path}     is it right?\n  catena derive {path}    \
                 its equations, step by step\n  catena run {path}       how it moves\n"
            )),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                report::error(&format!("`{path}` exists already"), Some("choose another name"))
            }
            Err(error) => report::error(&format!("cannot write `{path}`: {error}"), None),
        }
    }
}
