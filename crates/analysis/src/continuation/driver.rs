//! Which curves are followed, in which order, and where they begin.

use super::curve::Solved;
use super::curve_point::Scales;
use super::equations::{CurveEquations, Solutions};
use super::family::Family;
use super::observer::Observer;
use super::precision::Precision;
use super::special::SpecialKind;
use super::start::FirstSolution;
use super::switching::Departure;
use super::tracer::{MAX_TIP_RATE, Stepping, Traced};
use super::{
    ContinuationError, ContinuationRequest, FollowedKind, FollowedQuantity, MotionPoint,
    SolutionBranch, SolutionCurves,
};
use crate::live::Show;
use crate::{DrivePeriod, PeriodError, Rest, Watch};
use catena_linear::{ProductEigenvalue, max_abs};
use catena_model::{Model, plain_to};
use catena_simulation::{Prepared, TangentFlow};

/// Special points are one where they agree to this part of the range ...
const SAME_POINT: f64 = 1e-5;
/// ... and to this part of their amplitudes, which change like the root of the distance where curves meet.
const SAME_AMPLITUDE: f64 = 1e-3;
/// A fold around which the parameter changes by less than this part of its range is none.
const VERTICAL_PART: f64 = 1e-7;
/// A motion whose unfolding, times its period, is larger is no motion of the model.
const UNFOLDING_TOLERANCE: f64 = 1e-6;
/// A second multiplier this near to 1 tells that a motion belongs to a family at one value of the parameter: two that
/// coincide are known to the root of the error of their matrix alone.
const FAMILY_TOLERANCE: f64 = 3e-4;
/// Curves that are followed at most.
const MAX_BRANCHES: usize = 40;

/// A curve that waits to be followed.
struct Pending {
    equations: CurveEquations,
    start: Solved,
    depth: usize,
    origin: Option<(usize, usize)>,
}

