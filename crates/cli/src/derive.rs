//! `catena derive`

use crate::{ModelArguments, output, report};
use catena::{CoordinateSet, Extent, Format};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Derive {
    #[command(flatten)]
    model: ModelArguments,
    /// How to write it
    #[arg(long, value_enum, default_value = "text")]
    format: FormatName,
    /// Of a chain or a mechanism: what its joints leave free, or position and angle of every body [default:
    /// joint for a chain, absolute for a mechanism]
    #[arg(long, value_enum)]
    coordinates: Option<Coordinates>,
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
            None => CoordinateSet::default(),
            Some(Coordinates::Joint) => CoordinateSet::Joint,
            Some(Coordinates::Absolute) => CoordinateSet::Absolute,
        };
        if !model.distinguishes(set) {
            return report::error(missing(&model, set), Some("leave out --coordinates"));
        }
        let format = match self.format {
            // the output drops the colours when it is not a terminal
            FormatName::Text => Format::Text { color: true },
            FormatName::Latex => Format::Latex,
            FormatName::Markdown => Format::Markdown,
            FormatName::Html => Format::Html,
            FormatName::Json => Format::Json,
        };
        let extent = match format {
            Format::Json => Extent::Everything,
            _ => Extent::Readable,
        };
        match catena::derive_as_far(&model, set, extent) {
            Ok(derivation) => output::print(&derivation.write(format)),
            Err(error) => report::error(
                &error.to_string(),
                Some(
                    "are all formulas smooth and finite around the start? if they are, this is a fault of \
                     Catena: please report it with the model",
                ),
            ),
        }
    }
}

/// Why a model has no such description of its own.
fn missing(model: &catena::Model, set: CoordinateSet) -> &'static str {
    match set {
        CoordinateSet::Joint if model.mechanism.is_some() => {
            "this mechanism has no joint coordinates: nothing moves in its joints"
        }
        CoordinateSet::Joint => {
            "this model has no joint coordinates: only chains and mechanisms have two sets"
        }
        _ => "this model has no absolute coordinates: only chains and mechanisms have two sets",
    }
}
