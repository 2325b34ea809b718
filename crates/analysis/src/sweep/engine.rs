//! What runs trajectories: in lanes where the formulation and the integrator allow it, else one by one.

use super::cell::Cells;
use super::lane_function::LaneKernels;
use super::lane_motion::LaneMotion;
use super::lane_worker::LaneWorker;
use super::one_by_one::OneByOne;
use super::rows::column_kernels;
use super::workload::{Task, Workload};
use super::{SweepError, SweepOptions};
use catena_formulation::Subject;
use catena_integrator::Lanes;
use catena_model::Model;

/// A model that is ready to run with other parameters or from other starts: constant, and shared between threads.
pub(crate) struct Engine {
    pub(super) model: Model,
    /// What is varied: parameters and initial values.
    pub(super) varied: Vec<String>,
    /// What is looked at.
    pub(super) columns: Vec<String>,
    pub(super) options: SweepOptions,
    /// None where trajectories run one by one.
    lanes: Option<Shared>,
}

/// What the threads share when they run in lanes.
pub(super) struct Shared {
    pub(super) subject: Subject,
    pub(super) kernels: LaneKernels,
    pub(super) columns: LaneKernels,
}

impl Engine {
    /// Checks everything that can be wrong, and compiles. `first` is a trajectory that may be asked for.
    pub(crate) fn new(
        model: &Model,
        varied: Vec<String>,
        columns: Vec<String>,
        options: SweepOptions,
        first: &Task,
    ) -> Result<Engine, SweepError> {
        super::error::check_options(model, &options)?;
        let lanes = Shared::new(model, &options, &columns)?;
        Cells::new(model, options.formulation.coordinates, &varied, &options.schedule)?;
        if let (Some(shared), Some(method)) = (&lanes, options.integrator.lanes()) {
            let motion = LaneMotion::new(shared.kernels.clone());
            Lanes::new(method, &options.lane_options(), &motion)?;
        }
        let mut engine = Engine { model: model.clone(), varied, columns, options, lanes };
        // what has no rate at once may have one in loops, as where constraints are redundant
        let refused = |shared: &Shared| !LaneWorker::new(&engine, shared).can_begin(first);
        if engine.lanes.as_ref().is_some_and(refused) {
            engine.lanes = None;
        }
        if engine.lanes.is_none() {
            OneByOne::check(model, &engine.options, &engine.columns)?;
        }
        Ok(engine)
    }

    /// How many trajectories run side by side on one core.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes.as_ref().map_or(1, |_| self.options.instruction_set.lanes())
    }

    /// A thread's own workspace.
    pub(crate) fn runner(&self) -> Runner<'_> {
        match &self.lanes {
            Some(shared) => Runner::Lanes(Box::new(LaneWorker::new(self, shared))),
            None => Runner::OneByOne(Box::new(OneByOne::new(self))),
        }
    }

    pub(super) fn cells(&self) -> Cells {
        let set = self.options.formulation.coordinates;
        Cells::new(&self.model, set, &self.varied, &self.options.schedule)
            .expect("the axes were checked when the engine was made")
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
        let system = model.system(formulation.coordinates);
        // nothing in a lane looks for events
        let ends_by_itself = system.events.iter().any(|event| event.terminal);
        if options.integrator.lanes().is_none() || ends_by_itself {
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
pub(crate) enum Runner<'a> {
    /// Several trajectories at once.
    Lanes(Box<LaneWorker<'a>>),
    /// One after the other.
    OneByOne(Box<OneByOne<'a>>),
}

impl Runner<'_> {
    /// Runs until nothing is left; false if it was cancelled before.
    pub(crate) fn run(
        &mut self,
        workload: &mut dyn Workload,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        match self {
            Runner::Lanes(worker) => worker.run(workload, cancelled),
            Runner::OneByOne(worker) => worker.run(workload, cancelled),
        }
    }
}
