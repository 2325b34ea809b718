//! How fast a film is shown, and with how many frames: so that the eye can follow.

use crate::scene::world::{distance, place};
use catena_model::{Anchor, Carrier, Film, PartShape};

/// The eye follows what crosses the picture in this time, s.
const CROSSING: f64 = 0.45;
/// A film that takes longer is shown faster, s.
const LONGEST: f64 = 60.0;
/// One that takes less time is shown slower, s.
const SHORTEST: f64 = 2.0;
/// Frames of a page for a second of watching.
const FRAMES_PER_SECOND: f64 = 60.0;
/// Numbers that a page holds; they are most of its size.
const MAX_NUMBERS: usize = 400_000;
const MIN_FRAMES: usize = 120;
const MAX_FRAMES: usize = 2_400;

/// The pace of a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Seconds of the motion in a second of watching: 1, 2 or 5 times a power of ten.
    pub speed: f64,
    /// Of how many frames one is shown.
    pub stride: usize,
}

impl Pace {
    /// The most frames that a film of this many tracks should have.
    pub fn most_frames(tracks: usize) -> usize {
        (MAX_NUMBERS / tracks.max(1)).clamp(MIN_FRAMES, MAX_FRAMES)
    }

    /// The pace at which a film is watched best.
    pub fn of(film: &Film) -> Pace {
        let (Some(first), Some(last)) = (film.times.first(), film.times.last()) else {
            return Pace { speed: 1.0, stride: 1 };
        };
        let span = (last - first).abs();
        if span.is_nan() || span <= 0.0 {
            return Pace { speed: 1.0, stride: 1 };
        }
        let followed = 1.0 / (CROSSING * fastest(film).max(1e-300));
        let speed = followed.min(1.0).max(span / LONGEST).min(span / SHORTEST);
        let speed = round_down(speed);
        let wanted = (FRAMES_PER_SECOND * span / speed).max(MIN_FRAMES as f64);
        let stride = ((film.len() as f64 - 1.0) / wanted).floor().max(1.0) as usize;
        Pace { speed, stride }
    }
}

/// The largest part of the picture that anything crosses in a second; one frame in a hundred may be faster.
fn fastest(film: &Film) -> f64 {
    let mut anchors: Vec<Anchor> = Vec::new();
    for part in &film.sketch.parts {
        match &part.shape {
            PartShape::Link { carrier, points } => {
                anchors.extend(points.iter().map(|&at| Anchor { carrier: *carrier, at }));
            }
            PartShape::Wheel { carrier, centre, radius, .. } => {
                anchors.push(Anchor { carrier: *carrier, at: [centre[0] + radius, centre[1]] });
            }
            PartShape::Gears { centres, ratio } => {
                let radii = crate::scene::view::gear_radii(film, *centres, *ratio);
                for (Anchor { carrier, at }, radius) in centres.iter().zip(radii) {
                    anchors.push(Anchor { carrier: *carrier, at: [at[0] + radius, at[1]] });
                }
            }
            PartShape::Bar(ends) => anchors.extend(ends),
            PartShape::Line { points, .. } => anchors.extend(points.iter().copied()),
            PartShape::Disc { centre, .. } => anchors.push(*centre),
            _ => {}
        }
    }
    anchors.retain(|anchor| anchor.carrier != Carrier::Ground);
    let size = crate::scene::view::size(film);
    let mut steps: Vec<f64> = Vec::new();
    for frame in 1..film.len() {
        let dt = (film.times[frame] - film.times[frame - 1]).abs().max(1e-300);
        let step = anchors
            .iter()
            .map(|anchor| distance(place(film, *anchor, frame), place(film, *anchor, frame - 1)));
        steps.push(step.filter(|step| step.is_finite()).fold(0.0, f64::max) / (dt * size));
    }
    steps.sort_unstable_by(f64::total_cmp);
    steps.get(steps.len().saturating_sub(1 + steps.len() / 100)).copied().unwrap_or(0.0)
}

/// The largest of 1, 2 and 5 times a power of ten that is not larger.
pub(in crate::scene) fn round_down(value: f64) -> f64 {
    let exponent = value.log10().floor();
    let power = |digit: f64| format!("{digit}e{exponent}").parse::<f64>().unwrap_or(value);
    [5.0, 2.0, 1.0].map(power).into_iter().find(|round| *round <= value).unwrap_or(power(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_round() {
        assert_eq!(round_down(1.0), 1.0);
        assert_eq!(round_down(0.37), 0.2);
        assert_eq!(round_down(73.0), 50.0);
        assert_eq!(round_down(0.0099), 0.005);
    }

    #[test]
    fn long_sketches_get_fewer_frames() {
        assert_eq!(Pace::most_frames(6), 2_400);
        assert_eq!(Pace::most_frames(200), 2_000);
        assert_eq!(Pace::most_frames(5_000), 120);
    }
}
