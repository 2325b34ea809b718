//! A grip on a body or a point: where it is, and which coordinates move it.

use super::DragError;
use crate::tracks::Tracks;
use catena_compile::{Evaluator, Kernel};
use catena_model::Carrier;

/// A carrier that is grabbed.
pub(super) struct Grip {
    pub(super) carrier: Carrier,
    /// x, y, the angle if it is a body, and the derivatives that are listed.
    kernel: Kernel,
    /// The derivatives that do not vanish everywhere: which value, and by which coordinate.
    listed: Vec<(usize, usize)>,
    /// Drives that let go where this is grabbed, ascending.
    pub(super) released: Vec<usize>,
    /// The largest rank of the constraints that was met while it was dragged.
    pub(super) usual_rank: usize,
}

/// A carrier at a pose.
pub(super) struct Gripped {
    /// x, y, angle; without an angle the last is 0.
    pub(super) values: [f64; 3],
    /// Their derivatives by all coordinates.
    pub(super) slopes: [Vec<f64>; 3],
}

impl Grip {
    pub(super) fn new(
        tracks: &mut Tracks,
        evaluator: &Evaluator,
        carrier: Carrier,
    ) -> Result<Grip, DragError> {
        let numbers: &[usize] = match &carrier {
            Carrier::Ground => return Err(DragError::Ground),
            Carrier::Body(numbers) => numbers,
            Carrier::Point(numbers) => numbers,
        };
        let known = tracks.values.len();
        if let Some(&track) = numbers.iter().find(|track| **track >= known) {
            return Err(DragError::UnknownTrack { track, known });
        }
        let equations = evaluator.equations();
        let values: Vec<_> = numbers.iter().map(|&track| tracks.values[track]).collect();
        let jacobian = tracks.graph.jacobian(&values, &equations.coordinates);
        if jacobian.entries.is_empty() {
            return Err(DragError::Fixed);
        }
        let entries: Vec<_> = jacobian.entries.iter().map(|&(.., entry)| entry).collect();
        let outputs = [("values", values.as_slice()), ("slopes", &entries)];
        let kernel = evaluator.functions().compile(&tracks.graph, &outputs);
        let listed = jacobian.entries.iter().map(|&(value, by, _)| (value, by)).collect();
        Ok(Grip { carrier, kernel, listed, released: Vec::new(), usual_rank: 0 })
    }

    /// Where it is at the state that is written down in the evaluator.
    pub(super) fn at(&self, evaluator: &mut Evaluator) -> Gripped {
        let n = evaluator.sizes().coordinates;
        let results = evaluator.run(&self.kernel);
        let (known, slopes) = results.split_at(results.len() - self.listed.len());
        let mut gripped = Gripped { values: [0.0; 3], slopes: [0; 3].map(|_| vec![0.0; n]) };
        gripped.values[..known.len()].copy_from_slice(known);
        for (&(value, by), slope) in self.listed.iter().zip(slopes) {
            gripped.slopes[value][by] = *slope;
        }
        gripped
    }
}

impl Gripped {
    /// The place of a point in the axes of the carrier, and its derivatives.
    pub(super) fn point(self, at: [f64; 2]) -> ([f64; 2], [Vec<f64>; 2]) {
        let Gripped { values: [x, y, angle], slopes: [mut along_x, mut along_y, turn] } = self;
        let (sine, cosine) = angle.sin_cos();
        let arm = [at[0] * cosine - at[1] * sine, at[0] * sine + at[1] * cosine];
        for (column, turn) in turn.iter().enumerate() {
            along_x[column] -= arm[1] * turn;
            along_y[column] += arm[0] * turn;
        }
        ([x + arm[0], y + arm[1]], [along_x, along_y])
    }
}
