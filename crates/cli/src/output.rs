//! Writing to the terminal or a pipe: colours only where they are seen.

use std::io::Write;
use std::process::ExitCode;

/// Prints text to standard output. A reader that went away (`catena derive … | head`) is no error.
pub(crate) fn print(text: &str) -> ExitCode {
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

/// Rows under their headings, the first column to the left and the others to the right.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let wide = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = headings.iter().map(|heading| wide(heading)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(wide(cell));
        }
    }
    let line = |cells: &[&str]| {
        let mut text = String::new();
        for (at, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - wide(cell));
            match at {
                0 => text += &format!("{cell}{gap}"),
                _ => text += &format!("  {gap}{cell}"),
            }
        }
        text.trim_end().to_owned()
    };
    let mut text = format!("{}\n", bold(&line(headings)));
    for row in rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        text += &format!("{}\n", line(&cells));
    }
    text
}

/// A time in the unit that suits it.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}

/// Bold, where colours are shown.
pub(crate) fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// Yellow, where colours are shown.
pub(crate) fn yellow(text: &str) -> String {
    format!("\x1b[33m{text}\x1b[0m")
}

/// Red, where colours are shown.
pub(crate) fn red(text: &str) -> String {
    format!("\x1b[31m{text}\x1b[0m")
}
