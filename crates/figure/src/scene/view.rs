//! How a film fits into a picture: its scale, its size, and how thick things are.

use super::piece::Piece;
use super::world::{Vector, along, distance, local, place, pose, turn};
use catena_model::{Anchor, Carrier, Film, PartShape};

/// The picture without its margins, px.
const WIDTH: f64 = 640.0;
const MAX_HEIGHT: f64 = 520.0;
const MIN_HEIGHT: f64 = 120.0;
/// Room around what moves, px: for what is thicker than its points, and for names.
const MARGIN: f64 = 44.0;
/// Of a long film, this many frames say how far it reaches.
const MAX_LOOKED_AT_FRAMES: usize = 600;
/// The thickness of a bar as a part of its length, and its limits, px.
const THICKNESS: f64 = 0.17;
const MIN_THICKNESS: f64 = 2.5;
const MAX_THICKNESS: f64 = 13.0;
/// The longest arrow of a force, px, in this part of the frames; others are at most so many times as long.
const LONGEST_ARROW: f64 = 75.0;
const USUAL_FRAMES: f64 = 0.9;
const MOST_BEYOND: f64 = 4.0;

/// From metres to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// px for 1 m.
    pub(super) scale: f64,
    /// The upper left corner of the picture, m.
    corner: Vector,
    /// px
    pub(super) width: f64,
    /// px
    pub(super) height: f64,
    /// Of a bar, px.
    pub(super) thickness: f64,
}

impl View {
    /// The view that shows all of a film.
    pub(super) fn around(film: &Film) -> View {
        let (low, high) = bounds(film);
        let size = [high[0] - low[0], high[1] - low[1]];
        let largest = size[0].max(size[1]);
        // a model that does not move from its one point is as large as anything
        let largest = if largest > 0.0 && largest.is_finite() { largest } else { 1.0 };
        let fit = |room: f64, size: f64| if size > 0.0 { room / size } else { f64::INFINITY };
        let scale = fit(WIDTH, size[0]).min(fit(MAX_HEIGHT, size[1])).min(MAX_HEIGHT / largest);
        let height = (size[1] * scale).max(MIN_HEIGHT);
        let width = WIDTH.min((size[0] * scale).max(height));
        let middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        let (width, height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        let corner = [middle[0] - 0.5 * width / scale, middle[1] + 0.5 * height / scale];
        let thickness = typical_length(film).map_or(MAX_THICKNESS, |length| {
            (THICKNESS * length * scale).clamp(MIN_THICKNESS, MAX_THICKNESS)
        });
        View { scale, corner, width, height, thickness }
    }

    /// The upper left corner of the picture, m.
    pub(super) fn corner(&self) -> Vector {
        self.corner
    }

    /// A point of the world in the picture, px, y down.
    pub(super) fn point(&self, [x, y]: Vector) -> Vector {
        [(x - self.corner[0]) * self.scale, (self.corner[1] - y) * self.scale]
    }

    /// A vector of a carrier in px, y down.
    pub(super) fn vector(&self, [x, y]: Vector) -> Vector {
        [x * self.scale, -y * self.scale]
    }

    /// How long the arrow of 1 N is, px: so that the largest fits in most frames. A blow that is far larger does not
    /// make all others invisible.
    pub(super) fn force_scale(&self, film: &Film, pieces: &[Piece]) -> f64 {
        let mut largest = vec![0.0_f64; film.len()];
        for piece in pieces {
            if let Piece::Arrow { components: [x, y], .. } = piece {
                let sizes = film.tracks[*x].iter().zip(&film.tracks[*y]).map(|(x, y)| x.hypot(*y));
                for (largest, size) in largest.iter_mut().zip(sizes) {
                    *largest = if size.is_finite() { largest.max(size) } else { *largest };
                }
            }
        }
        largest.sort_unstable_by(f64::total_cmp);
        let usual = largest[(USUAL_FRAMES * (largest.len() - 1) as f64) as usize];
        let scaled = usual.max(largest[largest.len() - 1] / MOST_BEYOND);
        // what is smaller has no finite scale
        if scaled > 1e-300 { LONGEST_ARROW / scaled } else { 0.0 }
    }
}

/// How large a film is, m.
pub(super) fn size(film: &Film) -> f64 {
    let (low, high) = bounds(film);
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    if size > 0.0 { size } else { 1.0 }
}

/// The lowest and the highest x and y of all parts.
fn bounds(film: &Film) -> (Vector, Vector) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let stride = film.len().div_ceil(MAX_LOOKED_AT_FRAMES);
    let last = film.len() - 1;
    for part in &film.sketch.parts {
        let (anchors, radius) = reach(film, &part.shape);
        for frame in (0..film.len()).step_by(stride).chain([last]) {
            for anchor in &anchors {
                let at = place(film, *anchor, frame);
                for axis in [0, 1] {
                    if at[axis].is_finite() {
                        low[axis] = low[axis].min(at[axis] - radius);
                        high[axis] = high[axis].max(at[axis] + radius);
                    }
                }
            }
        }
    }
    match low[0] <= high[0] && low[1] <= high[1] {
        true => (low, high),
        false => ([-0.5; 2], [0.5; 2]),
    }
}

