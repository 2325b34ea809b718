//! What runs trajectories: in lanes where the formulation and the integrator allow it, else one by one.

use crate::cell::Cells;
use crate::crossing::section_kernels;
use crate::device::{
    ChosenDevice, DeviceChoice, DeviceError, DeviceParts, DeviceShared, DeviceWork, DeviceWorker,
    MeasuredWorkload, Precision,
};
use crate::lane_function::LaneKernels;
use crate::lane_motion::LaneMotion;
use crate::lane_step::LaneStepKernels;
use crate::lane_worker::LaneWorker;
use crate::one_by_one::OneByOne;
use crate::one_by_one_tangents::OneByOneTangents;
use crate::rows::column_kernels;
use crate::section::with_sections;
use crate::threads::DEVICE_WORKERS;
use crate::workload::{Task, Workload};
use crate::{PoincareSection, SweepError, SweepOptions};
use catena_integrator::Lanes;
use catena_model::Model;
use catena_simulation::{MAX_SERIES_OPERATIONS, Prepared};
use std::sync::Arc;

/// A model that is ready to run with other parameters or from other starts: constant, and shared between threads.
pub struct Engine {
    pub(crate) prepared: Prepared,
    /// What is varied: parameters and initial values.
    pub(crate) varied: Vec<String>,
    /// The columns whose values are taken.
    pub(crate) columns: Vec<String>,
    pub(crate) options: SweepOptions,
    /// For each section that is watched, the sign of the crossings that count; they are the last events of the system.
    pub(crate) directions: Vec<i8>,
    /// How many tangent vectors every trajectory carries along.
    pub(crate) tangents: usize,
    /// How many independent ones there are.
    tangent_dimension: usize,
    /// None where trajectories run one by one, or on a device.
    lanes: Option<Shared>,
    /// None where the processor runs them.
    pub(crate) device: Option<DeviceShared>,
    /// Why it does although a device was asked for.
    pub(crate) device_refusal: Option<DeviceError>,
}

/// What the threads share when they run in lanes.
pub(crate) struct Shared {
    pub(crate) kernels: LaneKernels,
    /// Power series of an order, where the integrator sums them.
    pub(crate) series: Option<(usize, LaneKernels)>,
    /// None where steps are made stage by stage.
    pub(crate) step: Option<LaneStepKernels>,
    pub(crate) columns: LaneKernels,
    /// None where no section is watched.
    pub(crate) sections: Option<LaneKernels>,
    /// The most that counts of the magnitudes of the coordinates where the tolerance is relative.
    pub(crate) magnitude_bounds: Arc<[f64]>,
}

/// What trajectories have besides their state.
#[derive(Default)]
struct Carried {
    /// Directions of the sections that are watched.
    directions: Vec<i8>,
    /// How many tangent vectors at most.
    tangents: usize,
    /// Whether nobody wants rows but statistics of them.
    measured: bool,
}

impl Engine {
    /// Checks everything that can be wrong, and compiles. `first` is a trajectory that may be asked for.
    pub fn new(
        model: &Model,
        varied: Vec<String>,
        columns: Vec<String>,
        options: SweepOptions,
        first: &Task,
    ) -> Result<Engine, SweepError> {
        Engine::build(model, (varied, columns), options, Carried::default(), first)
    }

    /// The same for trajectories that are watched: [`Workload::crossing`] is told whenever one crosses a section.
    pub fn with_sections(
        model: &Model,
        names: (Vec<String>, Vec<String>),
        options: SweepOptions,
        sections: &[PoincareSection],
        first: &Task,
    ) -> Result<Engine, SweepError> {
        Engine::watched(model, names, options, (sections, false), first)
    }

    /// The same for who wants statistics of rows alone, which a device gathers by itself.
    pub(crate) fn measured(
        model: &Model,
        names: (Vec<String>, Vec<String>),
        options: SweepOptions,
        sections: &[PoincareSection],
        first: &Task,
    ) -> Result<Engine, SweepError> {
        Engine::watched(model, names, options, (sections, true), first)
    }

    fn watched(
        model: &Model,
        names: (Vec<String>, Vec<String>),
        options: SweepOptions,
        (sections, measured): (&[PoincareSection], bool),
        first: &Task,
    ) -> Result<Engine, SweepError> {
        let directions = sections.iter().map(|section| section.direction).collect();
        let carried = Carried { directions, measured, ..Carried::default() };
        if sections.is_empty() {
            return Engine::build(model, names, options, carried, first);
        }
        let watched = with_sections(model, options.formulation.coordinates, sections)?;
        Engine::build(&watched, names, options, carried, first)
    }

