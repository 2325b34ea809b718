//! A run with its error: the same motion once more, more exactly.

use crate::{Estimate, Host, Prepared, Run, RunError, RunOptions, StopReason, with_time};

/// The second run has the tolerance of the first over this ...
const TIGHTER: f64 = 100.0;
/// ... down to this.
const TIGHTEST_TOLERANCE: f64 = 1e-14;
const TIGHTEST_NEWTON: f64 = 1e-15;
/// The part of the work that the first run is: the second takes several times as long.
const SHARE_OF_FIRST: f64 = 0.3;

impl Prepared {
    /// Moves the model in time, and estimates the error with a second, more exact run.
    pub fn run_certified(
        &mut self,
        options: &RunOptions,
        host: &mut Host<'_>,
    ) -> Result<Run, RunError> {
        let mut wide = options.clone();
        wide.columns = options.columns.as_ref().map(|columns| self.with_state_columns(columns));
        let Host { clock, cancelled, .. } = host;
        let mut first = |part: f64| cancelled(SHARE_OF_FIRST * part);
        let mut run = self.run(&wide, &mut Host::new(&mut *clock, &mut first))?;
        if run.certificate.stop != StopReason::Cancelled {
            let mut second = |part: f64| cancelled(SHARE_OF_FIRST + (1.0 - SHARE_OF_FIRST) * part);
            let exact = self.run(&tightened(&wide), &mut Host::new(&mut *clock, &mut second))?;
            let order = options.has_fixed_steps().then_some(options.integrator.order);
            let compared = 2 * run.start.q.len() + run.start.states.len();
            run.certificate.estimate =
                Some(Estimate::new(&run.table, &exact.table, compared, order));
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
            *tolerance = (*tolerance / TIGHTER).max(TIGHTEST_TOLERANCE);
        }
    }
    integration.newton_tol = (integration.newton_tol / TIGHTER).max(TIGHTEST_NEWTON);
    (tight.examine_rank, tight.record_events) = (false, false);
    tight
}
