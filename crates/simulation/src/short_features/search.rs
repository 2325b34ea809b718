//! The search for something that a step has not seen.
//!
//! A piece of a step is clear when the range of every level over it shows nothing beyond its own ends. A piece that is
//! not is halved, which looks at its middle: either the halves turn out to be clear, or a level is met that the ends of
//! the step know nothing of.

use super::shape::{MAX_EXCESS, Shape};
use super::step_path::StepPath;
use catena_compile::IntervalReader;
use catena_symbolic::Interval;

/// How many pieces of one step are looked at. What is not settled then was looked at so often that it has been seen.
const MAX_PIECES: usize = 400;
/// Pieces of this part of a step are not halved.
const SHORTEST_PIECE: f64 = 1e-9;
/// A drive that changes by this part of its size is constant.
const CONSTANT: f64 = 1e-12;
/// Halvings in the search for the time of a departure.
const MAX_HALVINGS: usize = 60;

/// A watched function in the outputs of a reader.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) shape: Shape,
    pub(super) output: usize,
    /// Outputs that are constant where the function does not matter; empty where it always may.
    pub(super) drives: Vec<usize>,
}

/// What is watched for, and the workspace of the search.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) reader: IntervalReader,
    pub(super) items: Vec<Item>,
    /// Levels at both ends of the step.
    ends: [Vec<f64>; 2],
    /// Levels that were met.
    met: Vec<Interval>,
    /// Levels at the beginning of the piece in hand.
    here: Vec<f64>,
    /// Ends of pieces still to be looked at, the next one last, with their levels.
    ahead: Vec<f64>,
    levels_ahead: Vec<f64>,
}

/// Where a motion goes: through a step, or through time alone.
pub(super) type Path<'a> = Option<&'a mut StepPath>;

impl Search {
    pub(super) fn new(reader: IntervalReader, items: Vec<Item>) -> Search {
        let levels = vec![0.0; items.len()];
        Search {
            reader,
            ends: [levels.clone(), levels.clone()],
            met: vec![Interval::point(0.0); items.len()],
            here: levels,
            ahead: Vec::new(),
            levels_ahead: Vec::new(),
            items,
        }
    }

    /// Levels of all items at a time.
    fn look(
        reader: &mut IntervalReader,
        items: &[Item],
        path: &mut Path<'_>,
        t: f64,
        to: &mut [f64],
    ) {
        let state: &[f64] = path.as_mut().map_or(&[], |path| path.at(t));
        let values = reader.values(t, state);
        for (level, item) in to.iter_mut().zip(items) {
            *level = item.shape.level(values[item.output]);
        }
    }

    /// For every item whether it does not matter throughout a stretch of time.
    pub(super) fn resting_items(&mut self, stretch: [f64; 2]) -> Vec<bool> {
        let ranges = self.reader.ranges(stretch, &[]);
        self.items.iter().map(|item| rests(&item.drives, ranges)).collect()
    }

    /// Ranges of all outputs along a piece.
    fn ranges(&mut self, path: &mut Path<'_>, piece: [f64; 2]) -> &[Interval] {
        let state = path.as_mut().map_or(&[] as &[_], |path| path.between(piece));
        self.reader.ranges(piece, state)
    }

    /// Whether nothing hides between the ends of a piece that begins `here`; with it whether every drive rests.
    fn is_clear(&mut self, path: &mut Path<'_>, piece: [f64; 2], end: &[f64]) -> [bool; 2] {
        let state = path.as_mut().map_or(&[] as &[_], |path| path.between(piece));
        let ranges = self.reader.ranges(piece, state);
        let (mut clear, mut quiet) = (true, true);
        for (at, item) in self.items.iter().enumerate() {
            if rests(&item.drives, ranges) {
                continue;
            }
            quiet = false;
            let levels = item.shape.levels(ranges[item.output]);
            clear &= !item.shape.hides(levels, [self.here[at], end[at]]);
        }
        [clear, quiet]
    }

