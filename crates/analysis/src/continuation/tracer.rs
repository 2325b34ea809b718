//! Following one curve of solutions from its start to the ends of a range.

use super::curve::{Missed, Solved};
use super::equations::CurveEquations;
use super::observer::Observer;
use super::special::{PLACE_TOLERANCE, SpecialKind};
use super::{ContinuationError, MotionPoint};
use catena_linear::{dot, max_abs};
use std::f64::consts::TAU;

/// The first step along a curve, in scaled unknowns: parts of the range and of the size of a motion.
const FIRST_STEP: f64 = 5e-3;
/// The longest step: curves are drawn through their points.
const MAX_STEP: f64 = 0.04;
/// Shorter steps lead nowhere.
const MIN_STEP: f64 = 1e-7;
/// Where a step fails, one that is longer by this factor is tried before shorter ones.
const LONGER_STEP: f64 = 1.5;
/// Motions without a drive that are smaller than this, relative to the largest of their curve, have shrunk to rest.
const REST_RATIO: f64 = 1e-3;
/// Corrections that are longer than this part of a step lead to another curve.
const MAX_CORRECTION_RATIO: f64 = 0.2;
/// The halves of a doubled motion do not become alike faster than by this factor in one step.
const MIN_UNEVENNESS_RATIO: f64 = 0.02;
/// A branch point where what is followed changes by less than this along the curve, in scaled unknowns, is its tip: behind it the
/// curve repeats itself, shifted in time or mirrored.
pub(super) const MAX_TIP_RATE: f64 = 0.02;
/// Tangents of neighbouring points turn by no more than this: the least cosine between them.
const MIN_TANGENT_COSINE: f64 = 0.95;
/// Multipliers move by no more than this from point to point, relative to their size, so that no crossing is missed.
const MAX_SPECTRUM_CHANGE: f64 = 0.35;
/// Sizes of motions are scaled anew where they differ from their scale by this factor.
const SCALE_RATIO: f64 = 2.0;
/// Corrections of so few steps let the next step be longer, of so many shorter.
const QUICK_ITERATIONS: usize = 3;
const SLOW_ITERATIONS: usize = 6;

/// How curves are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepping {
    /// The ends of the range, rising.
    pub(super) range: [f64; 2],
    /// Whether the range is one of the amplitude of the first column, not of what is followed.
    pub(super) over_amplitude: bool,
    /// Residuals below this, relative to the size of a motion, are none.
    pub(super) tolerance: f64,
    /// Points of one curve.
    pub(super) max_points: usize,
}

/// A curve as far as it was followed.
pub(super) struct Traced {
    pub(super) points: Vec<MotionPoint>,
    /// The special points among them with their places there, for curves that begin at them.
    pub(super) specials: Vec<(usize, Solved, SpecialKind)>,
    /// Why it ends, in words.
    pub(super) end: String,
    /// Whether the caller stopped it.
    pub(super) interrupted: bool,
    /// The last point that is not special and inside of the range, with its place.
    pub(super) last: Option<(usize, Solved)>,
}

/// What a step led to.
enum Outcome {
    Next(Box<Solved>, f64),
    Stuck(String),
}