    /// The same with tangent vectors carried along, as many as there are independent ones, and this many at most: rows are
    /// those of [`crate::TangentRow`].
    pub fn with_tangents(
        model: &Model,
        varied: Vec<String>,
        columns: Vec<String>,
        options: SweepOptions,
        first: &Task,
        most: usize,
    ) -> Result<Engine, SweepError> {
        let carried = Carried { tangents: most, ..Carried::default() };
        Engine::build(model, (varied, columns), options, carried, first)
    }

    fn build(
        model: &Model,
        (varied, columns): (Vec<String>, Vec<String>),
        options: SweepOptions,
        Carried { directions, tangents, measured }: Carried,
        first: &Task,
    ) -> Result<Engine, SweepError> {
        crate::error::check_times(model, &options)?;
        let formulation_options = options.formulation_options.clone();
        let prepared = Prepared::new(model, options.formulation, formulation_options)?;
        let len = prepared.state_len();
        let tangents = tangents.min(len);
        let set = options.formulation.coordinates;
        let cells = Cells::new(model, set, &varied, &options.schedule)?;
        let known = cells.fixed_parameters();
        let parts = DeviceParts {
            columns: &columns,
            directions: &directions,
            known: &known,
            tangents,
            measured,
        };
        let on_device = |chosen: Option<ChosenDevice>| match chosen {
            Some(chosen) => DeviceShared::new(&chosen, &prepared, &options, &parts).map(Some),
            None => Ok(None),
        };
        let found = options.device.found().map_err(SweepError::from).and_then(on_device);
        let (device, device_refusal) = match found {
            Ok(device) => (device, None),
            Err(SweepError::Device(refusal)) if !refusal.is_failure() => (None, Some(refusal)),
            Err(error) => return Err(error),
        };
        let mut engine = Engine {
            prepared,
            varied,
            columns,
            options,
            directions,
            tangents,
            tangent_dimension: len,
            lanes: None,
            device,
            device_refusal,
        };
        if let Some(device) = &engine.device {
            if device.can_begin(&engine, first) {
                return Ok(engine);
            }
            let reason = "at its first start the model has no rate at once";
            (engine.device, engine.device_refusal) = (None, Some(DeviceError::unsuitable(reason)));
        }
        let Engine { prepared, options, columns, directions, .. } = &engine;
        let lanes = Shared::new(prepared, options, columns, (directions.len(), tangents))?;
        if let (Some(shared), Some(method)) = (&lanes, options.integrator.lanes()) {
            let motion = LaneMotion::new(shared);
            Lanes::new(method, &options.lane_options(), &motion)?;
        }
        engine.lanes = lanes;
        // what has no rate at once may have one in loops, as where constraints are redundant
        let refused = |shared: &Shared| !LaneWorker::new(&engine, shared).can_begin(first);
        if engine.lanes.as_ref().is_some_and(refused) {
            engine.lanes = None;
        }
        if engine.lanes.is_none() && tangents == 0 {
            OneByOne::new(&engine).check()?;
        } else if engine.lanes.is_none() {
            // where the first start cannot be assembled another one may well be
            if let Ok(dimension) = OneByOneTangents::new(&engine)?.dimension(first) {
                engine.tangent_dimension = dimension;
                engine.tangents = tangents.min(dimension);
            }
        }
        Ok(engine)
    }

    /// What is to be said of the device that was asked for: what it is, or why the processor computes.
    pub fn device_words(&self) -> Option<String> {
        let is_single = matches!(self.options.device, DeviceChoice::Gpu(Precision::F32));
        let digits = if is_single { ", in double precision" } else { "" };
        let refused = |refusal| format!("{refusal}; the processor computes{digits}");
        let refusal = self.device_refusal.as_ref().map(refused);
        refusal.or_else(|| self.device.as_ref().map(DeviceShared::words))
    }

    /// Whether the device, if there is one, has computed all that it was asked for.
    pub fn check_device(&self) -> Result<(), SweepError> {
        let failure = self.device.as_ref().and_then(|device| device.failure.get());
        failure.map_or(Ok(()), |failure| Err(failure.clone().into()))
    }

    /// How many threads have something to do, if so many trajectories are to be moved.
    pub fn useful_threads(&self, trajectories: usize) -> usize {
        let most = if self.device.is_some() { DEVICE_WORKERS } else { usize::MAX };
        trajectories.div_ceil(self.lanes()).clamp(1, most)
    }

    /// How many trajectories run side by side on one core, or on a device.
    pub fn lanes(&self) -> usize {
        if let Some(shared) = &self.device {
            return shared.places;
        }
        self.lanes.as_ref().map_or(1, |_| self.options.instruction_set.lanes())
    }

    /// The model that it runs.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// How many components a tangent vector has: those of the state of the formulation.
    pub fn tangent_len(&self) -> usize {
        self.prepared.state_len()
    }

