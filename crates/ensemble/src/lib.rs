//! Many motions at once: one model with other parameters and starts, trajectory by trajectory.
//!
//! An [`Engine`] runs whatever a [`Workload`] brings; a [`Sweep`] is the workload of a grid, of which a few numbers are kept.
//! A *grid* lists the parameters and initial values that are varied, *measures* what is kept. Trajectories run side by side
//! in vector lanes where the formulation and the integrator allow it, else one by one; the numbers do not depend on lanes,
//! threads or neighbours. A [`StateFunction`] evaluates the functions of a model over many states in the same lanes.

mod block;
mod blocks;
mod cell;
mod crossing;
mod description;
mod device;
mod engine;
mod error;
mod failure;
mod grid;
mod lane_balance;
mod lane_function;
mod lane_motion;
mod lane_step;
mod lane_worker;
mod measure;
mod measuring;
mod one_by_one;
mod one_by_one_tangents;
mod plan;
mod precision_loss;
mod ranges;
mod result;
mod rows;
mod section;
mod section_zeros;
mod state_function;
mod state_worker;
mod tangents;
mod threads;
mod workload;

pub use block::Block;
pub use blocks::{BadChunk, Blocks, Chunk};
pub use cell::Times;
pub use crossing::Crossing;
pub use description::{Description, Spacing, SweptAxis};
pub use device::{
    ChosenDevice, Device, DeviceChoice, DeviceError, DeviceKernel, DeviceMemory, LEAST_SINGLE_RTOL,
    Precision, first_gpu,
};
pub use engine::{Engine, Runner};
pub use error::SweepError;
pub use failure::SweepFailure;
pub use grid::{Axis, Grid};
pub use measure::{Measure, Statistic};
pub use plan::{Plan, SweepRequest};
pub use precision_loss::{MeasureLoss, PrecisionLoss};
pub use ranges::{RangeError, read_axis, read_measure};
pub use result::{Attempt, Found, InMemory, MAX_NUMBERS_IN_MEMORY, SweepResult, SweepSink};
pub use section::{BadSection, DIRECTIONS, PoincareSection};
pub use state_function::{StateFunction, StateQuantity, StateRows, States};
pub use tangents::TangentRow;
pub use threads::{Watch, compute_blocks, fill, in_memory};
pub use workload::{Task, Workload};

use catena_formulation::OptionValues;
use catena_integrator::Options;
use catena_linear::{InstructionSet, processor};
use catena_model::Model;
use catena_symbolic::{Formula, Number};
use measuring::Measuring;
use std::ops::Range;

/// When trajectories end and when their rows are taken: formulas of the parameters, s.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The start of the trajectory, s; 0 if absent.
    pub t_start: Option<Formula>,
    /// The end of the trajectory, s.
    pub t_end: Formula,
    /// Distance of rows, from the start on; at the start and the end alone if absent.
    pub every: Option<Formula>,
    /// Rows before this do not count.
    pub after: Option<Formula>,
    /// The fixed step; the integrator's own choice if absent.
    pub step: Option<Formula>,
}

impl Schedule {
    /// The same times for all trajectories; every row counts.
    pub fn of_numbers(t_end: f64, every: Option<f64>, step: Option<f64>) -> Schedule {
        let formula = |value: f64| Formula::number(Number::from(value));
        Schedule {
            t_start: None,
            t_end: formula(t_end),
            every: every.map(formula),
            after: None,
            step: step.map(formula),
        }
    }
}

/// A relative tolerance below this asks for more than rounding leaves.
const LEAST_RTOL: f64 = 1e-14;

/// How the trajectories are computed.
#[derive(Clone)]
pub struct SweepOptions {
    /// The row of the formulation in the catalogue.
    pub formulation: &'static catena_formulation::Entry,
    /// Options of the formulation by name; those that are absent have their defaults.
    pub formulation_options: OptionValues,
    /// The row of the integrator in the catalogue.
    pub integrator: &'static catena_integrator::Entry,
    /// Tolerances and limits of steps; a fixed step comes from the schedule.
    pub integration: Options,
    /// Ends, rows and steps.
    pub schedule: Schedule,
    /// What computes several trajectories at once.
    pub instruction_set: InstructionSet,
    /// What computes them; the processor does where that cannot.
    pub device: DeviceChoice,
}

