//! What can go wrong while a right-hand side is evaluated.

/// Why the rate of a state could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Breakdown {
    /// A quantity became infinite or undefined.
    #[error("{quantity} is not finite")]
    NotFinite {
        /// What it is, ready to begin a sentence: ``the acceleration of `x` ``.
        quantity: String,
    },
    /// A matrix that must be solved with is singular.
    #[error("{matrix} is singular: {cause}")]
    Singular {
        /// What it is, ready to begin a sentence: `the mass matrix`.
        matrix: &'static str,
        /// The coordinate or constraint that is to blame.
        cause: String,
    },
    /// Newton's method does not lead back to the constraints.
    #[error(
        "the constraint `{constraint}` is missed by {error:.1e}, and there is no way back to it"
    )]
    OffConstraints {
        /// The name of the one that is missed most.
        constraint: String,
        /// The residual of that constraint, in its own unit.
        error: f64,
    },
}
