//! A series as marks: shapes where they can be told apart, dots where they are many.

use super::dense;
use super::layout::Frame;
use super::text::number;
use crate::ink::Ink;
use crate::palette::{Mark, Pen};
use crate::trace::{Piece, Point};
use std::fmt::Write;

/// Beyond this number shapes would cover each other.
const MAX_SHAPES: usize = 400;

/// What a shape costs in the size of the file, counted in points of a line.
const COST_OF_SHAPE: usize = 5;

/// Draws a mark at each point, with the size of about `share` points at most.
pub(super) fn draw(svg: &mut String, frame: &Frame, pieces: &[Piece], pen: Pen, share: usize) {
    let count: usize = pieces.iter().map(Vec::len).sum();
    if count <= MAX_SHAPES.min(share / COST_OF_SHAPE) {
        draw_shapes(svg, pieces.iter().flatten().map(|point| frame.at(*point).into()), pen);
    } else {
        let size = if count > 3000 { 1.5 } else { 2.4 };
        let fill = |ink: &mut Ink| pieces.iter().flatten().for_each(|point| ink.dot(*point));
        dense::draw(svg, frame, fill, pen, size, share);
    }
}

/// Draws one mark for the legend, as a series of this many points shows it.
pub(super) fn draw_sample(svg: &mut String, point: Point, pen: Pen, points: usize) {
    let mark = if points <= MAX_SHAPES { pen.mark } else { Mark::Circle };
    draw_shapes(svg, std::iter::once(point), Pen { mark, ..pen });
}

/// Draws the shape of the pen at each point.
fn draw_shapes(svg: &mut String, points: impl Iterator<Item = Point>, pen: Pen) {
    let outline: String = points.map(|point| shape(pen.mark, point)).collect();
    if outline.is_empty() {
        return;
    }
    let colour = pen.colour;
    let paint = match pen.mark {
        Mark::Plus | Mark::Cross => format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\""),
        // The white rim keeps marks apart where they overlap.
        _ => format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.8\""),
    };
    let _ = writeln!(svg, "<path d=\"{outline}\" {paint}/>");
}

/// The outline around a point, about eight pixels wide. Sizes differ a little so that all shapes look equally large.
fn shape(mark: Mark, [x, y]: Point) -> String {
    let start = |right: f64, down: f64| format!("M{} {}", number(x + right), number(y + down));
    match mark {
        Mark::Circle => start(-4.0, 0.0) + "a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
        Mark::Square => start(-3.6, -3.6) + "h7.2v7.2h-7.2z",
        Mark::Triangle => start(0.0, -4.8) + "l4.6 8.2h-9.2z",
        Mark::InvertedTriangle => start(0.0, 4.8) + "l4.6-8.2h-9.2z",
        Mark::Diamond => start(0.0, -5.0) + "l5 5l-5 5l-5-5z",
        Mark::Plus => start(-4.4, 0.0) + "h8.8m-4.4-4.4v8.8",
        Mark::Cross => start(-3.4, -3.4) + "l6.8 6.8m0-6.8l-6.8 6.8",
    }
}
