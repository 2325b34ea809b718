//! Places where the equations are not smooth: where a motion crosses one, the step ends, and the integration begins anew
//! behind it.

use super::collect::Switch;
use super::search::rests;
use super::step_path::StepPath;
use crate::motion::Motion;
use catena_compile::IntervalReader;
use catena_integrator::{FirstOrderSystem, Integrator};

/// How many pieces of one step are looked at.
const MAX_PIECES: usize = 300;
/// Pieces of this part of a step that show no change of sign are not halved.
const SHORTEST_PIECE: f64 = 1e-6;
/// A change of sign in a piece of this part of a step is one crossing.
const CROSSING_PIECE: f64 = 1.0 / 16.0;
/// What a motion can be stuck for is looked for within this part of the run.
const INSTANT: f64 = 1e-6;

/// A switch in the outputs of a reader.
#[derive(Clone, Debug)]
pub(super) struct WatchedSwitch {
    pub(super) switch: Switch,
    pub(super) output: usize,
    /// Outputs that are constant where it does not matter; empty where it always may.
    pub(super) drives: Vec<usize>,
    /// The largest |argument| at the end of a step.
    pub(super) largest: f64,
}

/// All switches of a system, and the workspace of the search.
#[derive(Clone, Debug)]
pub(super) struct Switches {
    pub(super) reader: IntervalReader,
    pub(super) list: Vec<WatchedSwitch>,
    /// Arguments at the ends of the piece in hand and of those still to be looked at.
    here: Vec<f64>,
    ahead: Vec<f64>,
    values_ahead: Vec<f64>,
    /// Slopes around a crossing, three on each side.
    slopes: [Vec<f64>; 6],
    /// By how much the slopes jump at the crossing, and their change.
    jump: Vec<f64>,
    bend: Vec<f64>,
    effect: Vec<f64>,
    y: Vec<f64>,
    state: Vec<f64>,
}

impl Switches {
    pub(super) fn new(reader: IntervalReader, list: Vec<WatchedSwitch>) -> Switches {
        Switches {
            reader,
            here: vec![0.0; list.len()],
            ahead: Vec::new(),
            values_ahead: Vec::new(),
            slopes: Default::default(),
            jump: Vec::new(),
            bend: Vec::new(),
            effect: Vec::new(),
            y: Vec::new(),
            state: Vec::new(),
            list,
        }
    }

    /// The time of the first crossing of a step after a time.
    pub(super) fn first_crossing(&mut self, path: &mut StepPath, after: f64) -> Option<f64> {
        let (count, step) = (self.list.len(), path.to - path.from);
        let Switches { reader, list, here, ahead, values_ahead, .. } = self;
        look(reader, list, path, after, here);
        ahead.clear();
        values_ahead.clear();
        ahead.push(path.to);
        values_ahead.resize(count, 0.0);
        look(reader, list, path, path.to, values_ahead);
        if after == path.from {
            for (watched, value) in list.iter_mut().zip(&*values_ahead) {
                watched.largest = watched.largest.max(value.abs());
            }
        }
        let mut from = after;
        for _ in 0..MAX_PIECES {
            let &next = ahead.last()?;
            let end = values_ahead.len() - count;
            let ranges = reader.ranges([from, next], path.between([from, next]));
            let (mut changes, mut may_change) = (false, false);
            for (at, watched) in list.iter().enumerate() {
                let (a, b) = (here[at], values_ahead[end + at]);
                if rests(&watched.drives, ranges) {
                    continue;
                }
                changes |= crosses(a, b);
                may_change |= a * b > 0.0 && ranges[watched.output].contains(0.0);
            }
            let shortest = if changes { CROSSING_PIECE } else { SHORTEST_PIECE };
            let is_short = next - from <= shortest * step;
            if changes && (is_short || !may_change) {
                break;
            }
            if is_short || !(changes || may_change) {
                here.copy_from_slice(&values_ahead[end..]);
                values_ahead.truncate(end);
                ahead.pop();
                from = next;
                continue;
            }
            let middle = from + 0.5 * (next - from);
            values_ahead.resize(end + 2 * count, 0.0);
            look(reader, list, path, middle, &mut values_ahead[end + count..]);
            ahead.push(middle);
        }
        let to = *ahead.last()?;
        let end = values_ahead.len() - count;
        let ranges = reader.ranges([from, to], path.between([from, to]));
        let changed: Vec<usize> = (0..count)
            .filter(|&at| crosses(here[at], values_ahead[end + at]))
            .filter(|&at| !rests(&list[at].drives, ranges))
            .collect();
        let crossings = changed.into_iter().map(|at| {
            let output = list[at].output;
            let value = |t: f64| reader.values(t, path.at(t))[output];
            bisect([from, to], here[at], value)
        });
        crossings.min_by(f64::total_cmp)
    }

