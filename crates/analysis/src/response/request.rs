//! What is asked of a driven system.

use super::ResponseError;
use catena_compile::InstructionSet;
use catena_ensemble::{Axis, DeviceChoice, SweepError, SweepOptions};
use catena_formulation::OptionValues;
use catena_integrator::Options;
use catena_model::Model;

/// How frequencies follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// Each begins at the model's own start.
    FromRest,
    /// From low to high, each from where the one before has settled.
    Up,
    /// From high to low, each from where the one before has settled.
    Down,
}

impl Branch {
    /// All branches, each with its name in options and results.
    pub const ALL: [(&'static str, Branch); 3] =
        [("rest", Branch::FromRest), ("up", Branch::Up), ("down", Branch::Down)];

    /// Its name in options and results.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, branch)| *branch == self).map_or("", |(name, _)| name)
    }
}

/// When a transient counts as over, and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransientSettings {
    /// How far a settled motion may be from the steady one, relative to its amplitude.
    pub tolerance: f64,
    /// Length of a transient block, in e-foldings of the slowest mode; the motion is tested at the end of each.
    pub e_folds: f64,
    /// Blocks after which a motion that has not settled is given up.
    pub max_blocks: u32,
    /// Periods of the drive that all blocks together may take.
    pub max_periods: u64,
    /// Rows per period from which the amplitude is taken, 8 or more.
    pub rows: usize,
}

impl Default for TransientSettings {
    fn default() -> TransientSettings {
        TransientSettings {
            tolerance: 1e-5,
            e_folds: 3.0,
            max_blocks: 10,
            max_periods: 400_000,
            rows: 128,
        }
    }
}

/// What is asked of a driven system.
#[derive(Clone)]
pub struct ResponseRequest {
    /// The parameter that is the frequency of the drive; found if absent.
    pub frequency: Option<String>,
    /// Its values, in rising order.
    pub values: Vec<f64>,
    /// A parameter with a curve for each of its values.
    pub parameter: Option<Axis>,
    /// Columns whose amplitudes are wanted; all coordinates and states if there are none.
    pub outputs: Vec<String>,
    /// The branches, each of which becomes a curve.
    pub branches: Vec<Branch>,
    /// When a transient is over.
    pub transient: TransientSettings,
    /// How often the spacing of the points around a peak is divided by four.
    pub refinements: usize,
    /// The smallest prominence of a peak, relative to its height.
    pub prominence: f64,
    /// Whether the highest settled points are computed again with smaller tolerances.
    pub certify: bool,
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

impl ResponseRequest {
    /// All coordinates from rest, by a method of high order.
    pub fn new(model: &Model, values: Vec<f64>) -> ResponseRequest {
        ResponseRequest {
            frequency: None,
            values,
            parameter: None,
            outputs: Vec::new(),
            branches: vec![Branch::FromRest],
            transient: TransientSettings::default(),
            refinements: 2,
            prominence: 0.01,
            certify: true,
            formulation: catena_simulation::formulation_of_model(model).entry,
            formulation_options: OptionValues::default(),
            integrator: catena_integrator::find("dop853").expect("the catalogue has it"),
            integration: Options {
                rtol: 1e-9,
                atol: 1e-12,
                max_steps: u64::MAX,
                ..Options::default()
            },
            instruction_set: InstructionSet::best(),
            device: DeviceChoice::Processor,
            threads: 1,
        }
    }

    pub(super) fn check(&self) -> Result<(), ResponseError> {
        check_ranges(&self.values, self.parameter.as_ref())?;
        let TransientSettings { tolerance, e_folds, max_blocks, rows, .. } = self.transient;
        let number = "a positive number";
        let wrong = [
            (!(tolerance.is_finite() && tolerance > 0.0), "the tolerance of settling", number),
            (
                !(e_folds.is_finite() && e_folds > 0.0),
                "the e-foldings of a transient block",
                number,
            ),
            (max_blocks == 0, "the number of transient blocks", "1 or more"),
            (rows < 8, "the number of rows per period", "8 or more"),
            (
                self.prominence < 0.0 || self.prominence.is_nan(),
                "the prominence of peaks",
                "0 or more",
            ),
        ];
        let found = wrong.into_iter().find(|(wrong, ..)| *wrong);
        found.map_or(Ok(()), |(_, what, must)| Err(ResponseError::BadSetting { what, must }))
    }

    /// The same with tolerances a hundred times smaller, as far as numbers have digits, or half the step. Nothing can be
    /// tighter where steps are fixed and their length was left to the integrator.
    pub(super) fn tighter(&self) -> Option<ResponseRequest> {
        if !self.integrator.adaptive && self.integration.step.is_none() {
            return None;
        }
        // a motion for each curve: nothing for a device
        let mut tighter = ResponseRequest { device: DeviceChoice::Processor, ..self.clone() };
        let Options { rtol, atol, step, .. } = &mut tighter.integration;
        (*rtol, *atol) = ((*rtol / 100.0).max(1e-14), *atol / 100.0);
        *step = step.map(|step| step / 2.0);
        Some(tighter)
    }

    /// The same for the engine; every transient block brings times of its own.
    pub(super) fn sweep_options(&self) -> SweepOptions {
        let formulation = (self.formulation, self.formulation_options.clone());
        SweepOptions {
            instruction_set: self.instruction_set,
            device: self.device.clone(),
            ..SweepOptions::for_tasks(formulation, self.integrator, self.integration.clone())
        }
    }
}

/// Refuses frequencies and values of a parameter that make no curves.
pub(crate) fn check_ranges(
    frequencies: &[f64],
    parameter: Option<&Axis>,
) -> Result<(), ResponseError> {
    let rising = frequencies.windows(2).all(|pair| pair[0] < pair[1]);
    let positive = frequencies.iter().all(|value| value.is_finite() && *value > 0.0);
    if frequencies.is_empty() || !rising || !positive {
        return Err(ResponseError::BadFrequencies);
    }
    if let Some(axis) = parameter {
        let name = axis.name.clone();
        if axis.values.is_empty() {
            return Err(SweepError::NoValues { name }.into());
        }
        if axis.values.iter().any(|value| !value.is_finite()) {
            return Err(SweepError::NotFinite { name }.into());
        }
    }
    Ok(())
}
