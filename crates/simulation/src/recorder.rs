//! What is written down of a run: rows, events, and the largest errors.

use crate::columns::Columns;
use crate::defect::Defect;
use crate::extent::Extent;
use crate::figures::Figures;
use crate::film::Camera;
use crate::host::{EventSink, Host, RowSink};
use crate::motion::Motion;
use crate::poses::Poses;
use crate::samples::Samples;
use crate::{Assembly, RunOptions, StopReason, Table};
use catena_compile::Energies;
use catena_integrator::{Breakdown, FirstOrderSystem, Integrator};
use catena_model::System;
use std::sync::Arc;

/// Rows of one step whose energy and constraints are looked at, unless their energies are written down anyway. What lies
/// between the ends of a step is a polynomial of low degree: more rows would show the same largest error.
const MAX_LOOKED_AT_ROWS: u64 = 8;

/// The time of a row, s: multiples of the distance from the start on, up to the end.
pub fn row_time(row: u64, every: f64, [t_start, t_end]: [f64; 2]) -> f64 {
    /// A part of the distance of rows that only rounding leaves.
    const ROUNDING_OF_SUM: f64 = 1e-6;
    let time = t_start + row as f64 * every;
    // sums with a start round, and no row stands next to the end
    let at_end = t_start != 0.0 && t_end - time < ROUNDING_OF_SUM * every;
    if at_end { t_end } else { time.min(t_end) }
}

/// Who takes rows in the place of the table, if somebody does.
type Sink<'a> = Option<RowSink<'a>>;