    /// How far it is from a crossing to the next one of a step, or to its end: nothing is compared across that.
    pub(super) fn distance_to_next(&mut self, path: &mut StepPath, crossing: f64) -> f64 {
        let end = path.to;
        self.first_crossing(path, crossing).unwrap_or(end) - crossing
    }

    /// Compares the slopes on both sides of a crossing at places as far from it as this, which is short: by how much they
    /// jump, and by how much their change. `state` is y at a time.
    pub(super) fn compare_sides(
        &mut self,
        motion: &mut Motion,
        (time, distance): (f64, f64),
        mut state: impl FnMut(f64, &mut [f64]),
    ) {
        self.y.resize(motion.len(), 0.0);
        for buffer in [&mut self.jump, &mut self.bend, &mut self.effect] {
            buffer.resize(motion.len(), 0.0);
        }
        for (place, slope) in [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].into_iter().zip(&mut self.slopes) {
            slope.resize(motion.len(), 0.0);
            let t = time + place * distance;
            state(t, &mut self.y);
            if motion.derivative(t, &self.y, slope).is_err() {
                self.jump.fill(f64::INFINITY);
                return;
            }
        }
        let [c, b, a, d, e, f] = &self.slopes;
        for i in 0..self.jump.len() {
            let side = |one: f64, two: f64, three: f64| {
                let change = (-5.0 * one + 8.0 * two - 3.0 * three) / (2.0 * distance);
                [3.0 * one - 3.0 * two + three, change]
            };
            let [before, change_before] = side(a[i], b[i], c[i]);
            let [after, change_after] = side(d[i], e[i], f[i]);
            // before the crossing the places run backwards in time
            self.jump[i] = (after - before).abs();
            self.bend[i] = (change_after + change_before).abs();
        }
    }

    /// How much a step of length h that takes no notice of the crossing may be wrong, relative to the tolerance.
    pub(super) fn effect(&mut self, integrator: &dyn Integrator, h: f64) -> f64 {
        for ((effect, jump), bend) in self.effect.iter_mut().zip(&self.jump).zip(&self.bend) {
            *effect = h * jump + 0.5 * h * h * bend;
        }
        integrator.relative_to_tolerance(&self.effect)
    }

    /// The switch that the motion cannot leave: both sides lead back to it at once.
    pub(super) fn holds(
        &mut self,
        motion: &mut Motion,
        (t, y): (f64, &[f64]),
        duration: f64,
    ) -> Option<usize> {
        let jumping = (0..self.list.len()).filter(|&at| self.list[at].switch.jumps);
        let jumping: Vec<usize> = jumping.collect();
        if jumping.is_empty() {
            return None;
        }
        let instant = INSTANT * duration;
        let mut rate = vec![0.0; y.len()];
        motion.derivative(t, y, &mut rate).ok()?;
        // a little way along the motion, small against every change that matters
        let probe = 1e-3 * instant;
        let here = self.values(motion, t, y).to_vec();
        let moved = self.values(motion, t, &ahead(y, &rate, probe)).to_vec();
        jumping.into_iter().find(|&at| {
            let output = self.list[at].output;
            let argument = (here[output], (moved[output] - here[output]) / probe);
            self.is_held(motion, (t, y, &rate), at, argument, instant) == Some(true)
        })
    }

