//! The first solution: a settled response, a motion that comes back, or a state of rest.

use super::ContinuationError;
use super::curve::{Missed, Solved};
use super::curve_point::CurvePoint;
use super::equations::{CurveEquations, Solutions};
use super::nodes::is_moderate;
use super::tracer::{Stepping, range_of};
use crate::Rest;
use catena_linear::{dot, max_abs, null_vector};
use catena_model::Model;
use catena_simulation::{Start, TangentFlow};
use std::f64::consts::TAU;

/// Periods of the drive after which it is looked whether a motion has settled, one after the other.
const SETTLING_PERIODS: [usize; 4] = [40, 80, 160, 320];
/// States that differ by less than this from period to period, relative to the size of the motion, may be near a periodic one:
/// where Newton's method is tried, and how far it may lead.
const APPROACHING_DISTANCE: f64 = 0.5;
/// A distance that is so much smaller after several periods than after one tells that a motion repeats then ...
const REPEATING_RATIO: f64 = 1e-2;
/// ... unless both are small, relative to the size of the motion.
const SAME_STATE: f64 = 1e-6;
/// Most periods after which a motion is looked at for repeating.
const MAX_REPEATS: usize = 8;
/// Nodes in a period to begin with.
const FIRST_NODES: usize = 8;
/// How long a motion without a drive is waited for, relative to the end of the model's run.
const FREE_SETTLING_RUNS: f64 = 5.0;
/// A motion without a drive has come back when it passes its start this near, relative to its size.
const RETURN_DISTANCE: f64 = 0.05;
/// A motion that Newton's method makes smaller than this, relative to what it began with, is rest.
const REMAINING_SIZE: f64 = 0.01;
/// A motion that is smaller by this factor in the second half of its time dies out.
const SHRINKING_RATIO: f64 = 0.95;
/// Motions smaller than this, relative to the state, are rest.
const REST_SIZE: f64 = 1e-6;
/// An equation that moves by less than this when a direction moves by 1 does not see it.
const FREE_DIRECTION: f64 = 1e-9;

/// What a first solution needs.
pub(super) struct FirstSolution<'a> {
    /// Where it is looked for, in words.
    pub(super) place: String,
    pub(super) value: f64,
    pub(super) stepping: &'a Stepping,
}

/// y where the model with these parameters begins.
fn assembled(flow: &mut TangentFlow, model: &Model) -> Result<Vec<f64>, ContinuationError> {
    let values = model.parameter_values();
    flow.set_parameters(&values);
    let mut prepared = flow.prepared().clone();
    let start = Start::new(model, prepared.formulation().coordinates);
    let assembly = prepared.assemble(&values, &start).map_err(crate::RestError::Start)?;
    Ok(flow.pack(&assembly.q, &assembly.v, &assembly.states))
}

/// The distance of two states relative to a size, angles by whole turns nearest to it; and the turns.
fn away(angles: &[bool], from: &[f64], to: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let parts = angles.iter().zip(from.iter().zip(to)).map(|(&is_angle, (from, to))| {
        let turns = if is_angle { ((to - from) / TAU).round() } else { 0.0 };
        (to - from - TAU * turns, turns)
    });
    parts.unzip()
}

