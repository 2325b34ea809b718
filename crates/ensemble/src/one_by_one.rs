//! Cells one after the other, for formulations and integrators that do not run in lanes.

use crate::cell::Cells;
use crate::engine::Engine;
use crate::workload::{Task, Workload};
use crate::{Crossing, SweepError};
use catena_integrator::Options;
use catena_simulation::{Grade, Host, Prepared, RunError, RunOptions, StopReason, Verdict};
use std::cell::{Cell, RefCell};

/// A thread's own workspace.
pub(crate) struct OneByOne<'a> {
    engine: &'a Engine,
    cells: Cells,
    prepared: Prepared,
    options: RunOptions,
}

impl<'a> OneByOne<'a> {
    pub(crate) fn new(engine: &'a Engine) -> OneByOne<'a> {
        let mut columns = vec!["t".to_owned()];
        columns.extend(engine.columns.iter().cloned());
        let sweep = &engine.options;
        let options = RunOptions {
            columns: Some(columns),
            examine_rank: false,
            record_events: !engine.directions.is_empty(),
            ..RunOptions::new(sweep.integrator, sweep.integration.clone(), 1e-9, 1e-9)
        };
        OneByOne { engine, cells: engine.cells(), prepared: engine.prepared.clone(), options }
    }

    /// Whether the model can be run at all with its own parameters.
    pub(crate) fn check(&mut self) -> Result<(), SweepError> {
        match self.prepared.run(&self.options, &mut Host::new(&mut || 0.0, &mut |_| true)) {
            // another cell may well have a start
            Ok(_)
            | Err(RunError::Assembly(_) | RunError::Broken(_) | RunError::NegativeMass { .. }) => {
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Runs until nothing is left; false if it was cancelled before.
    pub(crate) fn run(
        &mut self,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        in_turn(workload, cancelled, |task, workload| self.run_task(task, workload, cancelled))
    }

    /// Runs a cell; its rows go to the workload as they are made.
    fn run_task(
        &mut self,
        task: &Task,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        self.cells.set(task)?;
        let times = self.cells.times;
        let integration = &self.engine.options.integration;
        self.options.integration =
            Options { step: times.step.or(integration.step), ..integration.clone() };
        (self.options.t_start, self.options.t_end) = (times.t_start, times.t_end);
        self.options.every = times.every;
        self.options.parameters = Some(self.cells.parameters());
        self.options.start = Some(self.cells.start.clone());
        let events = self.prepared.system().events.len();
        let first_section = events - self.engine.directions.len();
        // rows and crossings go to the same workload
        let workload = RefCell::new(workload);
        let ended_at = Cell::new(f64::INFINITY);
        let mut take = |row: &[f64]| {
            if row[0] >= times.after && row[0] < ended_at.get() {
                workload.borrow_mut().row(0, row[0], &row[1..]);
            }
        };
        let mut cross = |number: usize, direction: i8, row: &[f64]| {
            let Some(section) = number.checked_sub(first_section) else { return true };
            if row[0] < times.after {
                return true;
            }
            let crossing = Crossing { section, direction, time: row[0] };
            let goes_on = workload.borrow_mut().crossing(0, crossing, &row[1..]);
            if !goes_on {
                ended_at.set(row[0]);
            }
            goes_on
        };
        let mut host = Host {
            clock: &mut || 0.0,
            cancelled: &mut |_| cancelled(),
            rows: Some(&mut take),
            events: Some(&mut cross),
            first: None,
        };
        let found = self.prepared.run(&self.options, &mut host);
        let certificate = found.map_err(|error| error.to_string())?.certificate;
        match (certificate.stop, certificate.verdict) {
            (StopReason::Failed { message }, _) => Err(message),
            (_, Verdict { grade: Grade::Wrong, reason, .. }) => Err(format!("wrong: {reason}")),
            _ => Ok(()),
        }
    }
}

/// Runs tasks one after the other until nothing is left; false if it was cancelled before.
pub(crate) fn in_turn(
    workload: &mut dyn Workload,
    cancelled: &dyn Fn() -> bool,
    mut run: impl FnMut(&Task, &mut dyn Workload) -> Result<(), String>,
) -> bool {
    let mut task = Task::default();
    while !cancelled() && workload.next(0, &mut task) {
        let outcome = run(&task, workload);
        if cancelled() {
            return false;
        }
        workload.end(0, outcome);
    }
    !cancelled()
}
