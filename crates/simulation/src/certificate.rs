//! What a result says about itself.

use crate::Estimate;
use catena_integrator::Statistics;

/// How good a run is, by its own measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Name of the formulation.
    pub formulation: &'static str,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// h at the start.
    pub energy: f64,
    /// For a linear model, the state of rest it is about: coordinates and first-order states by name.
    pub linear_about: Option<Vec<(String, f64)>>,
    /// Largest |h − h₀ − work done| at the end of a step. A linear model keeps neither energy nor
    /// constraints: this and the next two are NaN for it.
    pub energy_residual: f64,
    /// Largest |Φ| at the end of a step.
    pub constraint_error: f64,
    /// Largest |Φ̇| at the end of a step.
    pub constraint_rate_error: f64,
    /// Steps, evaluations and so on.
    pub statistics: Statistics,
    /// Time that was reached.
    pub time: f64,
    /// Why the run ended.
    pub stop: StopReason,
    /// Tells models apart: equal for equal files and settings.
    pub model_hash: u64,
    /// How long it took to derive, compile and assemble, s.
    pub preparation_seconds: f64,
    /// How long it took to move and to record, s.
    pub seconds: f64,
    /// What the formulation met on the way that is unusual, in words.
    pub remarks: Vec<String>,
    /// The error, estimated with a second run.
    pub estimate: Option<Estimate>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StopReason {
    /// It reached its end.
    Finished,
    /// A terminal event happened.
    Event {
        /// Which.
        name: String,
    },
    /// The caller asked for it.
    Cancelled,
    /// It could not go on.
    Failed {
        /// What happened, with the time.
        message: String,
    },
}
