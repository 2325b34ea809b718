//! Problems shown where they are in the file, with what to do about them.

use crate::{FAILED, WRONG_USAGE, signals};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use catena::model::{OptionRow, Problem, ProblemKind, RUN_OPTIONS, plain, plain_above};
use catena::simulation::{MethodOptionError, RunError};
use catena::symbolic::nearest;
use catena::{LoadError, Refusal, RunFailure, Source};
use std::io::Write;
use std::process::ExitCode;

/// More problems than this are counted, not shown.
pub(crate) const MOST_SHOWN: usize = 10;

/// Shows why a model could not be loaded; returns the exit code.
pub(crate) fn load_error(error: &LoadError) -> ExitCode {
    match error {
        LoadError::Problems(all) => {
            for problem in all.problems.iter().take(MOST_SHOWN) {
                eprint_report(&rendered(Level::ERROR, problem, &all.sources));
            }
            if all.problems.len() > MOST_SHOWN {
                let more = all.problems.len() - MOST_SHOWN;
                eprint_report(&format!("and {more} more problems"));
            }
            let in_file = all.problems.iter().any(|problem| problem.place.source == 0);
            ExitCode::from(if in_file { FAILED } else { WRONG_USAGE })
        }
        LoadError::NotFound { name } => {
            let known = catena::systems::SYSTEMS.iter().map(|system| system.name);
            let lower = name.to_lowercase().replace(['_', ' '], "-");
            let system = lower.strip_suffix(".toml").unwrap_or(&lower);
            let with_ending = format!("{name}.toml");
            let help = match nearest(system, known) {
                _ if std::path::Path::new(&with_ending).is_file() => {
                    format!("did you mean the file `{with_ending}`?")
                }
                Some(near) => format!("did you mean `{near}`? `catena list` shows all of them"),
                None => "`catena list` shows the ready systems; `catena new FILE` writes a model"
                    .to_owned(),
            };
            self::error(&error.to_string(), Some(&help));
            ExitCode::from(WRONG_USAGE)
        }
        other => self::error(&other.to_string(), None),
    }
}

/// Shows a message that has no place in a file.
pub(crate) fn error(message: &str, help: Option<&str>) -> ExitCode {
    without_place(Level::ERROR, message, help);
    ExitCode::from(FAILED)
}

/// Says that a signal came before there was anything to keep; returns the exit code.
pub(crate) fn interrupted() -> ExitCode {
    without_place(Level::ERROR, "interrupted before anything was found", None);
    signals::exit_code().unwrap_or_else(|| ExitCode::from(FAILED))
}

/// Shows a warning that has no place in a file.
pub(crate) fn doubt(message: &str, help: Option<&str>) {
    without_place(Level::WARNING, message, help);
}

fn without_place(level: Level<'_>, message: &str, help: Option<&str>) {
    let mut group = annotate_snippets::Group::with_title(level.primary_title(message));
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    eprint_report(&Renderer::styled().render(&[group]));
}

/// Says why there is no run, in the words of the command line, and returns the exit code.
pub(crate) fn run_failure(failure: &RunFailure) -> ExitCode {
    let message = match failure {
        RunFailure::NotPositive { key, value } => {
            let option = RUN_OPTIONS.iter().find(|option| option.row.key == *key);
            let flag = option.map_or(*key, |option| option.row.flag);
            format!("`{flag}` must be greater than 0, not {}", plain(*value))
        }
        other => other.to_string(),
    };
    self::error(&message, run_help(failure).as_deref());
    ExitCode::from(if failure.is_usage() { WRONG_USAGE } else { FAILED })
}

/// What the library advises, with the flags and commands that do it.
fn run_help(failure: &RunFailure) -> Option<String> {
    match failure {
        RunFailure::TooManyRows { duration, .. } => {
            let most = catena::simulation::MAX_ROWS;
            Some(format!(
                "{most:e} can be kept: take --every {} or more",
                plain_above(duration / most)
            ))
        }
        RunFailure::EndBeforeStart { .. } => {
            Some("take a later --to, or an earlier --start".into())
        }
        RunFailure::NoFormulation { .. } => {
            Some("leave --formulation out, or take an integrator such as `dopri5`".into())
        }
        RunFailure::PrecisionOfProcessor => Some(
            "only a GPU computes in single precision: add --device gpu, or leave --precision out"
                .into(),
        ),
        RunFailure::Option(MethodOptionError::NotAnAssignment(_)) => {
            Some("write NAME=VALUE, as in --with omega=10".into())
        }
        RunFailure::Run(RunError::CannotBegin { .. }) => {
            Some("`catena list integrators` shows all methods".into())
        }
        RunFailure::Run(RunError::Assembly(_) | RunError::Broken(_)) => {
            Some("`catena check` says more about the start".into())
        }
        other => other.help(),
    }
}

/// Says why a question has no answer, with the flags of these options, and returns the exit code.
pub(crate) fn refusal(refusal: &Refusal, rows: &[&OptionRow]) -> ExitCode {
    if let Some(failure) = &refusal.run {
        return run_failure(failure);
    }
    let help = refusal.help_naming(|key| match key {
        "check" => "`catena check`".to_owned(),
        "set" => "--set".to_owned(),
        "equilibrium" => "`catena analyze equilibrium --all`".to_owned(),
        key => {
            let row = rows.iter().find(|row| row.key == key);
            format!("--{}", row.map_or(key, |row| row.flag))
        }
    });
    self::error(&refusal.message, help.as_deref());
    ExitCode::from(if refusal.is_usage { WRONG_USAGE } else { FAILED })
}

/// A warning with its place.
pub(crate) fn warning(problem: &Problem, sources: &[Source]) -> String {
    rendered(Level::WARNING, problem, sources)
}

/// Shows the warnings of a model that concern every result, on standard error.
pub(crate) fn warnings_about_results(model: &catena::Model) {
    let about_results = model.warnings.iter().filter(|warning| warning.kind.is_about_results());
    for problem in about_results.take(MOST_SHOWN) {
        eprint_report(&warning(problem, &model.sources));
    }
}

fn eprint_report(text: &str) {
    // where standard error cannot be written there is nobody to tell
    let _ = writeln!(anstream::stderr(), "{text}");
}

fn rendered(level: Level, problem: &Problem, sources: &[Source]) -> String {
    let message = problem.kind.to_string();
    let help = problem.kind.help().unwrap_or_default();
    let source = &sources[problem.place.source];
    let whole_file =
        matches!(problem.kind, ProblemKind::FileTooLarge { .. } | ProblemKind::EmptyModel);
    let title = if whole_file { format!("{}: {message}", source.name) } else { message };
    let mut group = annotate_snippets::Group::with_title(level.primary_title(title));
    if !whole_file {
        let snippet = Snippet::source(source.text.as_str())
            .path(source.name.as_str())
            .annotation(AnnotationKind::Primary.span(problem.place.span.clone()));
        group = group.element(snippet);
    }
    if !help.is_empty() {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::styled().render(&[group])
}
