//! The command line: parse, call the facade, present. It is a library so that the builder of the book can be the program too.

mod analyze;
mod animation;
mod check;
mod completions;
mod deferred;
mod derive;
mod destinations;
mod draw;
mod export;
mod flags;
mod gallery;
mod help;
mod list;
mod markdown;
mod new;
mod other_names;
mod output;
mod page;
mod plot;
mod progress;
mod report;
mod report_page;
mod reproduce;
mod run;
mod serve;
mod signals;
mod sweep;
mod sweep_help;
mod sweep_on;
mod sweep_report;
mod version;
mod worker;

use clap::{Parser, Subcommand};
use deferred::Deferred;
use std::process::ExitCode;

/// A workbench for multibody dynamics.
#[derive(Parser)]
#[command(name = "catena", arg_required_else_help = true, disable_help_subcommand = true)]
#[command(version = version::WITH_BUILD.as_str(), long_version = version::WITH_LICENCE.as_str())]
#[command(after_help = help::list_of_topics())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Ready systems, formulations, integrators, analyses or formats, with a line about each
    List(Deferred<list::List>),
    /// Write a model file to start from
    New(Deferred<new::New>),
    /// Say in words whether a model can run, and what is wrong with it
    Check(Deferred<check::Check>),
    /// Draw the mechanism: at its start, or in several poses of its motion
    Draw(Deferred<draw::Draw>),
    /// One page about a model and its motion, to hand on
    Report(Deferred<report_page::ReportCommand>),
    /// All ready systems on one page, moving
    Gallery(Deferred<gallery::GalleryCommand>),
    /// The workbench as one page that needs no server and no network
    Page(Deferred<page::Page>),
    /// Derive the equations of motion and show how
    Derive(Deferred<derive::Derive>),
    /// Write the equations as source that runs: C, Python, Octave and MATLAB, LaTeX or JSON
    Export(Deferred<export::Export>),
    /// Move a model in time and say how good the result is
    Run(Deferred<run::Run>),
    /// Move one model in several ways: what each costs, how wrong it is, which to take
    Compare(Deferred<analyze::Compare>),
    /// Ask a question about a model: where it rests, its modes, its spectrum (see `catena list analyses`)
    Analyze(Deferred<analyze::Analyze>),
    /// Many trajectories over a grid of parameters and starts, in a file that survives whatever stops it
    Sweep(Deferred<sweep::Sweep>),
    /// Chains of several lengths by several methods: time against tolerance, links and error
    Bench(Deferred<analyze::Bench>),
    /// Run published studies again: every table and figure, and each claim weighed
    Reproduce(Deferred<reproduce::Reproduce>),
    /// The workbench in the browser, for this machine alone
    Serve(Deferred<serve::Serve>),
    /// What commands take, and how model files are written
    Help(Deferred<help::Help>),
    /// What a shell needs to complete commands and options: bash, zsh or fish
    Completions(Deferred<completions::Completions>),
    /// The manual page: catena man | man -l -
    Man(Deferred<completions::Manual>),
    /// Answer requests of another program, a line of JSON each
    #[command(hide = true)]
    Worker(Deferred<worker::Worker>),
}

/// The model and what is changed in it.
#[derive(clap::Args)]
struct ModelArguments {
    /// A model file, or the name of a ready system (see `catena list`)
    model: String,
    /// Change a parameter, a value at the start, a guess of one or a size: L2=0.8, "theta2'=12", guess.theta4=2, links=20
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    settings: Vec<String>,
}

impl ModelArguments {
    /// The name of the model's file, or of the system, with another ending, in the folder where the command runs.
    fn file_with(&self, ending: &str) -> std::path::PathBuf {
        let stem = std::path::Path::new(&self.model).file_stem().unwrap_or_default();
        std::path::Path::new(stem).with_extension(ending)
    }

    /// Loads the model and warns of what is likely to be meant otherwise, or says what is wrong and returns the exit code.
    fn load(&self) -> Result<catena::Model, ExitCode> {
        let model = self.load_quietly()?;
        report::warnings_about_results(&model);
        Ok(model)
    }

    /// The same without warnings.
    fn load_quietly(&self) -> Result<catena::Model, ExitCode> {
        let settings: Vec<_> = self.settings.iter().cloned().map(catena::Setting).collect();
        catena::load(&self.model, &settings).map_err(|error| report::load_error(&error))
    }
}

/// The model or the numerics failed.
const FAILED: u8 = 1;
/// The command line is wrong.
const WRONG_USAGE: u8 = 2;

/// Reads the arguments of this process, does what they ask for and returns the exit code.
pub fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => other_names::explained(error, &words).exit(),
    };
    match arguments.command {
        Command::List(Deferred(list)) => list.run(),
        Command::New(Deferred(new)) => new.run(),
        Command::Check(Deferred(check)) => check.run(),
        Command::Draw(Deferred(draw)) => draw.run(),
        Command::Report(Deferred(report)) => report.run(),
        Command::Gallery(Deferred(gallery)) => gallery.run(),
        Command::Page(Deferred(page)) => page.run(),
        Command::Derive(Deferred(derive)) => derive.run(),
        Command::Export(Deferred(export)) => export.run(),
        Command::Run(Deferred(run)) => run.run(),
        Command::Compare(Deferred(compare)) => compare.run(),
        Command::Analyze(Deferred(analyze)) => analyze.run(),
        Command::Sweep(Deferred(sweep)) => sweep.run(),
        Command::Bench(Deferred(bench)) => bench.run(),
        Command::Reproduce(Deferred(reproduce)) => reproduce.run(),
        Command::Serve(Deferred(serve)) => serve.run(),
        Command::Worker(Deferred(worker)) => worker.run(),
        Command::Help(Deferred(help)) => help.run(),
        Command::Completions(Deferred(completions)) => completions.run(),
        Command::Man(Deferred(manual)) => manual.run(),
    }
}
