//! The command line: parse, call the facade, present. It is a library so that the builder of the book can be the program too.

mod analyze;
mod animation;
mod check;
mod completions;
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
    List(list::List),
    /// Write a model file to start from
    New(new::New),
    /// Say in words whether a model can run, and what is wrong with it
    Check(check::Check),
    /// Draw the mechanism: at its start, or in several poses of its motion
    Draw(Box<draw::Draw>),
    /// One page about a model and its motion, to hand on
    Report(Box<report_page::ReportCommand>),
    /// All ready systems on one page, moving
    Gallery(gallery::GalleryCommand),
    /// The workbench as one page that needs no server and no network
    Page(page::Page),
    /// Derive the equations of motion and show how
    Derive(derive::Derive),
    /// Write the equations as source that runs: C, Python, Octave and MATLAB, LaTeX or JSON
    Export(export::Export),
    /// Move a model in time and say how good the result is
    Run(Box<run::Run>),
    /// Move one model in several ways: what each costs, how wrong it is, which to take
    Compare(Box<analyze::Compare>),
    /// Ask a question about a model: where it rests, its modes, its spectrum (see `catena list analyses`)
    Analyze(Box<analyze::Analyze>),
    /// Many trajectories over a grid of parameters and starts, in a file that survives whatever stops it
    Sweep(Box<sweep::Sweep>),
    /// Chains of several lengths by several methods: time against tolerance, links and error
    Bench(Box<analyze::Bench>),
    /// Run published studies again: every table and figure, and each claim weighed
    Reproduce(Box<reproduce::Reproduce>),
    /// The workbench in the browser, for this machine alone
    Serve(serve::Serve),
    /// What commands take, and how model files are written
    Help(help::Help),
    /// What a shell needs to complete commands and options: bash, zsh or fish
    Completions(completions::Completions),
    /// The manual page: catena man | man -l -
    Man(completions::Manual),
    /// Answer requests of another program, a line of JSON each
    #[command(hide = true)]
    Worker(worker::Worker),
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
        Command::List(list) => list.run(),
        Command::New(new) => new.run(),
        Command::Check(check) => check.run(),
        Command::Draw(draw) => draw.run(),
        Command::Report(report) => report.run(),
        Command::Gallery(gallery) => gallery.run(),
        Command::Page(page) => page.run(),
        Command::Derive(derive) => derive.run(),
        Command::Export(export) => export.run(),
        Command::Run(run) => run.run(),
        Command::Compare(compare) => compare.run(),
        Command::Analyze(analyze) => analyze.run(),
        Command::Sweep(sweep) => sweep.run(),
        Command::Bench(bench) => bench.run(),
        Command::Reproduce(reproduce) => reproduce.run(),
        Command::Serve(serve) => serve.run(),
        Command::Worker(worker) => worker.run(),
        Command::Help(help) => help.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(manual) => manual.run(),
    }
}
