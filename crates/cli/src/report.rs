//! Problems shown where they are in the file, with what to do about them.

use crate::{FAILED, WRONG_USAGE};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use catena::model::{Problem, ProblemKind};
use catena::{LoadError, Source};
use catena_symbolic::nearest;
use std::process::ExitCode;

/// More problems than this are counted, not shown.
const MOST_SHOWN: usize = 10;
/// A line longer than this is shown in part, around the place.
const LONGEST_LINE: usize = 200;

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
    anstream::eprintln!("{text}");
}

fn rendered(level: Level, problem: &Problem, sources: &[Source]) -> String {
    let message = problem.kind.to_string();
    let help = problem.kind.help().unwrap_or_default();
    let source = &sources[problem.place.source];
    let whole_file =
        matches!(problem.kind, ProblemKind::FileTooLarge { .. } | ProblemKind::EmptyModel);
    let title = if whole_file { format!("{}: {message}", source.name) } else { message };
    let mut group = annotate_snippets::Group::with_title(level.primary_title(title));
    let (text, line, span) = excerpt(&source.text, problem.place.span.clone());
    if !whole_file {
        let snippet = Snippet::source(text)
            .path(source.name.as_str())
            .line_start(line)
            .annotation(AnnotationKind::Primary.span(span));
        group = group.element(snippet);
    }
    if !help.is_empty() {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::styled().render(&[group])
}

/// The line of the place with its number; a very long line is cut around it.
fn excerpt(text: &str, span: std::ops::Range<usize>) -> (&str, usize, std::ops::Range<usize>) {
    let boundary = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (boundary(span.start), boundary(span.end));
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let line = text[..line_start].matches('\n').count() + 1;
    let first = if start - line_start > LONGEST_LINE {
        boundary(start - LONGEST_LINE / 2)
    } else {
        line_start
    };
    let last =
        if line_end - start > LONGEST_LINE { boundary(start + LONGEST_LINE) } else { line_end };
    let end = end.min(last);
    (&text[first..last], line, start - first..end.max(start) - first)
}
