//! What can go wrong while the motion is evaluated.

/// Why accelerations could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Breakdown {
    /// A quantity became infinite or undefined.
    #[error("{quantity} is not finite")]
    NotFinite {
        /// Which.
        quantity: String,
    },
    /// A matrix that must be solved with is singular.
    #[error("{matrix} is singular: {cause}")]
    Singular {
        /// Which.
        matrix: &'static str,
        /// The coordinate or constraint that is to blame.
        cause: String,
    },
    /// Newton's method does not lead back to the constraints.
    #[error(
        "the constraint `{constraint}` is missed by {error:.1e}, and there is no way back to it"
    )]
    OffConstraints {
        /// The one that is missed most.
        constraint: String,
        /// By how much.
        error: f64,
    },
}
