//! A series as cells of a grid: neighbours in a row are one rectangle.

use super::layout::Frame;
use super::text::number;
use crate::palette::Pen;
use crate::trace::{Piece, Point};
use std::fmt::Write;

/// Cells are not drawn finer than this, in pixels: of smaller ones every other row and column is left out.
const MIN_CELL_SIZE: f64 = 0.5;
/// How much of a cell may lie between two that touch.
const TOUCHING: f64 = 1.5;

/// Draws a cell around each point; `size` is that of a cell as a part of the plotted area.
pub(super) fn draw(svg: &mut String, frame: &Frame, pieces: &[Piece], size: Point, pen: Pen) {
    let shown = [frame.width() * size[0], frame.height() * size[1]];
    let stride = shown.map(|side| (MIN_CELL_SIZE / side).ceil().max(1.0));
    let side = [size[0] * stride[0], size[1] * stride[1]];
    let place = |point: &Point, axis: usize| (point[axis] / side[axis]).round() as i64;
    let kept = |point: &Point| {
        let near = |axis: usize| {
            let way = point[axis] / side[axis];
            // of a coarser grid those cells are kept that lie nearest to its lines
            (way - way.round()).abs() * stride[axis] <= 0.5 + 1e-6
        };
        (stride[0] == 1.0 || near(0)) && (stride[1] == 1.0 || near(1))
    };
    let mut points: Vec<Point> =
        pieces.iter().flatten().filter(|point| kept(point)).copied().collect();
    points.sort_by(|a, b| place(a, 1).cmp(&place(b, 1)).then(a[0].total_cmp(&b[0])));
    let touch =
        |a: &Point, b: &Point| place(a, 1) == place(b, 1) && b[0] - a[0] <= TOUCHING * side[0];
    let mut outline = String::new();
    for run in points.chunk_by(touch) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let corner = |at: f64, up: f64| {
            let inside = |part: f64| part.clamp(0.0, 1.0);
            frame.at([inside(at), inside(first[1] + up * side[1])])
        };
        let (left, bottom) = corner(first[0] - 0.5 * side[0], -0.5);
        let (right, top) = corner(last[0] + 0.5 * side[0], 0.5);
        let (left, right) = (number(left), number(right));
        let _ = write!(outline, "M{left} {}H{right}V{}H{left}z", number(bottom), number(top));
    }
    if !outline.is_empty() {
        let colour = pen.colour;
        let _ = writeln!(
            svg,
            "<path shape-rendering=\"crispEdges\" d=\"{outline}\" fill=\"{colour}\"/>"
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::{Axis, Figure, Panel, Series};

    fn rectangles(columns: usize, rows: usize) -> usize {
        let cells = |odd: bool| {
            let all = (0..columns * rows).map(|at| (at % columns, at / columns));
            let own = all.filter(|(column, row)| (column / 3 + row) % 2 == usize::from(odd));
            let (x, y): (Vec<f64>, Vec<f64>) = own.map(|(x, y)| (x as f64, y as f64)).unzip();
            Series::cells(if odd { "odd" } else { "even" }, x, y)
        };
        let panel = Panel::new("", Axis::linear("x"), Axis::linear("y"));
        let svg = Figure::from(panel.with(cells(false)).with(cells(true))).to_svg();
        let paths = svg.split("crispEdges\" d=\"").skip(1);
        paths.map(|path| path.split('"').next().unwrap_or("").matches('M').count()).sum()
    }

    #[test]
    fn neighbours_in_a_row_are_one_rectangle() {
        assert_eq!(rectangles(6, 4), 2 * 4);
        assert_eq!(rectangles(9, 1), 3);
    }

    #[test]
    fn maps_are_not_drawn_finer_than_they_are_seen() {
        // two million rectangles if every cell were drawn
        assert!(rectangles(3000, 2000) < 700_000);
    }
}
