//! Basins of attraction over two initial values: which start leads where.
//!
//! # Equations
//! The basin of an attractor A is the set of starts $x$ with $P^k(x)\to A$ for the return map P of the drive.
//!
//! Attractors are found by recurrences of the section in two phases (after Datseris and Wagemakers 2022, who need one
//! thread). A sample of the starts runs until its motions repeat, or do not: what they come to is the list of attractors.
//! Then all starts run side by side and end as soon as they follow a known attractor. Starts that come to none are examined
//! as the sample was, for longer, and those that are left are mapped again.
//!
//! # When to choose it
//! Where several motions are possible and the start decides: how robust each is, and how fine the border. Only systems with damping have
//! attractors. A coarse grid first: the time grows with the number of starts.
//!
//! # Reference
//! G. Datseris, A. Wagemakers, *Effortless estimation of basins of attraction*, 2022; A. Daza, A. Wagemakers, B. Georgeot, D. Guéry-Odelin,
//! M. A. F. Sanjuán, *Basin entropy*, 2016

mod attractor;
mod cell;
mod error;
mod statistics;
mod worker;

pub use error::BasinsError;

use crate::classification::{PhaseSpace, phase_space, state_columns};
use crate::live::{Gathered, Show};
use crate::question::Stop;
use crate::threads::on_threads;
use crate::{ClassifiedMotion, ClassifyRequest, MotionClass, PeriodError, classify_some};
use attractor::{Attractors, End};
use catena_ensemble::{Engine, Task};
use catena_model::Model;
use cell::Outcome;
use statistics::{LabelMap, fraction_error};
use std::sync::atomic::{AtomicUsize, Ordering};
use worker::{AddOutcome, Mapping, Worker};

/// Starts of the sample along each axis.
const SAMPLES_PER_AXIS: usize = 10;
/// How much longer starts of the sample run than others before they count as never repeating.
const SAMPLE_PATIENCE: u64 = 8;
/// Rounds in which starts that came to nothing known are examined.
const MAX_ROUNDS: usize = 3;
/// Starts that are examined in a round.
const MAX_EXAMINED: usize = 64;
/// More attractors than this are none: every start keeps a motion of its own.
const MAX_ATTRACTORS: usize = 40;
/// Periods of a first look at the sample, from which the scales of the states are taken.
const SCALE_PERIODS: u64 = 16;

/// Basins over a grid of starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Basins {
    /// The attractors, that of the largest basin first.
    pub attractors: Vec<BasinAttractor>,
    /// For each cell the attractor that it leads to, by its place in the list.
    pub labels: Vec<Option<usize>>,
    /// Why cells are undecided, with their number.
    pub undecided: Vec<(String, usize)>,
    /// The part of the decided cells that have a neighbour of another basin.
    pub border_fraction: f64,
    /// The mean entropy of boxes of five by five cells, natural units.
    pub entropy: f64,
    /// The time between states of the section, s.
    pub period: f64,
    /// Whether all cells are known; else the caller has stopped it.
    pub complete: bool,
    /// What is to be said of the device that was asked for, if one was.
    pub device: Option<String>,
}

/// Standard errors by which the exponent of a motion that repeats must be positive where it is unstable.
const ERRORS_OF_INSTABILITY: f64 = 3.0;

/// An attractor with its basin.
#[derive(Clone, Debug, PartialEq)]
pub struct BasinAttractor {
    /// What kind of motion it is, by the vote of a classification from a start in its basin.
    pub class: MotionClass,
    /// Periods after which it repeats; 0 where it does not.
    pub multiple: u32,
    /// The most turns that an angle makes in that time.
    pub turns: i64,
    /// The largest exponent, 1/s, and its standard error.
    pub exponent: [f64; 2],
    /// States of its section: coordinates, velocities, first-order states; angles between −π and π.
    pub states: Vec<Vec<f64>>,
    /// The part of all cells that lead to it, and one standard error as if they were drawn at random.
    pub fraction: [f64; 2],
    /// Whether a state of its section lies outside of the box of starts.
    pub is_outside: bool,
    /// Another attractor that has a state in the same cell, by its place in the list.
    pub shares_cell_with: Option<usize>,
}

