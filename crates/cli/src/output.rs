//! Writing to the terminal or a pipe: colours only where they are seen.

use crate::signals;
use catena::analysis::Tone;
use std::io::Write;
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

/// The word in front of a remark.
pub(crate) fn mark(tone: Tone, mark: &str) -> String {
    match tone {
        Tone::Remark => yellow(mark),
        Tone::Failure => red(mark),
    }
}
