//! How well results are known: motions and special points found again with tighter tolerances.

use super::curve::Solved;
use super::curve_point::{CurvePoint, restricted};
use super::equations::CurveEquations;
use super::observer::Observer;
use super::special::SpecialKind;
use super::tracer::Stepping;
use super::{ContinuationRequest, SolutionCurves};
use crate::Watch;
use catena_linear::max_abs;

/// Tolerances of the second look, relative to those of the first.
const TIGHTENING: f64 = 0.02;
/// The tightest relative tolerance that rounding allows.
const MIN_TOLERANCE: f64 = 2e-13;
/// Points that are looked at again, at most.
const MAX_EXAMINED: usize = 24;
/// Amplitudes below this are rest.
const MIN_AMPLITUDE: f64 = 1e-9;
/// How far to each side of a special point it is looked for, in scaled unknowns.
const SEARCH_DISTANCE: f64 = 2e-4;

/// What is looked at again.
pub(super) struct Precision {
    rtol: f64,
    atol: f64,
    remembered: Vec<Remembered>,
}

/// A solution, where it stands among the results, and what happens there.
struct Remembered {
    equations: CurveEquations,
    place: (usize, usize),
    point: CurvePoint,
    tangent: Vec<f64>,
    kind: Option<SpecialKind>,
}

impl Precision {
    pub(super) fn new(request: &ContinuationRequest) -> Precision {
        let options = &request.integration;
        let rtol = (TIGHTENING * options.rtol).max(MIN_TOLERANCE);
        Precision { rtol, atol: TIGHTENING * options.atol, remembered: Vec::new() }
    }

    /// A solution that is to be looked at again.
    pub(super) fn remember(
        &mut self,
        equations: &CurveEquations,
        place: (usize, usize),
        solved: &Solved,
        kind: Option<SpecialKind>,
    ) {
        if self.remembered.len() < MAX_EXAMINED {
            let (point, tangent) = (solved.point.clone(), solved.tangent.clone());
            self.remembered.push(Remembered {
                equations: equations.copied(),
                place,
                point,
                tangent,
                kind,
            });
        }
    }

    /// Looks at all of it again.
    pub(super) fn estimate(
        mut self,
        found: &mut SolutionCurves,
        observer: &Observer,
        stepping: &Stepping,
        watch: &Watch<'_>,
    ) {
        for remembered in &mut self.remembered {
            if (watch.stop)(1.0) {
                return;
            }
            remembered.equations.tighten(self.rtol, self.atol);
            let (branch, at) = remembered.place;
            let point = &mut found.branches[branch].points[at];
            match (remembered.kind, &mut point.special) {
                (Some(kind), Some(special)) => special.error = remembered.shift(kind, stepping),
                _ => {
                    let change = remembered.change(&point.amplitudes, observer, stepping);
                    found.integration_error =
                        found.integration_error.into_iter().chain(change).reduce(f64::max);
                }
            }
        }
    }
}

impl Remembered {
    /// How far a special point moves along what is followed.
    fn shift(&mut self, kind: SpecialKind, stepping: &Stepping) -> Option<f64> {
        let equations = &mut self.equations;
        let tolerance = stepping.tolerance;
        let chart = equations.chart(&self.point);
        let along = restricted(&chart, &self.tangent);
        let back: Vec<f64> = along.iter().map(|entry| -SEARCH_DISTANCE * entry).collect();
        let before = equations.moved(&self.point, &chart, &back).ok()?;
        let before = equations.corrected(before, &self.tangent, tolerance).ok()?;
        let after = equations.stepped(&before, 2.0 * SEARCH_DISTANCE, tolerance).ok()?;
        let found = equations.specials_between(&before, &after, 2.0 * SEARCH_DISTANCE, stepping);
        let (_, solved, _) = found.into_iter().find(|(_, _, other)| *other == kind)?;
        let value = |point: &CurvePoint| equations.followed_value(point);
        Some((value(&solved.point) - value(&self.point)).abs())
    }

    /// How much the amplitudes of a solution change, relative to the largest.
    fn change(
        &mut self,
        amplitudes: &[f64],
        observer: &Observer,
        stepping: &Stepping,
    ) -> Option<f64> {
        let equations = &mut self.equations;
        let border = equations.holding_border(&self.point);
        let solved = equations.corrected(self.point.clone(), &border, stepping.tolerance).ok()?;
        let again = observer.observed(equations, &solved, None).ok()?;
        let changes = amplitudes.iter().zip(&again.amplitudes).map(|(a, b)| (a - b).abs());
        let size = max_abs(amplitudes);
        (size > MIN_AMPLITUDE).then(|| changes.fold(0.0, f64::max) / size)
    }
}
