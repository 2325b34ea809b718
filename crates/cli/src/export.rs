//! `catena export`

use crate::derive::Coordinates;
use crate::destinations::Destinations;
use crate::{FAILED, ModelArguments, WRONG_USAGE, output, report};
use catena::export::{LANGUAGES, Language, SourceName};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Export {
    #[command(flatten)]
    model: ModelArguments,
    /// The language [default: by the ending of the file]
    #[arg(long = "as", value_name = "LANGUAGE", value_parser = language())]
    language: Option<&'static Language>,
    /// Write it to a file: .c, .py, .m, .tex or .json; - prints it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Of a chain or a mechanism: what its joints leave free, or position and angle of every body [default:
    /// joint for a chain, absolute for a mechanism]
    #[arg(long, value_enum)]
    coordinates: Option<Coordinates>,
}

/// Names of the table of languages, with their summaries.
fn language() -> impl TypedValueParser<Value = &'static Language> {
    let name = |language: &&'static Language| {
        PossibleValue::new(language.name).aliases(language.aliases).help(language.summary)
    };
    let names: Vec<PossibleValue> = LANGUAGES.iter().map(name).collect();
    PossibleValuesParser::new(names).map(|name| catena::export::find(&name).unwrap_or(LANGUAGES[0]))
}

impl Export {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let language = self.language()?;
        let model = self.model.load()?;
        let set = Coordinates::set(self.coordinates, &model)?;
        let stem =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let [of_model, of_file] =
            [Some(Path::new(&self.model.model)), self.file()].map(|path| path.map(stem));
        let name = match &of_file {
            Some(name) => SourceName::File(name),
            None => SourceName::Model(of_model.as_deref().unwrap_or_default()),
        };
        let text = catena::export::export(&model, set, language, name).map_err(|error| {
            report::error(&error.to_string(), error.help().as_deref());
            ExitCode::from(if error.is_usage() { WRONG_USAGE } else { FAILED })
        })?;
        let Some(path) = self.file() else { return Ok(output::print(&text)) };
        catena::write(path, text.as_bytes())
            .map_err(|error| report::error(&error.to_string(), None))?;
        Ok(output::print(&format!("the equations of {} are in {}\n", model.title, path.display())))
    }

    /// The file that was named; none for standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !output::is_standard(Some(path)))
    }

    /// The language that was named or that the ending of the file means, once it is known that the file can be written.
    fn language(&self) -> Result<&'static Language, ExitCode> {
        let file = self.file();
        if let (None, None) = (self.language, file) {
            let names: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
            report::error(
                "the language is missing",
                Some(&format!(
                    "name it with --as ({}), or by the ending of a file, as in -o model.c",
                    names.join(", ")
                )),
            );
            return Err(ExitCode::from(WRONG_USAGE));
        }
        let endings: Vec<&str> = match self.language {
            Some(language) => vec![language.ending],
            None => LANGUAGES.iter().map(|language| language.ending).collect(),
        };
        Destinations::of(&self.model).add(file, &endings)?;
        let ending = file.and_then(|path| path.extension()?.to_str());
        let of_file = LANGUAGES.iter().find(|language| Some(language.ending) == ending);
        Ok(self.language.or(of_file.copied()).unwrap_or(LANGUAGES[0]))
    }
}
