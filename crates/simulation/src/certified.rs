//! A run with its error: the same motion once more, more exactly.

use crate::{ErrorEstimate, Host, Prepared, Run, RunError, RunOptions, StopReason, with_time};

/// The tolerance of the first run over that of the second ...
const TIGHTENING_FACTOR: f64 = 100.0;
/// ... which is at least this: tighter ones are below rounding.
const MIN_TOLERANCE: f64 = 1e-14;
const MIN_NEWTON_TOLERANCE: f64 = 1e-15;
/// The first run's part of the whole work, for the progress: the second takes several times as long.
const FIRST_RUN_SHARE: f64 = 0.3;

impl Prepared {
    /// Moves the model in time, and estimates the error with a second, more exact run.
    pub fn run_certified(
        &mut self,
        options: &RunOptions,
        host: &mut Host<'_>,
    ) -> Result<Run, RunError> {
        let mut wide = options.clone();
        wide.columns = options.columns.as_ref().map(|columns| self.with_state_columns(columns));
        let Host { clock, cancelled, rows } = host;
        let mut first = |part: f64| cancelled(FIRST_RUN_SHARE * part);
        let mut run = self.run(&wide, &mut Host::new(&mut *clock, &mut first))?;
        if run.certificate.stop != StopReason::Cancelled {
            let mut second =
                |part: f64| cancelled(FIRST_RUN_SHARE + (1.0 - FIRST_RUN_SHARE) * part);
            let exact = self.run(&tightened(&wide), &mut Host::new(&mut *clock, &mut second))?;
            let order = options.has_fixed_steps().then_some(options.integrator.order);
            let compared = 2 * run.start.q.len() + run.start.states.len();
            run.certificate.estimate =
                Some(ErrorEstimate::new(&run.table, &exact.table, compared, order));
            if exact.certificate.stop == StopReason::Cancelled {
                let reached = exact.certificate.time;
                let remark = format!("the second run was interrupted at {reached} s");
                run.certificate.remarks.push(remark);
                run.certificate.stop = StopReason::Cancelled;
            }
        }
        if let Some(columns) = &options.columns {
            run.table = run.table.select(&with_time(columns)).map_err(|name| {
                let known = run.table.names().map(str::to_owned).collect();
                RunError::UnknownColumn { name, known }
            })?;
        }
        if let Some(sink) = rows {
            let mut row = Vec::with_capacity(run.table.columns.len());
            for at in 0..run.table.len() {
                row.clear();
                row.extend(run.table.columns.iter().map(|column| column.numbers()[at]));
                sink(&row);
            }
            run.table.skip_rows(usize::MAX);
        }
        Ok(run)
    }

    /// The time and the state, which are compared, and behind them the other columns.
    fn with_state_columns(&self, columns: &[String]) -> Vec<String> {
        let system = self.system();
        let coordinates = || system.coordinates.iter().map(|coordinate| coordinate.name.clone());
        let mut all = vec!["t".to_owned()];
        all.extend(coordinates());
        all.extend(coordinates().map(|name| format!("{name}'")));
        all.extend(system.states.iter().map(|state| state.name.clone()));
        let others: Vec<String> =
            columns.iter().filter(|column| !all.contains(column)).cloned().collect();
        all.extend(others);
        all
    }
}

/// The same run, more exact: a hundredth of the tolerance, or half the step.
fn tightened(options: &RunOptions) -> RunOptions {
    let mut tight = options.clone();
    let integration = &mut tight.integration;
    if options.has_fixed_steps() {
        integration.step = Some(options.fixed_step() / 2.0);
    } else {
        for tolerance in [&mut integration.rtol, &mut integration.atol] {
            *tolerance = (*tolerance / TIGHTENING_FACTOR).max(MIN_TOLERANCE);
        }
    }
    integration.newton_tol = (integration.newton_tol / TIGHTENING_FACTOR).max(MIN_NEWTON_TOLERANCE);
    (tight.examine_rank, tight.record_events) = (false, false);
    tight
}
