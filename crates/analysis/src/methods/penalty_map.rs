//! Which penalty factor at which step: a map of what an integrator makes of stiff springs on a model.
//!
//! Every cell is a run of its own against a constrained reference. The error of velocities is measured
//! relative to the largest velocity: it shows the instability of stiff springs long before positions do.
//!
//! # Equations
//! $$e(\alpha, h) = \frac{\max|v - \hat v|}{\max|\hat v|}$$
//! with v under springs of stiffness α and steps h, and $\hat v$ on rigid constraints. A pair is stable while the springs' own
//! oscillation does not grow.
//!
//! # When to choose it
//! Before `penalty` is used at all: a factor that is too small is wrong, one that is too large is unstable at the step that one can
//! afford.
//!
//! # Reference
//! A. Bazezew, *Penalty Formulation for the Nonlinear Dynamic Analysis of a Double Pendulum*, Journal of EAEA 15, 1998

use super::preparations::Preparations;
use catena_formulation::{OptionValues, find};
use catena_integrator::{Entry, Options};
use catena_model::{CoordinateSet, Model};
use catena_simulation::{FormulationChoice, Host, Run, RunError, RunOptions, StopReason, Table};
use std::ops::Range;

/// Penalty factors that are tried.
pub const ALPHAS: [f64; 6] = [1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/// Steps that are tried, s.
pub const STEPS: [f64; 6] = [0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
/// Frequencies of dashpot and mass that are tried, rad/s.
const OMEGAS: [f64; 3] = [1.0, 10.0, 30.0];
/// Penalty factors that are tried with them.
const DAMPED_ALPHAS: [f64; 2] = [1e6, 1e7];
/// Runs last no longer than this, s: an instability shows early.
const MAX_END: f64 = 4.0;
/// An error of the velocities beyond this part of the largest velocity is no motion any more.
const UNSTABLE_PART: f64 = 0.25;
/// A proposal stays below this part.
const GOOD_PART: f64 = 0.005;
/// And below this multiple of the smallest error of the map: a longer step is worth a digit, not two.
const GOOD_MULTIPLE: f64 = 10.0;

/// What became of a pair of penalty factor and step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Penalty factor.
    pub alpha: f64,
    /// Frequency of dashpot and mass, rad/s; none for plain springs.
    pub omega: Option<f64>,
    /// s
    pub step: f64,
    /// Largest error of a velocity, in its own unit; infinite if the run broke off.
    pub velocity_error: f64,
    /// Largest |Φ|.
    pub drift: f64,
    /// Whether errors outgrew the motion.
    pub unstable: bool,
}

impl Cell {
    /// `penalty`, or `penalty-damped` for springs with dashpot and mass.
    pub fn formulation(&self) -> &'static str {
        if self.omega.is_some() { "penalty-damped" } else { "penalty" }
    }
}

/// What to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proposal {
    /// The longest step with a good error.
    pub cell: Cell,
    /// The cell with the smallest error.
    pub best: Cell,
}

/// The map and the proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct PenaltyMap {
    /// Row by row: plain springs for [`ALPHAS`], then springs with dashpot and mass; columns for [`STEPS`].
    pub cells: Vec<Cell>,
    /// None if no pair keeps velocities right to half a per cent.
    pub proposal: Option<Proposal>,
    /// The largest velocity of the reference.
    pub largest_velocity: f64,
    /// How long the runs were, s.
    pub t_end: f64,
    /// Whether all pairs were tried; else the caller has ended the work, and nothing is proposed.
    pub complete: bool,
}

/// Maps the stability of an integrator with springs in the place of constraints.
pub fn penalty_map(
    model: &Model,
    integrator: &'static Entry,
    duration: f64,
    stop: &dyn Fn(f64) -> bool,
) -> Result<PenaltyMap, RunError> {
    let mut runs = SpringRuns::new(model, integrator, duration.min(MAX_END), stop)?;
    let mut cells = Vec::new();
    let damped =
        OMEGAS.into_iter().flat_map(|omega| DAMPED_ALPHAS.map(|alpha| (alpha, Some(omega))));
    let springs: Vec<_> = ALPHAS.into_iter().map(|alpha| (alpha, None)).chain(damped).collect();
    let count = (springs.len() * STEPS.len()) as f64;
    for ((alpha, omega), step) in
        springs.into_iter().flat_map(|springs| STEPS.map(|step| (springs, step)))
    {
        runs.part = cells.len() as f64 / count;
        let cell = runs.cell(alpha, omega, step)?;
        if runs.stopped {
            break;
        }
        cells.push(cell);
    }
    let (largest_velocity, t_end, complete) =
        (runs.largest_velocity, runs.plain.duration(), !runs.stopped);
    let proposal = if complete { proposal(&cells, GOOD_PART * largest_velocity) } else { None };
    Ok(PenaltyMap { cells, proposal, largest_velocity, t_end, complete })
}