/// Finds the basins over the two initial values that a request varies.
pub fn basins(
    model: &Model,
    request: &ClassifyRequest,
    stop: &Stop<'_>,
) -> Result<Basins, BasinsError> {
    basins_shown(model, request, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn basins_shown(
    model: &Model,
    request: &ClassifyRequest,
    stop: &Stop<'_>,
    show: Option<&Show<'_, Basins>>,
) -> Result<Basins, BasinsError> {
    BasinDriver::new(model, request)?.run(stop, show)
}

struct BasinDriver<'a> {
    model: &'a Model,
    request: &'a ClassifyRequest,
    engine: Engine,
    space: PhaseSpace,
    /// The places of the two axes among the components of a state.
    axes: [usize; 2],
    period: f64,
}

impl<'a> BasinDriver<'a> {
    fn new(model: &'a Model, request: &'a ClassifyRequest) -> Result<Self, BasinsError> {
        let columns = state_columns(model, request);
        let place = |name: &String| {
            let found = columns.iter().position(|column| column == name);
            found.ok_or_else(|| BasinsError::NoStart { name: name.clone() })
        };
        let axes = match request.over.as_slice() {
            [one, other] => [place(&one.name)?, place(&other.name)?],
            axes => return Err(BasinsError::NotTwo { count: axes.len() }),
        };
        let period = match &request.period {
            Some(period) => period.at(&model.parameter_values())?,
            None => return Err(PeriodError::NoDrive.into()),
        };
        let varied = request.over.iter().map(|axis| axis.name.clone()).collect();
        let first = Task { values: request.values(0), ..Task::default() };
        let space = phase_space(model, request);
        let engine = Engine::new(model, varied, columns, request.sweep_options(), &first)?;
        Ok(BasinDriver { model, request, engine, space, axes, period })
    }

    fn run(&self, stop: &Stop<'_>, show: Option<&Show<'_, Basins>>) -> Result<Basins, BasinsError> {
        let sample = self.sample();
        self.refuse_conservation(sample[0], stop)?;
        let mut known = Attractors::new(self.space.clone(), self.scales(&sample, stop));
        let last = self.request.max_periods;
        let count = self.request.cells();
        let mut outcomes: Vec<Option<Outcome>> = vec![None; count];
        self.examine(&mut known, &mut outcomes, &sample, SAMPLE_PATIENCE * last, stop)?;
        let mut open: Vec<usize> = (0..count).filter(|&cell| outcomes[cell].is_none()).collect();
        for round in 0..MAX_ROUNDS {
            let found = self.map_shown(&known, &outcomes, (&open, last), stop, show);
            for (cell, outcome) in found {
                outcomes[cell] = Some(outcome);
            }
            self.merge(&mut known, &mut outcomes)?;
            let wanders = |cell: &usize| matches!(outcomes[*cell], Some(Outcome::Wanders(_)));
            open = (0..count).filter(wanders).collect();
            if open.is_empty() || round + 1 == MAX_ROUNDS || stop(0.99) {
                break;
            }
            let step = open.len().div_ceil(MAX_EXAMINED);
            let examined: Vec<usize> = open.iter().copied().step_by(step).collect();
            self.examine(&mut known, &mut outcomes, &examined, SAMPLE_PATIENCE * last, stop)?;
            open.retain(|cell| !examined.contains(cell));
        }
        self.summary(&known, &outcomes, stop)
    }

    /// Where volumes of phase space are kept nothing attracts.
    fn refuse_conservation(&self, cell: usize, stop: &Stop<'_>) -> Result<(), BasinsError> {
        let short = ClassifyRequest { max_periods: 1, ..self.request.clone() };
        let found = classify_some(self.model, &short, &[cell], stop)?;
        match found.cells[cell].as_ref().is_some_and(|motion| motion.is_conservative) {
            true => Err(BasinsError::Conservative),
            false => Ok(()),
        }
    }

    /// Cells spread evenly over the grid.
    fn sample(&self) -> Vec<usize> {
        let [columns, rows] = self.sizes();
        let places = |count: usize| -> Vec<usize> {
            let taken = count.min(SAMPLES_PER_AXIS);
            (0..taken).map(|at| (2 * at + 1) * count / (2 * taken)).collect()
        };
        let columns_taken = places(columns);
        places(rows)
            .into_iter()
            .flat_map(|row| columns_taken.iter().map(move |column| row * columns + column))
            .collect()
    }

    fn sizes(&self) -> [usize; 2] {
        [self.request.over[0].values.len(), self.request.over[1].values.len()]
    }

    /// Scales of the states: the extent of the sections of the sample, and of the box.
    fn scales(&self, sample: &[usize], stop: &Stop<'_>) -> Vec<f64> {
        let unknown = Attractors::new(self.space.clone(), vec![f64::INFINITY; self.space.len()]);
        let found = self.map(&unknown, sample, SCALE_PERIODS, stop, None);
        let mut extents = vec![[f64::INFINITY, f64::NEG_INFINITY]; self.space.len()];
        for (_, outcome) in &found {
            if let Outcome::Wanders(end) | Outcome::Ended(end) = outcome {
                for (at, value) in end.states.iter().enumerate() {
                    let extent = &mut extents[at % self.space.len()];
                    *extent = [extent[0].min(*value), extent[1].max(*value)];
                }
            }
        }
        for (axis, place) in self.request.over.iter().zip(self.axes) {
            for value in &axis.values {
                let extent = &mut extents[place];
                *extent = [extent[0].min(*value), extent[1].max(*value)];
            }
        }
        self.space.scales(&extents, f64::MIN_POSITIVE.sqrt())
    }

    /// What becomes of some cells, for somebody who looks at those that are known so far.
    fn map_shown(
        &self,
        known: &Attractors,
        outcomes: &[Option<Outcome>],
        (cells, last): (&[usize], u64),
        stop: &Stop<'_>,
        show: Option<&Show<'_, Basins>>,
    ) -> Vec<(usize, Outcome)> {
        let label = |outcome: &Outcome| match outcome {
            Outcome::Reached(at) => Some(*at),
            _ => None,
        };
        let labels: Vec<Option<usize>> =
            outcomes.iter().map(|outcome| outcome.as_ref().and_then(label)).collect();
        let so_far = |labels: &Vec<Option<usize>>| self.so_far(known, labels);
        let gathered = show.map(|show| Gathered::new(labels, &so_far, show));
        let add = |cell: usize, outcome: &Outcome| {
            if let Some(gathered) = &gathered {
                gathered.add(|labels| labels[cell] = label(outcome));
            }
        };
        let add: Option<&AddOutcome<'_>> = show.is_some().then_some(&add);
        self.map(known, cells, last, stop, add)
    }

    /// The starts that are known to lead to one of the attractors found so far, which are not examined yet.
    fn so_far(&self, known: &Attractors, labels: &[Option<usize>]) -> Basins {
        let cells = labels.len() as f64;
        let attractors = known.list.iter().enumerate().map(|(at, attractor)| {
            let count = labels.iter().filter(|label| **label == Some(at)).count();
            self.described(attractor, None, count as f64 / cells)
        });
        Basins {
            attractors: attractors.collect(),
            undecided: Vec::new(),
            border_fraction: f64::NAN,
            entropy: f64::NAN,
            period: self.period,
            complete: false,
            device: None,
            labels: labels.to_vec(),
        }
    }

    /// What becomes of some cells.
    fn map(
        &self,
        known: &Attractors,
        cells: &[usize],
        last: u64,
        stop: &Stop<'_>,
        add: Option<&AddOutcome<'_>>,
    ) -> Vec<(usize, Outcome)> {
        let shared = Mapping {
            request: self.request,
            engine: &self.engine,
            known,
            period: self.period,
            last,
            cells,
            begun: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            add,
        };
        let part = || shared.done.load(Ordering::Relaxed) as f64 / cells.len().max(1) as f64;
        let threads = self.request.threads.clamp(1, self.engine.useful_threads(cells.len()));
        let work = || {
            let mut worker = Worker::new(&shared);
            let mut runner = self.engine.runner_of(self.request.threads / threads);
            runner.run(&mut worker, &|| stop(part()));
            worker.found
        };
        let found = on_threads(threads, work);
        let mut found: Vec<(usize, Outcome)> = found.into_iter().flatten().collect();
        // threads end in any order, and the list of attractors must not depend on it
        found.sort_by_key(|(cell, _)| *cell);
        found
    }

    /// Runs some cells for long: what they come to is an attractor, whether it repeats or not.
    fn examine(
        &self,
        known: &mut Attractors,
        outcomes: &mut [Option<Outcome>],
        cells: &[usize],
        last: u64,
        stop: &Stop<'_>,
    ) -> Result<(), BasinsError> {
        for (cell, outcome) in self.map(known, cells, last, stop, None) {
            let outcome = match outcome {
                Outcome::Ended(end) | Outcome::Wanders(end) => {
                    Outcome::Reached(self.add(known, cell, end)?)
                }
                other => other,
            };
            outcomes[cell] = Some(outcome);
        }
        Ok(())
    }

    /// Ends of orbits that were not known become attractors.
    fn merge(
        &self,
        known: &mut Attractors,
        outcomes: &mut [Option<Outcome>],
    ) -> Result<(), BasinsError> {
        for cell in 0..outcomes.len() {
            if let Some(Outcome::Ended(end)) = &outcomes[cell] {
                let end = end.clone();
                outcomes[cell] = Some(Outcome::Reached(self.add(known, cell, end)?));
            }
        }
        Ok(())
    }

    fn add(&self, known: &mut Attractors, cell: usize, end: End) -> Result<usize, BasinsError> {
        let at = known.add(cell, end);
        match known.list.len() > MAX_ATTRACTORS {
            true => Err(BasinsError::NoAttractors { count: known.list.len() }),
            false => Ok(at),
        }
    }

    fn summary(
        &self,
        known: &Attractors,
        outcomes: &[Option<Outcome>],
        stop: &Stop<'_>,
    ) -> Result<Basins, BasinsError> {
        let mut labels: Vec<Option<usize>> = outcomes
            .iter()
            .map(|outcome| match outcome {
                Some(Outcome::Reached(at)) => Some(*at),
                _ => None,
            })
            .collect();
        let cells = labels.len();
        let counts: Vec<usize> = (0..known.list.len())
            .map(|label| labels.iter().filter(|other| **other == Some(label)).count())
            .collect();
        let mut order: Vec<usize> = (0..counts.len()).filter(|&at| counts[at] > 0).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(counts[at]), at));
        let place = |label: usize| order.iter().position(|&other| other == label);
        labels.iter_mut().for_each(|label| *label = label.and_then(place));
        let first_cells: Vec<usize> = order.iter().map(|&at| known.list[at].first_cell).collect();
        let named = classify_some(self.model, self.request, &first_cells, stop)?;
        let is_unstable = |at: usize| {
            let motion = named.cells[known.list[at].first_cell].as_ref();
            known.list[at].is_periodic
                && motion.is_some_and(|it| it.exponent > ERRORS_OF_INSTABILITY * it.exponent_error)
        };
        if order.iter().any(|&at| is_unstable(at)) {
            // a start that lies on an unstable motion, as on a saddle, or leads to one comes to no attractor
            let judged = outcomes.iter().map(|outcome| match outcome {
                Some(Outcome::Reached(at)) if is_unstable(*at) => {
                    Some(Outcome::Failed("it leads to an unstable motion".to_owned()))
                }
                other => other.clone(),
            });
            return self.summary(known, &judged.collect::<Vec<_>>(), stop);
        }
        let attractors: Vec<BasinAttractor> = order
            .iter()
            .map(|&at| {
                let motion = named.cells[known.list[at].first_cell].as_ref();
                self.described(&known.list[at], motion, counts[at] as f64 / cells as f64)
            })
            .collect();
        let map = LabelMap { columns: self.sizes()[0], labels: &labels };
        let mut basins = Basins {
            undecided: reasons(outcomes),
            border_fraction: map.border_fraction(),
            entropy: map.entropy(),
            period: self.period,
            complete: outcomes.iter().all(Option::is_some) && named.complete,
            device: self.engine.device_words(),
            labels,
            attractors,
        };
        self.mark_shared_cells(&mut basins);
        self.engine.check_device()?;
        Ok(basins)
    }

    fn described(
        &self,
        attractor: &attractor::Attractor,
        motion: Option<&ClassifiedMotion>,
        fraction: f64,
    ) -> BasinAttractor {
        let size = self.space.len();
        let states: Vec<Vec<f64>> = attractor
            .states
            .chunks_exact(size)
            .map(|state| (0..size).map(|at| self.space.difference(at, 0.0, state[at])).collect())
            .collect();
        let is_inside = |state: &Vec<f64>| {
            self.request.over.iter().zip(self.axes).all(|(axis, at)| {
                let (low, high) = (axis.values[0], axis.values[axis.values.len() - 1]);
                // an angle is inside where any of its turns is
                let turned = [0.0, 1.0, -1.0].map(|turns| match self.space.is_angle.get(at) {
                    Some(true) => state[at] + turns * std::f64::consts::TAU,
                    _ => state[at],
                });
                // cells reach half their size beyond the outer starts
                let half = 0.5 * (high - low) / (axis.values.len() - 1).max(1) as f64;
                turned.iter().any(|value| (low - half..=high + half).contains(value))
            })
        };
        let turns = attractor.turns.iter().copied().max_by_key(|turns| turns.abs()).unwrap_or(0);
        let own_class = match (attractor.is_periodic, turns) {
            (true, 0) => MotionClass::Periodic,
            (true, _) => MotionClass::Rotating,
            (false, _) => MotionClass::Undecided,
        };
        let voted = motion.map(|motion| motion.class).filter(|class| {
            // the vote is about the start: where it sees another kind the orbit itself decides
            !attractor.is_periodic || *class == MotionClass::AtRest
        });
        BasinAttractor {
            class: voted.unwrap_or(own_class),
            multiple: if attractor.is_periodic { states.len() as u32 } else { 0 },
            turns,
            exponent: motion.map_or([f64::NAN; 2], |it| [it.exponent, it.exponent_error]),
            is_outside: !states.iter().all(is_inside),
            states,
            fraction: [fraction, fraction_error(fraction, self.request.cells())],
            shares_cell_with: None,
        }
    }

    /// Attractors with states in one and the same cell: the grid is too coarse to tell where one ends.
    fn mark_shared_cells(&self, basins: &mut Basins) {
        let cell = |state: &[f64]| -> Option<[usize; 2]> {
            let place = |axis: usize| {
                let values = &self.request.over[axis].values;
                let (low, high) = (values[0], values[values.len() - 1]);
                let side = (high - low) / (values.len() - 1).max(1) as f64;
                let at = ((state[self.axes[axis]] - low) / side).round();
                (at >= 0.0 && at < values.len() as f64).then_some(at as usize)
            };
            Some([place(0)?, place(1)?])
        };
        let cells: Vec<Vec<Option<[usize; 2]>>> = basins
            .attractors
            .iter()
            .map(|it| match it.multiple {
                0 => Vec::new(),
                _ => it.states.iter().map(|state| cell(state)).collect(),
            })
            .collect();
        for at in 0..cells.len() {
            let shares = |other: &usize| {
                *other != at
                    && cells[at].iter().any(|own| own.is_some() && cells[*other].contains(own))
            };
            basins.attractors[at].shares_cell_with = (0..cells.len()).find(shares);
        }
    }
}

/// Why cells are undecided, the most frequent reason first.
fn reasons(outcomes: &[Option<Outcome>]) -> Vec<(String, usize)> {
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for outcome in outcomes.iter().flatten() {
        let reason = match outcome {
            Outcome::Reached(_) => continue,
            Outcome::Failed(reason) => reason.as_str(),
            Outcome::Ended(_) | Outcome::Wanders(_) => "the motion has not settled",
        };
        *counts.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> =
        counts.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    reasons
}
