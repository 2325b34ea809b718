//! The series of a panel as they lie in the plotted area: ranges chosen, lines broken, coordinates between 0 and 1.

use crate::figure::{Panel, Series};
use crate::range::Range;

/// A position: horizontal, then vertical.
pub(crate) type Point = [f64; 2];

/// Points joined by a line without a gap.
pub(crate) type Piece = Vec<Point>;

/// A panel's data, ready to be drawn at any size.
pub(crate) struct Traces {
    pub(crate) x: Range,
    pub(crate) y: Range,
    /// For each series its unbroken pieces, in fractions of the ranges from the lower left corner.
    pub(crate) pieces: Vec<Vec<Piece>>,
}

impl Traces {
    pub(crate) fn of(panel: &Panel) -> Traces {
        let mut pieces: Vec<Vec<Piece>> =
            panel.series.iter().map(|series| places(panel, series)).collect();
        let along =
            |axis: usize| pieces.iter().flatten().flatten().map(move |point: &Point| point[axis]);
        let x = Range::around(panel.x.scale, along(0));
        let y = Range::around(panel.y.scale, along(1));
        for point in pieces.iter_mut().flatten().flatten() {
            *point = [x.fraction(point[0]), y.fraction(point[1])];
        }
        Traces { x, y, pieces }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.iter().all(Vec::is_empty)
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
    use crate::figure::{Axis, Scale};

    fn traces(y: &[f64], scale: Scale) -> Traces {
        let x: Vec<f64> = (0..y.len()).map(|index| index as f64).collect();
        let vertical = Axis { label: String::new(), scale };
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
