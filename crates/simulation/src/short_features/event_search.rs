//! Event functions along a step: their values, and what they can be between.

use super::collect::event_shapes;
use super::search::Item;
use super::step_path::{blossom, through_points};
use crate::events::{Behaviour, EventFunction, INTERVALS_PER_STEP, Pieces, Zero, zeros};
use crate::motion::Motion;
use catena_compile::{Cubic, Functions, IntervalReader};
use catena_integrator::Integrator;
use catena_symbolic::Interval;

/// Intervals that share a cubic.
const INTERVALS_PER_CUBIC: usize = 3;

/// The event functions of a system, and the workspace of the search for their zeros; a thread's own.
#[derive(Clone, Debug)]
pub(crate) struct EventSearch {
    /// Of all event functions, and behind them the arguments of what may hide something in them.
    reader: IntervalReader,
    /// For every event function, what may hide something in it.
    items: Vec<Vec<Item>>,

    // A step.
    times: [f64; INTERVALS_PER_STEP + 1],
    /// q, v and z at all times, one after the other.
    states: Vec<f64>,
    /// Values of all event functions at all times.
    values: Vec<f64>,
    /// q, v and z along the intervals in hand.
    cubics: Vec<Cubic>,
    piece: Vec<Cubic>,
    point: Vec<f64>,
    levels: Vec<f64>,
    pieces: Pieces,
}

impl EventSearch {
    /// The event functions of these equations.
    pub(crate) fn new(functions: &Functions) -> EventSearch {
        let equations = &functions.equations;
        let mut outputs = equations.events.clone();
        let mut items = Vec::new();
        for shapes in event_shapes(equations) {
            let first = outputs.len();
            outputs.extend(shapes.iter().map(|(_, argument)| argument));
            let numbered = shapes.into_iter().zip(first..);
            let item = |((shape, _), output)| Item { shape, output, drives: Vec::new() };
            items.push(numbered.map(item).collect());
        }
        let sizes = functions.sizes;
        let len = 2 * sizes.coordinates + sizes.states;
        EventSearch {
            reader: IntervalReader::new(functions, &equations.graph, &outputs),
            items,
            times: [0.0; INTERVALS_PER_STEP + 1],
            states: vec![0.0; len * (INTERVALS_PER_STEP + 1)],
            values: Vec::new(),
            cubics: vec![[0.0; 4]; len],
            piece: vec![[0.0; 4]; len],
            point: vec![0.0; len],
            levels: Vec::new(),
            pieces: Pieces::default(),
        }
    }

    /// Takes the parameters of a run.
    pub(crate) fn begin(&mut self, parameters: &[f64]) {
        self.reader.set_parameters(parameters);
    }

    /// Passes on the zeros of some event functions in the last step, with their numbers.
    pub(crate) fn search(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
        y: &mut [f64],
        wanted: &[usize],
        mut found: impl FnMut(usize, Zero),
    ) {
        let (from, to) = (integrator.previous_time(), integrator.time());
        self.times = std::array::from_fn(|sample| match sample {
            INTERVALS_PER_STEP => to,
            sample => from + (to - from) * sample as f64 / INTERVALS_PER_STEP as f64,
        });
        let count = self.items.len();
        self.values.resize(count * self.times.len(), 0.0);
        for sample in (0..=INTERVALS_PER_STEP).step_by(INTERVALS_PER_STEP / 3) {
            self.sample(motion, integrator, y, sample);
        }
        // most steps are far from every zero
        self.take_cubic(0, INTERVALS_PER_STEP / 3);
        let ranges = self.reader.ranges([from, to], &self.cubics);
        if wanted.iter().all(|&number| !ranges[number].contains(0.0)) {
            return;
        }
        for sample in
            (0..=INTERVALS_PER_STEP).filter(|sample| sample % (INTERVALS_PER_STEP / 3) > 0)
        {
            self.sample(motion, integrator, y, sample);
        }
        for first in (0..INTERVALS_PER_STEP).step_by(INTERVALS_PER_CUBIC) {
            self.take_cubic(first, 1);
            let stretch = [self.times[first], self.times[first + INTERVALS_PER_CUBIC]];
            let ranges = self.reader.ranges(stretch, &self.cubics);
            let may_vanish = |number: usize| ranges[number].contains(0.0);
            let mut vanishing = 0_u64;
            for (place, &number) in wanted.iter().enumerate() {
                // more events than bits are all looked at
                vanishing |= u64::from(place >= 63 || may_vanish(number)) << place.min(63);
            }
            for (place, &number) in wanted.iter().enumerate() {
                if vanishing & (1 << place.min(63)) == 0 {
                    continue;
                }
                for interval in first..first + INTERVALS_PER_CUBIC {
                    let times = [self.times[interval], self.times[interval + 1]];
                    let values =
                        [interval, interval + 1].map(|at| self.values[at * count + number]);
                    let mut pieces = std::mem::take(&mut self.pieces);
                    let mut function =
                        Along { search: self, motion, integrator, y, number, stretch };
                    zeros(times, values, &mut function, &mut pieces, |zero| found(number, zero));
                    self.pieces = pieces;
                }
            }
        }
    }

