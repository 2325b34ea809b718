//! Cells one after the other, for formulations and integrators that do not run in lanes.

use super::cell::Cells;
use super::measure::Gathered;
use super::{Block, Sweep, SweepError, SweepOptions};
use catena_integrator::Options;
use catena_model::Model;
use catena_simulation::{RunError, RunOptions, StopReason, Surroundings, Table, run};
use std::ops::Range;

/// A thread's own workspace.
pub struct OneByOne<'a> {
    sweep: &'a Sweep,
    cells: Cells,
    columns: Vec<String>,
    values: Vec<f64>,
}

impl<'a> OneByOne<'a> {
    pub(super) fn new(sweep: &'a Sweep) -> OneByOne<'a> {
        let mut columns = vec!["t".to_owned()];
        columns.extend(sweep.measures.iter().map(|measure| measure.column.clone()));
        OneByOne { sweep, cells: sweep.cells(), columns, values: Vec::new() }
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

    /// Runs some cells; none if it was cancelled before all of them were done.
    pub(super) fn run(&mut self, range: Range<u64>, cancelled: &dyn Fn() -> bool) -> Option<Block> {
        let measures = &self.sweep.measures;
        let mut block = Block::new(range.clone(), measures.len());
        for cell in range {
            if cancelled() {
                return None;
            }
            self.sweep.grid.cell(cell, &mut self.values);
            match self.table(cancelled) {
                Ok(table) => {
                    let places = block.of_cell(cell, measures.len()).iter_mut();
                    let columns = &table.columns[1..];
                    for ((place, column), measure) in places.zip(columns).zip(measures) {
                        let mut gathered = Gathered::NOTHING;
                        let rows = table.columns[0].iter().zip(column);
                        let counted = rows.filter(|(t, _)| **t >= self.cells.times.after);
                        counted.for_each(|(_, &value)| gathered.add(value));
                        *place = gathered.result(measure.statistic);
                    }
                }
                Err(reason) => block.failures.push((cell, reason)),
            }
        }
        (!cancelled()).then_some(block)
    }

    fn table(&mut self, cancelled: &dyn Fn() -> bool) -> Result<Table, String> {
        self.cells.set(&self.values)?;
        let times = self.cells.times;
        let options = &self.sweep.options;
        let integration = Options {
            step: times.step.or(options.integration.step),
            ..options.integration.clone()
        };
        let columns = Some(self.columns.clone());
        let options = run_options(options, &integration, columns, [times.t_end, times.every]);
        let found =
            run(self.cells.model(), &options, &mut surroundings(&mut || 0.0, &mut |_| cancelled()));
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
