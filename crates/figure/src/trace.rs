//! The series of a panel as they lie in the plotted area: ranges chosen, lines broken, coordinates between 0 and 1.

use crate::axis::Axis;
use crate::clip;
use crate::figure::{Figure, Panel};
use crate::range::Range;
use crate::series::{Series, Style};

/// A position: horizontal, then vertical.
pub(crate) type Point = [f64; 2];

/// Points joined by a line without a gap.
pub(crate) type Piece = Vec<Point>;

/// Places that are nearer than this part of an axis are one and the same, but for rounding.
const MIN_CELL_PART: f64 = 1e-7;

/// A panel's data, ready to be drawn at any size.
pub(crate) struct Traces {
    pub(crate) x: Range,
    pub(crate) y: Range,
    /// For each series its unbroken pieces, in fractions of the ranges from the lower left corner.
    pub(crate) pieces: Vec<Vec<Piece>>,
}

/// Where the cells of a map lie, as parts of the plotted area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CellGrid {
    /// The middle of the cell in the lower left corner.
    pub(crate) first: Point,
    /// The distance of the middles of neighbours.
    pub(crate) size: Point,
}

impl Traces {
    pub(crate) fn of(panel: &Panel) -> Traces {
        Traces::over(panel, None)
    }

    /// The same over a horizontal range that is given.
    fn over(panel: &Panel, shared: Option<Range>) -> Traces {
        let mut pieces: Vec<Vec<Piece>> =
            panel.series.iter().map(|series| places(panel, series)).collect();
        let along =
            |axis: usize| pieces.iter().flatten().flatten().map(move |point: &Point| point[axis]);
        let x = shared.unwrap_or_else(|| chosen(&panel.x, along(0)));
        let y = chosen(&panel.y, along(1));
        for point in pieces.iter_mut().flatten().flatten() {
            *point = [x.fraction(point[0]), y.fraction(point[1])];
        }
        if panel.x.leaves_out() || panel.y.leaves_out() || shared.is_some() {
            for (series, pieces) in panel.series.iter().zip(&mut pieces) {
                // a mark stands at a point of the data, never where a line was cut
                let cut = if series.style.has_marks() { clip::points } else { clip::line };
                *pieces = pieces.iter().flat_map(cut).collect();
            }
        }
        Traces { x, y, pieces }
    }

    /// Widens one range until a unit has the same length on both axes of an area that is `aspect` times as wide as high.
    pub(crate) fn equalise(&mut self, aspect: f64) {
        let widened = |range: Range, extent: f64| {
            let middle = range.at(0.5);
            Range { low: middle - 0.5 * extent, high: middle + 0.5 * extent }
        };
        let (width, height) = (self.x.high - self.x.low, self.y.high - self.y.low);
        let extent = (width / aspect).max(height);
        let (x, y) = (widened(self.x, extent * aspect), widened(self.y, extent));
        if !(x.low < x.high && y.low < y.high && (extent * aspect).is_finite()) {
            return;
        }
        for point in self.pieces.iter_mut().flatten().flatten() {
            *point = [x.fraction(self.x.at(point[0])), y.fraction(self.y.at(point[1]))];
        }
        (self.x, self.y) = (x, y);
    }

    /// The grid that the cells of a panel make up.
    pub(crate) fn cell_grid(&self, panel: &Panel) -> CellGrid {
        let cells = || {
            let all = panel.series.iter().zip(&self.pieces);
            all.filter(|(series, _)| series.style == Style::Cells).flat_map(|(_, pieces)| pieces)
        };
        let ends = [0, 1].map(|axis| {
            let mut places: Vec<f64> = cells().flatten().map(|point| point[axis]).collect();
            places.sort_by(f64::total_cmp);
            let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
            let least = gaps.filter(|gap| *gap > MIN_CELL_PART).fold(f64::INFINITY, f64::min);
            let size = if least.is_finite() { least } else { 1.0 };
            (places.first().copied().unwrap_or(0.0), size)
        });
        CellGrid { first: ends.map(|(first, _)| first), size: ends.map(|(_, size)| size) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.iter().all(Vec::is_empty)
    }
}

/// The traces of all panels, over one horizontal range where they share the axis.
pub(crate) fn shared_traces(figure: &Figure) -> Vec<Traces> {
    let mut traces: Vec<Traces> = figure.panels.iter().map(Traces::of).collect();
    if figure.shares_x() {
        let filled = || traces.iter().filter(|trace| !trace.is_empty());
        let low = filled().map(|trace| trace.x.low).fold(f64::INFINITY, f64::min);
        let high = filled().map(|trace| trace.x.high).fold(f64::NEG_INFINITY, f64::max);
        if low < high {
            let shared = Some(Range { low, high });
            traces = figure.panels.iter().map(|panel| Traces::over(panel, shared)).collect();
        }
    }
    traces
}

/// The range of an axis: as it was given, or around the data.
fn chosen(axis: &Axis, places: impl Iterator<Item = f64>) -> Range {
    let given = axis.range.and_then(|ends| Range::between(axis.scale, ends));
    match axis.names.len() {
        // half a place on either side of the first thing and the last
        count if count > 0 => Range { low: 0.5, high: count as f64 + 0.5 },
        _ => given.unwrap_or_else(|| Range::around(axis.scale, axis.magnitude, places)),
    }
}

/// The points of a series in places, broken where one has none.
fn places(panel: &Panel, series: &Series) -> Vec<Piece> {
    let mut pieces = vec![Piece::new()];
    for (x, y) in series.x.iter().zip(&series.y) {
        match (panel.x.scale.place(*x), panel.y.scale.place(*y)) {
            (Some(x), Some(y)) => {
                pieces.last_mut().expect("there is always a last piece").push([x, y])
            }
            _ if pieces.last().is_some_and(Vec::is_empty) => {}
            _ => pieces.push(Piece::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Scale;

    fn traces(y: &[f64], scale: Scale) -> Traces {
        let x: Vec<f64> = (0..y.len()).map(|index| index as f64).collect();
        let vertical = Axis { scale, ..Axis::default() };
        Traces::of(&Panel::new("", Axis::linear(""), vertical).with(Series::line("", x, y)))
    }

    #[test]
    fn a_missing_value_breaks_the_line() {
        let lengths =
            |y: &[f64], scale| traces(y, scale).pieces[0].iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(&[1.0, 2.0, f64::NAN, f64::INFINITY, 3.0], Scale::Linear), [2, 1]);
        assert_eq!(lengths(&[f64::NAN, 2.0, 3.0, 4.0, f64::NAN], Scale::Linear), [3]);
        assert_eq!(lengths(&[1.0, -1.0, 10.0, 0.0, 10.0], Scale::Logarithmic), [1, 1, 1]);
        assert_eq!(lengths(&[f64::NAN], Scale::Linear), [0usize; 0]);
    }

    #[test]
    fn fractions_follow_the_scale() {
        let traces = traces(&[1.0, 10.0, 100.0], Scale::Logarithmic);
        assert!((traces.pieces[0][0][1][1] - 0.5).abs() < 1e-15);
        assert!((traces.pieces[0][0][0][0] - 0.04 / 1.08).abs() < 1e-15);
    }
}
