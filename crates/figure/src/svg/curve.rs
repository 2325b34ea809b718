//! A series as a line.

use super::dense;
use super::layout::Frame;
use super::text::number;
use crate::ink::Ink;
use crate::palette::Pen;
use crate::thin::thinned;
use crate::trace::Piece;
use std::fmt::Write;

/// Width of a line, pixels.
const STROKE_WIDTH: f64 = 1.6;

/// Draws the pieces with about `share` points at most.
pub(super) fn draw(svg: &mut String, frame: &Frame, pieces: &[Piece], pen: Pen, share: usize) {
    let pixels: Vec<Piece> = pieces.iter().map(|piece| in_pixels(frame, piece)).collect();
    match thinned(&pixels, share) {
        Some(pixels) => draw_lines(svg, &pixels, pen),
        None => {
            let fill = |ink: &mut Ink| pieces.iter().for_each(|piece| ink.line(piece));
            dense::draw(svg, frame, fill, pen, STROKE_WIDTH, share);
        }
    }
}

fn in_pixels(frame: &Frame, piece: &Piece) -> Piece {
    piece.iter().map(|point| frame.at(*point).into()).collect()
}

fn draw_lines(svg: &mut String, pieces: &[Piece], pen: Pen) {
    let dashes = if pen.dashes.is_empty() {
        // a line without extent is seen as a dot
        " stroke-linecap=\"round\"".to_owned()
    } else {
        format!(" stroke-dasharray=\"{}\"", pen.dashes)
    };
    let _ = writeln!(
        svg,
        "<g fill=\"none\" stroke=\"{}\" stroke-width=\"{STROKE_WIDTH}\" stroke-linejoin=\"round\"{dashes}>",
        pen.colour
    );
    for piece in pieces.iter().filter(|piece| piece.len() > 1) {
        let points: Vec<String> =
            piece.iter().map(|[x, y]| format!("{},{}", number(*x), number(*y))).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\"/>", points.join(" "));
    }
    svg.push_str("</g>\n");
    // A point without neighbours has no line, but is data all the same.
    let alone = pieces.iter().filter(|piece| piece.len() == 1).map(|piece| piece[0]);
    let dots: String = alone.map(|[x, y]| format!("M{} {}h0", number(x), number(y))).collect();
    if !dots.is_empty() {
        let _ = writeln!(
            svg,
            "<path d=\"{dots}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>",
            pen.colour,
            2.0 * STROKE_WIDTH
        );
    }
}
