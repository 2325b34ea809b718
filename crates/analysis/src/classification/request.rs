//! What is asked of a classification.

use crate::DrivePeriod;
use catena_compile::InstructionSet;
use catena_ensemble::{Axis, DeviceChoice, SweepOptions};
use catena_formulation::OptionValues;
use catena_integrator::Options;
use catena_model::Model;
use catena_simulation::TangentFlow;

/// Periods after which a motion that is still open stays undecided, of a single motion.
pub(crate) const MAX_PERIODS_ALONE: u64 = 1 << 15;
/// The same in a map.
pub(crate) const MAX_PERIODS_IN_MAP: u64 = 1 << 10;

/// How often a motion comes back in a run of the model, roughly, and how long that is where the model does not say, s.
const RETURNS_IN_RUN: f64 = 20.0;
const USUAL_DURATION: f64 = 10.0;

/// Which motions are classified, and how they are computed.
#[derive(Clone)]
pub struct ClassifyRequest {
    /// Parameters or initial values that are varied, two at most; the first one fastest.
    pub over: Vec<Axis>,
    /// The period of the drive; none for systems without one.
    pub period: Option<DrivePeriod>,
    /// A guess of the time in which a motion without a drive comes back, s; what it is follows from the motion.
    pub return_time: f64,
    /// Periods after which a motion that is still open stays undecided.
    pub max_periods: u64,
    /// The formulation.
    pub formulation: &'static catena_formulation::Entry,
    /// Options of the formulation.
    pub formulation_options: OptionValues,
    /// The integrator.
    pub integrator: &'static catena_integrator::Entry,
    /// Tolerances and steps of the integrator.
    pub integration: Options,
    /// The vector instructions that move several trajectories at once.
    pub instruction_set: InstructionSet,
    /// What moves them in place of the processor, where it can.
    pub device: DeviceChoice,
    /// How many threads share the work; with 1 none is spawned.
    pub threads: usize,
}

impl ClassifyRequest {
    /// One motion, or a cell for each combination of values, by a method of high order.
    pub fn new(model: &Model, over: Vec<Axis>, period: Option<DrivePeriod>) -> ClassifyRequest {
        ClassifyRequest {
            max_periods: if over.is_empty() { MAX_PERIODS_ALONE } else { MAX_PERIODS_IN_MAP },
            over,
            period,
            return_time: model.run.t_end.unwrap_or(USUAL_DURATION) / RETURNS_IN_RUN,
            formulation: TangentFlow::formulation_of(model),
            formulation_options: OptionValues::default(),
            integrator: catena_integrator::find("dop853").expect("the catalogue has it"),
            integration: Options {
                rtol: 1e-7,
                atol: 1e-10,
                max_steps: u64::MAX,
                ..Options::default()
            },
            instruction_set: InstructionSet::best(),
            device: DeviceChoice::Processor,
            threads: 1,
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.over.iter().map(|axis| axis.values.len()).product()
    }

    /// The values of what is varied in a cell.
    pub fn values(&self, cell: usize) -> Vec<f64> {
        let mut rest = cell;
        let value = |axis: &Axis| {
            let at = rest % axis.values.len();
            rest /= axis.values.len();
            axis.values[at]
        };
        self.over.iter().map(value).collect()
    }

    /// Options of an engine; every block brings times of its own.
    pub(crate) fn sweep_options(&self) -> SweepOptions {
        let formulation = (self.formulation, self.formulation_options.clone());
        SweepOptions {
            instruction_set: self.instruction_set,
            device: self.device.clone(),
            ..SweepOptions::for_tasks(formulation, self.integrator, self.integration.clone())
        }
    }
}
