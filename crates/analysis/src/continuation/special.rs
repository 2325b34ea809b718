//! Special points: where solutions turn back, branch, double their period or begin to swing, located along the curve.

use super::curve::{Missed, Solved};
use super::equations::CurveEquations;
use super::tracer::Stepping;
use catena_linear::norm;

/// Evaluations of a test function in locating one root.
const MAX_EVALUATIONS: usize = 50;
/// A root is known when its place along the curve, in scaled unknowns, changes by less than this.
pub(super) const PLACE_TOLERANCE: f64 = 1e-12;
/// How far from a branch point solutions are taken that it is interpolated from, in scaled unknowns.
const BRANCH_DISTANCE: f64 = 5e-4;
/// Where they are taken, in these units.
const SAMPLE_PLACES: [f64; 4] = [-2.0, -1.0, 1.0, 2.0];
/// A fold this near to a branch point, in scaled unknowns, is the tip of a curve that leaves there.
const TIP_DISTANCE: f64 = 1e-4;
/// How far a place is moved at which nothing can be solved, relative to the step.
const SIDESTEP: f64 = 1e-9;
/// The value at an end of the bracket that is kept counts for so much less: the Illinois method.
const HALVING: f64 = 0.5;

/// What happens at a special point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialKind {
    /// The curve turns back: a saddle and a node meet.
    Fold,
    /// Another curve crosses, on both sides of the parameter.
    BranchPoint,
    /// Another curve leaves to one side of the parameter: a symmetry breaks.
    Pitchfork,
    /// A complex pair of eigenvalues crosses the imaginary axis: oscillations begin.
    Hopf,
    /// A multiplier passes −1: motions of twice the period branch off.
    PeriodDoubling,
    /// A complex pair of multipliers crosses the unit circle: quasi-periodic motions branch off.
    NeimarkSacker,
}

impl SpecialKind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            SpecialKind::Fold => "fold",
            SpecialKind::BranchPoint => "branch point",
            SpecialKind::Pitchfork => "pitchfork",
            SpecialKind::Hopf => "Hopf",
            SpecialKind::PeriodDoubling => "period doubling",
            SpecialKind::NeimarkSacker => "Neimark-Sacker",
        }
    }
}

/// A function along the curve whose sign tells that something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Fold,
    Branch,
    Doubling,
    Pair,
}

impl Test {
    const ALL: [Test; 4] = [Test::Fold, Test::Branch, Test::Doubling, Test::Pair];

    /// Its value; `reference` is the size of a determinant that counts as 1.
    fn value(self, solved: &Solved, reference: f64) -> f64 {
        match self {
            Test::Fold => solved.followed_rate(),
            Test::Branch => solved.determinant.0 * (solved.determinant.1 - reference).exp(),
            Test::Doubling => solved.spectrum.doubling_test(),
            Test::Pair => solved.spectrum.pair_test(),
        }
    }

    /// What a root of it is; none for one that means nothing.
    fn kind(self, equations: &CurveEquations, at: &Solved) -> Option<SpecialKind> {
        match self {
            Test::Fold => Some(SpecialKind::Fold),
            Test::Branch => Some(SpecialKind::BranchPoint),
            Test::Doubling => Some(SpecialKind::PeriodDoubling),
            Test::Pair => at.spectrum.neutral_pair().map(|_| match equations.is_equilibrium() {
                true => SpecialKind::Hopf,
                false => SpecialKind::NeimarkSacker,
            }),
        }
    }
}

