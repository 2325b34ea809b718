//! What is asked of a continuation.

use catena_formulation::OptionValues;
use catena_integrator::{Options, for_exact_motions};
use catena_model::Model;
use catena_simulation::TangentFlow;

/// What is varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowedQuantity {
    /// A parameter of the model.
    Parameter(String),
    /// The period of the motions of a conservative model, s.
    Period,
    /// The amplitude of the first column of the motions of a conservative model.
    Amplitude,
}

impl FollowedQuantity {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            FollowedQuantity::Parameter(name) => name,
            FollowedQuantity::Period => "period",
            FollowedQuantity::Amplitude => "amplitude",
        }
    }
}

/// What is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowedKind {
    /// States of rest.
    Equilibria,
    /// Periodic motions.
    Motions,
}

/// What is asked of a continuation.
#[derive(Clone)]
pub struct ContinuationRequest {
    /// What is varied.
    pub over: FollowedQuantity,
    /// From the first value, where the first solution is looked for, to the second.
    pub range: [f64; 2],
    /// What is followed first.
    pub kind: FollowedKind,
    /// Whether motions that begin at Hopf points of equilibria are followed.
    pub from_hopf: bool,
    /// The columns whose amplitudes are kept; the coordinates and states if there are none.
    pub columns: Vec<String>,
    /// After so many periods of the drive the first motion repeats.
    pub multiple: Option<u32>,
    /// The period of the drive as a formula of parameters; found in the equations if absent.
    pub period: Option<String>,
    /// Curves that leave others are followed to this depth: 0 for the first curve alone.
    pub depth: usize,
    /// Points of one curve at most.
    pub max_points: usize,
    /// How constraints enter: one whose state is that of the model.
    pub formulation: &'static catena_formulation::Entry,
    /// Options of the formulation.
    pub formulation_options: OptionValues,
    /// How motions are integrated.
    pub integrator: &'static catena_integrator::Entry,
    /// Tolerances and steps.
    pub integration: Options,
    /// How many threads may compute.
    pub threads: usize,
}

impl ContinuationRequest {
    /// Periodic motions, and the curves that leave them.
    pub fn new(model: &Model, over: FollowedQuantity, range: [f64; 2]) -> ContinuationRequest {
        ContinuationRequest {
            over,
            range,
            kind: FollowedKind::Motions,
            from_hopf: false,
            columns: Vec::new(),
            multiple: None,
            period: None,
            depth: 2,
            max_points: 400,
            formulation: TangentFlow::formulation_of(model),
            formulation_options: OptionValues::default(),
            integrator: for_exact_motions(),
            integration: Options {
                rtol: 1e-10,
                atol: 1e-12,
                max_steps: u64::MAX,
                ..Options::default()
            },
            threads: 1,
        }
    }

    /// Residuals below this, relative to the size of a motion, are none.
    pub(super) fn residual_tolerance(&self) -> f64 {
        const TO_INTEGRATION: f64 = 20.0;
        TO_INTEGRATION * self.integration.rtol
    }
}
