//! Which penalty factor at which step: a map of what an integrator makes of stiff springs on a model.
//!
//! Every cell is a run of its own against a constrained reference. The error of velocities is measured
//! relative to the largest velocity: it shows the instability of stiff springs long before positions do.

use crate::preparations::Preparations;
use catena_formulation::{OptionValues, find};
use catena_integrator::Entry;
use catena_model::{CoordinateSet, Model};
use catena_simulation::{FormulationChoice, Host, RunError, RunOptions, StopReason, Table};

/// Penalty factors that are tried.
pub const ALPHAS: [f64; 6] = [1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/// Steps that are tried, s.
pub const STEPS: [f64; 6] = [0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
/// Frequencies of dashpot and mass that are tried, rad/s.
const OMEGAS: [f64; 3] = [1.0, 10.0, 30.0];
/// Runs last no longer than this, s: an instability shows early.
const LONGEST: f64 = 4.0;
/// An error of the velocities beyond this part of the largest velocity is no motion any more.
const UNSTABLE: f64 = 0.25;
/// A proposal stays below this part.
const GOOD: f64 = 0.005;

/// What became of a pair of penalty factor and step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Penalty factor.
    pub alpha: f64,
    /// s
    pub step: f64,
    /// Largest error of a velocity, in its own unit; infinite if the run broke off.
    pub velocity_error: f64,
    /// Largest |Φ|.
    pub drift: f64,
    /// Whether errors outgrew the motion.
    pub unstable: bool,
}

/// What to take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proposal {
    /// `penalty` or `penalty-damped`.
    pub formulation: &'static str,
    /// Frequency of dashpot and mass, rad/s; none for plain springs.
    pub omega: Option<f64>,
    /// Factor, step and what they will give.
    pub cell: Cell,
}

/// The map and the proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct PenaltyMap {
    /// Plain springs: row by row for [`ALPHAS`], columns for [`STEPS`].
    pub cells: Vec<Cell>,
    /// The longest step that keeps velocities right to half a per cent; none if no pair does.
    pub proposal: Option<Proposal>,
    /// The largest velocity of the reference.
    pub largest_velocity: f64,
    /// How long the runs were, s.
    pub t_end: f64,
}

/// Maps the stability of an integrator with springs in the place of constraints.
pub fn penalty_map(
    model: &Model,
    integrator: &'static Entry,
    t_end: f64,
    stop: &dyn Fn(f64) -> bool,
) -> Result<PenaltyMap, RunError> {
    let t_end = t_end.min(LONGEST);
    let n = model.system(CoordinateSet::Absolute).coordinates.len();
    let mut prepared = Preparations::new(model);
    let mut attempt =
        |formulation: &str, values: Vec<(&'static str, f64)>, options: &RunOptions| {
            let entry = find(formulation).unwrap_or(catena_formulation::default_for(model));
            let choice = FormulationChoice { entry, options: OptionValues(values) };
            prepared.of(&choice)?.run(options, &mut Host::new(&mut || 0.0, &mut |_| false))
        };
    let plain = RunOptions {
        examine_rank: false,
        record_events: false,
        ..RunOptions::new(
            catena_integrator::find("dop853").unwrap_or(integrator),
            catena_integrator::Options {
                rtol: 1e-10,
                atol: 1e-10,
                ..catena_integrator::Options::default()
            },
            t_end,
            0.02,
        )
    };
    let exact = attempt("projection", Vec::new(), &plain)?;
    let velocities = 1 + n..1 + 2 * n;
    let largest_velocity = velocities
        .clone()
        .flat_map(|column| exact.table.columns[column].numbers())
        .fold(0.0_f64, |largest, v| largest.max(v.abs()));
    let mut cell = |formulation: &'static str, alpha: f64, omega: Option<f64>, step: f64| {
        let mut values = vec![("alpha", alpha)];
        values.extend(omega.map(|omega| ("omega", omega)));
        let options = RunOptions {
            integrator,
            integration: catena_integrator::Options {
                step: Some(step),
                ..catena_integrator::Options::default()
            },
            ..plain.clone()
        };
        let run = attempt(formulation, values, &options)?;
        let whole = run.certificate.stop == StopReason::Finished;
        let error = velocity_error(&run.table, &exact.table, velocities.clone());
        let velocity_error = if whole { error } else { f64::INFINITY };
        Ok::<Cell, RunError>(Cell {
            alpha,
            step,
            velocity_error,
            drift: run.certificate.constraint_error,
            unstable: velocity_error >= UNSTABLE * largest_velocity,
        })
    };
    let mut cells = Vec::new();
    let count = (ALPHAS.len() * STEPS.len()) as f64;
    for alpha in ALPHAS {
        for step in STEPS {
            if stop(cells.len() as f64 / count) {
                break;
            }
            cells.push(cell("penalty", alpha, None, step)?);
        }
    }
    let good = |cell: &Cell| cell.velocity_error <= GOOD * largest_velocity;
    let mut proposal = None;
    'search: for step in STEPS {
        // springs with dashpot and mass first: they damp what goes wrong
        for omega in OMEGAS {
            for alpha in [1e6, 1e7] {
                let cell = cell("penalty-damped", alpha, Some(omega), step)?;
                if good(&cell) {
                    let formulation = "penalty-damped";
                    proposal = Some(Proposal { formulation, omega: Some(omega), cell });
                    break 'search;
                }
            }
        }
        let springs = cells.iter().filter(|cell| cell.step == step && good(cell));
        if let Some(&cell) = springs.min_by(|a, b| a.velocity_error.total_cmp(&b.velocity_error)) {
            proposal = Some(Proposal { formulation: "penalty", omega: None, cell });
            break;
        }
    }
    Ok(PenaltyMap { cells, proposal, largest_velocity, t_end })
}

fn velocity_error(table: &Table, exact: &Table, columns: std::ops::Range<usize>) -> f64 {
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