/// Writes rows and watches over the run.
pub(crate) struct Recorder<'a> {
    system: &'a System,
    /// Numbers of the events that are looked for.
    watched_events: Vec<usize>,
    every: f64,
    t_start: f64,
    t_end: f64,
    /// Number of the next row on the grid.
    next_row: u64,
    columns: Arc<Columns>,
    /// The time of the last row.
    recorded: f64,
    pub(crate) table: Table,
    pub(crate) events: Table,
    pub(crate) figures: Figures,
    /// Rows whose correction onto the constraints failed.
    pub(crate) uncorrected_rows: u64,
    pub(crate) time: f64,
    pub(crate) poses: Poses,
    pub(crate) defect: Defect,
    /// Takes frames between rows, if anybody wants a film.
    pub(crate) camera: Option<Camera>,
    /// Takes states besides the rows, if the error is estimated with them.
    pub(crate) samples: Option<Samples>,
    /// Where the motion has been.
    pub(crate) extent: Extent,
    /// Evaluations for the dense output of steps that only a film or samples look into: they are no part of the motion.
    pub(crate) film_evaluations: u64,

    // Workspace.
    y: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    states: Vec<f64>,
    rate: Vec<f64>,
    row: Vec<f64>,
    /// Events of a step: their numbers, times and directions.
    found: Vec<(usize, f64, i8)>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(
        system: &'a System,
        options: &RunOptions,
        columns: Arc<Columns>,
        start: &Assembly,
        y: Vec<f64>,
        keeps_rows: bool,
    ) -> Self {
        let rows = (options.duration() / options.every).min(1e7) as usize + 2;
        let table = columns.table(if keeps_rows { rows } else { 0 });
        let mut events = Table::default().with_words("event", Vec::new());
        events.columns.extend(columns.table(0).columns);
        Recorder {
            columns,
            recorded: f64::NEG_INFINITY,
            watched_events: (0..system.events.len())
                .filter(|&number| options.record_events || system.events[number].terminal)
                .collect(),
            system,
            every: options.every,
            t_start: options.t_start,
            t_end: options.t_end,
            next_row: 1,
            figures: Figures::new(start),
            uncorrected_rows: 0,
            time: options.t_start,
            poses: Poses::new(rows, system.coordinates.len(), system.constraints.len()),
            defect: Defect::new(false, y.len()),
            camera: None,
            samples: (!options.samples.is_empty())
                .then(|| Samples::new(system, options.samples.clone())),
            extent: Extent::new([&start.q, &start.v, &start.states]),
            film_evaluations: 0,
            rate: vec![0.0; y.len()],
            y,
            q: start.q.clone(),
            v: start.v.clone(),
            states: start.states.clone(),
            row: Vec::with_capacity(table.columns.len()),
            found: Vec::with_capacity(8),
            table,
            events,
        }
    }

    pub(crate) fn record_start(&mut self, motion: &mut Motion, sink: &mut Sink<'_>) {
        let t = self.t_start;
        motion.formulation.evaluator().set_state(t, &self.q, &self.v, &self.states);
        self.figures.begin(motion);
        self.record(motion, t, sink, true);
        if self.next_frame() <= t {
            self.take_frame(motion, t);
        }
        if self.next_sample() <= t {
            self.take_sample(motion, t);
        }
    }

    /// Rows, frames and events of the last step; the reason to stop, if there is one.
    pub(crate) fn after_step(
        &mut self,
        motion: &mut Motion,
        integrator: &mut dyn Integrator,
        host: &mut Host<'_>,
    ) -> Option<StopReason> {
        let Host { rows: sink, events: event_sink, .. } = host;
        let to = integrator.time();
        if !self.watched_events.is_empty() || self.next_time() < to {
            integrator.prepare_dense(motion);
        } else if self.next_frame().min(self.next_sample()) < to {
            let before = integrator.statistics().evaluations;
            integrator.prepare_dense(motion);
            self.film_evaluations += integrator.statistics().evaluations - before;
        }
        let terminal = self.record_events(motion, integrator, event_sink);
        let to = terminal.map_or(to, |(_, time)| time);
        while self.next_frame() <= to {
            let time = self.next_frame();
            self.look_at(motion, integrator, time);
            self.take_frame(motion, time);
        }
        while self.next_sample() <= to {
            let time = self.next_sample();
            self.look_at(motion, integrator, time);
            self.take_sample(motion, time);
        }
        let rows = ((to - self.next_time()) / self.every).max(0.0) as u64 + 1;
        let stride = rows.div_ceil(MAX_LOOKED_AT_ROWS);
        let mut next_looked_at = self.next_row;
        loop {
            let time = self.next_time();
            if time > to || time <= self.recorded {
                break;
            }
            if !self.look_at(motion, integrator, time) {
                self.uncorrected_rows += 1;
            }
            let is_looked_at = self.next_row == next_looked_at;
            if is_looked_at {
                next_looked_at += stride;
            }
            self.record(motion, time, sink, is_looked_at);
            let known = self.columns.needs_reactions && self.recorded == time;
            if known || self.defect.asks {
                let row = (time, self.y.as_slice());
                self.defect.measure(motion, integrator, row, (&mut self.rate, known));
            }
            self.next_row += 1;
        }
        self.time = to;
        if self.recorded != to {
            self.look_at(motion, integrator, to);
            match terminal {
                Some(_) => self.record(motion, to, sink, true),
                None => self.look_at_end(motion, to),
            }
        }
        let (number, _) = terminal?;
        Some(StopReason::Event { name: self.system.events[number].entry.name.clone() })
    }

    /// The time of the next frame of the film.
    fn next_frame(&self) -> f64 {
        self.camera.as_ref().and_then(Camera::next_time).unwrap_or(f64::INFINITY)
    }

    /// The time of the next sample.
    fn next_sample(&self) -> f64 {
        self.samples.as_ref().and_then(Samples::next_time).unwrap_or(f64::INFINITY)
    }

    /// A sample of the state in `y`.
    fn take_sample(&mut self, motion: &mut Motion, t: f64) {
        let Some(samples) = &mut self.samples else { return };
        let end = motion.formulation.state_len();
        motion.formulation.unpack(&self.y[..end], &mut self.q, &mut self.v, &mut self.states);
        samples.take(t, [&self.q, &self.v, &self.states]);
    }

    /// A frame of the state in `y`.
    fn take_frame(&mut self, motion: &mut Motion, t: f64) {
        let Some(camera) = &mut self.camera else { return };
        let end = motion.formulation.state_len();
        motion.formulation.unpack(&self.y[..end], &mut self.q, &mut self.v, &mut self.states);
        let is_known = !camera.needs_reactions()
            || motion.is_imposed()
            || motion.derivative(t, &self.y, &mut self.rate).is_err();
        if is_known {
            motion.formulation.evaluator().set_state(t, &self.q, &self.v, &self.states);
        }
        let energy = self.figures.first_energy + motion.work(&self.y);
        camera.expose_motion(t, motion, energy);
    }

    /// A row where the motion stopped before its end, unless one stands there.
    pub(crate) fn record_stop(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
        sink: &mut Sink<'_>,
    ) {
        let time = integrator.time();
        if time != self.time || time <= self.recorded {
            return;
        }
        // a step that failed has left nothing to interpolate in
        self.y.copy_from_slice(integrator.state());
        motion.impose(integrator, time);
        if self.fill_row(motion, time).is_ok() {
            match sink {
                Some(sink) => sink(&self.row),
                None => self.table.push(self.row.iter().copied()),
            }
            self.recorded = time;
        }
    }

    /// The time of the next row.
    fn next_time(&self) -> f64 {
        row_time(self.next_row, self.every, [self.t_start, self.t_end])
    }

    /// The state at a time of the last step, corrected as the formulation does at its end; returns whether that was
    /// possible.
    #[inline]
    fn look_at(&mut self, motion: &mut Motion, integrator: &dyn Integrator, time: f64) -> bool {
        integrator.interpolate(time, &mut self.y);
        if !motion.impose(integrator, time) && time < integrator.time() {
            // a correction that fails leaves the state somewhere on the way: better the interpolated one
            if motion.after_step(time, &mut self.y).is_err() {
                integrator.interpolate(time, &mut self.y);
                return false;
            }
        }
        true
    }

    /// Rows of the events of a step, in order; the number and time of one that ends the run.
    fn record_events(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
        sink: &mut Option<EventSink<'_>>,
    ) -> Option<(usize, f64)> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if !self.watched_events.is_empty() {
            let mut search = motion.take_event_search();
            search.search(motion, integrator, &mut self.y, &self.watched_events, |number, zero| {
                let direction = self.system.events[number].direction;
                if direction == 0 || direction == zero.direction {
                    found.push((number, zero.time, zero.direction));
                }
            });
            motion.event_search = Some(search);
        }
        found.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let mut terminal = None;
        for &(number, time, direction) in &found {
            self.look_at(motion, integrator, time);
            let mut ends = self.system.events[number].terminal;
            if self.fill_row(motion, time).is_ok() {
                match sink {
                    Some(sink) => ends |= !sink(number, direction, &self.row),
                    None => {
                        self.events.push_words([self.system.events[number].entry.name.clone()]);
                        self.events.push(self.row.iter().copied());
                    }
                }
            }
            if ends {
                terminal = Some((number, time));
                break;
            }
        }
        self.found = found;
        terminal
    }

    /// Writes a row of the state in `y`; one that cannot be evaluated is left out.
    #[inline]
    fn record(&mut self, motion: &mut Motion, t: f64, sink: &mut Sink<'_>, is_looked_at: bool) {
        if let Ok(energies) = self.fill_row(motion, t) {
            match sink {
                Some(sink) => sink(&self.row),
                None => self.table.push(self.row.iter().copied()),
            }
            self.poses.record(t, &self.q);
            self.recorded = t;
            if is_looked_at || energies.is_some() {
                self.look(motion, energies);
            }
        }
    }

    /// All columns at the state in `y`; its energies, where they are among them.
    fn fill_row(&mut self, motion: &mut Motion, t: f64) -> Result<Option<Energies>, Breakdown> {
        let end = motion.formulation.state_len();
        motion.formulation.unpack(&self.y[..end], &mut self.q, &mut self.v, &mut self.states);
        if self.columns.needs_reactions && !motion.is_imposed() {
            motion.derivative(t, &self.y, &mut self.rate)?;
        } else {
            motion.formulation.evaluator().set_state(t, &self.q, &self.v, &self.states);
        }
        self.extent.include([&self.q, &self.v, &self.states]);
        let state = (self.q.as_slice(), self.v.as_slice(), self.states.as_slice());
        Ok(self.columns.fill(t, state, motion, &mut self.row))
    }

    /// Looks at the end of a step, which is in `y`.
    fn look_at_end(&mut self, motion: &mut Motion, t: f64) {
        let end = motion.formulation.state_len();
        motion.formulation.unpack(&self.y[..end], &mut self.q, &mut self.v, &mut self.states);
        self.extent.include([&self.q, &self.v, &self.states]);
        motion.formulation.evaluator().set_state(t, &self.q, &self.v, &self.states);
        self.look(motion, None);
    }

    /// Looks at energy and constraints at the state that is written down in the motion's evaluator.
    fn look(&mut self, motion: &mut Motion, energies: Option<Energies>) {
        if !motion.is_linear() {
            let work = motion.work(&self.y);
            self.figures.look(motion, &self.q, work, energies);
        }
    }
}
