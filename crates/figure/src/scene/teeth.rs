//! Wheels with teeth. Those that meet have the same module, and teeth of one stand in the gaps of the other.

use super::outline::{path, pitch_circle, px, spokes};
use super::world::Vector;
use catena_model::Carrier;
use std::f64::consts::{PI, TAU};

/// The smallest wheel of a train has about this many teeth.
const FEWEST_TEETH: f64 = 14.0;
/// Numbers of teeth that are tried to give a ratio exactly.
const MOST_TEETH: u32 = 120;
/// Teeth stand out of the pitch circle and go below it by these parts of the module.
const ADDENDUM: f64 = 0.9;
const DEDENDUM: f64 = 1.1;
/// Half of a tooth on the pitch circle and at its tip, as parts of the pitch.
const HALF_TOOTH: f64 = 0.235;
const HALF_TIP: f64 = 0.12;

/// A wheel as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Toothed {
    pub(super) carrier: Carrier,
    /// In the carrier's own axes, m.
    pub(super) centre: Vector,
    /// Of the pitch circle, m.
    pub(super) radius: f64,
    pub(super) teeth: u32,
    /// The angle of the middle of a tooth in the carrier's own axes, rad.
    pub(super) phase: f64,
    /// Whether the teeth are on the inside.
    pub(super) is_ring: bool,
}

impl Toothed {
    /// The diameter for one tooth, m.
    pub(super) fn module(&self) -> f64 {
        2.0 * self.radius / f64::from(self.teeth)
    }

    /// The wheel as markup; the scale is px for 1 m.
    pub(super) fn markup(&self, scale: f64, colour: usize) -> String {
        let centre = [self.centre[0] * scale, -self.centre[1] * scale];
        let (r, m) = (self.radius * scale, self.module() * scale);
        // the teeth of a ring point inwards
        let side = if self.is_ring { -1.0 } else { 1.0 };
        let (tip, root) = (r + side * ADDENDUM * m, r - side * DEDENDUM * m);
        let pitch = TAU / f64::from(self.teeth);
        let mut points: Vec<Vector> = Vec::with_capacity(4 * self.teeth as usize);
        for tooth in 0..self.teeth {
            let middle = self.phase + f64::from(tooth) * pitch;
            let corners = [
                (-HALF_TOOTH - 0.09, root),
                (-HALF_TIP, tip),
                (HALF_TIP, tip),
                (HALF_TOOTH + 0.09, root),
            ];
            for (part, radius) in corners {
                let angle = middle + part * pitch;
                points.push([centre[0] + radius * angle.cos(), centre[1] - radius * angle.sin()]);
            }
        }
        let mut d = path(&points, true);
        if self.is_ring {
            let outer = px(r + 2.6 * m);
            let [x, y] = centre;
            let (right, left) = (px(x + r + 2.6 * m), px(x - r - 2.6 * m));
            d += &format!(
                "M{right} {0}A{outer} {outer} 0 1 0 {left} {0}A{outer} {outer} 0 1 0 {right} {0}Z",
                px(y)
            );
        }
        let k = colour % super::outline::COLOURS;
        let body = format!("<path class=\"gear k{k}\" fill-rule=\"evenodd\" d=\"{d}\"/>");
        let inside = if self.is_ring { String::new() } else { spokes(centre, 0.75 * r, colour) };
        body + &inside + &pitch_circle(centre, r)
    }
}

/// Numbers of teeth for two radii: in their exact ratio where small numbers give it.
pub(super) fn tooth_counts([first, second]: [f64; 2]) -> [u32; 2] {
    let (small, large) = (first.min(second), first.max(second));
    let ratio = large / small;
    let fits = |teeth: &u32| {
        let other = f64::from(*teeth) * ratio;
        (other - other.round()).abs() < 1e-6 * other && other < 2.0 * f64::from(MOST_TEETH) * ratio
    };
    let from = FEWEST_TEETH as u32;
    let small_teeth = (from..=MOST_TEETH).find(fits).unwrap_or(from);
    let large_teeth = (f64::from(small_teeth) * ratio).round().min(1e4) as u32;
    if first <= second { [small_teeth, large_teeth] } else { [large_teeth, small_teeth] }
}

/// The number of teeth of a wheel that fits a module.
pub(super) fn teeth_of(radius: f64, module: f64) -> u32 {
    (2.0 * radius / module).round().clamp(4.0, 1e4) as u32
}

/// The phase of a wheel whose tooth, or gap, stands at an angle of its own axes, rad.
pub(super) fn phase_at(angle: f64, teeth: u32, is_gap: bool) -> f64 {
    angle + if is_gap { PI / f64::from(teeth) } else { 0.0 }
}

/// How a tooth of a wheel stands to an angle of its own axes, as a part of its pitch from −½ to ½.
pub(super) fn offset_at(wheel: &Toothed, angle: f64) -> f64 {
    let pitch = TAU / f64::from(wheel.teeth);
    let parts = (wheel.phase - angle) / pitch;
    parts - parts.round()
}

/// Teeth in a line: from one end to the other in px, with the middle of a tooth this far from the first end.
pub(super) fn rack(
    from: Vector,
    to: Vector,
    up: Vector,
    module: f64,
    first: f64,
    colour: usize,
) -> String {
    let length = super::world::distance(from, to);
    let unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let at =
        |s: f64, h: f64| [from[0] + s * unit[0] + h * up[0], from[1] + s * unit[1] + h * up[1]];
    let pitch = PI * module;
    let mut points = vec![at(0.0, -3.2 * module), at(0.0, -DEDENDUM * module)];
    let mut middle = first.rem_euclid(pitch);
    while middle < length {
        for (part, height) in [
            (-HALF_TOOTH - 0.09, -DEDENDUM),
            (-HALF_TIP, ADDENDUM),
            (HALF_TIP, ADDENDUM),
            (HALF_TOOTH + 0.09, -DEDENDUM),
        ] {
            let s = middle + part * pitch;
            if (0.0..=length).contains(&s) {
                points.push(at(s, height * module));
            }
        }
        middle += pitch;
    }
    points.extend([at(length, -DEDENDUM * module), at(length, -3.2 * module)]);
    let line = path(&[from, to], false);
    format!(
        "<path class=\"gear k{}\" d=\"{}\"/><path class=\"pitch\" d=\"{line}\"/>",
        colour % super::outline::COLOURS,
        path(&points, true)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teeth_are_in_the_ratio_of_the_radii() {
        for (first, second) in [(0.1, 0.3), (0.2, 0.05), (0.07, 0.11), (0.3, 0.3)] {
            let [one, other] = tooth_counts([first, second]);
            let error = (f64::from(one) / f64::from(other) - first / second).abs();
            assert!(error < 1e-6 && one.min(other) >= 14, "{first} {second}: {one} {other}");
        }
    }

    #[test]
    fn a_ratio_that_no_teeth_give_is_drawn_all_the_same() {
        let [one, other] = tooth_counts([1.0, std::f64::consts::SQRT_2 * 3.0]);
        assert!(one >= 14 && other > one);
    }
}