    /// The time at which a step from `from` to `to` has to end so that it sees what is there; `None` if it does.
    pub(super) fn unseen(&mut self, mut path: Path<'_>, [from, to]: [f64; 2]) -> Option<f64> {
        if self.hardly_changes(&mut path, [from, to]) {
            return None;
        }
        let count = self.items.len();
        let [first, last] = &mut self.ends;
        Search::look(&mut self.reader, &self.items, &mut path, from, first);
        Search::look(&mut self.reader, &self.items, &mut path, to, last);
        self.here.copy_from_slice(&self.ends[0]);
        self.ahead.clear();
        self.levels_ahead.clear();
        self.ahead.push(to);
        self.levels_ahead.extend_from_slice(&self.ends[1]);
        self.meet_ends();
        let (mut here, mut quiet_until) = (from, from);
        for _ in 0..MAX_PIECES {
            let &next = self.ahead.last()?;
            let levels = std::mem::take(&mut self.levels_ahead);
            let end = &levels[levels.len() - count..];
            let [clear, quiet] = self.is_clear(&mut path, [here, next], end);
            let short = next - here <= SHORTEST_PIECE * (to - from);
            if clear || short {
                self.here.copy_from_slice(end);
                self.levels_ahead = levels;
                self.levels_ahead.truncate(self.levels_ahead.len() - count);
                self.ahead.pop();
                if quiet && quiet_until == here {
                    // what comes before does not matter: the step might as well begin here
                    quiet_until = next;
                    self.ends[0].copy_from_slice(&self.here);
                    self.meet_ends();
                }
                here = next;
                continue;
            }
            self.levels_ahead = levels;
            if let Some(item) = self.hidden() {
                return Some(self.departure(path, item, [from, quiet_until, next]));
            }
            let middle = here + 0.5 * (next - here);
            let start = self.levels_ahead.len();
            self.levels_ahead.resize(start + count, 0.0);
            let new = &mut self.levels_ahead[start..];
            Search::look(&mut self.reader, &self.items, &mut path, middle, new);
            for (met, &level) in self.met.iter_mut().zip(&*new) {
                *met = met.hull(Interval::point(level));
            }
            self.ahead.push(middle);
            if let Some(item) = self.hidden() {
                return Some(self.departure(path, item, [from, quiet_until, middle]));
            }
        }
        None
    }

    /// When a step that cannot be made shorter misses something, or passes too much of something at once.
    pub(super) fn leapt(&mut self, path: Path<'_>, [from, to]: [f64; 2]) -> Option<f64> {
        self.ends.iter_mut().for_each(|levels| levels.fill(0.0));
        let missed = self.unseen(path, [from, to]);
        let [first, last] = &self.ends;
        let passes = |(at, item): (usize, &Item)| item.shape.leaps([first[at], last[at]]);
        missed.or_else(|| self.items.iter().enumerate().any(passes).then_some(to))
    }

    /// Whether no level changes so much that anything could hide: most steps are settled by that.
    fn hardly_changes(&mut self, path: &mut Path<'_>, piece: [f64; 2]) -> bool {
        let state = path.as_mut().map_or(&[] as &[_], |path| path.between(piece));
        let ranges = self.reader.ranges(piece, state);
        let is_slow = |item: &Item| {
            item.shape.levels(ranges[item.output]).width() <= MAX_EXCESS
                || rests(&item.drives, ranges)
        };
        self.items.iter().all(is_slow)
    }

    /// Nothing was met but the ends.
    fn meet_ends(&mut self) {
        let [first, last] = &self.ends;
        for ((met, &first), &last) in self.met.iter_mut().zip(first).zip(last) {
            *met = Interval::between(first, last);
        }
    }

    /// An item that was met where the ends know nothing of it.
    fn hidden(&self) -> Option<usize> {
        let [first, last] = &self.ends;
        (0..self.items.len())
            .find(|&at| self.items[at].shape.hides(self.met[at], [first[at], last[at]]))
    }

    /// Where a step should end that comes upon an item: at the end of the rest before it, or where its level has begun
    /// to change.
    fn departure(&mut self, mut path: Path<'_>, item: usize, [from, quiet, met]: [f64; 3]) -> f64 {
        let quiet = self.end_of_rest(&mut path, quiet, met);
        if quiet - from > SHORTEST_PIECE * (met - from) {
            return quiet;
        }
        let Item { shape, output, .. } = self.items[item].clone();
        let first = self.ends[0][item];
        let [least, most] = shape.departure();
        let mut changed = |t: f64| {
            let state: &[f64] = path.as_mut().map_or(&[], |path| path.at(t));
            (shape.level(self.reader.values(t, state)[output]) - first).abs()
        };
        let (mut before, mut after) = (quiet, met);
        for _ in 0..MAX_HALVINGS {
            let middle = before + 0.5 * (after - before);
            if changed(after) <= most || middle <= before || middle >= after {
                break;
            }
            if changed(middle) > least { after = middle } else { before = middle }
        }
        after
    }

    /// How long every drive rests, from a time at which all did.
    fn end_of_rest(&mut self, path: &mut Path<'_>, quiet: f64, met: f64) -> f64 {
        let (mut before, mut after) = (quiet, met);
        for _ in 0..MAX_HALVINGS {
            let middle = before + 0.5 * (after - before);
            if middle <= before || middle >= after {
                break;
            }
            let items = std::mem::take(&mut self.items);
            let ranges = self.ranges(path, [quiet, middle]);
            let all_rest = items.iter().all(|item| rests(&item.drives, ranges));
            self.items = items;
            if all_rest { before = middle } else { after = middle }
        }
        before
    }
}

/// Whether a function does not matter because all that it is part of is constant.
pub(super) fn rests(drives: &[usize], ranges: &[Interval]) -> bool {
    let is_constant = |&drive: &usize| {
        let Interval { lower, upper } = ranges[drive];
        upper - lower <= CONSTANT * lower.abs().max(upper.abs())
    };
    !drives.is_empty() && drives.iter().all(is_constant)
}
