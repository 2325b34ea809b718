//! A panel as text: Braille dots, eight to a character, between axes of box-drawing lines.
//!
//! The given size holds everything. When it is small, the rows go to the data first: labels and legend appear only
//! where enough remains for the curves.

mod axes;
mod canvas;
mod legend;
mod text;

use crate::figure::Panel;
use crate::markup::unicode;
use crate::trace::Traces;
use axes::{HorizontalAxis, VerticalAxis};
use text::{BOLD, RESET, cut};

/// What is shown around the plotted area.
struct Rows {
    title: bool,
    vertical_label: bool,
    axis: bool,
    horizontal_label: bool,
    plot: usize,
}

impl Rows {
    /// Divides the rows: each kind of decoration needs its minimum of rows in total.
    fn divide(
        panel: &Panel,
        rows: usize,
        legend: usize,
        vertical_label: bool,
        horizontal_label: bool,
    ) -> Rows {
        let title = rows >= 9 && !panel.title.trim().is_empty();
        let vertical_label = rows >= 7 && vertical_label;
        let axis = rows >= 4;
        let horizontal_label = rows >= 8 && horizontal_label;
        let labels =
            [title, vertical_label, horizontal_label].into_iter().filter(|shown| *shown).count();
        let used = labels + 2 * usize::from(axis) + legend;
        Rows { title, vertical_label, axis, horizontal_label, plot: rows - used }
    }
}

pub(crate) fn draw(panel: &Panel, columns: usize, rows: usize) -> String {
    if columns == 0 || rows == 0 {
        return String::new();
    }
    let traces = Traces::of(panel);
    let legend = legend::lines(panel, columns, legend::most_lines(rows));
    // Notes take rows, and whether there are any depends on the rows that are left: a first guess settles it.
    let guess = VerticalAxis::of(panel, &traces, rows);
    let note_below = HorizontalAxis::of(panel, &traces, columns.saturating_sub(guess.width())).note;
    let vertical_label = !panel.vertical_label().is_empty() || !guess.note.is_empty();
    let horizontal_label = !panel.x.label.is_empty() || !note_below.is_empty();
    let rows = Rows::divide(panel, rows, legend.len(), vertical_label, horizontal_label);
    let vertical = VerticalAxis::of(panel, &traces, rows.plot);
    let gutter = if rows.axis && vertical.width() + 8 <= columns { vertical.width() } else { 0 };
    let horizontal = HorizontalAxis::of(panel, &traces, columns - gutter);

    let mut lines = Vec::new();
    if rows.title {
        lines.push(format!("{BOLD}{}{RESET}", cut(panel.title.trim(), columns)));
    }
    if rows.vertical_label {
        lines.push(cut(&with_note(&unicode(panel.vertical_label()), &vertical.note), columns));
    }
    for (row, dots) in
        canvas::lines(panel, &traces, columns - gutter, rows.plot).into_iter().enumerate()
    {
        lines.push(if gutter > 0 { vertical.line(row) + &dots } else { dots });
    }
    if rows.axis {
        let corner =
            if gutter > 0 { format!("{}└", " ".repeat(gutter - 1)) } else { String::new() };
        lines.push(corner + &horizontal.axis);
        lines.push(" ".repeat(gutter) + &horizontal.labels);
    }
    if rows.horizontal_label {
        let label = cut(&with_note(&unicode(&panel.x.label), &horizontal.note), columns - gutter);
        lines.push(" ".repeat(gutter + (columns - gutter - text::width(&label)) / 2) + &label);
    }
    lines.extend(legend);
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

fn with_note(label: &str, note: &str) -> String {
    format!("{label}  {note}").trim().to_owned()
}