    /// Whether both sides of a switch lead back to it, from its argument here and the rate of that; `None` where it is
    /// not near or nothing moves.
    fn is_held(
        &mut self,
        motion: &mut Motion,
        (t, y, rate): (f64, &[f64], &[f64]),
        at: usize,
        (here, change): (f64, f64),
        instant: f64,
    ) -> Option<bool> {
        if here != 0.0 {
            let arrival = -here / change;
            if !(arrival > 0.0 && arrival <= instant) {
                return None;
            }
            let beyond = self.drift(motion, at, t, &ahead(y, rate, 2.0 * arrival))?;
            return Some(beyond < 0.0);
        }
        if change == 0.0 {
            return None;
        }
        let probe = 1e-3 * instant;
        let forth = self.drift(motion, at, t, &ahead(y, rate, probe))?;
        let back = self.drift(motion, at, t, &ahead(y, rate, -probe))?;
        Some(forth < 0.0 && back < 0.0)
    }

    /// How a state moves away from a switch (positive) or back to it.
    fn drift(&mut self, motion: &mut Motion, at: usize, t: f64, y: &[f64]) -> Option<f64> {
        let mut rate = vec![0.0; y.len()];
        motion.derivative(t, y, &mut rate).ok()?;
        let here = self.argument(motion, at, t, y);
        let size = here.abs().max(f64::MIN_POSITIVE);
        let probe = 1e-3 * size / catena_linear::max_abs(&rate).max(f64::MIN_POSITIVE);
        let moved = self.argument(motion, at, t, &ahead(y, &rate, probe));
        Some((moved - here) * here.signum())
    }

    /// The argument of a switch at a state.
    fn argument(&mut self, motion: &mut Motion, at: usize, t: f64, y: &[f64]) -> f64 {
        let output = self.list[at].output;
        self.values(motion, t, y)[output]
    }

    /// All outputs of the reader at a state.
    fn values(&mut self, motion: &mut Motion, t: f64, y: &[f64]) -> &[f64] {
        let (_, q, v, states) = motion.parts(t, y);
        self.state.clear();
        self.state.extend(q.iter().chain(&v).chain(&states));
        self.reader.values(t, &self.state)
    }

    /// What to tell of a motion that a switch holds.
    pub(super) fn explain(&self, at: usize, t: f64) -> String {
        let WatchedSwitch { switch, largest, .. } = &self.list[at];
        let text = &switch.text;
        let width = rounded_down(1e-3 * largest);
        // the graph may have turned the sign of the argument round: the file keeps its own
        let instead = format!(
            "write `tanh((...)/{width})` instead of `sign(...)`, with what stands in the brackets now"
        );
        match switch.is_velocity {
            true => format!(
                "dry friction that sticks: at t = {t:.6} s the velocity `{text}` comes to rest, and `sign({text})` drives \
                 it back from both sides at once, so that the equations have no solution from there on; end the run there \
                 by a terminal event on `{text}`, or {instead}: the friction is then full from a speed of about \
                 {width} on, and below it creeps, so that under a load nothing stays where it came to rest"
            ),
            false => format!(
                "`sign({text})` holds the motion: at t = {t:.6} s both sides lead back to where `{text}` is zero, so that \
                 it switches without end and the equations have no solution from there on; {instead}"
            ),
        }
    }
}

/// Arguments of all switches at a time.
fn look(
    reader: &mut IntervalReader,
    list: &[WatchedSwitch],
    path: &mut StepPath,
    t: f64,
    to: &mut [f64],
) {
    let values = reader.values(t, path.at(t));
    for (value, watched) in to.iter_mut().zip(list) {
        *value = values[watched.output];
    }
}

/// Whether a switch is crossed between two values of its argument; one that begins at zero is only left.
fn crosses(before: f64, after: f64) -> bool {
    before * after < 0.0 || (after == 0.0 && before != 0.0)
}

/// The first time at which an argument has left its sign.
fn bisect([mut a, mut b]: [f64; 2], at_a: f64, mut value: impl FnMut(f64) -> f64) -> f64 {
    loop {
        let middle = a + 0.5 * (b - a);
        if middle <= a || middle >= b {
            return b;
        }
        if value(middle) * at_a > 0.0 { a = middle } else { b = middle }
    }
}

/// y + τ ẏ
fn ahead(y: &[f64], rate: &[f64], duration: f64) -> Vec<f64> {
    y.iter().zip(rate).map(|(y, rate)| y + duration * rate).collect()
}

/// A round number for a formula: one digit, and 0.001 where nothing is known.
fn rounded_down(number: f64) -> f64 {
    match number > 0.0 && number.is_finite() {
        true => format!("{:.0e}", number).parse().unwrap_or(number),
        false => 1e-3,
    }
}
