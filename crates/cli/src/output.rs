//! Writing to the terminal or a pipe: colours only where they are seen.

use crate::signals;
use catena::analysis::Tone;
use catena::simulation::Grade;
use catena::simulation::Table;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Prints text to standard output, after everything that is kept in files. A reader that went away (`catena derive … |
/// head`) is no error.
pub(crate) fn print(text: &str) -> ExitCode {
    signals::release();
    match anstream::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => crate::report::error(&format!("cannot write the output: {error}"), None),
    }
}

/// Whether a table goes to standard output: `-o -`.
pub(crate) fn is_standard(path: Option<&Path>) -> bool {
    path.is_some_and(|path| path == "-")
}

/// Prints words: to standard output, or to standard error where that has a table.
pub(crate) fn print_beside(table: Option<&Table>, words: &str) -> ExitCode {
    let Some(table) = table else { return print(words) };
    let printed = print(&catena::csv_text(table));
    // where standard error cannot be written there is nobody to tell
    let _ = anstream::stderr().lock().write_all(words.as_bytes());
    printed
}

/// Says that a table and everything else cannot both go to standard output.
pub(crate) fn refuse_two_outputs(path: Option<&Path>, json: bool) -> Result<(), ExitCode> {
    if !(json && is_standard(path)) {
        return Ok(());
    }
    let message = "the table and the JSON object cannot both go to standard output";
    crate::report::error(message, Some("leave out --json, or name a file"));
    Err(ExitCode::from(crate::WRONG_USAGE))
}

/// Rows of a picture in the terminal.
pub(crate) const PLOT_ROWS: usize = 20;

/// Columns of the terminal; 80 where there is none.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).clamp(20, 160)
}

/// Bold, where colours are shown.
pub(crate) fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// Yellow, where colours are shown.
pub(crate) fn yellow(text: &str) -> String {
    format!("\x1b[33m{text}\x1b[0m")
}

/// Green, where colours are shown.
pub(crate) fn green(text: &str) -> String {
    format!("\x1b[32m{text}\x1b[0m")
}

/// Red, where colours are shown.
pub(crate) fn red(text: &str) -> String {
    format!("\x1b[31m{text}\x1b[0m")
}

/// A word in the colour of a grade.
pub(crate) fn graded(grade: Grade, word: &str) -> String {
    match grade {
        Grade::Good => green(word),
        Grade::Doubtful => yellow(word),
        Grade::Wrong => red(word),
    }
}

/// The word in front of a remark.
pub(crate) fn mark(tone: Tone, mark: &str) -> String {
    match tone {
        Tone::Remark => yellow(mark),
        Tone::Failure => red(mark),
    }
}
