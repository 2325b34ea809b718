//! Nothing short is stepped over: what happens between the places at which a step looks at the equations.
//!
//! The functions in the equations that can hide something, or are not smooth somewhere, are known before a run
//! ([`collect`]). Those of time alone limit a step before it is made. Those of the state are looked at when it is made:
//! intervals prove that nothing happened in between, or the step is taken back and made so short that it sees what does.
//! A step ends where the equations are not smooth, and the integration begins anew behind it. Steps that are fixed are
//! never changed; what they step over is remarked on.

mod collect;
mod search;
mod shape;
mod step_path;
mod switches;

use crate::motion::Motion;
use catena_compile::{Functions, IntervalReader};
use catena_integrator::Integrator;
use collect::{Findings, Watched, collect};
use search::{Item, Search};
use shape::Shape;
use step_path::StepPath;
use switches::{Switches, WatchedSwitch};

/// A step is taken back this often at most.
const MAX_RETRACTIONS: usize = 40;
/// A step stops before a crossing by this part of its length, and crosses it in another of twice that.
const CROSSING_DISTANCE: f64 = 1e-9;
/// So many changes of one sign in as many steps are suspicious.
const SUSPICIOUS_CHANGES: u32 = 6;

/// What there is to watch in a system, and how a run stands with it; a thread's own.
#[derive(Clone, Debug)]
pub(crate) struct ShortFeatures {
    /// Functions of time alone.
    of_time: Option<Search>,
    /// Functions of the state.
    of_state: Option<Search>,
    switches: Option<Switches>,

    // A run.
    duration: f64,
    /// Whether the functions of time are harmonic throughout: the longest step is then all there is to say.
    harmonic: bool,
    path: StepPath,
    retractions: usize,
    /// The time of a crossing ahead, and how near it a step may come.
    pending: Option<(f64, f64)>,
    /// Changes of the sign of any switch in the last steps.
    changes: u32,
    /// When a fixed step first missed something.
    missed: Option<f64>,
    /// Evaluations of the equations on account of switches.
    pub(crate) evaluations: u64,
}

/// What becomes of a step.
pub(crate) enum StepOutcome {
    /// It stands.
    Accepted,
    /// It stands, and behind it the integration begins anew.
    Crossed,
    /// It was taken back.
    Retracted,
    /// It stands, and the motion cannot go on, for this reason.
    Held(String),
}

impl ShortFeatures {
    /// Looks through the equations of a system; `None` where there is nothing to watch.
    pub(crate) fn new(functions: &Functions) -> Option<ShortFeatures> {
        let Findings { graph, of_time, drives, of_state, switches } =
            collect(&functions.equations)?;
        let search = |watched: &[Watched], drives: &[_]| {
            let arguments = watched.iter().map(|watched| watched.argument);
            let outputs: Vec<_> = arguments.chain(drives.iter().copied()).collect();
            let reader = IntervalReader::new(functions, &graph, &outputs);
            let items = watched.iter().enumerate().map(|(output, one)| Item {
                shape: one.shape,
                output,
                drives: one.drives.iter().map(|drive| watched.len() + drive).collect(),
            });
            (!watched.is_empty()).then(|| Search::new(reader, items.collect()))
        };
        let arguments: Vec<_> = switches.iter().map(|switch| switch.argument).collect();
        let list = switches.into_iter().enumerate();
        let list = list.map(|(output, switch)| WatchedSwitch { switch, output, largest: 0.0 });
        let list: Vec<WatchedSwitch> = list.collect();
        Some(ShortFeatures {
            of_time: search(&of_time, &drives),
            of_state: search(&of_state, &[]),
            switches: (!list.is_empty())
                .then(|| Switches::new(IntervalReader::new(functions, &graph, &arguments), list)),
            duration: 0.0,
            harmonic: false,
            path: StepPath::default(),
            retractions: 0,
            pending: None,
            changes: 0,
            missed: None,
            evaluations: 0,
        })
    }

    /// Ready for a run; the longest step that sees everything that is harmonic in time.
    pub(crate) fn begin(&mut self, parameters: &[f64], t_end: f64) -> Option<f64> {
        (self.duration, self.pending, self.changes) = (t_end, None, 0);
        (self.missed, self.evaluations, self.retractions) = (None, 0, 0);
        for search in [&mut self.of_time, &mut self.of_state].into_iter().flatten() {
            search.reader.set_parameters(parameters);
        }
        if let Some(switches) = &mut self.switches {
            switches.reader.set_parameters(parameters);
            switches.list.iter_mut().for_each(|watched| watched.largest = 0.0);
        }
        let harmonic = self.of_time.as_mut().and_then(|search| search.half_period(t_end));
        self.harmonic = harmonic.is_some();
        harmonic
    }

    /// Whether steps need more than a longest length to see everything.
    pub(crate) fn is_needed(&self) -> bool {
        let harmonic = self.of_time.as_ref().is_none_or(Search::is_harmonic);
        !harmonic || self.of_state.is_some() || self.switches.is_some()
    }

    /// Whether a motion that begins here cannot leave: why.
    pub(crate) fn at_rest(&mut self, motion: &mut Motion, t: f64, y: &[f64]) -> Option<String> {
        let switches = self.switches.as_mut()?;
        let held = switches.holds(motion, (t, y), self.duration)?;
        Some(switches.explain(held, t))
    }