impl CurveEquations {
    /// Follows the curve through a solution in the direction of its tangent.
    pub(super) fn traced(
        &mut self,
        start: Solved,
        stepping: &Stepping,
        observer: &Observer,
        stop: &dyn Fn(f64) -> bool,
        seen: &dyn Fn(&[MotionPoint]),
    ) -> Result<Traced, ContinuationError> {
        let mut traced = Traced {
            points: Vec::new(),
            specials: Vec::new(),
            end: String::new(),
            interrupted: false,
            last: None,
        };
        let first = start.point.clone();
        traced.points.push(observer.observed(self, &start, None)?);
        let (mut current, mut length) = (start, FIRST_STEP);
        let mut place = 0;
        let mut largest = range_of(&current.point.nodes);
        loop {
            seen(&traced.points);
            if traced.points.len() >= stepping.max_points {
                traced.end = format!("after {} points", traced.points.len());
                break;
            }
            if stop(self.part_of(&current, stepping)) {
                (traced.end, traced.interrupted) = ("where it was stopped".to_owned(), true);
                break;
            }
            let (next, taken) = match self.next(&current, length, stepping) {
                Outcome::Next(next, taken) => (*next, taken),
                Outcome::Stuck(reason) => {
                    traced.end = reason;
                    break;
                }
            };
            let specials = self.specials_between(&current, &next, taken, stepping);
            let observed = observer.observed(self, &next, None)?;
            let bound = self.bound_passed(&observed, stepping);
            let last = match bound {
                Some(bound) => self.at_bound(&current, taken, bound, stepping, observer)?,
                None => None,
            };
            let reach = last.as_ref().map_or(f64::INFINITY, |(place, _)| *place);
            let mut at_tip = false;
            for (along, solved, kind) in specials {
                if along <= reach && !at_tip {
                    at_tip = kind == SpecialKind::BranchPoint
                        && solved.followed_rate().abs() <= MAX_TIP_RATE;
                    traced.points.push(observer.observed(self, &solved, Some(kind))?);
                    traced.specials.push((traced.points.len() - 1, solved, kind));
                }
            }
            if at_tip {
                traced.end = "where it meets another branch".to_owned();
                break;
            }
            if let Some(bound) = bound {
                traced.points.extend(last.map(|(_, point)| point));
                traced.end = format!("at the end of the range, {}", catena_model::plain(bound));
                break;
            }
            traced.points.push(observed);
            if self.closes(&first, &current, &next) {
                traced.end = "where it began: the curve is closed".to_owned();
                break;
            }
            let size = range_of(&next.point.nodes);
            largest = largest.max(size);
            if self.is_free() && size <= REST_RATIO * largest {
                traced.end = "where its motions shrink to a state of rest".to_owned();
                break;
            }
            length = next_length(taken, &next);
            let refined = self.with_enough_nodes(next, stepping);
            (current, place) = (self.rescaled(refined, stepping), traced.points.len() - 1);
        }
        traced.last = Some((place, current));
        Ok(traced)
    }

    /// The next point of a curve, by as short a step as it takes, and the length of that step. Where a step ends at a branch
    /// point it fails, and a longer one passes it.
    fn next(&mut self, from: &Solved, wanted: f64, stepping: &Stepping) -> Outcome {
        let mut reason = None;
        let mut length = wanted;
        let uneven = self.unevenness(from).unwrap_or(0.0);
        while length >= MIN_STEP {
            for tried in [length, LONGER_STEP * length] {
                match self.stepped(from, tried, stepping.tolerance) {
                    Ok(next) => {
                        let turned = dot(&next.tangent, &from.tangent) < MIN_TANGENT_COSINE;
                        let change = next.spectrum.distance_to(&from.spectrum);
                        let jumped = next.correction > MAX_CORRECTION_RATIO * tried
                            || self
                                .unevenness(&next)
                                .is_some_and(|now| now < MIN_UNEVENNESS_RATIO * uneven);
                        if !turned && !jumped && change <= MAX_SPECTRUM_CHANGE {
                            return Outcome::Next(Box::new(next), tried);
                        }
                    }
                    Err(Missed::NotConverged(_)) => {}
                    Err(Missed::Broken(error)) => reason = Some(error.to_string()),
                }
            }
            length *= 0.5;
        }
        Outcome::Stuck(match reason {
            Some(reason) => format!("where it cannot be continued: {reason}"),
            None => "where no step along it is short enough".to_owned(),
        })
    }

    /// How far the halves of a doubled motion differ, relative to its size; none for others. Where it vanishes at once a step has led to the motions that were doubled.
    pub(super) fn unevenness(&self, solved: &Solved) -> Option<f64> {
        let nodes = &solved.point.nodes;
        let half = nodes.len() / 2;
        if !self.is_doubled || nodes.len() % 2 == 1 {
            return None;
        }
        let away = (0..half).flat_map(|at| {
            let parts = nodes[at].iter().zip(&nodes[at + half]).zip(&self.turns);
            parts.map(|((a, b), turns)| b - a - 0.5 * TAU * turns)
        });
        Some(away.fold(0.0, |most: f64, part| most.max(part.abs())) / self.scales.state)
    }

