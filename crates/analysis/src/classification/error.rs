//! Why nothing can be classified.

use crate::{PeriodError, Refusal};
use catena_ensemble::SweepError;
use catena_simulation::{FlowError, RunFailure};

/// Why nothing can be classified.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassifyError {
    /// The drive has no period.
    #[error(transparent)]
    Period(#[from] PeriodError),
    /// Nothing is left free.
    #[error("nothing moves by itself: motors and constraints prescribe the whole motion")]
    Prescribed,
    /// The trajectories cannot be run.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

impl From<ClassifyError> for Refusal {
    fn from(error: ClassifyError) -> Refusal {
        let message = error.to_string();
        match error {
            ClassifyError::Period(error) => error.into(),
            ClassifyError::Prescribed => {
                Refusal::of_model(message, "such a motion repeats as its drive does")
            }
            ClassifyError::Sweep(SweepError::Flow(FlowError::Jump { .. })) => Refusal::of_model(
                message,
                "write the jump as a steep smooth function, as in tanh(v/0.01) for sign(v)",
            ),
            ClassifyError::Sweep(SweepError::Flow(_)) => Refusal::of_question(
                message,
                "leave out {formulation}: one that has tangent vectors is then taken",
            ),
            ClassifyError::Sweep(SweepError::Device(error)) => Refusal::of_device(&error),
            ClassifyError::Sweep(SweepError::Run(run)) => RunFailure::Run(run).into(),
            ClassifyError::Sweep(SweepError::UnknownAxis { meant: Some(meant), .. }) => {
                Refusal::of_question(message, format!("did you mean `{meant}`?"))
            }
            ClassifyError::Sweep(_) => {
                Refusal::of_model(message, "{check} says more about the model")
            }
        }
    }
}
