//! Problems shown where they are in the file, with what to do about them.

use crate::{FAILED, WRONG_USAGE};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use catena::model::{Problem, ProblemKind};
use catena::{LoadError, Source};
use catena_symbolic::nearest;
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
            let help = match nearest(name, known) {
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
    let mut group = annotate_snippets::Group::with_title(Level::ERROR.primary_title(message));
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help));
    }
    eprint_report(&Renderer::styled().render(&[group]));
    ExitCode::from(FAILED)
}

/// A warning with its place.
pub(crate) fn warning(problem: &Problem, sources: &[Source]) -> String {
    rendered(Level::WARNING, problem, sources)
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