/// Follows periodic motions or equilibria of a model over a parameter, and the curves that leave them.
pub fn continuation(
    model: &Model,
    request: &ContinuationRequest,
    watch: &Watch<'_>,
) -> Result<SolutionCurves, ContinuationError> {
    continuation_shown(model, request, watch, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn continuation_shown(
    model: &Model,
    request: &ContinuationRequest,
    watch: &Watch<'_>,
    show: Option<&Show<'_, SolutionCurves>>,
) -> Result<SolutionCurves, ContinuationError> {
    let mut driver = Driver::new(model, request)?;
    let first = driver.first()?;
    driver.follow(first, watch, show)?;
    driver.finish(watch)
}

/// What is left of a curve when it is kept.
struct Kept {
    /// Its special points with their places on it.
    specials: Vec<(usize, Solved, SpecialKind)>,
    /// The special point of another branch where it ends.
    met: Option<(usize, usize)>,
}

/// A special point that curves leave.
struct KnownPoint {
    parameter: f64,
    amplitudes: Vec<f64>,
    /// The number of its branch, and of the point there.
    place: (usize, usize),
}

struct Driver<'a> {
    request: &'a ContinuationRequest,
    stepping: Stepping,
    /// The equations of motions.
    motions: CurveEquations,
    /// The equations of rest, where they are followed.
    rest: Option<CurveEquations>,
    observer: Observer,
    /// Where it is run, s.
    duration: f64,
    conserves_energy: bool,
    found: SolutionCurves,
    /// Special points that curves were followed from.
    departed: Vec<KnownPoint>,
    precision: Precision,
}

impl<'a> Driver<'a> {
    fn new(
        model: &Model,
        request: &'a ContinuationRequest,
    ) -> Result<Driver<'a>, ContinuationError> {
        let parameter = match &request.over {
            FollowedQuantity::Parameter(name) => Some(name.as_str()),
            _ => None,
        };
        let mut family = Family::new(model, parameter)?;
        let model = family.at(request.range[0]).clone();
        let options = request.formulation_options.clone();
        let prepared = Prepared::new(&model, request.formulation, options)?;
        let integration = request.integration.clone();
        let flow = TangentFlow::new(&prepared, request.integrator, integration.clone())?;
        let solutions = solutions(&model, request, &prepared)?;
        let [from, to] = request.range;
        let scales =
            Scales { state: 1.0, period: 1.0, parameter: (to - from).abs().max(f64::MIN_POSITIVE) };
        let threads = request.threads;
        let mut motions = CurveEquations::new(solutions, family.clone(), scales, &flow, threads);
        motions.is_doubled = motions.has_even_multiple();
        let rest = match request.kind {
            FollowedKind::Motions => None,
            FollowedKind::Equilibria => {
                let resting = resting_flow(&model, request, &flow)?;
                Some(CurveEquations::new(Solutions::Equilibria, family, scales, &resting, threads))
            }
        };
        let columns = match request.columns.is_empty() {
            true => {
                let system = prepared.system();
                let coordinates = system.coordinates.iter().map(|c| c.name.clone());
                coordinates.chain(system.states.iter().map(|state| state.name.clone())).collect()
            }
            false => request.columns.clone(),
        };
        let observer = Observer::new(&flow, &columns)?;
        Ok(Driver {
            stepping: Stepping {
                range: [from.min(to), from.max(to)],
                over_amplitude: request.over == FollowedQuantity::Amplitude,
                tolerance: request.residual_tolerance(),
                max_points: request.max_points,
            },
            precision: Precision::new(request),
            found: SolutionCurves {
                followed: request.over.clone(),
                columns,
                branches: Vec::new(),
                integration_error: None,
                complete: true,
            },
            duration: model.run.t_end.unwrap_or(USUAL_DURATION),
            departed: Vec::new(),
            conserves_energy: conserves_energy(&prepared),
            request,
            motions,
            rest,
            observer,
        })
    }

    /// The first solution, with its curve in the direction of the range; both directions where the start lies between.
    fn first(&mut self) -> Result<Vec<Pending>, ContinuationError> {
        let [from, to] = self.request.range;
        let first = FirstSolution {
            place: match &self.request.over {
                FollowedQuantity::Parameter(name) => format!("at {name} = {}", plain_to(from, 6)),
                _ => "from the start of the model".to_owned(),
            },
            value: from,
            stepping: &self.stepping,
        };
        let (equations, solved) = match (&mut self.rest, &self.motions.solutions) {
            (Some(rest), _) => {
                let solved = first.resting(rest)?;
                (&*rest, solved)
            }
            (None, Solutions::Driven { multiple, .. }) => {
                let multiple = *multiple;
                let solved = first.settled(&mut self.motions, multiple)?;
                (&self.motions, solved)
            }
            (None, _) => {
                let solved = first.returning(&mut self.motions, self.duration);
                let solved = solved.map_err(|error| self.of_family(error))?;
                self.refuse_wrong_families(&solved)?;
                (&self.motions, solved)
            }
        };
        let both = equations.follows_period();
        if both {
            let mut equations = equations.copied();
            let observed = self.observer.observed(&mut equations, &solved, None)?;
            let amplitude = observed.amplitudes.first().copied().unwrap_or(f64::NAN);
            let value = if self.stepping.over_amplitude { amplitude } else { observed.period };
            let range = self.stepping.range;
            if !(range[0] <= value && value <= range[1]) {
                let what = format!("the {}", self.request.over.name());
                return Err(ContinuationError::OutsideRange { what, value, range });
            }
        }
        let direction = if both || to > from { 1.0 } else { -1.0 };
        let mut pending = Vec::new();
        for sign in if both { vec![1.0, -1.0] } else { vec![direction] } {
            let mut equations = equations.copied();
            let border = equations.holding_border(&solved.point);
            let again = equations.corrected(solved.point.clone(), &border, self.stepping.tolerance);
            let Ok(mut start) = again else { continue };
            if start.followed_rate() * sign < 0.0 {
                start.tangent.iter_mut().for_each(|entry| *entry = -*entry);
                start.determinant.0 = -start.determinant.0;
            }
            pending.push(Pending { equations, start, depth: 0, origin: None });
        }
        Ok(pending)
    }

    /// Why a motion that should belong to a family over itself does not come back.
    fn of_family(&self, error: ContinuationError) -> ContinuationError {
        let over = self.request.over.name().to_owned();
        match error {
            ContinuationError::NoReturn { .. } | ContinuationError::NoSolution { .. }
                if self.motions.follows_period() && !self.conserves_energy =>
            {
                ContinuationError::Damped { over }
            }
            error => error,
        }
    }

    /// Refuses a motion of a family where a single one is to be followed, and the reverse.
    fn refuse_wrong_families(&self, solved: &Solved) -> Result<(), ContinuationError> {
        if self.motions.follows_period() {
            return match solved.point.unfolding.abs() * solved.point.period > UNFOLDING_TOLERANCE {
                true => {
                    Err(ContinuationError::Damped { over: self.request.over.name().to_owned() })
                }
                false => Ok(()),
            };
        }
        let from_one = |value: &ProductEigenvalue| (value.value() - 1.0).norm();
        match solved.spectrum.multipliers.iter().any(|value| from_one(value) < FAMILY_TOLERANCE) {
            true => Err(ContinuationError::Conservative),
            false => Ok(()),
        }
    }

    fn follow(
        &mut self,
        first: Vec<Pending>,
        watch: &Watch<'_>,
        show: Option<&Show<'_, SolutionCurves>>,
    ) -> Result<(), ContinuationError> {
        let mut waiting: std::collections::VecDeque<Pending> = first.into();
        while let Some(mut pending) = waiting.pop_front() {
            if self.found.branches.len() >= MAX_BRANCHES {
                break;
            }
            let (done, left) = (self.found.branches.len() as f64, waiting.len() as f64 + 1.0);
            let stop = |part: f64| (watch.stop)((done + part) / (done + left));
            let equations = &mut pending.equations;
            let (kind, multiple) = kind_of(equations);
            let (found, origin) = (&self.found, pending.origin);
            let seen = |points: &[MotionPoint]| {
                if let Some(show) = show {
                    show(&|| {
                        let mut so_far = found.clone();
                        let (points, end) = (points.to_vec(), String::new());
                        let branch = SolutionBranch { kind, multiple, origin, points, end };
                        so_far.branches.push(branch);
                        so_far
                    });
                }
            };
            let traced =
                equations.traced(pending.start, &self.stepping, &self.observer, &stop, &seen)?;
            let number = self.found.branches.len();
            let Kept { specials, met } = self.keep(equations, traced, pending.origin);
            // the curve that leaves there is this one
            waiting.retain(|other| met.is_none() || other.origin != met);
            if !self.found.complete {
                break;
            }
            for (at, solved, kind) in specials {
                self.precision.remember(&pending.equations, (number, at), &solved, Some(kind));
                if self.known(&self.found.branches[number].points[at]).is_some() {
                    continue;
                }
                let departure =
                    self.departure(&mut pending.equations, &solved, kind, pending.depth);
                let Some(departure) = departure else { continue };
                self.remember(number, at);
                let is_tip = solved.followed_rate().abs() <= MAX_TIP_RATE;
                if departure.has_half_period {
                    self.rename(number, at, SpecialKind::PeriodDoubling);
                } else if (departure.is_one_sided || is_tip) && kind == SpecialKind::BranchPoint {
                    self.rename(number, at, SpecialKind::Pitchfork);
                }
                if pending.depth >= self.request.depth && kind != SpecialKind::Hopf {
                    continue;
                }
                let Departure { equations, starts, is_one_sided, .. } = departure;
                let count = if is_one_sided { 1 } else { starts.len() };
                for start in starts.into_iter().take(count) {
                    let copy = equations.copied();
                    let (depth, origin) = (pending.depth + 1, Some((number, at)));
                    waiting.push_back(Pending { equations: copy, start, depth, origin });
                }
            }
        }
        let wants_hopf = self.request.from_hopf && self.found.complete;
        let has_motions =
            self.found.branches.iter().any(|branch| branch.kind == FollowedKind::Motions);
        if wants_hopf && !has_motions {
            return Err(ContinuationError::NoHopf);
        }
        Ok(())
    }

    /// Where the curve goes that leaves a special point, if it is one that curves leave.
    fn departure(
        &self,
        equations: &mut CurveEquations,
        at: &Solved,
        kind: SpecialKind,
        depth: usize,
    ) -> Option<Departure> {
        match kind {
            SpecialKind::BranchPoint => equations
                .halved_curve(at, &self.stepping)
                .or_else(|| equations.crossing_curve(at, &self.stepping)),
            SpecialKind::PeriodDoubling if depth < self.request.depth => {
                equations.doubled_curve(at, &self.stepping)
            }
            SpecialKind::Hopf if self.request.from_hopf => {
                equations.oscillations(at, &self.stepping)
            }
            _ => None,
        }
    }

    /// On a curve that stays at one value of the parameter, as where the model is conservative there, rounding alone turns back.
    fn drop_folds_that_turn_nowhere(
        &self,
        points: &mut [MotionPoint],
        specials: &mut Vec<(usize, Solved, SpecialKind)>,
    ) {
        let [from, to] = self.request.range;
        let least = VERTICAL_PART * (to - from).abs();
        let places: Vec<usize> = specials.iter().map(|(at, ..)| *at).collect();
        let last = points.len().saturating_sub(1);
        specials.retain(|(at, _, kind)| {
            let before = places.iter().rev().find(|other| *other < at).copied().unwrap_or(0);
            let after = places.iter().find(|other| *other > at).copied().unwrap_or(last);
            let value = points[*at].parameter;
            let around = points[before..=after].iter();
            let turns = around.map(|point| (point.parameter - value).abs()).fold(0.0, f64::max);
            let is_real = *kind != SpecialKind::Fold || turns > least;
            if !is_real {
                points[*at].special = None;
            }
            is_real
        });
    }

    /// Keeps a curve up to where it meets one that is known; returns the special points of what is kept.
    fn keep(
        &mut self,
        equations: &CurveEquations,
        traced: Traced,
        origin: Option<(usize, usize)>,
    ) -> Kept {
        let Traced { mut points, mut specials, mut end, interrupted, last } = traced;
        self.found.complete &= !interrupted;
        self.drop_folds_that_turn_nowhere(&mut points, &mut specials);
        let met = specials.iter().enumerate().find_map(|(number, (at, _, kind))| {
            let can_meet = *kind == SpecialKind::BranchPoint && origin.is_some();
            Some((number, self.known(&points[*at]).filter(|_| can_meet)?))
        });
        if let Some((met, _)) = met {
            let at = specials[met].0;
            points.truncate(at + 1);
            // it is a special point of the other branch, and known better there
            points[at].special = None;
            specials.truncate(met);
            end = "where it meets another branch".to_owned();
        }
        let (kind, multiple) = kind_of(equations);
        if let Some((at, solved)) = last.filter(|(at, _)| *at < points.len()) {
            self.precision.remember(equations, (self.found.branches.len(), at), &solved, None);
        }
        self.found.branches.push(SolutionBranch { kind, multiple, origin, points, end });
        Kept { specials, met: met.map(|(_, place)| place) }
    }

    /// The special point that a point is, if curves were followed from it.
    fn known(&self, point: &super::MotionPoint) -> Option<(usize, usize)> {
        let width = self.stepping.range[1] - self.stepping.range[0];
        let found = self.departed.iter().find(|known| {
            let size = max_abs(&known.amplitudes).max(f64::MIN_POSITIVE);
            let mut pairs = known.amplitudes.iter().zip(&point.amplitudes);
            (known.parameter - point.parameter).abs() <= SAME_POINT * width
                && pairs.all(|(a, b)| (a - b).abs() <= SAME_AMPLITUDE * size)
        });
        found.map(|known| known.place)
    }

    fn remember(&mut self, branch: usize, at: usize) {
        let point = &self.found.branches[branch].points[at];
        let (parameter, amplitudes) = (point.parameter, point.amplitudes.clone());
        self.departed.push(KnownPoint { parameter, amplitudes, place: (branch, at) });
    }

    fn rename(&mut self, branch: usize, at: usize, kind: SpecialKind) {
        if let Some(special) = &mut self.found.branches[branch].points[at].special {
            special.kind = kind;
        }
    }

    /// Says how well the results are known.
    fn finish(mut self, watch: &Watch<'_>) -> Result<SolutionCurves, ContinuationError> {
        if self.found.complete {
            self.precision.estimate(&mut self.found, &self.observer, &self.stepping, watch);
        }
        Ok(self.found)
    }
}

