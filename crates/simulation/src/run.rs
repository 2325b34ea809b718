//! A run: steps, rows, events, and the certificate.

use crate::certificate::{Certificate, StopReason};
use crate::events::zeros;
use crate::motion::Motion;
use crate::table::Table;
use crate::{Assembly, AssemblyError, Start, assemble};
use catena_compile::Dynamics;
use catena_formulation::{OptionValues, Subject};
use catena_integrator::{Breakdown, FirstOrderSystem, Integrator, Options};
use catena_model::{Model, System};

/// How a model is to be moved.
pub struct RunOptions {
    /// The formulation.
    pub formulation: &'static catena_formulation::Entry,
    /// The integrator.
    pub integrator: &'static catena_integrator::Entry,
    /// Options of the formulation.
    pub formulation_options: OptionValues,
    /// Tolerances and steps.
    pub integration: Options,
    /// The end of the run, s.
    pub t_end: f64,
    /// Rows stand at multiples of this, s.
    pub every: f64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// A row at every multiple of `every`, and at the end.
    pub table: Table,
    /// A row for every event, with its number in the model.
    pub events: Table,
    /// How good it is.
    pub certificate: Certificate,
    /// The start that was used.
    pub start: Assembly,
}

/// Why there is no run at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The formulation cannot take this model.
    #[error("the formulation `{formulation}` does not fit: {reason}")]
    Unfit {
        /// Which.
        formulation: &'static str,
        /// Why.
        reason: String,
    },
    /// There is no start.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The integrator refuses the system.
    #[error("the integrator `{integrator}` cannot begin: {reason}")]
    CannotBegin {
        /// Which.
        integrator: &'static str,
        /// Why.
        reason: String,
    },
}

/// Moves a model in time. `cancelled` is asked after every step; progress is the time reached.
pub fn run(
    model: &Model,
    options: &RunOptions,
    mut cancelled: impl FnMut(f64) -> bool,
) -> Result<Run, RunError> {
    if let Some(reason) = (options.formulation.refuses)(model) {
        return Err(RunError::Unfit { formulation: options.formulation.name, reason });
    }
    let system = model.system(options.formulation.coordinates).unwrap_or(&model.joint);
    let subject = Subject::new(options.formulation, model, options.formulation_options.clone());
    let parameters: Vec<f64> = model.parameters.iter().map(|parameter| parameter.value).collect();
    let mut dynamics = Dynamics::new(&subject.evaluator.functions().equations, &parameters);
    let start = assemble(system, &mut dynamics, &Start::new(model, system))?;
    let mut motion = Motion::new((options.formulation.build)(subject));
    let mut integrator = (options.integrator.build)(&options.integration);
    let mut y = vec![0.0; motion.len()];
    let end = motion.formulation.state_len();
    motion.formulation.pack(&start.q, &start.v, &start.states, &mut y[..end]);
    let begun = integrator.begin(&mut motion, 0.0, &y, options.t_end);
    begun.map_err(|error| RunError::CannotBegin {
        integrator: options.integrator.name,
        reason: error.to_string(),
    })?;
    let mut recorder = Recorder::new(system, options, &start, y);
    recorder.record_start(&mut motion);
    let stop = loop {
        if integrator.time() >= options.t_end {
            break StopReason::Finished;
        }
        if let Err(error) = integrator.step(&mut motion) {
            break StopReason::Failed { message: error.to_string() };
        }
        if let Some(stop) = recorder.after_step(&mut motion, integrator.as_ref()) {
            break stop;
        }
        if cancelled(integrator.time()) {
            break StopReason::Cancelled;
        }
    };
    let certificate = Certificate {
        formulation: options.formulation.name,
        integrator: options.integrator.name,
        energy: recorder.first_energy,
        energy_residual: recorder.energy_residual,
        constraint_error: recorder.constraint_error,
        constraint_rate_error: recorder.constraint_rate_error,
        statistics: integrator.statistics(),
        time: recorder.time,
        stop,
    };
    Ok(Run { table: recorder.table, events: recorder.events, certificate, start })
}

/// Writes rows and watches over the run.
struct Recorder<'a> {
    system: &'a System,
    every: f64,
    t_end: f64,
    /// Number of the next row on the grid.
    next_row: u64,
    table: Table,
    events: Table,
    y: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    states: Vec<f64>,
    rate: Vec<f64>,
    first_energy: f64,
    energy_residual: f64,
    constraint_error: f64,
    constraint_rate_error: f64,
    time: f64,
}

impl<'a> Recorder<'a> {
    fn new(system: &'a System, options: &RunOptions, start: &Assembly, y: Vec<f64>) -> Self {
        let rows = (options.t_end / options.every).min(1e7) as usize + 2;
        let names = column_names(system);
        let mut event_names = vec!["event".to_owned()];
        event_names.extend(names.iter().cloned());
        Recorder {
            system,
            every: options.every,
            t_end: options.t_end,
            next_row: 1,
            table: Table::new(names, rows),
            events: Table::new(event_names, 0),
            rate: vec![0.0; y.len()],
            y,
            q: start.q.clone(),
            v: start.v.clone(),
            states: start.states.clone(),
            first_energy: 0.0,
            energy_residual: 0.0,
            constraint_error: 0.0,
            constraint_rate_error: 0.0,
            time: 0.0,
        }
    }

