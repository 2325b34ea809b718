//! The shapes of rigid parts, as markup in px around the origin of their carrier, y down.

use super::world::{Vector, along, distance};
use std::fmt::Write;

/// The colour of a part: an index into the classes `k0` to `k6`.
pub(super) const COLOURS: usize = 7;

/// A bar through two points or a plate through more, with round corners.
pub(super) fn link(points: &[Vector], thickness: f64, colour: usize) -> String {
    let hull = hull(points);
    let d = path(&hull, hull.len() > 2);
    let (outer, inner) = (px(thickness + 2.0), px(thickness));
    let k = colour % COLOURS;
    format!(
        "<path class=\"edge k{k}\" stroke-width=\"{outer}\" d=\"{d}\"/>\
         <path class=\"link k{k}\" stroke-width=\"{inner}\" d=\"{d}\"/>"
    )
}

/// A disc.
pub(super) fn disc([x, y]: Vector, radius: f64, colour: usize) -> String {
    let (x, y, r, k) = (px(x), px(y), px(radius), colour % COLOURS);
    format!("<circle class=\"disc k{k}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")
}

/// A wheel with a hub, and spokes that show how it turns.
pub(super) fn wheel(centre: Vector, radius: f64, colour: usize) -> String {
    disc(centre, radius, colour) + &spokes(centre, 0.86 * radius, colour)
}

/// Three spokes from a hub.
pub(super) fn spokes(centre: Vector, radius: f64, colour: usize) -> String {
    let mut d = String::new();
    for spoke in 0..3 {
        let angle = std::f64::consts::TAU * f64::from(spoke) / 3.0;
        let tip = along(centre, radius, [angle.cos(), -angle.sin()]);
        let _ = write!(d, "M{} {}L{} {}", px(centre[0]), px(centre[1]), px(tip[0]), px(tip[1]));
    }
    format!("<path class=\"spoke k{}\" d=\"{d}\"/>", colour % COLOURS)
}

/// A pitch circle.
pub(super) fn pitch_circle([x, y]: Vector, radius: f64) -> String {
    format!("<circle class=\"pitch\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", px(x), px(y), px(radius))
}

/// A block that slides along a direction.
pub(super) fn block(at: Vector, direction: Vector, size: f64, colour: usize) -> String {
    let across = [-direction[1], direction[0]];
    let corner = |s: f64, n: f64| along(along(at, s * size, direction), n * size, across);
    let corners = [corner(1.0, 0.62), corner(-1.0, 0.62), corner(-1.0, -0.62), corner(1.0, -0.62)];
    let d = path(&corners, true);
    format!("<path class=\"block k{}\" d=\"{d}\"/>", colour % COLOURS)
}

/// Two rails on either side of a block; those of the ground are hatched.
pub(super) fn rails(from: Vector, to: Vector, apart: f64, is_ground: bool) -> String {
    let length = distance(from, to);
    if length == 0.0 {
        return String::new();
    }
    let unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let across = [-unit[1], unit[0]];
    let mut markup = String::new();
    for side in [apart, -apart] {
        let [a, b] = [from, to].map(|end| along(end, side, across));
        let _ = write!(markup, "<path class=\"rail\" d=\"{}\"/>", path(&[a, b], false));
        if is_ground {
            markup += &hatching(a, b, side.signum(), 5.0);
        }
    }
    markup
}

/// A slot with round ends.
pub(super) fn slot(from: Vector, to: Vector, width: f64, colour: usize) -> String {
    let d = path(&[from, to], false);
    let (outer, middle, inner) = (px(width + 8.0), px(width + 6.0), px(width));
    let k = colour % COLOURS;
    format!(
        "<path class=\"edge k{k}\" stroke-width=\"{outer}\" d=\"{d}\"/>\
         <path class=\"link k{k}\" stroke-width=\"{middle}\" d=\"{d}\"/>\
         <path class=\"hole\" stroke-width=\"{inner}\" d=\"{d}\"/>"
    )
}

/// A closed curve.
pub(super) fn cam(outline: &[Vector], colour: usize) -> String {
    format!("<path class=\"cam k{}\" d=\"{}\"/>", colour % COLOURS, path(outline, true))
}

