//! Which derivative of the equations Newton's method uses.

/// Which derivative of the equations Newton's method uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tangent {
    /// The derivative itself.
    #[default]
    Full,
    /// Without the second derivatives of the constraints.
    GaussNewton,
    /// As printed in the study of the penalty formulation: the matrix of the force, squared.
    Paper,
}

impl Tangent {
    /// All of them.
    pub const ALL: [Tangent; 3] = [Tangent::Full, Tangent::GaussNewton, Tangent::Paper];

    /// The name that commands take.
    pub fn name(self) -> &'static str {
        match self {
            Tangent::Full => "full",
            Tangent::GaussNewton => "gauss-newton",
            Tangent::Paper => "paper",
        }
    }
}