    /// State and values at one of the times.
    fn sample(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
        y: &mut [f64],
        sample: usize,
    ) {
        let (len, count) = (self.point.len(), self.items.len());
        let values = state_and_events(motion, integrator, y, self.times[sample], &mut self.point);
        self.values[sample * count..(sample + 1) * count].copy_from_slice(values);
        self.states[sample * len..(sample + 1) * len].copy_from_slice(&self.point);
    }

    /// The cubics through four times, one out of so many, from one on.
    fn take_cubic(&mut self, first: usize, distance: usize) {
        let len = self.point.len();
        for (component, cubic) in self.cubics.iter_mut().enumerate() {
            let at = |sample: usize| self.states[(first + sample * distance) * len + component];
            *cubic = through_points([at(0), at(1), at(2), at(3)]);
        }
    }
}

/// An event function along the last step.
struct Along<'a, 'm> {
    search: &'a mut EventSearch,
    motion: &'m mut Motion,
    integrator: &'a dyn Integrator,
    y: &'a mut [f64],
    number: usize,
    /// Where the cubics go.
    stretch: [f64; 2],
}

impl EventFunction for Along<'_, '_> {
    fn value(&mut self, t: f64) -> f64 {
        let point = &mut self.search.point;
        state_and_events(self.motion, self.integrator, self.y, t, point)[self.number]
    }

    fn behaviour(&mut self, [from, to]: [f64; 2]) -> Behaviour {
        let EventSearch { reader, items, cubics, piece, point, levels, .. } = &mut *self.search;
        let [first, last] = self.stretch;
        let [a, b] = [from, to].map(|t| (t - first) / (last - first));
        for (piece, whole) in piece.iter_mut().zip(&*cubics) {
            *piece = [[a, a, a], [a, a, b], [a, b, b], [b, b, b]].map(|at| blossom(whole, at));
        }
        let ranges = reader.ranges([from, to], piece);
        let range = ranges[self.number];
        let items = &items[self.number];
        if items.is_empty() || !range.contains(0.0) {
            return Behaviour { range, is_wild: false };
        }
        levels.clear();
        let passed = items.iter().map(|item| item.shape.levels(ranges[item.output]));
        levels.extend(passed.flat_map(|levels| [levels.lower, levels.upper]));
        for (end, t) in [(0, from), (3, to)] {
            for (value, cubic) in point.iter_mut().zip(&*piece) {
                *value = cubic[end];
            }
            let values = reader.values(t, point);
            levels.extend(items.iter().map(|item| item.shape.level(values[item.output])));
        }
        let count = items.len();
        let is_wild = items.iter().enumerate().any(|(at, item)| {
            let [lower, upper] = [levels[2 * at], levels[2 * at + 1]];
            let ends = [levels[2 * count + at], levels[3 * count + at]];
            item.shape.hides(Interval { lower, upper }, ends)
        });
        Behaviour { range, is_wild }
    }

    fn is_known(&self) -> bool {
        !self.search.reader.is_unknown(self.number)
    }
}

/// q, v, z and all event functions at a time of the last step.
fn state_and_events<'a>(
    motion: &'a mut Motion,
    integrator: &dyn Integrator,
    y: &mut [f64],
    t: f64,
    state: &mut [f64],
) -> &'a [f64] {
    integrator.interpolate(t, y);
    let end = motion.formulation.state_len();
    let n = motion.formulation.evaluator().sizes().coordinates;
    let (q, rest) = state.split_at_mut(n);
    let (v, states) = rest.split_at_mut(n);
    motion.formulation.unpack(&y[..end], q, v, states);
    let evaluator = motion.formulation.evaluator();
    evaluator.set_state(t, q, v, states);
    evaluator.events()
}
