//! Nothing short is stepped over: what happens between the places at which a step looks at the equations.
//!
//! The functions in the equations that can hide something, or are not smooth somewhere, are known before a run
//! ([`collect`]). Those of time alone limit a step before it is made. Those of the state are looked at when it is made:
//! intervals prove that nothing happened in between, or the step is taken back and made so short that it sees what does.
//! A step ends where the equations are not smooth, and the integration begins anew behind it. Steps that are fixed are
//! never changed; what they step over is remarked on.

mod collect;
mod event_search;
mod search;
mod shape;
mod smooth_product;
mod step_path;
mod switches;

use crate::motion::Motion;
use catena_compile::{Functions, IntervalReader};
use catena_integrator::{IntegrationError, Integrator};
pub(crate) use event_search::EventSearch;

use collect::{Findings, Watched, collect};
use search::{Item, Search};
use shape::Shape;
use step_path::{StepPath, continued, hermite};
use switches::{Switches, WatchedSwitch};

/// A step is taken back this often at most.
const MAX_RETRACTIONS: usize = 40;
/// So many crossings of one step are looked at.
const MAX_CROSSINGS: usize = 32;
/// A step that is tried again ends before the crossing that it failed at by this part of its length ...
const FIRST_APPROACH: f64 = 0.02;
/// ... and this one, once it is known better where that is.
const NEXT_APPROACH: f64 = 1e-3;
/// A step stops before a crossing by this part of its length, and crosses it in another of twice that.
const CROSSING_DISTANCE: f64 = 1e-9;
/// Distance of the places around a crossing at which the equations are compared, in parts of the step ...
const COMPARING_DISTANCE: f64 = 1e-5;
/// ... and of the way to the next crossing: the farthest place is three times as far.
const COMPARING_PART: f64 = 0.2;
/// Steps of this part of a run are short ...
const SHORT_STEP: f64 = 1e-8;
/// ... and so many of them, or that cross a switch, one after the other are suspicious.
const SUSPICIOUS_STEPS: u32 = 12;

/// What there is to watch in a system, and how a run stands with it; a thread's own.
#[derive(Clone, Debug)]
pub(crate) struct ShortFeatures {
    /// Functions of time alone.
    of_time: Option<Search>,
    /// Functions of the state.
    of_state: Option<Search>,
    switches: Option<Switches>,

    /// Whether the functions of time are harmonic throughout: the longest step is then all there is to say.
    harmonic: bool,

