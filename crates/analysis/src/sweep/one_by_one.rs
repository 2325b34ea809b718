//! Cells one after the other, for formulations and integrators that do not run in lanes.

use super::cell::Cells;
use super::engine::Engine;
use super::workload::{Task, Workload};
use super::{SweepError, SweepOptions};
use catena_integrator::Options;
use catena_model::Model;
use catena_simulation::{RunError, RunOptions, StopReason, Surroundings, Table, run};

/// A thread's own workspace.
pub(crate) struct OneByOne<'a> {
    engine: &'a Engine,
    cells: Cells,
    columns: Vec<String>,
}

impl<'a> OneByOne<'a> {
    pub(super) fn new(engine: &'a Engine) -> OneByOne<'a> {
        let mut columns = vec!["t".to_owned()];
        columns.extend(engine.columns.iter().cloned());
        OneByOne { engine, cells: engine.cells(), columns }
    }

    /// Whether the model can be run at all with its own parameters.
    pub(super) fn check(
        model: &Model,
        options: &SweepOptions,
        columns: &[String],
    ) -> Result<(), SweepError> {
        let columns = Some(columns.to_vec());
        let options = run_options(options, &options.integration, columns, [1e-9, 1e-9]);
        match run(model, &options, &mut surroundings(&mut || 0.0, &mut |_| true)) {
            // another cell may well have a start
            Ok(_) | Err(RunError::Assembly(_) | RunError::Broken(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Runs until nothing is left; false if it was cancelled before.
    pub(super) fn run(
        &mut self,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        let (mut task, mut row) = (Task::default(), Vec::new());
        while !cancelled() && workload.next(0, &mut task) {
            let outcome = self.table(&task, cancelled).map(|table| {
                for (at, &t) in table.columns[0].numbers().iter().enumerate() {
                    if t >= self.cells.times.after {
                        row.clear();
                        row.extend(table.columns[1..].iter().map(|column| column.numbers()[at]));
                        workload.row(0, t, &row);
                    }
                }
            });
            if cancelled() {
                return false;
            }
            workload.end(0, outcome);
        }
        !cancelled()
    }

    fn table(&mut self, task: &Task, cancelled: &dyn Fn() -> bool) -> Result<Table, String> {
        self.cells.set(task)?;
        let times = self.cells.times;
        let options = &self.engine.options;
        let integration = Options {
            step: times.step.or(options.integration.step),
            ..options.integration.clone()
        };
        let columns = Some(self.columns.clone());
        let options = run_options(options, &integration, columns, [times.t_end, times.every]);
        let model = self.cells.model(task);
        let found = run(&model, &options, &mut surroundings(&mut || 0.0, &mut |_| cancelled()));
        let found = found.map_err(|error| error.to_string())?;
        match found.certificate.stop {
            StopReason::Failed { message } => Err(message),
            _ => Ok(found.table),
        }
    }
}

fn run_options(
    options: &SweepOptions,
    integration: &Options,
    columns: Option<Vec<String>>,
    [t_end, every]: [f64; 2],
) -> RunOptions {
    RunOptions {
        formulation: options.formulation,
        integrator: options.integrator,
        formulation_options: options.formulation_options.clone(),
        integration: integration.clone(),
        t_end,
        every,
        columns,
        linear: false,
    }
}

fn surroundings<'a>(
    clock: &'a mut dyn FnMut() -> f64,
    cancelled: &'a mut dyn FnMut(f64) -> bool,
) -> Surroundings<'a> {
    Surroundings { clock, cancelled }
}