impl FirstSolution<'_> {
    /// The motion that a driven model settles to.
    pub(super) fn settled(
        &self,
        equations: &mut CurveEquations,
        multiple: u32,
    ) -> Result<Solved, ContinuationError> {
        let model = equations.family.at(self.value).clone();
        let period = equations.prescribed_period(self.value)?.unwrap_or(1.0) / f64::from(multiple);
        let at = |nodes| CurvePoint { nodes, period, unfolding: 0.0, parameter: self.value };
        let flow = equations.flow_at(&at(Vec::new()));
        let angles = flow.angles();
        let mut y = assembled(flow, &model)?;
        let (mut done, mut missed) = (0, f64::NAN);
        for waited in SETTLING_PERIODS {
            let flow = equations.flow_at(&at(Vec::new()));
            let mut strobes: Vec<Vec<f64>> = Vec::new();
            let most = MAX_REPEATS.max(multiple as usize);
            for number in done..waited {
                if number + most >= waited {
                    strobes.push(y.clone());
                }
                flow.advance(0.0, period, &mut y, &mut [])?;
            }
            done = waited;
            strobes.push(y.clone());
            let nodes = self.sampled(
                flow,
                &y,
                period * f64::from(multiple),
                FIRST_NODES * multiple as usize,
            )?;
            let size = range_of(&nodes).max(REST_SIZE * (1.0 + max_abs(&y)));
            let last = strobes.len() - 1;
            let distance = |periods: usize| {
                max_abs(&away(&angles, &strobes[last - periods], &strobes[last]).0) / size
            };
            let residual = distance(multiple as usize);
            missed = residual;
            // a motion that repeats after more periods, and not before, is another one
            let repeats_later = (1..=MAX_REPEATS / multiple as usize)
                .any(|times| distance(times * multiple as usize) < REPEATING_RATIO * residual);
            let repeats_later = repeats_later && residual > SAME_STATE;
            if residual <= APPROACHING_DISTANCE && !repeats_later {
                let turns = away(&angles, &strobes[last - multiple as usize], &strobes[last]).1;
                let point = CurvePoint { period: period * f64::from(multiple), ..at(nodes) };
                let solved = self.solved(equations, point, turns, size);
                // what is still far away settles to a stable motion, if to any, and that is near
                let is_right = |solved: &Solved| {
                    let distance = max_abs(&away(&angles, &solved.point.nodes[0], &y).0) / size;
                    let is_stable = solved.spectrum.unstable() == 0;
                    residual <= SAME_STATE || (is_stable && distance <= APPROACHING_DISTANCE)
                };
                if let Some(solved) = solved.ok().filter(is_right) {
                    return Ok(solved);
                }
            }
            if waited == SETTLING_PERIODS[SETTLING_PERIODS.len() - 1] {
                let best = (1..=MAX_REPEATS).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
                let repeats = best
                    .filter(|&best| {
                        best != multiple as usize && distance(best) < REPEATING_RATIO * residual
                    })
                    .map(|best| (best as u32, distance(best)));
                return Err(ContinuationError::NotPeriodic {
                    place: self.place.clone(),
                    period: period * f64::from(multiple),
                    periods: waited,
                    residual,
                    repeats,
                });
            }
        }
        Err(self.no_solution(missed))
    }

    fn no_solution(&self, residual: f64) -> ContinuationError {
        ContinuationError::NoSolution { place: self.place.clone(), residual }
    }

    /// States at nodes that divide a period from a state on.
    fn sampled(
        &self,
        flow: &mut TangentFlow,
        y: &[f64],
        period: f64,
        nodes: usize,
    ) -> Result<Vec<Vec<f64>>, ContinuationError> {
        let mut y = y.to_vec();
        let mut states = Vec::with_capacity(nodes);
        for at in 0..nodes {
            states.push(y.clone());
            let time = |at: usize| period * at as f64 / nodes as f64;
            flow.advance(time(at), time(at + 1), &mut y, &mut [])?;
        }
        Ok(states)
    }

    /// Newton's method from a motion that nearly repeats, with as many nodes as its growth asks for.
    fn solved(
        &self,
        equations: &mut CurveEquations,
        mut point: CurvePoint,
        turns: Vec<f64>,
        size: f64,
    ) -> Result<Solved, ContinuationError> {
        equations.turns = turns;
        equations.scales.state = size;
        equations.scales.period = point.period;
        equations.put_on_constraints(&mut point)?;
        let mut solved = self.held(equations, point)?;
        while !is_moderate(&solved) {
            let point = equations.refined(&solved.point)?;
            solved = self.held(equations, point)?;
        }
        Ok(solved)
    }

    /// The solution nearest to a point, what is followed being held.
    fn held(
        &self,
        equations: &mut CurveEquations,
        point: CurvePoint,
    ) -> Result<Solved, ContinuationError> {
        let border = equations.holding_border(&point);
        match equations.corrected(point, &border, self.stepping.tolerance) {
            Ok(solved) => Ok(solved),
            Err(Missed::NotConverged(residual)) => Err(self.no_solution(residual)),
            Err(Missed::Broken(error)) => Err(error),
        }
    }

    /// A motion of a model without a drive that comes back: after its transient, or at once if it is conservative.
    pub(super) fn returning(
        &self,
        equations: &mut CurveEquations,
        duration: f64,
    ) -> Result<Solved, ContinuationError> {
        let model = equations.family.at(self.value).clone();
        let is_conservative = matches!(equations.solutions, Solutions::Conservative);
        let at =
            CurvePoint { nodes: Vec::new(), period: 0.0, unfolding: 0.0, parameter: self.value };
        let flow = equations.flow_at(&at);
        let angles = flow.angles();
        let mut y = assembled(flow, &model)?;
        let waited = FREE_SETTLING_RUNS * duration;
        if !is_conservative {
            flow.advance(0.0, waited, &mut y, &mut [])?;
        }
        let first = y.clone();
        let normal = flow.rate(0.0, &first)?;
        let mut path: Vec<(f64, Vec<f64>)> = Vec::new();
        flow.advance_watched(0.0, waited, &mut y, &mut [], |t, y| path.push((t, y.to_vec())))?;
        let states: Vec<Vec<f64>> = path.iter().map(|(_, state)| state.clone()).collect();
        let size = range_of(&states);
        if size <= REST_SIZE * (1.0 + max_abs(&first)) {
            return Err(ContinuationError::ComesToRest { place: self.place.clone() });
        }
        // a rotation is as large as a turn
        let size = if angles.contains(&true) { size.min(TAU.max(max_abs(&normal))) } else { size };
        let ahead = |state: &[f64]| dot(&normal, &away(&angles, &first, state).0);
        let mut nearest = f64::INFINITY;
        let mut found = None;
        for pair in path.windows(2) {
            let [before, after] = [ahead(&pair[0].1), ahead(&pair[1].1)];
            if !(before < 0.0 && after >= 0.0) {
                continue;
            }
            let part = before / (before - after);
            let state: Vec<f64> =
                pair[0].1.iter().zip(&pair[1].1).map(|(a, b)| a + part * (b - a)).collect();
            let (difference, turns) = away(&angles, &first, &state);
            let distance = max_abs(&difference) / size;
            let period = pair[0].0 + part * (pair[1].0 - pair[0].0);
            nearest = nearest.min(distance);
            if distance <= RETURN_DISTANCE && period > 0.0 {
                found = Some((period, turns));
                break;
            }
        }
        let Some((period, turns)) = found else {
            return Err(self.no_return(waited, nearest));
        };
        let nodes = self.sampled(flow, &first, period, FIRST_NODES)?;
        let size = range_of(&nodes).max(size.min(TAU) * 0.1);
        let point = CurvePoint { nodes, period, ..at };
        match self.solved(equations, point, turns, size) {
            // an attractor is stable, and as large as the motion on it
            Ok(solved) if is_conservative || is_attractor(&solved, size) => Ok(solved),
            Ok(solved) if range_of(&solved.point.nodes) > REMAINING_SIZE * size => {
                Err(self.no_return(waited, nearest))
            }
            Err(ContinuationError::NoSolution { .. }) if !shrinks(&states) => {
                Err(self.no_return(waited, nearest))
            }
            Ok(_) | Err(ContinuationError::NoSolution { .. }) if !is_conservative => {
                Err(ContinuationError::ComesToRest { place: self.place.clone() })
            }
            other => other,
        }
    }

    fn no_return(&self, duration: f64, residual: f64) -> ContinuationError {
        let residual = residual.min(1.0);
        ContinuationError::NoReturn { place: self.place.clone(), duration, residual }
    }

    /// The state of rest nearest to the start of the model.
    pub(super) fn resting(
        &self,
        equations: &mut CurveEquations,
    ) -> Result<Solved, ContinuationError> {
        let model = equations.family.at(self.value).clone();
        let rest = Rest::nearest(&model)?.equilibrium;
        let n = rest.q.len();
        let at = |nodes| CurvePoint { nodes, period: 0.0, unfolding: 0.0, parameter: self.value };
        let flow = equations.flow_at(&at(Vec::new()));
        let y = flow.pack(&rest.q, &vec![0.0; n], &rest.states);
        equations.scales.state = max_abs(&y).max(1.0);
        let mut point = at(vec![y]);
        equations.put_on_constraints(&mut point)?;
        self.refuse_free_directions(equations, &point)?;
        self.held(equations, point)
    }

    /// Refuses a system that rests anywhere along some coordinate.
    fn refuse_free_directions(
        &self,
        equations: &mut CurveEquations,
        point: &CurvePoint,
    ) -> Result<(), ContinuationError> {
        let linear = equations.linearised(point)?;
        let slopes = &linear.segments[0];
        let Some(direction) = null_vector(slopes) else { return Ok(()) };
        let seen = (0..slopes.rows()).map(|row| dot(slopes.row(row), &direction).abs());
        let size = max_abs(slopes.entries()).max(f64::MIN_POSITIVE);
        if seen.fold(0.0, f64::max) > FREE_DIRECTION * size {
            return Ok(());
        }
        let basis = &linear.chart[0];
        let ambient: Vec<f64> = (0..basis.columns())
            .map(|column| (0..basis.rows()).map(|row| direction[row] * basis[(row, column)]).sum())
            .collect();
        let names = equations.flow_at(point).prepared().input().clone();
        let all: Vec<&String> =
            names.coordinates.iter().chain(&names.coordinates).chain(&names.states).collect();
        let largest = (0..ambient.len())
            .max_by(|a, b| ambient[*a].abs().total_cmp(&ambient[*b].abs()))
            .and_then(|at| all.get(at));
        Err(ContinuationError::NotIsolated {
            coordinate: largest.map_or_else(String::new, |name| (*name).clone()),
        })
    }
}

/// Whether a motion is stable and not much smaller than what led to it.
fn is_attractor(solved: &Solved, size: f64) -> bool {
    solved.spectrum.unstable() == 0 && range_of(&solved.point.nodes) > REMAINING_SIZE * size
}

/// Whether a motion is smaller in the second half of its time.
fn shrinks(states: &[Vec<f64>]) -> bool {
    let (first, second) = states.split_at(states.len() / 2);
    range_of(second) < SHRINKING_RATIO * range_of(first)
}