/// Short strokes on one side of a line: 1 to the left of its way on the screen, −1 to the right.
pub(super) fn hatching(from: Vector, to: Vector, side: f64, length: f64) -> String {
    let whole = distance(from, to);
    if whole == 0.0 {
        return String::new();
    }
    let unit = [(to[0] - from[0]) / whole, (to[1] - from[1]) / whole];
    let across = [-unit[1] * side, unit[0] * side];
    let count = (whole / 6.0).round().clamp(1.0, 400.0) as usize;
    let mut d = String::new();
    for stroke in 0..=count {
        let a = along(from, whole * stroke as f64 / count as f64, unit);
        let b = along(along(a, length, across), -length, unit);
        let _ = write!(d, "M{} {}L{} {}", px(a[0]), px(a[1]), px(b[0]), px(b[1]));
    }
    format!("<path class=\"hatch\" d=\"{d}\"/>")
}

/// What holds a pin that cannot move: a triangle on hatched ground.
pub(super) fn support(size: f64) -> String {
    let (w, h) = (1.15 * size, 1.9 * size);
    let triangle = path(&[[0.0, 0.0], [-w, h], [w, h]], true);
    let hatch = hatching([-1.6 * w, h], [1.6 * w, h], 1.0, 0.55 * size);
    let line = path(&[[-1.6 * w, h], [1.6 * w, h]], false);
    format!("<path class=\"support\" d=\"{triangle}\"/><path class=\"rail\" d=\"{line}\"/>{hatch}")
}

/// Where something is fastened to the ground.
pub(super) fn fastening(size: f64) -> String {
    let d = path(&[[-size, -size], [size, -size], [size, size], [-size, size]], true);
    format!("<path class=\"support\" d=\"{d}\"/>")
}

/// An arc with an arrow head: something turns what is here.
pub(super) fn motor(radius: f64) -> String {
    let (r, tip) = (px(radius), [radius * 0.82, -radius * 0.57]);
    let head = path(&[along(tip, 5.0, [0.9, -0.25]), tip, along(tip, 5.0, [-0.35, -0.95])], false);
    format!(
        "<path class=\"motor\" d=\"M{} {}A{r} {r} 0 1 0 {} {}\"/><path class=\"motor\" d=\"{head}\"/>",
        px(-radius * 0.82),
        px(-radius * 0.57),
        px(tip[0]),
        px(tip[1])
    )
}

/// A spring that winds up.
pub(super) fn spiral(radius: f64) -> String {
    let points: Vec<Vector> = (0..=60)
        .map(|step| {
            let part = f64::from(step) / 60.0;
            let (angle, r) = (2.5 * std::f64::consts::TAU * part, radius * (0.25 + 0.75 * part));
            [r * angle.cos(), -r * angle.sin()]
        })
        .collect();
    format!("<path class=\"spring\" d=\"{}\"/>", path(&points, false))
}

/// Points joined by lines, as the `d` of a path; where a point is not known there is a gap.
pub(super) fn path(points: &[Vector], closed: bool) -> String {
    let mut d = String::new();
    let mut is_down = false;
    for [x, y] in points {
        if x.is_finite() && y.is_finite() {
            let _ = write!(d, "{}{} {}", if is_down { 'L' } else { 'M' }, px(*x), px(*y));
        }
        is_down = x.is_finite() && y.is_finite();
    }
    if closed {
        d.push('Z');
    }
    d
}

/// A length in px with the digits that show; -0 is 0, and so is what is not known, which no document may hold.
pub(super) fn px(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    format!("{}", if rounded.is_finite() { rounded } else { 0.0 })
}

/// The convex hull, counter-clockwise (Andrew 1979); of points on a line its two ends.
fn hull(points: &[Vector]) -> Vec<Vector> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let turn = |o: Vector, a: Vector, b: Vector| {
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    let half = |points: &mut dyn Iterator<Item = Vector>| {
        let mut chain: Vec<Vector> = Vec::new();
        for point in points {
            while chain.len() > 1
                && turn(chain[chain.len() - 2], chain[chain.len() - 1], point) <= 1e-9
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut sorted.iter().copied());
    hull.extend(half(&mut sorted.iter().rev().copied()));
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_plate_leaves_out_what_is_inside() {
        let square = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.4, 0.6], [0.0, 1.0]];
        let found = hull(&square);
        assert_eq!(found.len(), 4);
        assert!(!found.contains(&[0.4, 0.6]));
    }

    #[test]
    fn the_hull_of_points_on_a_line_is_its_ends() {
        assert_eq!(hull(&[[0.0, 0.0], [2.0, 2.0], [1.0, 1.0]]), [[0.0, 0.0], [2.0, 2.0]]);
    }
}