impl SweepOptions {
    /// For an engine whose tasks bring times of their own.
    pub fn for_tasks(
        (formulation, formulation_options): (&'static catena_formulation::Entry, OptionValues),
        integrator: &'static catena_integrator::Entry,
        integration: Options,
    ) -> SweepOptions {
        SweepOptions {
            formulation,
            formulation_options,
            integrator,
            integration,
            schedule: Schedule::of_numbers(1.0, None, None),
            instruction_set: InstructionSet::best(),
            device: DeviceChoice::Processor,
        }
    }

    /// The same with tolerances times a factor, and fixed steps half as long.
    #[must_use]
    pub fn with_tolerances_times(mut self, factor: f64) -> SweepOptions {
        let Options { rtol, atol, step, .. } = &mut self.integration;
        (*rtol, *atol) = ((factor * *rtol).max(LEAST_RTOL), factor * *atol);
        *step = step.map(|step| step / 2.0);
        self
    }

    /// Options that tell whether steps are fixed, if not how long they are.
    fn lane_options(&self) -> Options {
        let step = self.integration.step.or(self.schedule.step.as_ref().map(|_| 1.0));
        Options { step, ..self.integration.clone() }
    }
}

/// A sweep that is ready to run: constant, and shared between threads.
pub struct Sweep {
    engine: Engine,
    grid: Grid,
    measures: Vec<Measure>,
    len: u64,
    /// What computes here, as blocks say it.
    processor: String,
}

impl Sweep {
    /// Checks everything that can be wrong, and compiles.
    pub fn new(
        model: &Model,
        grid: Grid,
        measures: Vec<Measure>,
        mut options: SweepOptions,
    ) -> Result<Sweep, SweepError> {
        error::check(&grid, &measures)?;
        let len = grid.checked_len().ok_or(SweepError::TooManyCells)?;
        let of_columns = measures.iter().filter(|measure| measure.section().is_none());
        let columns: Vec<String> = of_columns.map(|measure| measure.column.clone()).collect();
        if measures.iter().all(|measure| !measure.statistic.is_of_many_rows()) {
            // nobody looks at rows before the last
            options.schedule.every = None;
        }
        let set = options.formulation.coordinates;
        let sections = measures.iter().filter_map(Measure::section);
        let sections: Vec<PoincareSection> = sections
            .map(|(text, direction)| PoincareSection::read(model, set, text, direction))
            .collect::<Result<_, _>>()?;
        let varied = grid.axes.iter().map(|axis| axis.name.clone()).collect();
        let mut first = Task::default();
        grid.cell(0, &mut first.values);
        let instructions = options.instruction_set.name();
        let engine = Engine::measured(model, (varied, columns), options, &sections, &first)?;
        let processor = match &engine.device {
            Some(device) => device.name.clone(),
            None => format!("{}, {instructions}", processor()),
        };
        Ok(Sweep { engine, grid, measures, len, processor })
    }

    /// How many trajectories there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The axes and their values.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The numbers kept of each cell, in the order of [`Block::values`].
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// The units of the measures; empty where the model does not say.
    pub fn measure_units(&self) -> Vec<&'static str> {
        let dimensions = self.engine.prepared.dimensions();
        let energies = ["kinetic", "potential", "energy"];
        let unit = |measure: &Measure| match energies.contains(&measure.column.as_str()) {
            _ if measure.section().is_some() => "s",
            true => "J",
            false => dimensions.unit(&measure.column),
        };
        self.measures.iter().map(unit).collect()
    }

    /// The units of what is varied; empty where the model does not say.
    pub fn axis_units(&self) -> Vec<&'static str> {
        let dimensions = self.engine.prepared.dimensions();
        self.grid.axes.iter().map(|axis| dimensions.unit(&axis.name)).collect()
    }

    /// What computes here, as it is written into every [`Block`]: the processor and its vector instructions.
    pub fn processor(&self) -> &str {
        &self.processor
    }

    /// How many trajectories run side by side on one core, or on a device.
    pub fn lanes(&self) -> usize {
        self.engine.lanes()
    }

    /// What the program needs of the device, and how much of it runs at once; nothing where the processor computes.
    pub fn device_details(&self) -> Option<String> {
        self.engine.device.as_ref().map(|device| device.kernel.details())
    }

    /// Whether a device computes.
    pub fn is_on_device(&self) -> bool {
        self.engine.device.is_some()
    }

    /// In which precision numbers are computed.
    pub fn precision(&self) -> Precision {
        self.engine.device.as_ref().map_or(Precision::F64, |device| device.precision)
    }

    /// What is to be said of the device that was asked for: what it is, or why the processor computes.
    pub fn device_words(&self) -> Option<String> {
        self.engine.device_words()
    }

    /// A thread's own workspace.
    pub fn worker(&self) -> Worker<'_> {
        Worker { sweep: self, runner: self.engine.runner() }
    }
}

/// A thread's own workspace.
pub struct Worker<'a> {
    sweep: &'a Sweep,
    runner: Runner<'a>,
}

impl Worker<'_> {
    /// Runs some cells; `None` if it was cancelled before all of them were done.
    pub fn run(&mut self, cells: Range<u64>, cancelled: &dyn Fn() -> bool) -> Option<Block> {
        let Sweep { grid, measures, .. } = self.sweep;
        let block = Block::new(cells, measures.len(), &self.sweep.processor);
        let mut work = Measuring::new(grid, measures, block, self.sweep.lanes());
        self.runner.run_measured(&mut work, cancelled).then(|| work.finish())
    }
}
