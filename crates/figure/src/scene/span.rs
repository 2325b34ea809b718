//! Springs, dampers and rods between two points, which change their length with them.

use super::world::{Vector, along, distance};
use std::fmt::Write;

/// What lies between two points; lengths in px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    /// A massless rod.
    Rod { width: f64 },
    /// A link, which keeps its length if the model is right.
    Bar { width: f64, colour: usize },
    /// A spring of this width.
    Spring { width: f64 },
    /// A damper of this width; its cylinder keeps its length.
    Damper { width: f64, cylinder: f64 },
    /// Both side by side.
    SpringAndDamper { width: f64, cylinder: f64 },
}

/// Turns of a spring.
const TURNS: usize = 7;
/// The part of a spring at each end that is straight.
const STRAIGHT: f64 = 0.12;

impl Span {
    pub(super) fn class(self) -> String {
        match self {
            Span::Rod { .. } => "rod".to_owned(),
            Span::Bar { colour, .. } => format!("disc k{colour}"),
            _ => "spring".to_owned(),
        }
    }

    /// Of its line, px.
    pub(super) fn stroke_width(self) -> f64 {
        match self {
            Span::Rod { width } => width,
            Span::Bar { .. } => 1.3,
            _ => 1.6,
        }
    }

    /// What a player needs to draw it again: a letter and sizes.
    pub(super) fn recipe(self) -> (char, f64, f64) {
        match self {
            Span::Rod { width } => ('r', width, 0.0),
            Span::Bar { width, .. } => ('l', width, 0.0),
            Span::Spring { width } => ('s', width, 0.0),
            Span::Damper { width, cylinder } => ('d', width, cylinder),
            Span::SpringAndDamper { width, cylinder } => ('b', width, cylinder),
        }
    }

    /// Its outline between two points, as the `d` of a path.
    pub(super) fn path(self, a: Vector, b: Vector) -> String {
        let mut path = String::new();
        match self {
            Span::Rod { .. } => line(&mut path, &[a, b]),
            Span::Bar { width, .. } => capsule(&mut path, a, b, 0.5 * width),
            Span::Spring { width } => coil(&mut path, a, b, width),
            Span::Damper { width, cylinder } => damper(&mut path, a, b, width, cylinder),
            Span::SpringAndDamper { width, cylinder } => {
                let (_, across) = directions(a, b);
                for (side, is_coil) in [(0.55, true), (-0.55, false)] {
                    let [from, to] = [a, b].map(|end| along(end, side * width, across));
                    line(&mut path, &[a, from]);
                    line(&mut path, &[b, to]);
                    match is_coil {
                        true => coil(&mut path, from, to, 0.7 * width),
                        false => damper(&mut path, from, to, 0.7 * width, cylinder),
                    }
                }
            }
        }
        path
    }
}

/// Along the span and across it, each of length 1.
fn directions(a: Vector, b: Vector) -> (Vector, Vector) {
    let length = distance(a, b);
    let unit = match length > 0.0 {
        true => [(b[0] - a[0]) / length, (b[1] - a[1]) / length],
        false => [1.0, 0.0],
    };
    (unit, [-unit[1], unit[0]])
}

fn line(path: &mut String, points: &[Vector]) {
    for (at, point) in points.iter().enumerate() {
        let letter = if at == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{:.1} {:.1}", point[0], point[1]);
    }
}

/// A line with round ends, as an outline.
fn capsule(path: &mut String, a: Vector, b: Vector, r: f64) {
    let (_, across) = directions(a, b);
    let [a1, b1, b2, a2] =
        [(a, r), (b, r), (b, -r), (a, -r)].map(|(end, side)| along(end, side, across));
    let point = |[x, y]: Vector| format!("{x:.1} {y:.1}");
    let _ = write!(
        path,
        "M{}L{}A{r:.2} {r:.2} 0 0 0 {}L{}A{r:.2} {r:.2} 0 0 0 {}Z",
        point(a1),
        point(b1),
        point(b2),
        point(a2),
        point(a1)
    );
}

fn coil(path: &mut String, a: Vector, b: Vector, width: f64) {
    let ((unit, across), length) = (directions(a, b), distance(a, b));
    let (first, last) = (STRAIGHT * length, (1.0 - STRAIGHT) * length);
    let mut points = vec![a, along(a, first, unit)];
    for turn in 0..2 * TURNS {
        let s = first + (last - first) * (turn as f64 + 0.5) / (2 * TURNS) as f64;
        let side = if turn % 2 == 0 { 0.5 * width } else { -0.5 * width };
        points.push(along(along(a, s, unit), side, across));
    }
    points.extend([along(a, last, unit), b]);
    line(path, &points);
}

/// A cylinder on the first end, a piston on the second.
fn damper(path: &mut String, a: Vector, b: Vector, width: f64, cylinder: f64) {
    let ((unit, across), length) = (directions(a, b), distance(a, b));
    let half = 0.5 * width;
    let (bottom, top) = (0.5 * (length - cylinder), 0.5 * (length + cylinder));
    let corner = |s: f64, side: f64| along(along(a, s, unit), side, across);
    line(path, &[a, corner(bottom, 0.0)]);
    line(
        path,
        &[corner(top, half), corner(bottom, half), corner(bottom, -half), corner(top, -half)],
    );
    // the piston stands between bottom and top, farther out the longer the damper is
    let piston = bottom + 0.55 * cylinder;
    line(path, &[corner(piston, 0.8 * half), corner(piston, -0.8 * half)]);
    line(path, &[corner(piston, 0.0), b]);
}