    // A run.
    duration: f64,
    path: StepPath,
    retractions: usize,
    /// The time of a crossing ahead, and how near it a step may come.
    pending: Option<(f64, f64)>,
    /// The length of steps, not long ago.
    usual_step: f64,
    /// Short steps, or such that cross a switch, up to now.
    short_steps: u32,
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
        let outputs = [arguments.as_slice(), &drives].concat();
        let count = arguments.len();
        let list = switches.into_iter().enumerate().map(|(output, switch)| WatchedSwitch {
            drives: switch.drives.iter().map(|drive| count + drive).collect(),
            switch,
            output,
            largest: 0.0,
        });
        let list: Vec<WatchedSwitch> = list.collect();
        let of_time = search(&of_time, &drives);
        let steady = list.iter().all(|watched| watched.drives.is_empty());
        Some(ShortFeatures {
            harmonic: steady && of_time.as_ref().is_some_and(Search::is_harmonic),
            of_time,
            of_state: search(&of_state, &[]),
            switches: (!list.is_empty())
                .then(|| Switches::new(IntervalReader::new(functions, &graph, &outputs), list)),
            duration: 0.0,
            path: StepPath::default(),
            retractions: 0,
            pending: None,
            usual_step: 0.0,
            short_steps: 0,
            missed: None,
            evaluations: 0,
        })
    }

    /// Ready for a run; the longest step that sees everything that is harmonic in time.
    pub(crate) fn begin(&mut self, parameters: &[f64], span: [f64; 2]) -> Option<f64> {
        (self.duration, self.pending) = (span[1] - span[0], None);
        (self.usual_step, self.short_steps) = (0.0, 0);
        (self.missed, self.evaluations, self.retractions) = (None, 0, 0);
        for search in [&mut self.of_time, &mut self.of_state].into_iter().flatten() {
            search.reader.set_parameters(parameters);
        }
        if let Some(switches) = &mut self.switches {
            switches.reader.set_parameters(parameters);
            switches.list.iter_mut().for_each(|watched| watched.largest = 0.0);
        }
        match &mut self.of_time {
            Some(search) if self.harmonic => Some(search.half_period(span)),
            _ => None,
        }
    }

    /// Whether there is more than harmonic drives, and poles of the state that a motion keeps away from.
    pub(crate) fn are_likely(&self) -> bool {
        let in_time = self.of_time.is_some() && !self.harmonic;
        let is_steep = |item: &Item| !matches!(item.shape, Shape::Power(_));
        let in_state =
            self.of_state.as_ref().is_some_and(|search| search.items.iter().any(is_steep));
        in_time || in_state || self.switches.is_some()
    }

    /// Where the equations jump as the state changes, as a formula that is zero there.
    pub(crate) fn jump_of_state(&self) -> Option<&str> {
        let mut list = self.switches.as_ref()?.list.iter().map(|watched| &watched.switch);
        list.find(|it| it.jumps && it.drives.is_empty()).map(|it| it.text.as_str())
    }

    /// Whether a motion that begins here cannot leave: why.
    pub(crate) fn at_rest(&mut self, motion: &mut Motion, t: f64, y: &[f64]) -> Option<String> {
        let switches = self.switches.as_mut()?;
        let held = switches.holds(motion, (t, y), self.duration)?;
        Some(switches.explain(held, t))
    }

    /// One step that misses nothing.
    pub(crate) fn step(
        &mut self,
        motion: &mut Motion,
        integrator: &mut dyn Integrator,
    ) -> Result<StepOutcome, IntegrationError> {
        self.retractions = 0;
        loop {
            self.before_step(integrator);
            if !integrator.attempt(motion)? {
                self.after_rejection(motion, integrator);
            } else if let Some(outcome) = self.after_step(motion, integrator) {
                return Ok(outcome);
            }
        }
    }

    /// Limits the next step to what it sees.
    fn before_step(&mut self, integrator: &mut dyn Integrator) {
        let Some(end) = integrator.proposed_end() else { return };
        let t = integrator.time();
        let nearest = t + 32.0 * (t.abs().next_up() - t.abs()).max(1e-16 * self.duration);
        let mut limit = f64::INFINITY;
        if let Some((time, distance)) = self.pending {
            let before = time - distance;
            // one step across, however near the crossing is
            let across = distance.max(CROSSING_DISTANCE * self.usual_step);
            limit = if before > nearest { before } else { time + across };
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

    /// An attempt that was rejected because it crossed a switch ends before it the next time.
    fn after_rejection(&mut self, motion: &mut Motion, integrator: &mut dyn Integrator) {
        let Some(switches) = &mut self.switches else { return };
        if motion.is_linear() || !self.path.take_rejected(motion, integrator) {
            return;
        }
        let (from, to) = (self.path.from, self.path.to);
        if let Some(time) = switches.first_crossing(&mut self.path, from)
            && let Some(ends) = integrator.ends()
        {
            self.evaluations += 6;
            let last = from - integrator.previous_time();
            let state = |t: f64, y: &mut [f64]| continued(ends, last, t - from, y);
            let free = COMPARING_PART * switches.distance_to_next(&mut self.path, time);
            let place = free.min(COMPARING_DISTANCE * (to - from));
            switches.compare_sides(motion, (time, place), state);
            if switches.effect(integrator, to - from) <= 1.0 {
                return;
            }
            let resolution = resolution(to);
            // the nearer, the better is known where it is
            let part = if self.pending.is_some() { NEXT_APPROACH } else { FIRST_APPROACH };
            let distance = part * (time - from) + CROSSING_DISTANCE * (to - from);
            let distance = distance.min(free).max(resolution);
            self.pending = Some((time, distance));
            if time - distance > from + resolution {
                integrator.aim(time - distance);
            }
        }
    }

    /// Looks at a step that was just made; `None` if it was taken back.
    fn after_step(
        &mut self,
        motion: &mut Motion,
        integrator: &mut dyn Integrator,
    ) -> Option<StepOutcome> {
        let fixed = integrator.proposed_end().is_none();
        if fixed
            && self.missed.is_none()
            && let Some(search) = &mut self.of_time
        {
            self.missed = search.leapt(None, [integrator.previous_time(), integrator.time()]);
        }
        let nothing = self.of_state.is_none() && self.switches.is_none();
        if nothing || motion.is_linear() || !self.path.take(motion, integrator) {
            return Some(StepOutcome::Accepted);
        }
        let (from, to) = (self.path.from, self.path.to);
        let shortest = 1e-13 * self.duration.max(to.abs());
        if fixed {
            if let Some(search) = &mut self.of_state
                && self.missed.is_none()
            {
                self.missed = search.leapt(Some(&mut self.path), [from, to]);
            }
            return Some(StepOutcome::Accepted);
        }
        if let Some(search) = &mut self.of_state
            && self.retractions < MAX_RETRACTIONS
            && to - from > shortest
            && let Some(seen) = search.unseen(Some(&mut self.path), [from, to])
            && seen < to
        {
            self.retractions += 1;
            integrator.retract(motion, seen.max(from + shortest));
            return None;
        }
        self.cross(motion, integrator)
    }

    /// Deals with the crossings of a step; `None` if it was taken back for one of them.
    fn cross(
        &mut self,
        motion: &mut Motion,
        integrator: &mut dyn Integrator,
    ) -> Option<StepOutcome> {
        let Some(switches) = &mut self.switches else { return Some(StepOutcome::Accepted) };
        let (from, to) = (self.path.from, self.path.to);
        let resolution = resolution(to);
        // steps become short before a crossing: what they were is what matters
        self.usual_step = (0.8 * self.usual_step).max(to - from);
        let (mut after, mut crossings, mut crossed) = (from, 0, false);
        while crossings < MAX_CROSSINGS
            && let Some(time) = switches.first_crossing(&mut self.path, after)
        {
            crossings += 1;
            self.evaluations += 6;
            let Some(ends) = integrator.ends() else { break };
            let h = to - from;
            let state = |t: f64, y: &mut [f64]| hermite(ends, h, (t - from) / h, y);
            let free = COMPARING_PART * switches.distance_to_next(&mut self.path, time);
            switches.compare_sides(motion, (time, free.min(COMPARING_DISTANCE * h)), state);
            let matters = switches.effect(integrator, to - from) > 1.0;
            if matters && self.retractions < MAX_RETRACTIONS && to - from > resolution {
                self.retractions += 1;
                let distance = (CROSSING_DISTANCE * h).min(free).max(resolution);
                self.pending = Some((time, distance));
                let before = time - distance;
                let end = if before - from > distance { before } else { time + distance };
                integrator.retract(motion, end);
                return None;
            }
            crossed |= switches.effect(integrator, self.usual_step) > 1.0;
            after = time;
        }
        if self.pending.is_some_and(|(time, _)| crossed || to >= time) {
            self.pending = None;
        }
        let short = crossings > 0 || to - from < SHORT_STEP * self.duration;
        self.short_steps = if short { self.short_steps + 1 } else { 0 };
        if crossed || self.short_steps >= SUSPICIOUS_STEPS {
            self.short_steps = 0;
            let held = switches.holds(motion, (to, integrator.state()), self.duration);
            if let Some(held) = held {
                return Some(StepOutcome::Held(switches.explain(held, to)));
            }
        }
        Some(if crossed { StepOutcome::Crossed } else { StepOutcome::Accepted })
    }

    /// What fixed steps missed.
    pub(crate) fn remark(&self) -> Option<String> {
        let time = self.missed?;
        Some(format!(
            "the fixed steps are too long for what happens at t = {time:.6} s, and may have missed it"
        ))
    }
}

/// Times nearer to each other are the same.
fn resolution(t: f64) -> f64 {
    64.0 * (t.abs().next_up() - t.abs())
}

impl Search {
    /// Whether every function is harmonic: one frequency each, whatever the time.
    fn is_harmonic(&self) -> bool {
        let is_harmonic =
            |item: &Item| matches!(item.shape, Shape::Period) && self.reader.is_affine(item.output);
        self.items.iter().all(is_harmonic)
    }

    /// Half the shortest period of what is not constant, where everything is harmonic.
    fn half_period(&mut self, span: [f64; 2]) -> f64 {
        let quiet: Vec<bool> = self.resting_items(span);
        let first = self.reader.values(0.0, &[]).to_vec();
        let last = self.reader.values(1.0, &[]);
        let items = self.items.iter().zip(quiet).filter(|(_, quiet)| !quiet);
        let periods = items
            .map(|(item, _)| std::f64::consts::PI / (last[item.output] - first[item.output]).abs());
        periods.fold(f64::INFINITY, f64::min)
    }
}