    /// Limits the next step to what it sees.
    pub(crate) fn before_step(&mut self, integrator: &mut dyn Integrator) {
        let Some(end) = integrator.proposed_end() else { return };
        let t = integrator.time();
        let nearest = t + 32.0 * (t.abs().next_up() - t.abs()).max(1e-16 * self.duration);
        let mut limit = f64::INFINITY;
        if let Some((time, distance)) = self.pending {
            let before = time - distance;
            limit = if before > nearest { before } else { time + distance };
        }
        if !self.harmonic
            && let Some(search) = &mut self.of_time
            && let Some(seen) = search.unseen(None, [t, end.min(limit)])
        {
            limit = limit.min(seen);
        }
        if limit < end {
            integrator.limit(limit.max(nearest));
        }
    }

    /// Looks at a step that was just made.
    pub(crate) fn after_step(
        &mut self,
        motion: &mut Motion,
        integrator: &mut dyn Integrator,
    ) -> StepOutcome {
        let fixed = integrator.proposed_end().is_none();
        if fixed
            && self.missed.is_none()
            && let Some(search) = &mut self.of_time
        {
            self.missed = search.unseen(None, [integrator.previous_time(), integrator.time()]);
        }
        let nothing = self.of_state.is_none() && self.switches.is_none();
        if nothing || motion.is_linear() || !self.path.take(motion, integrator) {
            return StepOutcome::Accepted;
        }
        let (from, to) = (self.path.from, self.path.to);
        let shortest = 1e-13 * self.duration.max(to.abs());
        if let Some(search) = &mut self.of_state
            && self.retractions < MAX_RETRACTIONS
            && to - from > shortest
            && let Some(seen) = search.unseen(Some(&mut self.path), [from, to])
            && seen < to
        {
            if fixed {
                self.missed = self.missed.or(Some(seen));
            } else {
                self.retractions += 1;
                integrator.retract(motion, seen.max(from + shortest));
                return StepOutcome::Retracted;
            }
        }
        let outcome = match fixed {
            true => StepOutcome::Accepted,
            false => self.cross(motion, integrator),
        };
        if !matches!(outcome, StepOutcome::Retracted) {
            self.retractions = 0;
        }
        outcome
    }

    /// Deals with the first crossing of a step that matters.
    fn cross(&mut self, motion: &mut Motion, integrator: &mut dyn Integrator) -> StepOutcome {
        let Some(switches) = &mut self.switches else { return StepOutcome::Accepted };
        let (from, to) = (self.path.from, self.path.to);
        let resolution = 64.0 * (to.abs().next_up() - to.abs());
        let mut after = from;
        let mut changed = false;
        while let Some(crossing) = switches.first_crossing(&mut self.path, after) {
            changed = true;
            let tiny = self.pending.map_or(resolution, |(_, distance)| 4.0 * distance);
            if to - from <= tiny.max(resolution) {
                self.pending = None;
                let held = switches.holds(motion, (to, integrator.state()), self.duration);
                return match held {
                    Some(held) => StepOutcome::Held(switches.explain(held, to)),
                    None => StepOutcome::Crossed,
                };
            }
            self.evaluations += 6;
            if switches.effect(motion, integrator, crossing) > 1.0
                && self.retractions < MAX_RETRACTIONS
            {
                self.retractions += 1;
                let distance = (CROSSING_DISTANCE * (to - from)).max(resolution);
                self.pending = Some((crossing, distance));
                let before = crossing - distance;
                let end = if before - from > distance { before } else { crossing + distance };
                integrator.retract(motion, end);
                return StepOutcome::Retracted;
            }
            after = crossing;
        }
        if self.pending.is_some_and(|(crossing, distance)| to > crossing + distance) {
            self.pending = None;
        }
        self.changes = if changed { self.changes + 1 } else { self.changes.saturating_sub(1) };
        if self.changes >= SUSPICIOUS_CHANGES {
            self.changes = 0;
            if let Some(held) = switches.holds(motion, (to, integrator.state()), self.duration) {
                return StepOutcome::Held(switches.explain(held, to));
            }
        }
        StepOutcome::Accepted
    }

    /// What fixed steps missed.
    pub(crate) fn remark(&self) -> Option<String> {
        let time = self.missed?;
        Some(format!(
            "the fixed steps are too long for what happens at t = {time:.6} s, and may have missed it"
        ))
    }
}

impl Search {
    /// Whether every function is harmonic: one frequency each, whatever the time.
    fn is_harmonic(&self) -> bool {
        let is_harmonic =
            |item: &Item| matches!(item.shape, Shape::Period) && self.reader.is_affine(item.output);
        self.items.iter().all(is_harmonic)
    }

    /// Half the shortest period of what is harmonic and not constant, if there is nothing else.
    fn half_period(&mut self, t_end: f64) -> Option<f64> {
        if !self.is_harmonic() {
            return None;
        }
        let quiet: Vec<bool> = self.resting_items([0.0, t_end]);
        let first = self.reader.values(0.0, &[]).to_vec();
        let last = self.reader.values(1.0, &[]);
        let items = self.items.iter().zip(quiet).filter(|(_, quiet)| !quiet);
        let periods = items
            .map(|(item, _)| std::f64::consts::PI / (last[item.output] - first[item.output]).abs());
        Some(periods.fold(f64::INFINITY, f64::min))
    }
}
