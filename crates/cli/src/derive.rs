//! `catena derive`

use crate::{ModelArguments, output, report};
use catena::{CoordinateSet, Format};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Derive {
    #[command(flatten)]
    model: ModelArguments,
    /// How to write it
    #[arg(long, value_enum, default_value = "text")]
    format: FormatName,
    /// For a chain: the angles of the links, or position and angle of every link
    #[arg(long, value_enum, default_value = "joint")]
    coordinates: Coordinates,
}

#[derive(Clone, clap::ValueEnum)]
enum FormatName {
    Text,
    Latex,
    Markdown,
    Html,
    Json,
}

#[derive(Clone, clap::ValueEnum)]
enum Coordinates {
    Joint,
    Absolute,
}

impl Derive {
    pub(crate) fn run(self) -> ExitCode {
        let model = match self.model.load() {
            Ok(model) => model,
            Err(code) => return code,
        };
        let set = match self.coordinates {
            Coordinates::Joint => CoordinateSet::Joint,
            Coordinates::Absolute => CoordinateSet::Absolute,
        };
        let format = match self.format {
            // the output drops the colours when it is not a terminal
            FormatName::Text => Format::Text { color: true },
            FormatName::Latex => Format::Latex,
            FormatName::Markdown => Format::Markdown,
            FormatName::Html => Format::Html,
            FormatName::Json => Format::Json,
        };
        match catena::derive(&model, set) {
            Ok(derivation) => output::print(&derivation.write(format)),
            Err(error) => report::error(&error.to_string(), Some(help(&error))),
        }
    }
}

fn help(error: &catena::DeriveError) -> &'static str {
    match error {
        catena::DeriveError::NoSuchCoordinates => "leave out --coordinates",
        _ => {
            "are all formulas smooth and finite around the start? if they are, this is a fault of \
             Catena: please report it with the model"
        }
    }
}
