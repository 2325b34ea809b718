//! What is too dense to be drawn point by point: only the cells it touches are shown, merged along rows.
//!
//! This serves long orbits that wind through one region again and again, and clouds of many points. No reader can
//! follow such a line, only see where it was.

use super::layout::Frame;
use super::text::number;
use crate::ink::Ink;
use crate::palette::Pen;
use std::fmt::Write;

/// The finest cell in pixels. Screens often have two dots to a pixel.
pub(super) const MIN_CELL_SIZE: f64 = 0.5;

/// Draws what `fill` inks, in strokes of at least `stroke` pixels, as finely as the size of `share` points allows.
pub(super) fn draw(
    svg: &mut String,
    frame: &Frame,
    fill: impl Fn(&mut Ink),
    pen: Pen,
    stroke: f64,
    share: usize,
) {
    // A run is written as two or three small integers, which take less room than a point.
    let most_runs = share + share / 2;
    let mut cell = MIN_CELL_SIZE;
    let (ink, runs) = loop {
        let mut ink = Ink::blank(
            (frame.width() / cell).ceil() as usize,
            (frame.height() / cell).ceil() as usize,
        );
        fill(&mut ink);
        let runs = ink.runs();
        if runs.len() <= most_runs || cell > frame.width() {
            break (ink, runs);
        }
        cell *= 1.25;
    };
    let size = [ink.width(), ink.height()];
    write_runs(svg, frame, size, &runs, pen, stroke.max(1.1 * cell));
}

/// Writes runs of cells, of which there are so many across and down, in strokes of so many pixels.
pub(super) fn write_runs(
    svg: &mut String,
    frame: &Frame,
    [width, height]: [usize; 2],
    runs: &[(usize, usize, usize)],
    pen: Pen,
    stroke: f64,
) {
    let (across, down) = (frame.width() / width as f64, frame.height() / height as f64);
    let _ = writeln!(
        svg,
        "<path transform=\"translate({} {}) scale({across:.5} {down:.5})\" d=\"{}\" fill=\"none\" stroke=\"{}\" \
         stroke-width=\"{}\" stroke-linecap=\"round\"/>",
        number(frame.left + 0.5 * across),
        number(frame.top + 0.5 * down),
        outline(runs),
        pen.colour,
        number(stroke / across),
    );
}

/// The runs as a path, with one cell as the unit: positions along a row are relative, which keeps them short.
fn outline(runs: &[(usize, usize, usize)]) -> String {
    let mut outline = String::new();
    let mut pen_at = None;
    for (row, column, length) in runs {
        let _ = match pen_at {
            Some((last_row, last_column)) if last_row == row => {
                write!(outline, "m{} 0", column - last_column)
            }
            _ => write!(outline, "M{column} {row}"),
        };
        let _ = write!(outline, "h{}", length - 1);
        pen_at = Some((row, column + length - 1));
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_in_one_row_follow_each_other() {
        assert_eq!(outline(&[(2, 3, 1), (2, 7, 4), (5, 0, 2)]), "M3 2h0m4 0h3M0 5h1");
    }
}
