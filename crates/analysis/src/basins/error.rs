//! Why there are no basins.

use crate::{ClassifyError, PeriodError, Refusal};
use catena_ensemble::SweepError;

/// Why there are no basins.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BasinsError {
    /// Another number of axes than two.
    #[error("basins are mapped over two initial values, and {count} are given")]
    NotTwo {
        /// How many there are.
        count: usize,
    },
    /// An axis that is no initial value.
    #[error(
        "`{name}` is not an initial value of this model: basins are mapped over where motions begin"
    )]
    NoStart {
        /// The axis.
        name: String,
    },
    /// Volumes of phase space are kept.
    #[error(
        "the model has no attractors: it has no damping, and every start keeps a motion of its own"
    )]
    Conservative,
    /// Every start ends in a motion of its own.
    #[error(
        "the model has no attractors that could be listed: more than {count} different motions were found"
    )]
    NoAttractors {
        /// How many motions were found before it was given up.
        count: usize,
    },
    /// Nothing can be classified.
    #[error(transparent)]
    Classify(#[from] ClassifyError),
}

impl From<SweepError> for BasinsError {
    fn from(error: SweepError) -> BasinsError {
        BasinsError::Classify(error.into())
    }
}

impl From<PeriodError> for BasinsError {
    fn from(error: PeriodError) -> BasinsError {
        BasinsError::Classify(error.into())
    }
}

impl From<BasinsError> for Refusal {
    fn from(error: BasinsError) -> Refusal {
        let message = error.to_string();
        match error {
            BasinsError::Classify(error) => error.into(),
            BasinsError::NotTwo { .. } => Refusal::of_question(
                message,
                "write {over} theta=-pi:pi:200 and {over} \"theta'=-3:3:200\" with names of the model",
            ),
            BasinsError::NoStart { .. } => Refusal::of_question(
                message,
                "name a coordinate, its rate or a state; a map over parameters is a classification",
            ),
            BasinsError::Conservative | BasinsError::NoAttractors { .. } => Refusal::of_model(
                message,
                "attractors need damping; a map of what each start does is a classification",
            ),
        }
    }
}
