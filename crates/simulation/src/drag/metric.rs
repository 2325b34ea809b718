//! What makes coordinates comparable while something is dragged.

use catena_derivation::{Equations, rotations};
use catena_model::{Model, Sketch, System};

/// An angle counts as the way of a lever of this part of the mechanism's size.
const LEVER_PART: f64 = 0.5;
/// The farthest that an angle goes in one step, rad: 4°.
const MAX_TURN: f64 = 0.07;
/// The farthest that another coordinate goes in one step, relative to the size of the mechanism.
const MAX_WAY: f64 = 0.04;

/// Lengths for all coordinates: in the metric a coordinate is multiplied by its scale.
pub(super) struct Metric {
    /// The diagonal of the box around what is drawn at the start, m.
    pub(super) size: f64,
    /// For each coordinate how long a change by 1 is, m.
    pub(super) scales: Vec<f64>,
    /// For each coordinate the longest step, m.
    longest: Vec<f64>,
}

impl Metric {
    /// Of a model in its own coordinates, with the values of all tracks at its start.
    pub(super) fn new(
        model: &Model,
        system: &System,
        equations: &Equations,
        sketch: &Sketch,
        places: &[f64],
    ) -> Metric {
        let size = diagonal(sketch, places);
        let lever = LEVER_PART * size;
        let turns = rotations(equations, model, system);
        Metric {
            size,
            scales: turns.iter().map(|turns| if *turns { lever } else { 1.0 }).collect(),
            longest: turns
                .iter()
                .map(|turns| if *turns { MAX_TURN * lever } else { MAX_WAY * size })
                .collect(),
        }
    }

    /// The part of a step with which no coordinate goes farther than this part of the longest step, at most 1.
    pub(super) fn allowed_part(&self, step: &[f64], part: f64) -> f64 {
        let parts =
            step.iter().zip(&self.longest).map(|(step, longest)| part * longest / step.abs());
        parts.fold(1.0, f64::min)
    }

    /// q + part·step
    pub(super) fn moved(&self, q: &[f64], step: &[f64], part: f64) -> Vec<f64> {
        let steps = step.iter().zip(&self.scales).map(|(step, scale)| part * step / scale);
        q.iter().zip(steps).map(|(q, step)| q + step).collect()
    }

    /// The step from one pose to another.
    pub(super) fn between(&self, from: &[f64], to: &[f64]) -> Vec<f64> {
        let pairs = from.iter().zip(to).zip(&self.scales);
        pairs.map(|((from, to), scale)| (to - from) * scale).collect()
    }
}

/// The diagonal of the box around all points of a sketch; 1 where that is a single point.
fn diagonal(sketch: &Sketch, places: &[f64]) -> f64 {
    let mut corners = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for anchor in sketch.parts.iter().flat_map(|part| part.shape.anchors()) {
        let place = anchor.place(|track| places[track]);
        for axis in 0..2 {
            // NaN is passed over
            corners[0][axis] = corners[0][axis].min(place[axis]);
            corners[1][axis] = corners[1][axis].max(place[axis]);
        }
    }
    let diagonal = (corners[1][0] - corners[0][0]).hypot(corners[1][1] - corners[0][1]);
    if diagonal.is_finite() && diagonal > 0.0 { diagonal } else { 1.0 }
}