impl CurveEquations {
    /// The special points between two solutions, the second of which is one step of this length from the first.
    pub(super) fn specials_between(
        &mut self,
        from: &Solved,
        to: &Solved,
        length: f64,
        stepping: &Stepping,
    ) -> Vec<(f64, Solved, SpecialKind)> {
        let mut found = Vec::new();
        for test in Test::ALL {
            if self.follows_period() && matches!(test, Test::Fold | Test::Branch) {
                // families of conservative systems have multipliers at 1 throughout
                continue;
            }
            if test == Test::Pair && [from, to].iter().all(|end| end.spectrum.has_neutral_pairs()) {
                continue;
            }
            let reference = from.determinant.1;
            let ends = [from, to].map(|solved| test.value(solved, reference));
            let has_crossed = ends[0] * ends[1] < 0.0;
            if !has_crossed {
                continue;
            }
            let value = |solved: &Solved| test.value(solved, reference);
            let tolerance = if test == Test::Branch { BRANCH_DISTANCE } else { PLACE_TOLERANCE };
            let rough = self.located(from, length, ends, value, tolerance, stepping);
            let exact = rough.and_then(|(place, at)| match test {
                Test::Branch => self.interpolated_root(from, place, value, stepping),
                _ => Ok((place, at)),
            });
            if let Ok((place, at)) = exact
                && let Some(kind) = test.kind(self, &at)
            {
                found.push((place, at, kind));
            }
        }
        // the tip of a curve that branches off is no fold
        let branches: Vec<f64> = found
            .iter()
            .filter(|(_, _, kind)| *kind == SpecialKind::BranchPoint)
            .map(|(place, ..)| *place)
            .collect();
        found.retain(|(place, _, kind): &(f64, Solved, SpecialKind)| {
            let is_tip = branches.iter().any(|other| (place - other).abs() <= TIP_DISTANCE);
            *kind != SpecialKind::Fold || !is_tip
        });
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    /// The solution between two, a step apart, at which a function with these values at both ends vanishes.
    pub(super) fn located(
        &mut self,
        from: &Solved,
        length: f64,
        [mut at_a, mut at_b]: [f64; 2],
        value: impl Fn(&Solved) -> f64,
        tolerance: f64,
        stepping: &Stepping,
    ) -> Result<(f64, Solved), Missed> {
        let (mut a, mut b) = (0.0, length);
        let mut best: Option<(f64, f64, Solved)> = None;
        for _ in 0..MAX_EVALUATIONS {
            let secant = (a * at_b - b * at_a) / (at_b - at_a);
            let place = if secant > a.min(b) && secant < a.max(b) { secant } else { 0.5 * (a + b) };
            let solved = match self.stepped(from, place, stepping.tolerance) {
                Ok(solved) => solved,
                // exactly at a branch point nothing can be solved
                Err(_) => self.stepped(from, place + SIDESTEP * length, stepping.tolerance)?,
            };
            let found = value(&solved);
            let moved = best.as_ref().map_or(f64::INFINITY, |(last, ..)| (last - place).abs());
            if best.as_ref().is_none_or(|(_, least, _)| found.abs() <= *least) {
                best = Some((place, found.abs(), solved));
            }
            if found == 0.0 || moved <= tolerance || (b - a).abs() <= tolerance {
                break;
            }
            if found * at_b < 0.0 {
                (a, at_a) = (b, at_b);
            } else {
                at_a *= HALVING;
            }
            (b, at_b) = (place, found);
        }
        best.map(|(place, _, solved)| (place, solved)).ok_or(Missed::NotConverged(f64::NAN))
    }

    /// The same at a branch point, where the equations themselves are singular and Newton's method loses its way: by
    /// cubics through solutions at some distance to both sides.
    fn interpolated_root(
        &mut self,
        from: &Solved,
        place: f64,
        value: impl Fn(&Solved) -> f64,
        stepping: &Stepping,
    ) -> Result<(f64, Solved), Missed> {
        let mut samples = Vec::with_capacity(SAMPLE_PLACES.len());
        for at in SAMPLE_PLACES {
            samples.push(self.stepped(from, place + at * BRANCH_DISTANCE, stepping.tolerance)?);
        }
        let values: Vec<f64> = samples.iter().map(value).collect();
        let between =
            |at: f64| -> f64 { weights(at).iter().zip(&values).map(|(w, v)| w * v).sum() };
        let (mut a, mut b) = (SAMPLE_PLACES[1], SAMPLE_PLACES[2]);
        for _ in 0..MAX_EVALUATIONS {
            let (at_a, at_b) = (between(a), between(b));
            if (b - a).abs() <= f64::EPSILON || at_a == at_b {
                break;
            }
            (a, b) = (b, b - at_b * (b - a) / (at_b - at_a));
        }
        if !b.is_finite() || b.abs() > SAMPLE_PLACES[3] {
            return Err(Missed::NotConverged(f64::NAN));
        }
        let weights = weights(b);
        let mixed = |part: &dyn Fn(&Solved) -> f64| -> f64 {
            samples.iter().zip(weights).map(|(sample, weight)| weight * part(sample)).sum()
        };
        let mut point = samples[0].point.clone();
        for (node, state) in point.nodes.iter_mut().enumerate() {
            for (at, entry) in state.iter_mut().enumerate() {
                *entry = mixed(&|sample| sample.point.nodes[node][at]);
            }
        }
        point.period = mixed(&|sample| sample.point.period);
        point.unfolding = mixed(&|sample| sample.point.unfolding);
        point.parameter = mixed(&|sample| sample.point.parameter);
        self.put_on_constraints(&mut point)?;
        let mut tangent: Vec<f64> =
            (0..samples[0].tangent.len()).map(|at| mixed(&|sample| sample.tangent[at])).collect();
        let length = norm(&tangent);
        tangent.iter_mut().for_each(|entry| *entry /= length);
        Ok((place + b * BRANCH_DISTANCE, self.taken_as_solved(point, tangent)?))
    }
}

/// Weights of values at the sample places in their cubic at a place.
fn weights(at: f64) -> [f64; 4] {
    std::array::from_fn(|k| {
        let others = SAMPLE_PLACES.iter().enumerate().filter(|(j, _)| *j != k);
        others.map(|(_, other)| (at - other) / (SAMPLE_PLACES[k] - other)).product()
    })
}
