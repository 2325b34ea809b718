//! Lines cut where they leave the plotted area.
//!
//! # Equations
//! A segment a + s (b − a) lies between the four edges for s from the largest of the entries to the smallest of the
//! exits (Liang and Barsky 1984).

use crate::trace::{Piece, Point};

/// Points further away than this, in widths of the square, are as good as here.
const FAR: f64 = 1e9;

/// The parts of a line inside the unit square.
pub(crate) fn line(piece: &Piece) -> Vec<Piece> {
    let mut parts: Vec<Piece> = vec![Piece::new()];
    if let [only] = piece.as_slice() {
        return points(&vec![*only]);
    }
    for pair in piece.windows(2) {
        let Some((from, to)) = segment(pair[0], pair[1]) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The points inside the unit square, joined only where they were neighbours.
pub(crate) fn points(piece: &Piece) -> Vec<Piece> {
    let runs = piece.chunk_by(|one, next| inside(one) == inside(next));
    runs.filter(|run| inside(&run[0])).map(<[Point]>::to_vec).collect()
}

fn inside(point: &Point) -> bool {
    point.iter().all(|part| (0.0..=1.0).contains(part))
}

fn segment(a: Point, b: Point) -> Option<(Point, Point)> {
    // so far away that the direction no longer matters, and no product overflows
    let [a, b] = [a, b].map(|point| point.map(|part| part.clamp(-FAR, FAR)));
    let (mut enters, mut exits) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let along = b[axis] - a[axis];
        if along == 0.0 {
            if !(0.0..=1.0).contains(&a[axis]) {
                return None;
            }
            continue;
        }
        let (one, other) = (-a[axis] / along, (1.0 - a[axis]) / along);
        enters = enters.max(one.min(other));
        exits = exits.min(one.max(other));
    }
    let at = |s: f64| [0, 1].map(|axis| (a[axis] + s * (b[axis] - a[axis])).clamp(0.0, 1.0));
    (enters <= exits).then(|| {
        // ends that lie inside stay exactly where they are, so that neighbours join
        (if inside(&a) { a } else { at(enters) }, if inside(&b) { b } else { at(exits) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_leaves_and_returns_is_two_parts() {
        let piece = vec![[0.2, 0.5], [0.4, 1.5], [0.6, 0.5], [0.8, 0.5]];
        let parts = line(&piece);
        assert_eq!(parts.len(), 2);
        assert!((parts[0][1][0] - 0.3).abs() < 1e-12 && parts[0][1][1] == 1.0);
        assert_eq!(parts[1].len(), 3);
    }

    #[test]
    fn points_outside_are_dropped() {
        let piece = vec![[0.2, 0.5], [2.0, 0.5], [0.6, 0.5]];
        assert_eq!(points(&piece), [vec![[0.2, 0.5]], vec![[0.6, 0.5]]]);
    }
}
