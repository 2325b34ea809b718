//! Special points: where solutions turn back, branch, double their period or begin to swing, located along the curve.

use super::curve::{Missed, Solved};
use super::equations::CurveEquations;
use super::tracer::Stepping;

/// Evaluations of a test function in locating one root.
const MAX_EVALUATIONS: usize = 50;
/// A root is known when its place along the curve, in scaled unknowns, changes by less than this.
const PLACE_TOLERANCE: f64 = 1e-12;
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
            let reference = from.determinant.1;
            let ends = [from, to].map(|solved| test.value(solved, reference));
            if !(ends[0] * ends[1] < 0.0) {
                continue;
            }
            let value = |solved: &Solved| test.value(solved, reference);
            if let Ok((place, at)) = self.located(from, length, ends, value, stepping)
                && let Some(kind) = test.kind(self, &at)
            {
                found.push((place, at, kind));
            }
        }
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
            if found == 0.0 || moved <= PLACE_TOLERANCE || (b - a).abs() <= PLACE_TOLERANCE {
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
}
