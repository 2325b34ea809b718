//! What holds a grabbed point back, in words.

use super::Drag;
use super::free_pose::FreePose;
use catena_linear::norm;
use catena_model::{Anchor, PartShape, plain_to};

/// A point this near to the hand, relative to the size of the mechanism, is not held.
const MAX_DISTANCE_OF_HAND: f64 = 1e-9;
/// The grabbed point cannot move in any direction where its free velocity is below this part of what its coordinates
/// could do.
const MAX_VELOCITY_IN_DEAD_POINT: f64 = 1e-4;
/// Links that are in line point in directions whose sine is below this.
const MAX_SINE_IN_LINE: f64 = 2e-3;
/// Points this near, relative to the size of the mechanism, are one pin.
const PIN_DISTANCE: f64 = 1e-6;
/// Links shorter than this, relative to the size of the mechanism, have no direction.
const MIN_LINK: f64 = 1e-3;
/// How far the mechanism is moved to see which links turn against each other, relative to its size ...
const LOOKED_AT_DISTANCE: f64 = 1e-3;
/// ... and by which sine they then do.
const MIN_SINE_GAINED: f64 = 1e-5;
/// More lines than this are not listed.
const MAX_LISTED_LINES: usize = 2;

/// What kind of hold it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldKind {
    /// The grabbed point cannot move on, nor in any other direction: the mechanism has to be led by another point of it.
    DeadPoint,
    /// It is as near to the hand as it can come.
    Limit,
}

/// Why a grabbed point is not where the hand is.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    /// Of which kind.
    pub kind: HoldKind,
    /// In words, for people.
    pub message: String,
}

impl Drag {
    /// What keeps the grabbed point from the hand.
    pub(super) fn hold(
        &mut self,
        here: &FreePose,
        grab: &Anchor,
        target: [f64; 2],
        tracks: &[f64],
    ) -> Option<Hold> {
        let distance = norm(&here.left_to(target));
        let is_held = distance > MAX_DISTANCE_OF_HAND * self.metric.size;
        is_held.then(|| self.hold_at(here, grab, distance, tracks))
    }

    fn hold_at(&mut self, here: &FreePose, grab: &Anchor, distance: f64, tracks: &[f64]) -> Hold {
        let name = self.name_of(grab);
        let far = plain_to(distance, 3);
        if here.rank == here.q.len() {
            let message = "nothing can move: the constraints leave no freedom".to_owned();
            return Hold { kind: HoldKind::Limit, message };
        }
        let [whole, free] =
            [&here.slopes, &here.free].map(|rows| norm(&rows[0]).hypot(norm(&rows[1])));
        if free > MAX_VELOCITY_IN_DEAD_POINT * whole {
            let message = format!("{name} is as near as it can come: {far} m are left");
            return Hold { kind: HoldKind::Limit, message };
        }
        let lines = self.links_in_line(here, tracks);
        let why = match lines.as_slice() {
            [] => match self.words.pose(&self.all_constraints(), &here.q) {
                pose if pose.is_empty() => String::new(),
                pose => format!(" ({pose})"),
            },
            lines => {
                let pairs: Vec<String> = lines
                    .iter()
                    .map(|[one, other]| format!("`{one}` and `{other}` are in line"))
                    .collect();
                format!(": {}", pairs.join(", "))
            }
        };
        let message = format!("dead point{why}; {name} can be led no further this way");
        Hold { kind: HoldKind::DeadPoint, message }
    }

    fn all_constraints(&self) -> Vec<usize> {
        (0..self.system.constraints.len()).collect()
    }

    /// The part that is grabbed, with backticks.
    fn name_of(&self, grab: &Anchor) -> String {
        let has = |shape: &PartShape| shape.anchors().iter().any(|a| a.carrier == grab.carrier);
        let part = self.tracks.sketch.parts.iter().find(|part| has(&part.shape));
        part.map_or_else(|| "the point".to_owned(), |part| format!("`{}`", part.name))
    }

    /// Links with a pin in common whose other pins lie on one line with it, and will not any more when the
    /// mechanism moves.
    fn links_in_line(&mut self, here: &FreePose, tracks: &[f64]) -> Vec<[String; 2]> {
        let Some(direction) = self.free_direction(here) else { return Vec::new() };
        let beyond = self.metric.moved(&here.q, &direction, LOOKED_AT_DISTANCE * self.metric.size);
        let moved = self.tracks_at(&beyond);
        let links: Vec<(&str, Vec<Anchor>)> = self
            .tracks
            .sketch
            .parts
            .iter()
            .filter_map(|part| match &part.shape {
                shape @ (PartShape::Link { .. } | PartShape::Rod(_) | PartShape::Bar(_)) => {
                    Some((part.name.as_str(), shape.anchors()))
                }
                _ => None,
            })
            .collect();
        let size = self.metric.size;
        let mut found: Vec<[String; 2]> = Vec::new();
        for (at, (one, points)) in links.iter().enumerate() {
            for (other, others) in &links[at + 1..] {
                let pair = [(*one).to_owned(), (*other).to_owned()];
                let in_line = one != other && are_in_line([points, others], [tracks, &moved], size);
                if in_line && !found.contains(&pair) {
                    found.push(pair);
                }
            }
        }
        found.truncate(MAX_LISTED_LINES);
        found
    }

    /// A direction of length 1 in which the mechanism can move.
    fn free_direction(&mut self, here: &FreePose) -> Option<Vec<f64>> {
        let rank = self.factor_at(&here.q)?;
        let mut direction = vec![0.0; here.q.len()];
        (rank < here.q.len()).then(|| {
            self.space.null_direction(0, &mut direction);
            direction
        })
    }
}

/// Whether two links share a pin and point in one direction from it, or in opposite ones, now but not beyond.
fn are_in_line(links: [&[Anchor]; 2], [now, beyond]: [&[f64]; 2], size: f64) -> bool {
    let place = |anchor: &Anchor, tracks: &[f64]| anchor.place(|track| tracks[track]);
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let sine = |pins: [&Anchor; 2], ends: [&Anchor; 2], tracks: &[f64]| {
        let arm = |at: usize| {
            let (pin, end) = (place(pins[at], tracks), place(ends[at], tracks));
            let length = distance(pin, end);
            [(end[0] - pin[0]) / length, (end[1] - pin[1]) / length]
        };
        let (one, other) = (arm(0), arm(1));
        one[0] * other[1] - one[1] * other[0]
    };
    for pin in links[0] {
        let shared =
            |other: &&Anchor| distance(place(pin, now), place(other, now)) <= PIN_DISTANCE * size;
        let Some(same) = links[1].iter().find(shared) else { continue };
        let ends = |at: usize, pin: &Anchor| -> Vec<Anchor> {
            let far = |end: &&Anchor| distance(place(end, now), place(pin, now)) > MIN_LINK * size;
            links[at].iter().filter(far).copied().collect()
        };
        for one in &ends(0, pin) {
            for other in &ends(1, same) {
                let [now, then] =
                    [now, beyond].map(|tracks| sine([pin, same], [one, other], tracks));
                if now.abs() <= MAX_SINE_IN_LINE && (then - now).abs() >= MIN_SINE_GAINED {
                    return true;
                }
            }
        }
    }
    false
}
