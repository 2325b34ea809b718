//! `catena derive`

use crate::destinations::Destinations;
use crate::{ModelArguments, WRONG_USAGE, output, report};
use catena::{CoordinateSet, Extent, Format};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Derive {
    #[command(flatten)]
    model: ModelArguments,
    /// How to write it [default: by the ending of the file, else text]
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Write it to a file: .txt, .tex, .md, .html or .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Of a chain or a mechanism: what its joints leave free, or position and angle of every body [default:
    /// joint for a chain, absolute for a mechanism]
    #[arg(long, value_enum)]
    coordinates: Option<Coordinates>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum FormatName {
    Text,
    #[value(alias = "tex")]
    Latex,
    #[value(alias = "md")]
    Markdown,
    Html,
    Json,
}

/// The endings of files and what is written to them.
const ENDINGS: [(&str, FormatName); 5] = [
    ("txt", FormatName::Text),
    ("tex", FormatName::Latex),
    ("md", FormatName::Markdown),
    ("html", FormatName::Html),
    ("json", FormatName::Json),
];

/// Which coordinates a chain or a mechanism is written in.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Coordinates {
    Joint,
    Absolute,
}

impl Coordinates {
    /// The set that was asked for, or the model's own; says why a model has none such.
    pub(crate) fn set(
        asked: Option<Coordinates>,
        model: &catena::Model,
    ) -> Result<CoordinateSet, ExitCode> {
        let set = match asked {
            None => CoordinateSet::default(),
            Some(Coordinates::Joint) => CoordinateSet::Joint,
            Some(Coordinates::Absolute) => CoordinateSet::Absolute,
        };
        if !model.distinguishes(set) {
            return Err(report::error(missing(model, set), Some("leave out --coordinates")));
        }
        Ok(set)
    }
}

impl Derive {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let format = self.format()?;
        let model = self.model.load()?;
        let set = Coordinates::set(self.coordinates, &model)?;
        let extent = match format {
            Format::Json => Extent::Everything,
            _ => Extent::Readable,
        };
        let derivation = catena::derive_as_far(&model, set, extent).map_err(|error| {
            let help = "are all formulas smooth and finite around the start? if they are, this is a fault of \
                        Catena: please report it with the model";
            report::error(&error.to_string(), Some(help))
        })?;
        let text = derivation.write(format);
        let Some(path) = &self.output else { return Ok(output::print(&text)) };
        catena::write(path, text.as_bytes())
            .map_err(|error| report::error(&error.to_string(), None))?;
        Ok(output::print(&format!("the equations of {} are in {}\n", model.title, path.display())))
    }

    /// The format that was named or that the ending of the file means, once it is known that the file can be written.
    fn format(&self) -> Result<Format, ExitCode> {
        let endings = ENDINGS.map(|(ending, _)| ending);
        let mut destinations = Destinations::of(&self.model);
        destinations.add(self.output.as_deref(), &endings)?;
        let of_file = self.output.as_ref().and_then(|path| {
            let ending = path.extension()?.to_str()?;
            ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
        });
        if let (Some(named), Some(meant)) = (self.format, of_file)
            && named != meant
        {
            let message = "--format is not what the ending of the file means";
            report::error(message, Some("leave out --format, or name a file with its ending"));
            return Err(ExitCode::from(WRONG_USAGE));
        }
        Ok(match self.format.or(of_file).unwrap_or(FormatName::Text) {
            // standard output drops the colours when it is not a terminal
            FormatName::Text => Format::Text { color: self.output.is_none() },
            FormatName::Latex => Format::Latex,
            FormatName::Markdown => Format::Markdown,
            FormatName::Html => Format::Html,
            FormatName::Json => Format::Json,
        })
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