    /// The same solution in the scale of its own size, where that has become another.
    fn rescaled(&mut self, solved: Solved, stepping: &Stepping) -> Solved {
        let old = self.scales.state;
        let size = match self.is_equilibrium() {
            true => max_abs(solved.point.nodes.iter().flatten()).max(1.0),
            false => range_of(&solved.point.nodes),
        };
        if size <= SCALE_RATIO * old && size >= old / SCALE_RATIO {
            return solved;
        }
        self.scales.state = size;
        let nodes: usize = solved.point.nodes.iter().map(Vec::len).sum();
        let mut border = solved.tangent.clone();
        border[..nodes].iter_mut().for_each(|entry| *entry *= old / size);
        match self.corrected(solved.point.clone(), &border, stepping.tolerance) {
            Ok(again) => again,
            Err(_) => {
                self.scales.state = old;
                solved
            }
        }
    }

    /// The end of the range that a point lies beyond.
    fn bound_passed(&self, point: &MotionPoint, stepping: &Stepping) -> Option<f64> {
        let [low, high] = stepping.range;
        let value = self.measured(point, stepping);
        if value < low { Some(low) } else { (value > high).then_some(high) }
    }

    fn measured(&self, point: &MotionPoint, stepping: &Stepping) -> f64 {
        match (stepping.over_amplitude, self.follows_period()) {
            (true, _) => point.amplitudes.first().copied().unwrap_or(f64::NAN),
            (false, true) => point.period,
            (false, false) => point.parameter,
        }
    }

    /// The point at the end of the range, with its place in the step that passes it.
    fn at_bound(
        &mut self,
        from: &Solved,
        length: f64,
        bound: f64,
        stepping: &Stepping,
        observer: &Observer,
    ) -> Result<Option<(f64, MotionPoint)>, ContinuationError> {
        if stepping.over_amplitude {
            return Ok(None);
        }
        let at_start = self.followed_value(&from.point) - bound;
        let Ok(end) = self.stepped(from, length, stepping.tolerance) else { return Ok(None) };
        let at_end = self.followed_value(&end.point) - bound;
        if at_start * at_end >= 0.0 {
            return Ok(None);
        }
        let slot = self.followed();
        let value = |solved: &Solved| solved.point.get(slot) - bound;
        let Ok((place, solved)) =
            self.located(from, length, [at_start, at_end], value, PLACE_TOLERANCE, stepping)
        else {
            return Ok(None);
        };
        let mut point = observer.observed(self, &solved, None)?;
        if !self.follows_period() {
            point.parameter = bound;
        }
        Ok(Some((place, point)))
    }

    /// Whether a step passes the first point of the curve again.
    fn closes(
        &self,
        first: &super::curve_point::CurvePoint,
        before: &Solved,
        after: &Solved,
    ) -> bool {
        let scale = self.scales.of_nodes(first.nodes.len());
        let away = |solved: &Solved| -> Vec<f64> {
            let nodes = first.nodes.iter().flatten().zip(solved.point.nodes.iter().flatten());
            let slots = self.slots().iter();
            let slots = slots.map(|slot| {
                (first.get(*slot) - solved.point.get(*slot)) / self.scales.of_slot(*slot)
            });
            nodes.map(|(a, b)| (a - b) / scale).chain(slots).collect()
        };
        if first.nodes.len() != after.point.nodes.len() {
            return false;
        }
        let (behind, ahead) = (away(after), away(before));
        let along = dot(&ahead, &before.tangent) > 0.0 && dot(&behind, &after.tangent) <= 0.0;
        let step = dot(&ahead, &before.tangent) - dot(&behind, &before.tangent);
        let size = |vector: &[f64]| dot(vector, vector).sqrt();
        along && size(&behind) < 1.5 * step && size(&ahead) < 1.5 * step
    }

    /// Which part of the range is behind a solution, for those who wait.
    fn part_of(&self, solved: &Solved, stepping: &Stepping) -> f64 {
        let [low, high] = stepping.range;
        let part = (self.followed_value(&solved.point) - low) / (high - low);
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }
}

fn next_length(taken: f64, next: &Solved) -> f64 {
    let factor = match next.iterations {
        few if few <= QUICK_ITERATIONS => 1.4,
        many if many >= SLOW_ITERATIONS => 0.6,
        _ => 1.0,
    };
    (factor * taken).min(MAX_STEP)
}

/// The range of the component that moves most among some states.
pub(super) fn range_of(states: &[Vec<f64>]) -> f64 {
    let count = states.first().map_or(0, Vec::len);
    let range = |at: usize| {
        let values = states.iter().map(|state| state[at]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        high - low
    };
    (0..count).map(range).fold(0.0, f64::max)
}
