//! Where things are in a frame, m.

use catena_model::{Anchor, Carrier, Film};

/// A position or a direction: x to the right, y up.
pub(super) type Vector = [f64; 2];

/// Position and angle of a carrier's own axes in a frame.
pub(super) fn pose(film: &Film, carrier: Carrier, frame: usize) -> (Vector, f64) {
    let value = |track: usize| film.tracks[track][frame];
    match carrier {
        Carrier::Ground => ([0.0, 0.0], 0.0),
        Carrier::Body([x, y, angle]) => ([value(x), value(y)], value(angle)),
        Carrier::Point([x, y]) => ([value(x), value(y)], 0.0),
    }
}

/// A point of a carrier in a frame.
pub(super) fn place(film: &Film, anchor: Anchor, frame: usize) -> Vector {
    let (origin, angle) = pose(film, anchor.carrier, frame);
    let turned = turn(anchor.at, angle);
    [origin[0] + turned[0], origin[1] + turned[1]]
}

/// A point of the world in a carrier's own axes.
pub(super) fn local(film: &Film, carrier: Carrier, frame: usize, [x, y]: Vector) -> Vector {
    let (origin, angle) = pose(film, carrier, frame);
    turn([x - origin[0], y - origin[1]], -angle)
}

pub(super) fn turn([x, y]: Vector, angle: f64) -> Vector {
    let (sine, cosine) = angle.sin_cos();
    [x * cosine - y * sine, x * sine + y * cosine]
}

pub(super) fn distance(a: Vector, b: Vector) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// a + s b
pub(super) fn along(a: Vector, s: f64, b: Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1]]
}
