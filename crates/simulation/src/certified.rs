//! A run with its error: the same motion once more, more exactly.

use crate::chaos::can_be_chaotic;
use crate::estimate::Comparison;
use crate::pose_words::short;
use crate::remedy::remedy;
use crate::{
    Grade, Host, Prepared, Run, RunError, RunOptions, StopReason, Table, Verdict, with_time,
};
use catena_formulation::{Entry, OptionValues};

/// The tolerance of the first run over that of the second ...
const TIGHTENING_FACTOR: f64 = 100.0;
/// ... which is at least this: tighter ones are below rounding.
const MIN_TOLERANCE: f64 = 1e-14;
/// ... and power series still follow this one.
const MIN_SERIES_TOLERANCE: f64 = 1e-15;
const MIN_NEWTON_TOLERANCE: f64 = 1e-15;
/// The first run's part of the whole work, for the progress: the second takes several times as long.
const FIRST_RUN_SHARE: f64 = 0.3;
/// A run of up to this many evaluations is short: its error is estimated unasked, on every machine alike.
const SHORT_RUN: u64 = 200_000;
/// The most steps of the second run for one of the first, and those that it has in any case: one that takes more has
/// lost its way.
const MAX_STEPS_FOR_ONE: u64 = 50;
const MAX_STEPS_FOR_NONE: u64 = 10_000;
/// Runs that reach this part of each other's time stop for the same reason.
const SAME_END: f64 = 0.999;
/// The second run has at least this many steps ...
const LEAST_STEPS: f64 = 500.0;
/// ... and its longest is this part of the distance of rows: the two runs never look at the same times only.
const LONGEST_STEP: f64 = 0.7;
/// Runs are compared at this many times at least: where rows are fewer, at times besides them.
const LEAST_COMPARED: usize = 200;

/// Whether the error of a run is estimated with a second one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certification {
    /// If the run was short.
    #[default]
    Short,
    /// However long it was.
    Always,
    /// Not at all.
    Never,
}

impl Certification {
    fn wants(self, first: &Run) -> bool {
        let certificate = &first.certificate;
        let over = certificate.stop == StopReason::Cancelled;
        !over
            && match self {
                Certification::Always => true,
                Certification::Short => certificate.statistics.evaluations <= SHORT_RUN,
                Certification::Never => false,
            }
    }
}

