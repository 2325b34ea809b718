//! As many nodes as a motion needs: over a segment tangent vectors grow and shrink moderately, so that Newton's method sees
//! a nearly linear problem and multipliers keep their digits.

use super::ContinuationError;
use super::curve::Solved;
use super::curve_point::CurvePoint;
use super::equations::CurveEquations;
use super::tracer::Stepping;
use catena_linear::{Lu, Matrix, max_abs};

/// Nodes of one motion at most.
const MAX_NODES: usize = 512;
/// A segment over which tangent vectors grow, or shrink, by more is divided.
const MAX_SEGMENT_GROWTH: f64 = 1e4;
const MAX_SEGMENT_DECAY: f64 = 1e6;

/// Whether a motion has nodes enough, or as many as it may have.
pub(super) fn is_moderate(solved: &Solved) -> bool {
    solved.point.period == 0.0
        || 2 * solved.point.nodes.len() > MAX_NODES
        || solved.linear.segments.iter().all(grows_moderately)
}

/// Whether tangent vectors neither grow nor shrink too much in a segment.
fn grows_moderately(segment: &Matrix) -> bool {
    let d = segment.rows();
    let mut lu = Lu::<f64>::default();
    lu.resize(d);
    lu.entries_mut().copy_from_slice(segment.entries());
    if lu.factor().is_err() {
        return false;
    }
    let inverse = (0..d).map(|column| {
        let mut x: Vec<f64> = (0..d).map(|row| f64::from(row == column)).collect();
        lu.solve(&mut x);
        max_abs(&x)
    });
    max_abs(segment.entries()) <= MAX_SEGMENT_GROWTH
        && inverse.fold(0.0, f64::max) <= MAX_SEGMENT_DECAY
}

impl CurveEquations {
    /// The same motion with twice as many nodes.
    pub(super) fn refined(&mut self, point: &CurvePoint) -> Result<CurvePoint, ContinuationError> {
        let flow = self.flow_at(point);
        let mut nodes = Vec::with_capacity(2 * point.nodes.len());
        for (at, node) in point.nodes.iter().enumerate() {
            let (from, to) = (point.time(at), point.time(at + 1));
            let mut y = node.clone();
            flow.advance(from, 0.5 * (from + to), &mut y, &mut [])?;
            nodes.extend([node.clone(), y]);
        }
        Ok(CurvePoint { nodes, ..point.clone() })
    }

    /// A solution with as many nodes as it needs, its tangent pointing as before.
    pub(super) fn with_enough_nodes(&mut self, mut solved: Solved, stepping: &Stepping) -> Solved {
        while !is_moderate(&solved) {
            let Ok(point) = self.refined(&solved.point) else { break };
            // what lies between two nodes points as they do on average; the corrector asks for no more
            let (nodes, slots) = solved.tangent.split_at(solved.tangent.len() - self.slots().len());
            let parts: Vec<&[f64]> = nodes.chunks_exact(solved.point.nodes[0].len()).collect();
            let mut border = Vec::with_capacity(2 * nodes.len() + slots.len());
            for (at, part) in parts.iter().enumerate() {
                let next = parts[(at + 1) % parts.len()];
                border.extend(part.iter());
                border.extend(part.iter().zip(next).map(|(a, b)| 0.5 * (a + b)));
            }
            border.iter_mut().for_each(|entry| *entry *= 0.5_f64.sqrt());
            border.extend(slots);
            match self.corrected(point, &border, stepping.tolerance) {
                Ok(again) => solved = again,
                Err(_) => break,
            }
        }
        solved
    }
}
