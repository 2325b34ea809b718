//! What is asked about exponents, with its defaults.

use super::LyapunovError;
use catena_ensemble::{Engine, SweepOptions, Times};
use catena_formulation::OptionValues;
use catena_integrator::Options;
use catena_model::Model;
use catena_simulation::{FormulationChoice, Prepared};

/// How long a driven motion is followed unless somebody says, in periods of its drive.
const PERIODS: f64 = 2000.0;
/// How long another motion is followed, in times that one would look at.
const SPANS: f64 = 100.0;
/// The part of a motion that is its transient unless somebody says.
const TRANSIENT_PART: f64 = 0.1;
/// The time that one would look at a motion, s, unless the model says.
const LOOKED_AT: f64 = 10.0;
/// Rows at which growth is counted, at least and at most.
const ROWS: [f64; 2] = [400.0, 4000.0];
/// The motion of a cell of a map is this part of one that is looked at alone, unless somebody says.
const PART_OF_CELL: f64 = 0.1;
/// Rows of such a motion: a few for each block that its error is found from.
const ROWS_OF_CELL: f64 = 100.0;

/// What is asked about exponents.
#[derive(Clone)]
pub struct LyapunovRequest {
    /// How many exponents, the largest ones; all of them if absent, or of large systems the first few.
    pub exponents: Option<usize>,
    /// How many copies of the motion are run; 16, or 4 of a model with constraints, if absent.
    pub copies: Option<usize>,
    /// When the transient is over, s.
    pub after: Option<f64>,
    /// The start of the motion, s.
    pub t_start: f64,
    /// The end of the motion, s.
    pub t_end: Option<f64>,
    /// How constraints enter.
    pub formulation: &'static catena_formulation::Entry,
    /// Options of the formulation by name.
    pub formulation_options: OptionValues,
    /// The integrator.
    pub integrator: &'static catena_integrator::Entry,
    /// Its tolerances, which hold for tangent vectors too.
    pub integration: Options,
    /// How many threads may compute.
    pub threads: usize,
}

impl LyapunovRequest {
    /// Exponents that are found unasked; larger systems have more.
    pub const MOST_UNASKED: usize = 12;

    /// The motion of a formulation by an integrator, everything else as it is best for most models.
    pub fn new(
        model: &Model,
        formulation: FormulationChoice,
        integrator: &'static catena_integrator::Entry,
        integration: Options,
    ) -> LyapunovRequest {
        LyapunovRequest {
            exponents: None,
            copies: None,
            after: None,
            t_start: model.run.t_start.unwrap_or(0.0),
            t_end: None,
            formulation: formulation.entry,
            formulation_options: formulation.options,
            integrator,
            integration,
            threads: 1,
        }
    }

    /// How many exponents there are, if there are as many as are asked for.
    pub(super) fn check_dimension(&self, engine: &Engine) -> Result<usize, LyapunovError> {
        let dimension = engine.tangent_dimension();
        match self.exponents {
            _ if dimension == 0 => Err(LyapunovError::Prescribed),
            Some(asked) if asked > dimension => Err(LyapunovError::TooMany { asked, dimension }),
            _ => Ok(dimension),
        }
    }

    /// Unasked: fewer where they run one by one.
    pub(super) fn copies_of(prepared: &Prepared) -> usize {
        if prepared.system().constraints.is_empty() { 16 } else { 4 }
    }

    pub(super) fn times(&self, model: &Model, period: Option<f64>) -> Times {
        let looked_at = model.run.t_end.map_or(LOOKED_AT, |t_end| t_end - self.t_start);
        let scale = period.map_or(SPANS * looked_at, |period| PERIODS * period);
        let t_end = self.t_end.unwrap_or(self.t_start + scale);
        let after = self.after.unwrap_or(self.t_start + TRANSIENT_PART * (t_end - self.t_start));
        let duration = t_end - self.t_start;
        let every = match period {
            // growth over whole periods fluctuates least
            Some(period) if duration / period >= ROWS[0] => {
                period * (duration / period / ROWS[1]).ceil()
            }
            _ => duration / ROWS[1],
        };
        Times { t_start: self.t_start, t_end, every, after, step: None }
    }

    /// For a cell of a map: shorter, and with no more rows than the error needs.
    pub(super) fn times_of_cell(&self, model: &Model, period: Option<f64>) -> Times {
        let times = self.times(model, period);
        let duration = times.t_end - times.t_start;
        match self.t_end {
            Some(_) => Times { every: duration / ROWS_OF_CELL, ..times },
            None => {
                let duration = PART_OF_CELL * duration;
                let after = self.after.unwrap_or(times.t_start + TRANSIENT_PART * duration);
                let (t_end, every) = (times.t_start + duration, duration / ROWS_OF_CELL);
                Times { t_end, after, every, ..times }
            }
        }
    }

    pub(super) fn sweep_options(&self) -> SweepOptions {
        let formulation = (self.formulation, self.formulation_options.clone());
        SweepOptions::for_tasks(formulation, self.integrator, self.integration.clone())
    }
}
