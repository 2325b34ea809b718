//! A series as cells of a grid: neighbours in a row are one rectangle.

use super::layout::Frame;
use super::text::number;
use crate::palette::Pen;
use crate::trace::{CellGrid, Piece, Point};
use std::fmt::Write;

/// Cells are not drawn finer than this, in pixels: of smaller ones every other row and column is left out.
const MIN_CELL_SIZE: f64 = 0.5;
/// How much of a cell may lie between two that touch.
const TOUCHING: f64 = 1.5;

/// Draws a cell around each point.
pub(super) fn draw(svg: &mut String, frame: &Frame, pieces: &[Piece], grid: CellGrid, pen: Pen) {
    let CellGrid { first: origin, size } = grid;
    let shown = [frame.width() * size[0], frame.height() * size[1]];
    let stride = shown.map(|side| (MIN_CELL_SIZE / side).ceil().max(1.0) as i64);
    let side = [0, 1].map(|axis| size[axis] * stride[axis] as f64);
    let place =
        |point: &Point, axis: usize| ((point[axis] - origin[axis]) / size[axis]).round() as i64;
    let kept = |point: &Point| (0..2).all(|axis| place(point, axis) % stride[axis] == 0);
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

    /// Middles of cells that lie half way between multiples of their size fall into no other row by rounding.
    #[test]
    fn no_row_of_a_map_is_left_out() {
        let rows = 400;
        let y: Vec<f64> = (0..rows).map(|at| 0.3 + 0.7 * f64::from(at) / 399.0).collect();
        let half = 0.35 / 399.0;
        let axis = Axis { range: Some([0.3 - half, 1.0 + half]), ..Axis::linear("y") };
        let panel = Panel::new("", Axis::linear("x"), axis);
        let svg = Figure::from(panel.with(Series::cells("", vec![0.0; 400], y))).to_svg();
        let path = svg.split("crispEdges\" d=\"").nth(1).and_then(|path| path.split('"').next());
        assert_eq!(path.expect("a path").matches('M').count(), rows as usize);
    }

    #[test]
    fn maps_are_not_drawn_finer_than_they_are_seen() {
        // two million rectangles if every cell were drawn
        assert!(rectangles(3000, 2000) < 700_000);
    }
}