    fn record_start(&mut self, motion: &mut Motion) {
        self.record(motion, 0.0);
        self.first_energy = energy(motion);
        self.watch(motion, 0.0);
    }

    /// Rows and events of the last step; the reason to stop, if there is one.
    fn after_step(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
    ) -> Option<StopReason> {
        let (from, mut to) = (integrator.previous_time(), integrator.time());
        let mut stop = None;
        if !self.system.events.is_empty() {
            for (number, time) in self.events_in(motion, integrator, from, to) {
                integrator.interpolate(time, &mut self.y);
                if let Ok(row) = self.row(motion, time) {
                    self.events.push(std::iter::once(number as f64).chain(row));
                }
                let event = &self.system.events[number];
                if event.terminal {
                    (to, stop) = (time, Some(StopReason::Event { name: event.entry.name.clone() }));
                    break;
                }
            }
        }
        loop {
            let time = (self.next_row as f64 * self.every).min(self.t_end);
            let last = self.table.columns[0].last().copied().unwrap_or(-1.0);
            if time > to || time <= last {
                break;
            }
            integrator.interpolate(time, &mut self.y);
            self.record(motion, time);
            self.next_row += 1;
            if time >= self.t_end {
                break;
            }
        }
        integrator.interpolate(to, &mut self.y);
        self.watch(motion, to);
        self.time = to;
        if stop.is_some() && self.table.columns[0].last() != Some(&to) {
            self.record(motion, to);
        }
        stop
    }

    /// Events of a step with their times, in order.
    fn events_in(
        &mut self,
        motion: &mut Motion,
        integrator: &dyn Integrator,
        from: f64,
        to: f64,
    ) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        for (number, event) in self.system.events.iter().enumerate() {
            let end = motion.formulation.state_len();
            let value = |t: f64| {
                integrator.interpolate(t, &mut self.y);
                let y = &self.y[..end];
                motion.formulation.unpack(y, &mut self.q, &mut self.v, &mut self.states);
                let evaluator = motion.formulation.evaluator();
                evaluator.set_state(t, &self.q, &self.v, &self.states);
                evaluator.events()[number]
            };
            for zero in zeros(from, to, value) {
                if event.direction == 0 || event.direction == zero.direction {
                    found.push((number, zero.time));
                }
            }
        }
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found
    }

    /// Writes a row of the state in `y`; one that cannot be evaluated is left out.
    fn record(&mut self, motion: &mut Motion, t: f64) {
        if let Ok(row) = self.row(motion, t) {
            self.table.push(row.into_iter());
        }
    }

    /// All columns at the state in `y`.
    fn row(&mut self, motion: &mut Motion, t: f64) -> Result<Vec<f64>, Breakdown> {
        let end = motion.formulation.state_len();
        motion.formulation.unpack(&self.y[..end], &mut self.q, &mut self.v, &mut self.states);
        motion.derivative(t, &self.y, &mut self.rate)?;
        let mut row = vec![t];
        row.extend_from_slice(&self.q);
        row.extend_from_slice(&self.v);
        row.extend_from_slice(&self.states);
        row.extend_from_slice(motion.formulation.multipliers());
        let evaluator = motion.with_reactions();
        let balance = evaluator.balance();
        row.extend([balance.kinetic, balance.potential, balance.kinetic + balance.potential]);
        row.extend_from_slice(evaluator.outputs());
        Ok(row)
    }

    /// Looks at energy and constraints at the state in `y`.
    fn watch(&mut self, motion: &mut Motion, t: f64) {
        let end = motion.formulation.state_len();
        motion.formulation.unpack(&self.y[..end], &mut self.q, &mut self.v, &mut self.states);
        let work = motion.work(&self.y);
        motion.formulation.evaluator().set_state(t, &self.q, &self.v, &self.states);
        let residual = energy(motion) - self.first_energy - work;
        self.energy_residual = self.energy_residual.max(residual.abs());
        let drift = motion.formulation.evaluator().drift();
        for (value, rate) in drift.values.iter().zip(drift.rates) {
            self.constraint_error = self.constraint_error.max(value.abs());
            self.constraint_rate_error = self.constraint_rate_error.max(rate.abs());
        }
    }
}

/// h at the state that was written down last.
fn energy(motion: &mut Motion) -> f64 {
    motion.formulation.evaluator().balance().energy
}

fn column_names(system: &System) -> Vec<String> {
    let coordinates = system.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let mut names = vec!["t".to_owned()];
    names.extend(coordinates.clone());
    names.extend(coordinates.map(|name| format!("{name}'")));
    names.extend(system.states.iter().map(|state| state.name.clone()));
    names.extend(system.constraints.iter().map(|c| format!("lambda_{}", c.name)));
    names.extend(["kinetic", "potential", "energy"].map(str::to_owned));
    names.extend(system.outputs.iter().map(|output| output.name.clone()));
    names
}
