//! How a prepared model is to be moved: by whom, from when to when, and what is written down.

use crate::{Automatic, Start};
use catena_integrator::Options;

/// How a prepared model is to be moved.
#[derive(Clone)]
pub struct RunOptions {
    /// The row of the integrator in the catalogue.
    pub integrator: &'static catena_integrator::Entry,
    /// Tolerances and steps.
    pub integration: Options,
    /// The start of the run, s.
    pub t_start: f64,
    /// The end of the run, s.
    pub t_end: f64,
    /// Distance of rows, from the start on, s.
    pub every: f64,
    /// The columns of the table in addition to the time, which is always the first; all of them if absent. A name may be
    /// a pattern as in [`expand_columns`](crate::expand_columns).
    pub columns: Option<Vec<String>>,
    /// Whether the model is replaced by its linearisation about the equilibrium nearest the start.
    pub linear: bool,
    /// Values of the parameters, in the order of the model; its own if absent.
    pub parameters: Option<Vec<f64>>,
    /// Where to begin, in the coordinates of the formulation; the start of the model if absent.
    pub start: Option<Start>,
    /// Whether the rank of the constraints is computed along the run.
    pub examine_rank: bool,
    /// Whether events are recorded that do not end the run.
    pub record_events: bool,
    /// When frames of a film are taken, s, ascending; there is no film if there are none.
    pub film: Vec<f64>,
    /// When states are written down besides the rows, s, ascending: a more exact run is compared with them.
    pub samples: Vec<f64>,
    /// What was taken by rules, and why.
    pub automatic: Automatic,
}

impl RunOptions {
    /// A run of the model as it is, from t = 0 on: all columns, nothing changed.
    pub fn new(
        integrator: &'static catena_integrator::Entry,
        integration: Options,
        t_end: f64,
        every: f64,
    ) -> RunOptions {
        RunOptions {
            integrator,
            integration,
            t_start: 0.0,
            t_end,
            every,
            columns: None,
            linear: false,
            parameters: None,
            start: None,
            examine_rank: true,
            record_events: true,
            film: Vec::new(),
            samples: Vec::new(),
            automatic: Automatic::default(),
        }
    }

    /// Whether no step is chosen by its error.
    pub fn has_fixed_steps(&self) -> bool {
        !self.integrator.adaptive || self.integration.step.is_some()
    }

    /// The length of fixed steps, s.
    pub fn fixed_step(&self) -> f64 {
        self.integration.step.unwrap_or(self.duration() / catena_integrator::DEFAULT_STEPS)
    }

    /// This many times evenly from the start to the end, s.
    pub fn evenly(&self, count: usize) -> Vec<f64> {
        let last = count.saturating_sub(1).max(1) as f64;
        let time = |at: usize| self.t_start + self.duration() * at as f64 / last;
        (0..count).map(|at| time(at).min(self.t_end)).collect()
    }

    /// How long the run is, s.
    pub fn duration(&self) -> f64 {
        self.t_end - self.t_start
    }
}
