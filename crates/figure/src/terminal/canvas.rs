//! The plotted area in Braille dots.

use super::text::{RESET, colour};
use crate::figure::Panel;
use crate::ink::Ink;
use crate::palette::Pen;
use crate::trace::Traces;

/// Dots in one character, across and down.
const DOTS_ACROSS: usize = 2;
const DOTS_DOWN: usize = 4;

/// The bit of each dot, by row and column. The lowest row came late to Braille, hence the order.
const DOT_BITS: [[u8; DOTS_ACROSS]; DOTS_DOWN] =
    [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// One character of the area.
#[derive(Clone, Copy, Default)]
struct Character {
    dots: u8,
    /// A mark, which replaces the dots.
    mark: Option<char>,
    /// The series in front.
    series: Option<usize>,
}

/// The area in lines. Where series meet, their dots share a character, in the colour of the one in front.
pub(super) fn lines(panel: &Panel, traces: &Traces, columns: usize, rows: usize) -> Vec<String> {
    let mut cells = vec![vec![Character::default(); columns]; rows];
    for (index, series) in panel.series.iter().enumerate() {
        let pieces = &traces.pieces[index];
        let mut ink = Ink::blank(DOTS_ACROSS * columns, DOTS_DOWN * rows);
        if series.style.has_line() {
            pieces.iter().for_each(|piece| ink.line(piece));
        } else {
            pieces.iter().flatten().for_each(|point| ink.dot(*point));
        }
        for (row, line) in cells.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                let dots = dots(&ink, column, row);
                if dots != 0 {
                    *cell =
                        Character { dots: cell.dots | dots, mark: cell.mark, series: Some(index) };
                }
            }
        }
    }
    // Marks come in front of all lines, which would otherwise hide them. Many of them are better seen as dots.
    for (index, series) in panel.series.iter().enumerate() {
        let points = traces.pieces[index].iter().flatten();
        if series.style.has_marks() && points.clone().count() <= columns {
            let grid = Ink::blank(columns, rows);
            for point in points {
                let (column, row) = grid.cell(*point);
                cells[row][column] = Character {
                    dots: 0,
                    mark: Some(Pen::of(panel, index).mark.glyph()),
                    series: Some(index),
                };
            }
        }
    }
    cells.iter().map(|line| painted(panel, line)).collect()
}

fn dots(ink: &Ink, column: usize, row: usize) -> u8 {
    let mut dots = 0;
    for (down, bits) in DOT_BITS.iter().enumerate() {
        for (across, bit) in bits.iter().enumerate() {
            if ink.is_inked(DOTS_ACROSS * column + across, DOTS_DOWN * row + down) {
                dots |= bit;
            }
        }
    }
    dots
}

/// The cells as text, with an escape code wherever the colour changes.
fn painted(panel: &Panel, cells: &[Character]) -> String {
    let mut text = String::new();
    let mut current = None;
    let end = cells.iter().rposition(|cell| cell.series.is_some()).map_or(0, |last| last + 1);
    for cell in &cells[..end] {
        if cell.series.is_some() && cell.series != current {
            current = cell.series;
            text.extend(cell.series.map(|index| colour(Pen::of(panel, index).terminal_colour)));
        }
        text.push(match (cell.mark, cell.dots) {
            (Some(mark), _) => mark,
            (None, 0) => ' ',
            (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
        });
    }
    if current.is_some() {
        text.push_str(RESET);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::series::Series;

    fn drawn(series: Series, columns: usize, rows: usize) -> Vec<String> {
        let panel = Panel::new("", Axis::linear(""), Axis::linear("")).with(series);
        lines(&panel, &Traces::of(&panel), columns, rows)
    }

    #[test]
    fn a_rising_line_fills_the_diagonal() {
        let lines = drawn(Series::line("", [0.0, 1.0], [0.0, 1.0]), 2, 1);
        assert_eq!(lines, ["\u{1b}[38;5;33m⡠⠊\u{1b}[0m"]);
    }

    #[test]
    fn few_marks_are_shapes_and_many_are_dots() {
        assert!(drawn(Series::marks("", [0.0, 1.0], [0.0, 1.0]), 10, 3).concat().contains('●'));
        let many: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(!drawn(Series::marks("", many.clone(), many), 10, 3).concat().contains('●'));
    }
}
