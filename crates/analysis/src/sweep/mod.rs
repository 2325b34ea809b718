//! Sweeps: one model, many trajectories, a few numbers of each.
//!
//! A *grid* says which parameters and initial values are varied, *measures* say what is kept. Trajectories run side by side
//! in vector lanes where the formulation and the integrator allow it, else one by one; the numbers do not depend on lanes,
//! threads or neighbours.

mod block;
mod cell;
mod error;
mod grid;
mod lane_function;
mod lane_motion;
mod lane_worker;
mod measure;
mod one_by_one;
mod rows;

pub use block::Block;
pub use error::SweepError;
pub use grid::{Axis, Grid};
pub use measure::{Measure, Statistic};

use catena_compile::InstructionSet;
use catena_formulation::{OptionValues, Subject};
use catena_integrator::{Lanes, Options};
use catena_model::Model;
use catena_symbolic::{Formula, Number};
use cell::Cells;
use lane_function::LaneKernels;
use lane_motion::LaneMotion;
use lane_worker::LaneWorker;
use one_by_one::OneByOne;
use rows::column_kernels;
use std::ops::Range;

/// When trajectories end and when they are looked at: formulas of the parameters, s.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The end.
    pub t_end: Formula,
    /// Rows stand at multiples of this; at the start and the end alone if absent.
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
            t_end: formula(t_end),
            every: every.map(formula),
            after: None,
            step: step.map(formula),
        }
    }
}

/// How the trajectories are computed.
#[derive(Clone)]
pub struct SweepOptions {
    /// The formulation.
    pub formulation: &'static catena_formulation::Entry,
    /// Its options.
    pub formulation_options: OptionValues,
    /// The integrator.
    pub integrator: &'static catena_integrator::Entry,
    /// Tolerances.
    pub integration: Options,
    /// Ends, rows and steps.
    pub schedule: Schedule,
    /// What computes several trajectories at once.
    pub instruction_set: InstructionSet,
}

impl SweepOptions {
    /// Options that tell whether steps are fixed, if not how long they are.
    fn lane_options(&self) -> Options {
        let step = self.integration.step.or(self.schedule.step.as_ref().map(|_| 1.0));
        Options { step, ..self.integration.clone() }
    }
}

/// A sweep that is ready to run: constant, and shared between threads.
pub struct Sweep {
    model: Model,
    grid: Grid,
    measures: Vec<Measure>,
    options: SweepOptions,
    len: u64,
    /// None where trajectories run one by one.
    lanes: Option<Shared>,
}

/// What the threads share when they run in lanes.
struct Shared {
    subject: Subject,
    kernels: LaneKernels,
    columns: LaneKernels,
}

impl Sweep {
    /// Checks everything that can be wrong, and compiles.
    pub fn new(
        model: &Model,
        grid: Grid,
        measures: Vec<Measure>,
        options: SweepOptions,
    ) -> Result<Sweep, SweepError> {
        error::check(model, &grid, &measures, &options)?;
        let len = grid.checked_len().ok_or(SweepError::TooManyCells)?;
        let names: Vec<String> = measures.iter().map(|measure| measure.column.clone()).collect();
        let lanes = Shared::new(model, &options, &names)?;
        Cells::new(model, Sweep::is_absolute(model, &options), &grid.axes, &options.schedule)?;
        if let (Some(shared), Some(method)) = (&lanes, options.integrator.lanes) {
            let motion = LaneMotion::new(shared.kernels.clone());
            Lanes::new(method, &options.lane_options(), &motion)?;
        }
        let mut sweep = Sweep { model: model.clone(), grid, measures, options, len, lanes };
        // what has no rate at once may have one in loops, as where constraints are redundant
        if sweep.lanes.as_ref().is_some_and(|shared| !LaneWorker::new(&sweep, shared).can_begin()) {
            sweep.lanes = None;
        }
        if sweep.lanes.is_none() {
            OneByOne::check(model, &sweep.options, &names)?;
        }
        Ok(sweep)
    }

    /// How many trajectories there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What is varied.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What is kept.
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// How many trajectories run side by side on one core.
    pub fn lanes(&self) -> usize {
        self.lanes.as_ref().map_or(1, |_| self.options.instruction_set.lanes())
    }

    /// A thread's own workspace.
    pub fn worker(&self) -> Worker<'_> {
        match &self.lanes {
            Some(shared) => Worker::Lanes(Box::new(LaneWorker::new(self, shared))),
            None => Worker::OneByOne(Box::new(OneByOne::new(self))),
        }
    }

    fn cells(&self) -> Cells {
        let absolute = Sweep::is_absolute(&self.model, &self.options);
        Cells::new(&self.model, absolute, &self.grid.axes, &self.options.schedule)
            .expect("the axes were checked when the sweep was made")
    }

    fn is_absolute(model: &Model, options: &SweepOptions) -> bool {
        model.absolute.is_some()
            && options.formulation.coordinates == catena_model::CoordinateSet::Absolute
    }
}

impl Shared {
    /// None where the formulation, the integrator or the model does not run in lanes.
    fn new(
        model: &Model,
        options: &SweepOptions,
        columns: &[String],
    ) -> Result<Option<Shared>, SweepError> {
        let formulation = options.formulation;
        let system = model.system(formulation.coordinates).unwrap_or(&model.joint);
        // nothing in a lane looks for events
        let ends_by_itself = system.events.iter().any(|event| event.terminal);
        if options.integrator.lanes.is_none() || ends_by_itself {
            return Ok(None);
        }
        let subject = Subject::new(formulation, model, options.formulation_options.clone());
        let Some(mut line) = (formulation.straight_line)(&subject) else { return Ok(None) };
        let set = options.instruction_set;
        let columns = column_kernels(system, &subject, &mut line, columns, set)?;
        Ok(Some(Shared {
            kernels: LaneKernels::new(&line.rate_program(), set, line.state_len()),
            columns,
            subject,
        }))
    }
}

/// A thread's own workspace.
pub enum Worker<'a> {
    /// Several trajectories at once.
    Lanes(Box<LaneWorker<'a>>),
    /// One after the other.
    OneByOne(Box<OneByOne<'a>>),
}

impl Worker<'_> {
    /// Runs some cells; none if it was cancelled before all of them were done.
    pub fn run(&mut self, cells: Range<u64>, cancelled: &dyn Fn() -> bool) -> Option<Block> {
        match self {
            Worker::Lanes(worker) => worker.run(cells, cancelled),
            Worker::OneByOne(worker) => worker.run(cells, cancelled),
        }
    }
}
