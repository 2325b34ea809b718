//! The points that a part is drawn by.

use super::{Anchor, Carrier, Shape};

impl Shape {
    /// The points of bodies, of single points and of the ground by which it is drawn; a rim is not among them.
    pub fn anchors(&self) -> Vec<Anchor> {
        let on = |carrier: &Carrier, points: &[[f64; 2]]| -> Vec<Anchor> {
            points.iter().map(|&at| Anchor { carrier: *carrier, at }).collect()
        };
        match self {
            Shape::Link { carrier, points } | Shape::Cam { carrier, outline: points } => {
                on(carrier, points)
            }
            Shape::Wheel { carrier, centre, .. } => on(carrier, &[*centre]),
            Shape::Gears { centres: ends, .. }
            | Shape::Rod(ends)
            | Shape::Bar(ends)
            | Shape::Spring { ends, .. }
            | Shape::Pin { ends, .. } => ends.to_vec(),
            Shape::Rack { pinion, rack, .. } => vec![*pinion, *rack],
            Shape::Slide { guide, block, .. } => vec![*guide, *block],
            Shape::Line { points, .. } => points.clone(),
            Shape::TorsionSpring(at)
            | Shape::Disc { centre: at, .. }
            | Shape::Trail(at)
            | Shape::Force { at, .. }
            | Shape::Motor(at)
            | Shape::CentreOfMass(at) => vec![*at],
        }
    }
}

impl Anchor {
    /// Where it is in the world when tracks have these values, m.
    pub fn place(&self, track: impl Fn(usize) -> f64) -> [f64; 2] {
        let [x, y] = self.at;
        match self.carrier {
            Carrier::Ground => [x, y],
            Carrier::Point([tx, ty]) => [track(tx) + x, track(ty) + y],
            Carrier::Body([tx, ty, angle]) => {
                let (sine, cosine) = track(angle).sin_cos();
                [track(tx) + x * cosine - y * sine, track(ty) + x * sine + y * cosine]
            }
        }
    }
}
