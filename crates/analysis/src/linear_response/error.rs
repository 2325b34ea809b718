//! Why there is no linear response.

use super::transfer::TransferError;
use crate::response::ResponseError;
use crate::rest::RestError;
use catena_model::plain;

/// Why there is no linear response.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearResponseError {
    /// The frequencies, or the values of the parameter, are out of range.
    #[error(transparent)]
    Request(#[from] ResponseError),
    /// Nothing is known about the system at rest.
    #[error(transparent)]
    Rest(#[from] RestError),
    /// There is no transfer function.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// A curve for each value of something that is no parameter.
    #[error("`{name}` is not a parameter of this model, so it has no curve for each of its values")]
    NoParameter {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        meant: Option<String>,
        /// The parameters there are.
        known: Vec<String>,
    },
    /// One of the frequencies is an undamped resonance.
    #[error("there is no finite response at {parameter} = {}: an undamped resonance", plain(*.value))]
    Resonance {
        /// The parameter that is the frequency.
        parameter: String,
        /// Its value there.
        value: f64,
    },
    /// The drive has no name.
    #[error("the drive has no name: no definition and no output depends on time alone")]
    NamelessInput,
    /// Several quantities could be the input.
    #[error("several quantities depend on time alone: {}", .candidates.join(", "))]
    SeveralInputs {
        /// Definitions or outputs that qualify.
        candidates: Vec<String>,
    },
    /// The input stands still.
    #[error("the drive does not move the input `{name}` while the system rests")]
    StillInput {
        /// The input that was named.
        name: String,
        /// What depends on time alone.
        candidates: Vec<String>,
    },
}