impl Prepared {
    /// Moves the model in time, and estimates the error with a second, more exact run where that is wanted.
    pub fn run_certified(
        &mut self,
        options: &RunOptions,
        certification: Certification,
        host: &mut Host<'_>,
    ) -> Result<Run, RunError> {
        if certification == Certification::Never {
            let run = self.run(options, host)?;
            if let Some(tell) = &mut host.first {
                tell(&run);
            }
            return Ok(run);
        }
        let options = &*self.with_named_columns(options)?;
        let mut wide = options.clone();
        wide.columns = options.columns.as_ref().map(|columns| self.with_state_columns(columns));
        if options.duration() / options.every < LEAST_COMPARED as f64 {
            wide.samples = options.evenly(LEAST_COMPARED + 1);
        }
        let Host { clock, cancelled, rows, first: told, .. } = host;
        let mut first = |part: f64| cancelled(FIRST_RUN_SHARE * part);
        let mut run = self.run(&wide, &mut Host::new(&mut *clock, &mut first))?;
        if let Some(tell) = told {
            tell(&run);
        }
        if certification.wants(&run) {
            let mut second =
                |part: f64| cancelled(FIRST_RUN_SHARE + (1.0 - FIRST_RUN_SHARE) * part);
            self.confirm(&mut run, &wide, &mut Host::new(&mut *clock, &mut second))?;
        }
        if let Some(columns) = &options.columns {
            let mut columns = with_time(columns);
            run.table = narrowed(&run.table, &columns)?;
            columns.insert(0, "event".to_owned());
            run.events = narrowed(&run.events, &columns)?;
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

    /// Makes the second run and writes what it says about the first into its certificate.
    fn confirm(
        &mut self,
        run: &mut Run,
        options: &RunOptions,
        host: &mut Host<'_>,
    ) -> Result<(), RunError> {
        let taken = run.certificate.statistics;
        let rigid = rigid_for(self.entry).filter(|_| !options.integrator.structural);
        // a series that is halved begins as the same polynomial
        let halved =
            options.has_fixed_steps() && rigid.is_none() && !options.integrator.needs_series;
        let mut exact_options = match halved {
            true => with_half_the_step(options),
            false => tightened(options, rigid.is_some()),
        };
        exact_options.integration.max_steps =
            MAX_STEPS_FOR_ONE * (taken.steps + taken.rejected) + MAX_STEPS_FOR_NONE;
        let t_start = options.t_start;
        let failed = matches!(run.certificate.stop, StopReason::Failed { .. });
        if failed {
            // Nothing is gained close to where the run could not go on: steps vanish there, and what is nearly singular
            // amplifies every error.
            match last_before(run.samples.as_ref().unwrap_or(&run.table), run.certificate.time) {
                Some(time) if time > t_start => exact_options.t_end = time,
                _ => return Ok(()),
            }
        }
        let exact = match rigid {
            None => self.run(&exact_options, host)?,
            Some(entry) => {
                let mut prepared = Prepared::new(&self.model, entry, OptionValues::default())?;
                exact_options.columns = Some(self.with_state_columns(&[]));
                prepared.run(&exact_options, host)?
            }
        };
        let (n, states) = (run.start.q.len(), run.start.states.len());
        let ended_by_event = matches!(run.certificate.stop, StopReason::Event { .. })
            && run.certificate.stop == exact.certificate.stop;
        let last = |table: &Table| table.columns[0].numbers().last().copied();
        // the last rows of runs that an event ended have times of their own
        let event_time = match (last(&run.table), last(&exact.table)) {
            (Some(time), Some(exact)) if ended_by_event => Some((time - exact).abs()),
            _ => None,
        };
        let tables = match (&run.samples, &exact.samples) {
            (Some(samples), Some(exact)) => [samples, exact],
            _ => [&run.table, &exact.table],
        };
        let mut comparison = Comparison {
            tables,
            covered: &exact.covered,
            groups: [n, n, states],
            order: halved.then_some(options.integrator.order),
            steps: taken.steps,
            event_time,
            failed,
            may_be_chaotic: true,
            tolerance: options.integration.rtol.max(options.integration.atol),
        };
        let mut estimate = comparison.estimate();
        if estimate.chaotic {
            // without a rank there may be as many as there are coordinates
            let freedom = run.certificate.freedom.as_ref().map_or(n, |freedom| freedom.degrees);
            comparison.may_be_chaotic = can_be_chaotic(self.evaluator().equations(), freedom);
            estimate = comparison.estimate();
        }
        let predictability =
            estimate.chaotic.then(|| self.predictability(options, &run.start)).flatten();
        let certificate = &mut run.certificate;
        certificate.predictability = predictability;
        // of a chaotic motion the error is known only while it is small: the energy tells of the rest
        let energy = match certificate.exchanged_energy > 0.0 {
            true => certificate.energy_residual / certificate.exchanged_energy,
            false => 0.0,
        };
        let worst = estimate.part_of_motion.max(energy);
        certificate.remedy = remedy(self.entry, options, Some(worst));
        certificate.estimate = Some(estimate);
        let reached = exact.certificate.time;
        match &exact.certificate.stop {
            StopReason::Cancelled => {
                let remark = format!("the second run was interrupted at {} s", short(reached));
                certificate.remarks.push(remark);
                certificate.stop = StopReason::Cancelled;
            }
            StopReason::Failed { message }
                if reached - t_start
                    < SAME_END * (exact_options.t_end.min(certificate.time) - t_start) =>
            {
                let remark = format!("the second, more exact run ended early: {message}");
                certificate.remarks.push(remark);
                certificate.unconfirmed = Some(format!(
                    "only the first {} s of it could be confirmed",
                    short(reached - t_start)
                ));
            }
            _ if exact.certificate.verdict.grade == Grade::Wrong => {
                let reason = &exact.certificate.verdict.reason;
                certificate.unconfirmed =
                    Some(format!("the second run, which is to confirm it, is wrong: {reason}"));
            }
            _ => {}
        }
        certificate.verdict = Verdict::of(certificate);
        Ok(())
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

/// The last time of a table before another one.
fn last_before(table: &Table, end: f64) -> Option<f64> {
    table.columns[0].numbers().iter().copied().rfind(|&time| time < end)
}

/// These columns of a table.
fn narrowed(table: &Table, columns: &[String]) -> Result<Table, RunError> {
    table.select(columns).map_err(|name| {
        let known = table.names().map(str::to_owned).collect();
        RunError::UnknownColumn { name, known }
    })
}

/// The formulation whose constraints are rigid, for one whose springs would be as soft in a second run.
fn rigid_for(formulation: &Entry) -> Option<&'static Entry> {
    (!formulation.is_exact()).then(catena_formulation::rigid)
}

/// The same run with nothing in it that is not compared, and Newton's method more exact.
fn bare(options: &RunOptions) -> RunOptions {
    let mut bare = options.clone();
    (bare.examine_rank, bare.record_events) = (false, false);
    bare.film.clear();
    let newton_tol = &mut bare.integration.newton_tol;
    *newton_tol = (*newton_tol / TIGHTENING_FACTOR).max(MIN_NEWTON_TOLERANCE);
    bare
}

fn with_half_the_step(options: &RunOptions) -> RunOptions {
    let mut halved = bare(options);
    // a step beyond the end is cut to end there
    halved.integration.step = Some(options.fixed_step().min(options.duration()) / 2.0);
    halved
}

/// The same run with a hundredth of the tolerance and other steps. A method of high order is cheaper at that, where
/// nothing is stiff; what is rigid in the place of springs is not. Power series are more exact than others at a tolerance, and
/// go on as such.
fn tightened(options: &RunOptions, rigid: bool) -> RunOptions {
    let mut tight = bare(options);
    let series = options.integrator.needs_series && !rigid;
    let least = if series { MIN_SERIES_TOLERANCE } else { MIN_TOLERANCE };
    let integration = &mut tight.integration;
    for tolerance in [&mut integration.rtol, &mut integration.atol] {
        *tolerance = (*tolerance / TIGHTENING_FACTOR).max(least);
    }
    (integration.step, integration.first_step) = (None, None);
    let compared = options.every.min(options.duration() / LEAST_COMPARED as f64);
    let longest = LONGEST_STEP * compared.max(options.duration() / LEAST_STEPS);
    integration.max_step = Some(integration.max_step.map_or(longest, |most| most.min(longest)));
    if rigid || !(options.integrator.implicit || series) {
        tight.integrator = catena_integrator::for_exact_motions();
    }
    tight
}