/// The points of a part, and how far it reaches beyond them, m.
fn reach(film: &Film, shape: &PartShape) -> (Vec<Anchor>, f64) {
    let on = |carrier, points: &[Vector]| points.iter().map(|&at| Anchor { carrier, at }).collect();
    match shape {
        PartShape::Link { carrier, points } => (on(*carrier, points), 0.0),
        PartShape::Cam { carrier, outline } => (on(*carrier, outline), 0.0),
        PartShape::Wheel { carrier, centre, radius, .. } => (on(*carrier, &[*centre]), *radius),
        PartShape::Gears { centres: [first, second], ratio } => {
            let [one, other] = gear_radii(film, [*first, *second], *ratio);
            // each as if it were the larger: rings are large anyway
            (vec![*first, *second], one.max(other))
        }
        PartShape::Rack { pinion, rack, axis, radius } => {
            let line = rack_line(film, *pinion, *rack, *axis, *radius);
            let on_rack =
                |point| Anchor { carrier: rack.carrier, at: local(film, rack.carrier, 0, point) };
            (line.ends.map(on_rack).to_vec(), 0.0)
        }
        PartShape::Slide { guide, block, turns, .. } => match turns {
            true => (vec![*block], 0.0),
            false => (vec![*guide, *block], 0.0),
        },
        PartShape::Rod(ends) | PartShape::Bar(ends) | PartShape::Spring { ends, .. } => {
            (ends.to_vec(), 0.0)
        }
        PartShape::Line { points, .. } => (points.clone(), 0.0),
        PartShape::Disc { centre, radius } => (vec![*centre], radius.unwrap_or(0.0)),
        PartShape::Pin { ends, .. } => (ends.to_vec(), 0.0),
        PartShape::Trail(at) | PartShape::TorsionSpring(at) | PartShape::Motor(at) => {
            (vec![*at], 0.0)
        }
        PartShape::Force { at, .. } => (vec![*at], 0.0),
        PartShape::CentreOfMass(at) => (vec![*at], 0.0),
    }
}

/// Where the points of every part are in a frame, part by part, m.
pub(super) fn lines(film: &Film, frame: usize) -> Vec<Vec<Vector>> {
    let drawn = film.sketch.parts.iter().filter(|part| {
        !matches!(
            part.shape,
            PartShape::Pin { .. } | PartShape::CentreOfMass(_) | PartShape::Trail(_)
        )
    });
    drawn
        .map(|part| reach(film, &part.shape).0)
        .map(|anchors| anchors.iter().map(|anchor| place(film, *anchor, frame)).collect())
        .collect()
}

/// The pitch line of a rack in the first frame, m.
pub(super) struct RackLine {
    pub(super) ends: [Vector; 2],
    /// Where it touches the pinion.
    pub(super) contact: Vector,
    /// Across it, to the pinion.
    pub(super) up: Vector,
}

/// The pitch line of a rack: as long as it takes for what meets the pinion, and for where it is fastened.
pub(super) fn rack_line(
    film: &Film,
    pinion: Anchor,
    rack: Anchor,
    axis: (Carrier, Vector),
    radius: f64,
) -> RackLine {
    let direction = |frame: usize| turn(axis.1, pose(film, axis.0, frame).1);
    let travelled = |frame: usize| {
        let (a, b) = (place(film, pinion, frame), place(film, rack, frame));
        let [x, y] = direction(frame);
        (b[0] - a[0]) * x + (b[1] - a[1]) * y
    };
    let a = direction(0);
    let up = [-a[1] * radius.signum(), a[0] * radius.signum()];
    let contact = along(place(film, pinion, 0), -radius.abs(), up);
    let (low, high) = range((0..film.len()).map(travelled));
    let (now, beyond) = (travelled(0), 1.2 * radius.abs());
    let ends = [(now - high - beyond).min(now), (now - low + beyond).max(now)];
    RackLine { ends: ends.map(|s| along(contact, s, a)), contact, up }
}

/// The least and the greatest of some numbers; 0 and 0 of none.
pub(super) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low <= high { (low, high) } else { (0.0, 0.0) }
}

/// The pitch radii of two wheels, from the distance of their centres in the first frame, m.
pub(super) fn gear_radii(film: &Film, centres: [Anchor; 2], ratio: f64) -> [f64; 2] {
    let [first, second] = centres.map(|centre| place(film, centre, 0));
    let second = distance(first, second) / (1.0 - ratio).abs();
    [(ratio * second).abs(), second]
}

/// The length of a usual link, m: half of them are shorter.
fn typical_length(film: &Film) -> Option<f64> {
    let mut lengths: Vec<f64> = Vec::new();
    for part in &film.sketch.parts {
        match &part.shape {
            PartShape::Link { points, .. } if points.len() > 1 => {
                let far = points.iter().map(|point| distance(points[0], *point));
                lengths.extend(
                    far.fold(None, |most: Option<f64>, far| Some(most.unwrap_or(0.0).max(far))),
                );
            }
            PartShape::Rod(ends) | PartShape::Bar(ends) => {
                let [a, b] = ends.map(|end| place(film, end, 0));
                lengths.push(distance(a, b));
            }
            PartShape::Line { points, hatched: false } => {
                let places: Vec<Vector> = points.iter().map(|at| place(film, *at, 0)).collect();
                lengths.extend(places.windows(2).map(|pair| distance(pair[0], pair[1])));
            }
            _ => {}
        }
    }
    lengths.retain(|length| length.is_finite() && *length > 0.0);
    lengths.sort_unstable_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied()
}
