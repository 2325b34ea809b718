//! Where names stand: beside their points, and where there is room, not on top of each other.

use super::piece::Piece;
use super::view::View;
use super::world::{Vector, place};
use catena_model::Film;

/// A letter of a name, px.
const LETTER_WIDTH: f64 = 6.1;
const LETTER_HEIGHT: f64 = 11.0;
/// Room that pins take, px.
const PIN: f64 = 5.0;
/// Steps away from a point that are tried, px.
const STEPS: [f64; 3] = [0.0, 12.0, 24.0];

/// With more names than this, one lies on another wherever it stands.
const MAX_PLACED_NAMES: usize = 300;

/// A rectangle: left, top, right, bottom, px.
type Area = [f64; 4];

/// Finds a place for every name in the first frame.
pub(super) fn place_names(film: &Film, view: &View, pieces: &mut [Piece]) {
    let names = pieces.iter().filter(|piece| matches!(piece, Piece::Name { .. }));
    if names.count() > MAX_PLACED_NAMES {
        return;
    }
    let at = |anchor| view.point(place(film, anchor, 0));
    let pins = pieces.iter().filter_map(|piece| match piece {
        Piece::Pin { ends, .. } => {
            let [x, y] = at(ends[1]);
            Some([x - PIN, y - PIN, x + PIN, y + PIN])
        }
        _ => None,
    });
    let mut taken: Vec<Area> = pins.collect();
    for piece in pieces {
        if let Piece::Name { at: anchor, text, offset } = piece {
            let point = at(*anchor);
            let width = LETTER_WIDTH * text.chars().count() as f64;
            let mut best = (f64::INFINITY, *offset);
            for candidate in offsets(width) {
                let area = area(point, candidate, width);
                let beyond = outside(area, view);
                let cost = taken.iter().map(|other| overlap(area, *other)).sum::<f64>() + beyond;
                if cost < best.0 {
                    best = (cost, candidate);
                }
                if cost == 0.0 {
                    break;
                }
            }
            *offset = best.1;
            taken.push(area(point, best.1, width));
        }
    }
}

/// Above to the right, below to the right, to the left, and farther away.
fn offsets(width: f64) -> impl Iterator<Item = Vector> {
    STEPS.into_iter().flat_map(move |step| {
        [
            [7.0, -7.0 - step],
            [7.0, 15.0 + step],
            [-7.0 - width, -7.0 - step],
            [-7.0 - width, 15.0 + step],
            [-0.5 * width, -10.0 - step],
            [-0.5 * width, 19.0 + step],
        ]
    })
}

fn area(point: Vector, offset: Vector, width: f64) -> Area {
    let (left, bottom) = (point[0] + offset[0], point[1] + offset[1]);
    [left, bottom - LETTER_HEIGHT, left + width, bottom + 2.0]
}

/// The area that two rectangles share, px².
fn overlap(a: Area, b: Area) -> f64 {
    let width = a[2].min(b[2]) - a[0].max(b[0]);
    let height = a[3].min(b[3]) - a[1].max(b[1]);
    if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
}

/// What of a rectangle lies outside the picture, px².
fn outside(area: Area, view: &View) -> f64 {
    let whole = (area[2] - area[0]) * (area[3] - area[1]);
    whole - overlap(area, [0.0, 0.0, view.width, view.height])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_that_touch_share_nothing() {
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 2.0, 1.0]), 0.0);
        assert_eq!(overlap([0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0]), 1.0);
    }
}