/// Runs with springs, and the constrained motion that they are held against.
struct SpringRuns<'a> {
    prepared: Preparations<'a>,
    integrator: &'static Entry,
    /// The run of the reference.
    plain: RunOptions,
    exact: Table,
    /// Columns of the velocities.
    velocities: Range<usize>,
    largest_velocity: f64,
    /// The caller's, told which part of the work is done.
    stop: &'a dyn Fn(f64) -> bool,
    /// That part.
    part: f64,
    /// Whether the caller has ended the work, so that the last run is none.
    stopped: bool,
}

impl SpringRuns<'_> {
    fn new<'a>(
        model: &'a Model,
        integrator: &'static Entry,
        duration: f64,
        stop: &'a dyn Fn(f64) -> bool,
    ) -> Result<SpringRuns<'a>, RunError> {
        let tolerances = Options { rtol: 1e-10, atol: 1e-10, ..Options::default() };
        let reference = catena_integrator::for_exact_motions();
        let t_start = model.run.t_start.unwrap_or(0.0);
        let plain = RunOptions {
            examine_rank: false,
            record_events: false,
            t_start,
            ..RunOptions::new(reference, tolerances, t_start + duration, 0.02)
        };
        let mut prepared = Preparations::new(model);
        let exact = moved(&mut prepared, "projection", Vec::new(), &plain, &|| stop(0.0))?;
        let stopped = exact.certificate.stop == StopReason::Cancelled;
        let exact = exact.table;
        let n = model.system(CoordinateSet::Absolute).coordinates.len();
        let velocities = 1 + n..1 + 2 * n;
        let all = velocities.clone().flat_map(|column| exact.columns[column].numbers());
        let largest_velocity = all.fold(0.0_f64, |largest, v| largest.max(v.abs()));
        Ok(SpringRuns {
            prepared,
            integrator,
            plain,
            exact,
            velocities,
            largest_velocity,
            stop,
            part: 0.0,
            stopped,
        })
    }

    /// What becomes of a penalty factor at a step.
    fn cell(&mut self, alpha: f64, omega: Option<f64>, step: f64) -> Result<Cell, RunError> {
        let mut values = vec![("alpha", alpha)];
        values.extend(omega.map(|omega| ("omega", omega)));
        let options = RunOptions {
            integrator: self.integrator,
            integration: Options { step: Some(step), ..Options::default() },
            ..self.plain.clone()
        };
        let (stop, part, stopped) = (self.stop, self.part, self.stopped);
        let stop = || stopped || stop(part);
        let mut cell = Cell {
            alpha,
            omega,
            step,
            velocity_error: f64::INFINITY,
            drift: f64::INFINITY,
            unstable: true,
        };
        let run = moved(&mut self.prepared, cell.formulation(), values, &options, &stop)?;
        self.stopped |= run.certificate.stop == StopReason::Cancelled;
        cell.drift = run.certificate.constraint_error;
        if run.certificate.stop == StopReason::Finished {
            let columns = self.velocities.clone();
            cell.velocity_error = velocity_error(&run.table, &self.exact, columns);
            cell.unstable = cell.velocity_error >= UNSTABLE_PART * self.largest_velocity;
        }
        Ok(cell)
    }
}

/// Of the cells whose error is near the smallest one, and below the limit, that with the longest step; of several the
/// one with the smallest error.
fn proposal(cells: &[Cell], limit: f64) -> Option<Proposal> {
    let by_error = |a: &&Cell, b: &&Cell| a.velocity_error.total_cmp(&b.velocity_error);
    let best = *cells.iter().min_by(by_error)?;
    let limit = limit.min(GOOD_MULTIPLE * best.velocity_error);
    let good = cells.iter().filter(|cell| !cell.unstable && cell.velocity_error <= limit);
    let cell = good.max_by(|a, b| a.step.total_cmp(&b.step).then_with(|| by_error(b, a)));
    cell.map(|&cell| Proposal { cell, best })
}

fn moved(
    prepared: &mut Preparations<'_>,
    formulation: &str,
    values: Vec<(&'static str, f64)>,
    options: &RunOptions,
    stop: &dyn Fn() -> bool,
) -> Result<Run, RunError> {
    let entry = find(formulation).expect("the catalogue has it");
    let choice = FormulationChoice { entry, options: OptionValues(values) };
    prepared.of(&choice)?.run(options, &mut Host::new(&mut || 0.0, &mut |_| stop()))
}

fn velocity_error(table: &Table, exact: &Table, columns: Range<usize>) -> f64 {
    let mut largest = 0.0_f64;
    for column in columns {
        let [found, exact] = [table, exact].map(|table| table.columns[column].numbers());
        for (a, b) in found.iter().zip(exact) {
            // f64::max would lose a NaN
            let error = (a - b).abs();
            largest = if error.is_nan() { f64::INFINITY } else { largest.max(error) };
        }
    }
    largest
}