    /// How many tangent vectors every trajectory carries along.
    pub fn tangents(&self) -> usize {
        self.tangents
    }

    /// How many independent tangent vectors a trajectory has, whatever number it carries along: fewer than there are
    /// components where constraints leave no room for others.
    pub fn tangent_dimension(&self) -> usize {
        self.tangent_dimension
    }

    /// A thread's own workspace.
    pub fn runner(&self) -> Runner<'_> {
        self.runner_of(1)
    }

    /// The same for one that has so many threads to itself: only the starts of a device give them work.
    pub fn runner_of(&self, threads: usize) -> Runner<'_> {
        if let Some(shared) = &self.device {
            return Runner(Way::Device(Box::new(DeviceWorker::new(self, shared, threads))));
        }
        match &self.lanes {
            Some(shared) => Runner(Way::Lanes(Box::new(LaneWorker::new(self, shared)))),
            None if self.tangents == 0 => Runner(Way::OneByOne(Box::new(OneByOne::new(self)))),
            None => {
                let worker = OneByOneTangents::new(self).expect("it was made with the engine");
                Runner(Way::OneByOneTangents(Box::new(worker)))
            }
        }
    }

    pub(crate) fn cells(&self) -> Cells {
        let set = self.options.formulation.coordinates;
        Cells::new(self.prepared.model(), set, &self.varied, &self.options.schedule)
            .expect("the axes were checked when the engine was made")
    }
}

impl Shared {
    /// None where the formulation, the integrator or the model does not run in lanes.
    fn new(
        prepared: &Prepared,
        options: &SweepOptions,
        columns: &[String],
        (sections, tangents): (usize, usize),
    ) -> Result<Option<Shared>, SweepError> {
        let (system, input) = (prepared.system(), prepared.input());
        // nothing in a lane looks for events that end it
        let ends_by_itself = system.events.iter().any(|event| event.terminal);
        // nor for what is shorter than a step
        let hides = options.integrator.adaptive && prepared.has_short_features();
        // tangent vectors have to stay on the constraints
        let leaves = tangents > 0 && !system.constraints.is_empty();
        let Some(method) = options.integrator.lanes() else { return Ok(None) };
        if ends_by_itself || hides || leaves {
            return Ok(None);
        }
        let Some(mut rhs) = options.formulation.lane_program(input) else { return Ok(None) };
        if tangents > 0 {
            rhs.carry_tangents(tangents);
        }
        let set = options.instruction_set;
        let series = match method.series_order(&options.lane_options()) {
            Some(order) => {
                let program = rhs.series_program().taylor(order, MAX_SERIES_OPERATIONS);
                let Some(program) = program else { return Ok(None) };
                Some((order, LaneKernels::new(&program, set, rhs.state_len())))
            }
            None => None,
        };
        let columns = column_kernels(system, input, &mut rhs, columns, set)?;
        let sections = (sections > 0).then(|| section_kernels(input, &mut rhs, sections, set));
        let rate = rhs.guarded_rate_program();
        let step = method.explicit().and_then(|method| LaneStepKernels::new(&rate, method, set));
        Ok(Some(Shared {
            step,
            kernels: LaneKernels::of_fused(&rate, set, rhs.state_len()),
            series,
            columns,
            sections,
            magnitude_bounds: input.magnitude_bounds().into(),
        }))
    }
}

/// A thread's own workspace.
pub struct Runner<'a>(Way<'a>);

enum Way<'a> {
    /// Several trajectories at once.
    Lanes(Box<LaneWorker<'a>>),
    /// One after the other.
    OneByOne(Box<OneByOne<'a>>),
    /// The same with tangent vectors.
    OneByOneTangents(Box<OneByOneTangents<'a>>),
    /// Thousands at once.
    Device(Box<DeviceWorker<'a>>),
}

impl Runner<'_> {
    /// Runs until nothing is left; false if it was cancelled before.
    pub fn run(&mut self, workload: &mut dyn Workload, cancelled: &dyn Fn() -> bool) -> bool {
        match &mut self.0 {
            Way::Lanes(worker) => worker.run(workload, cancelled),
            Way::OneByOne(worker) => worker.run(workload, cancelled),
            Way::OneByOneTangents(worker) => worker.run(workload, cancelled),
            Way::Device(worker) => worker.run_or_give_up(DeviceWork::Rows(workload), cancelled),
        }
    }

    /// The same for an engine of statistics.
    pub(crate) fn run_measured(
        &mut self,
        workload: &mut dyn MeasuredWorkload,
        cancelled: &dyn Fn() -> bool,
    ) -> bool {
        match &mut self.0 {
            Way::Device(worker) => worker.run_or_give_up(DeviceWork::Measures(workload), cancelled),
            _ => self.run(workload, cancelled),
        }
    }
}
