//! What is asked of a driven system.

use super::ResponseError;
use catena_compile::InstructionSet;
use catena_ensemble::{Axis, Schedule, SweepError, SweepOptions};
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
    /// Each with the name that commands take.
    pub const ALL: [(&'static str, Branch); 3] =
        [("rest", Branch::FromRest), ("up", Branch::Up), ("down", Branch::Down)];

    /// The name that commands take.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, branch)| *branch == self).map_or("", |(name, _)| name)
    }
}

/// When a motion counts as settled, and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    /// How far a settled motion may be from the steady one, beside the amplitude.
    pub tolerance: f64,
    /// E-foldings of the slowest mode after which the motion is looked at again.
    pub e_folds: f64,
    /// So many times it is looked at.
    pub legs: u32,
    /// Never more periods than this.
    pub most_periods: u64,
    /// Rows in a period from which the amplitude is taken.
    pub rows: usize,
}

impl Default for Settling {
    fn default() -> Settling {
        Settling { tolerance: 1e-5, e_folds: 3.0, legs: 10, most_periods: 400_000, rows: 128 }
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
    /// Which branches.
    pub branches: Vec<Branch>,
    /// When a motion has settled.
    pub settling: Settling,
    /// How often the points around a peak are made denser, four times each.
    pub refinements: usize,
    /// A peak rises above its surroundings by this part of its height at least.
    pub prominence: f64,
    /// Whether the highest settled points are computed again with smaller tolerances.
    pub certify: bool,
    /// The formulation.
    pub formulation: &'static catena_formulation::Entry,
    /// Its options.
    pub formulation_options: OptionValues,
    /// The integrator.
    pub integrator: &'static catena_integrator::Entry,
    /// Tolerances.
    pub integration: Options,
    /// What computes several trajectories at once.
    pub instruction_set: InstructionSet,
    /// How many threads share the work.
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
            settling: Settling::default(),
            refinements: 2,
            prominence: 0.01,
            certify: true,
            formulation: catena_formulation::default_for(model),
            formulation_options: OptionValues::default(),
            integrator: catena_integrator::find("dop853").expect("the catalogue has it"),
            integration: Options {
                rtol: 1e-9,
                atol: 1e-12,
                max_steps: u64::MAX,
                ..Options::default()
            },
            instruction_set: InstructionSet::best(),
            threads: 1,
        }
    }

    pub(super) fn check(&self) -> Result<(), ResponseError> {
        check_ranges(&self.values, self.parameter.as_ref())?;
        let Settling { tolerance, e_folds, legs, rows, .. } = self.settling;
        let number = "a positive number";
        let wrong = [
            (!(tolerance.is_finite() && tolerance > 0.0), "the tolerance of settling", number),
            (!(e_folds.is_finite() && e_folds > 0.0), "the e-foldings of a leg", number),
            (legs == 0, "the number of legs", "1 or more"),
            (rows < 8, "the number of rows in a period", "8 or more"),
            (
                self.prominence < 0.0 || self.prominence.is_nan(),
                "the prominence of peaks",
                "0 or more",
            ),
        ];
        let found = wrong.into_iter().find(|(wrong, ..)| *wrong);
        found.map_or(Ok(()), |(_, what, must)| Err(ResponseError::BadSetting { what, must }))
    }

    /// The same with tolerances a hundred times smaller, as far as numbers have digits.
    pub(super) fn tighter(&self) -> ResponseRequest {
        let mut tighter = self.clone();
        let Options { rtol, atol, step, .. } = &mut tighter.integration;
        (*rtol, *atol) = ((*rtol / 100.0).max(1e-14), *atol / 100.0);
        *step = step.map(|step| step / 2.0);
        tighter
    }

    /// Every motion brings its own times.
    pub(super) fn sweep_options(&self) -> SweepOptions {
        SweepOptions {
            formulation: self.formulation,
            formulation_options: self.formulation_options.clone(),
            integrator: self.integrator,
            integration: self.integration.clone(),
            schedule: Schedule::of_numbers(1.0, None, None),
            instruction_set: self.instruction_set,
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
