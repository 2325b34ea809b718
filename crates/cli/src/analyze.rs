//! `catena analyze`: a subcommand for every row of the catalogue of questions.

use crate::animation::{self, Animate};
use crate::destinations::Destinations;
use crate::flags::{Threads, flag, flag_with_default, given, run_settings};
use crate::output::{bold, mark};
use crate::plot::{self, PlotFlags};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, WRONG_USAGE, draw, output, report, signals};
use catena::analysis::{ANALYSES, Analysis, Answer, Question, Refusal, Watch};
use catena::model::{OptionRow, OptionValue, Options, RunSettings};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// A question as it was asked.
pub(crate) struct Analyze {
    analysis: &'static Analysis,
    model: ModelArguments,
    run: RunSettings,
    /// Options of the analysis, as they were given.
    values: Vec<(&'static OptionRow, OptionValue)>,
    presentation: Presentation,
    /// Where the answer is shown moving, if it can be and is to be.
    animate: Option<Animate>,
    threads: usize,
}

/// How the answer is shown and kept: the same for all questions.
#[derive(clap::Args)]
struct Presentation {
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in; - prints it as CSV
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the answer to a file: .svg, .png, .pdf or .html
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw the answer in the terminal
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    style: PlotFlags,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

impl Args for Analyze {
    fn augment_args(command: Command) -> Command {
        let questions = ANALYSES.iter().map(|analysis| {
            Command::new(analysis.name).about(analysis.summary).defer(augmented_by_name)
        });
        command.subcommand_required(true).arg_required_else_help(true).subcommands(questions)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A command with everything that the question of its name can be told.
fn augmented_by_name(command: Command) -> Command {
    match catena::analysis::find(command.get_name()) {
        Some(analysis) => augmented(command, analysis, &format!("analyze {}", analysis.name)),
        None => command,
    }
}

/// A command with everything that a question can be told.
fn augmented(command: Command, analysis: &'static Analysis, path: &str) -> Command {
    let command = ModelArguments::augment_args(command)
        .args(analysis.options.iter().map(|row| flag(row)))
        .args(analysis.run_options.iter().map(|option| {
            let own = analysis.run_defaults.iter().find(|(key, _)| *key == option.row.key);
            flag_with_default(&option.row, own.map_or(option.row.default, |(_, text)| text))
        }));
    let command = match analysis.default_model {
        "" => command,
        name => command.mut_arg("model", |model| model.required(false).default_value(name)),
    };
    let command = match analysis.parallel {
        true => Threads::augment_args(command),
        false => command,
    };
    let command = match analysis.moves {
        true => Animate::augment_args(command),
        false => command,
    };
    let command = match analysis.example {
        "" => command,
        example => command.after_help(format!("Example: catena {path} {example}")),
    };
    // comments of structs with arguments would become the description of the command
    Presentation::augment_args(command).about(analysis.summary)
}

impl FromArgMatches for Analyze {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let analysis = catena::analysis::find(name).ok_or_else(missing)?;
        Analyze::read(analysis, matches)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A question that is a command of its own: `catena compare` is `catena analyze compare`.
macro_rules! question_command {
    ($name:ident, $question:literal) => {
        pub(crate) struct $name(Analyze);

        impl $name {
            fn question() -> &'static Analysis {
                catena::analysis::find($question).expect("the catalogue has it")
            }

            pub(crate) fn run(self) -> ExitCode {
                self.0.run()
            }
        }

        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                augmented(command, Self::question(), $question)
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }

        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                Analyze::read(Self::question(), matches).map($name)
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

question_command!(Compare, "compare");
question_command!(Bench, "bench");

impl Analyze {
    fn read(analysis: &'static Analysis, matches: &ArgMatches) -> Result<Analyze, clap::Error> {
        let values = analysis.options.iter().filter_map(|row| Some((*row, given(row, matches)?)));
        Ok(Analyze {
            analysis,
            model: ModelArguments::from_arg_matches(matches)?,
            run: run_settings(analysis.run_options, matches),
            values: values.collect(),
            presentation: Presentation::from_arg_matches(matches)?,
            animate: match analysis.moves {
                true => Some(Animate::from_arg_matches(matches)?),
                false => None,
            },
            threads: match analysis.parallel {
                true => Threads::from_arg_matches(matches)?.count(),
                false => 1,
            },
        })
    }

    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let Presentation { output, plot, .. } = &self.presentation;
        let own_file = self.analysis.file_ending.filter(|ending| ends_in(output, ending));
        let formats: Vec<&str> =
            catena::TABLE_FORMATS.iter().copied().chain(self.analysis.file_ending).collect();
        let mut destinations = Destinations::of(&self.model);
        let printed_table = output::is_standard(output.as_deref());
        destinations.add(output.as_deref().filter(|_| !printed_table), &formats)?;
        output::refuse_two_outputs(output.as_deref(), self.presentation.json)?;
        destinations.add_picture(plot.as_deref())?;
        destinations.add_animation(self.animation_file())?;
        let style = self.presentation.style.style()?;
        let model = self.model.load()?;
        if self.animation_file().is_some() {
            draw::require_sketch(&model)?;
        }
        let options = self.options()?;
        let mut answer = self.ask(&model, &options)?;
        let description = answer.description();
        answer.figure = style.applied(std::mem::take(&mut answer.figure), &description);
        let kept = match (output, own_file) {
            (Some(path), Some(_)) => self.write_file(&answer, path)?,
            (Some(_), None) if printed_table => String::new(),
            (Some(path), None) => {
                catena::write_table(&answer.table, path).map_err(lost)?;
                let rows = answer.table.len();
                let plural = if rows == 1 { "" } else { "s" };
                format!("{rows} row{plural} in {}\n", path.display())
            }
            (None, _) => String::new(),
        };
        let moving = match (self.animation_file(), catena::Animation::of_answer(&answer)) {
            (Some(path), Some(shown)) => {
                let speed = self.animate.as_ref().and_then(|animate| animate.speed);
                animation::write(&model, &catena::Animation { speed, ..shown }, path)?
            }
            _ => String::new(),
        };
        let printed = self.show(&answer, &(kept + &moving))?;
        Ok(match &answer.shortfall {
            Some(_) => signals::exit_code().unwrap_or_else(|| ExitCode::from(FAILED)),
            None => printed,
        })
    }

    /// Where the answer is shown moving, if it is to be.
    fn animation_file(&self) -> Option<&Path> {
        self.animate.as_ref()?.animate.as_deref()
    }

    fn options(&self) -> Result<Options, ExitCode> {
        let mut options = Options::new(self.analysis.options);
        for (row, value) in &self.values {
            options.set(row.key, value.clone()).map_err(|error| {
                report::error(&error.to_string(), Some(&error.help()));
                ExitCode::from(WRONG_USAGE)
            })?;
        }
        Ok(options)
    }

    /// Asks while the progress is shown, or says why there is no answer and returns the exit code.
    fn ask(&self, model: &catena::Model, options: &Options) -> Result<Answer, ExitCode> {
        let progress = Mutex::new(Progress::new());
        let began = Instant::now();
        let watch = Watch {
            clock: &|| began.elapsed().as_secs_f64(),
            stop: &|part| progress.lock().is_ok_and(|mut progress| progress.step(part)),
            threads: self.threads,
            picture: None,
        };
        let is_filmed = self.animation_file().is_some();
        let question = Question { model, run: &self.run, options, is_filmed };
        let answer = (self.analysis.ask)(&question, &watch);
        let interrupted = progress.lock().is_ok_and(|mut progress| {
            progress.finish();
            progress.was_interrupted()
        });
        match answer {
            Err(_) if interrupted => Err(report::interrupted()),
            Err(refusal) => Err(self.refused(&refusal)),
            Ok(answer) => Ok(answer),
        }
    }

    /// Says why there is no answer, in the words of the command line.
    fn refused(&self, refusal: &Refusal) -> ExitCode {
        let own = self.analysis.options.iter().copied();
        let rows: Vec<&OptionRow> =
            own.chain(self.analysis.run_options.iter().map(|option| &option.row)).collect();
        report::refusal(refusal, &rows)
    }

    /// Writes an answer that is a file of its own kind.
    fn write_file(&self, answer: &Answer, path: &Path) -> Result<String, ExitCode> {
        let Some(file) = &answer.file else { return Ok(String::new()) };
        let text = file.text.as_ref().map_err(|refusal| self.refused(refusal))?;
        catena::write(path, text.as_bytes()).map_err(lost)?;
        let place = path.display();
        Ok(format!("{} is in {place}: catena run {place}\n", file.what))
    }

    fn show(&self, answer: &Answer, kept: &str) -> Result<ExitCode, ExitCode> {
        let Presentation { plot: file, show, json, .. } = &self.presentation;
        if let Some(path) = file {
            catena::write_picture(&answer.figure, path).map_err(lost)?;
        }
        if *json {
            return Ok(output::print(&format!("{:#}\n", answer.to_json())));
        }
        let mut all = format!("{}\n\n", bold(&answer.title));
        if *show {
            all += &format!("{}\n", plot::shown(&answer.figure));
        }
        all += &answer.words.write(&mark, &bold);
        all += kept;
        if let Some(path) = file {
            all += &format!("drawn in {}\n", path.display());
        }
        if file.is_some() || *show {
            all += &plot::left_out(&answer.figure);
        }
        let to_output = output::is_standard(self.presentation.output.as_deref());
        Ok(output::print_beside(to_output.then_some(&answer.table), &all))
    }
}

fn ends_in(path: &Option<PathBuf>, ending: &str) -> bool {
    path.as_ref().and_then(|path| path.extension()).is_some_and(|found| found == ending)
}

/// Says that a file could not be written.
fn lost(error: catena::WriteError) -> ExitCode {
    report::error(&error.to_string(), None)
}
