//! The certificate: what a result states about its own quality.

use crate::{ErrorEstimate, Freedom, Predictability, Verdict};
use catena_integrator::Statistics;

/// How good a run is, by its own measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Name of the formulation.
    pub formulation: &'static str,
    /// Name of the integrator.
    pub integrator: &'static str,
    /// What was taken by rules and why, a line each: "recursive: a chain of 1000 links without loops". Empty where both
    /// methods were named.
    pub chosen: Vec<String>,
    /// The integrators that took turns where stability limited the steps, and when, if there was more than one.
    pub switched: Option<String>,
    /// h at the start, J.
    pub energy: f64,
    /// For a linear model, the state of rest it is about: coordinates and first-order states by name.
    pub linear_about: Option<Vec<(String, f64)>>,
    /// Largest |h − h₀ − work done| over the ends of steps and the rows. A linear model keeps neither energy nor
    /// constraints: this and the next two are NaN for it.
    pub energy_residual: f64,
    /// Largest |Φ| over the ends of steps and the rows.
    pub constraint_error: f64,
    /// Largest |Φ̇| over the ends of steps and the rows.
    pub constraint_rate_error: f64,
    /// Largest |Φ| / ‖∇Φ‖: how far coordinates are from where the constraints want them.
    pub constraint_distance: f64,
    /// Largest difference between the rate of the dense output and that of the equations over the rows that were measured,
    /// velocities and states only, relative to the largest such rate; models without short features are measured only
    /// where a column asks for forces.
    pub defect: Option<f64>,
    /// The energy that changed hands, J: what the residual is compared with.
    pub exchanged_energy: f64,
    /// How large the mechanism is, in the unit of its coordinates: what the distance is compared with.
    pub size: f64,
    /// Degrees of freedom at the rows, for models with constraints that are not too large for it.
    pub freedom: Option<Freedom>,
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
    pub estimate: Option<ErrorEstimate>,
    /// How long a motion that proved chaotic can be predicted.
    pub predictability: Option<Predictability>,
    /// Why the second run does not confirm the first though they agree, as a clause: it ended early, or is itself not
    /// good.
    pub unconfirmed: Option<String>,
    /// What would make the result better, as a clause.
    pub remedy: String,
    /// What the result is worth.
    pub verdict: Verdict,
}

impl Certificate {
    /// Everything worth a sentence: what the formulation met, near which singular poses the motion came, and
    /// which forces are not determined.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.remarks.clone();
        if let Some(freedom) = &self.freedom {
            notes.extend(freedom.approach.as_ref().map(ToString::to_string));
            notes.extend(freedom.shared.as_ref().map(ToString::to_string));
        }
        notes
    }
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StopReason {
    /// It reached its end.
    Finished,
    /// A terminal event happened.
    Event {
        /// The name of the event in the model.
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