/// What a curve consists of, and the number of periods of the drive after which its motions repeat.
fn kind_of(equations: &CurveEquations) -> (FollowedKind, Option<u32>) {
    match &equations.solutions {
        Solutions::Equilibria => (FollowedKind::Equilibria, None),
        Solutions::Driven { multiple, .. } => (FollowedKind::Motions, Some(*multiple)),
        _ => (FollowedKind::Motions, None),
    }
}

/// How long a model is run that says nothing about it, s.
const USUAL_DURATION: f64 = 10.0;

/// Whether no force takes energy from a mechanical system or gives it any; rates of states say nothing about one.
fn conserves_energy(prepared: &Prepared) -> bool {
    let functions = prepared.input().evaluator.functions();
    functions.conservative && functions.sizes.states == 0
}

/// What kind of motions a model has.
fn solutions(
    model: &Model,
    request: &ContinuationRequest,
    prepared: &Prepared,
) -> Result<Solutions, ContinuationError> {
    let found = match &request.period {
        Some(formula) => DrivePeriod::given(model, formula),
        None => DrivePeriod::find(model),
    };
    let over_motion = !matches!(request.over, FollowedQuantity::Parameter(_));
    let is_conservative = conserves_energy(prepared);
    match found {
        Ok(_) if over_motion => {
            Err(ContinuationError::Driven { over: request.over.name().to_owned() })
        }
        Ok(period) => Ok(Solutions::Driven {
            period: Box::new(period),
            multiple: request.multiple.unwrap_or(1),
        }),
        Err(PeriodError::NoDrive) if request.multiple.is_some() => {
            Err(ContinuationError::NoDrive { what: "a multiple" })
        }
        Err(PeriodError::NoDrive) if over_motion => Ok(Solutions::Conservative),
        Err(PeriodError::NoDrive) if is_conservative && request.kind == FollowedKind::Motions => {
            Err(ContinuationError::Conservative)
        }
        Err(PeriodError::NoDrive) => Ok(Solutions::Autonomous),
        // a system that rests when its drive is off needs no period
        Err(_) if request.kind == FollowedKind::Equilibria => Ok(Solutions::Autonomous),
        Err(error) => Err(error.into()),
    }
}

/// The flow in which a model rests: without its drive, unless time changes nothing about it.
fn resting_flow(
    model: &Model,
    request: &ContinuationRequest,
    flow: &TangentFlow,
) -> Result<TangentFlow, ContinuationError> {
    if Rest::nearest(model)?.steady {
        return Ok(flow.clone());
    }
    let options = request.formulation_options.clone();
    let prepared = Prepared::undriven(model, request.formulation, options)?;
    Ok(TangentFlow::new(&prepared, request.integrator, request.integration.clone())?)
}
