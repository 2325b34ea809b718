//! Continuation: families of periodic motions and of equilibria over a parameter, with their stability and the points
//! where it changes.
//!
//! `equations` are those of multiple shooting and of rest, on the constraints. `curve` predicts and corrects, `tracer`
//! follows one curve, `special` locates what happens on it, `switching` goes over to the curves that leave there, `start`
//! finds the first solution, `observer` keeps what is shown, and `driver` puts them in order.
//!
//! # Equations
//! Of a periodic motion with the flow $\varphi$ the states $x_i$ at nodes along the period T are unknown, with the parameter p:
//! $$\varphi_{T/N}(x_i, p) - x_{i+1} = 0,\qquad x_N = x_0 + 2\pi k,\qquad \tau\cdot(X - X_0) = s,$$
//! where X are all unknowns and τ is the tangent of the curve: pseudo-arclength. Of an equilibrium the first two are those of rest.
//! Floquet multipliers are the eigenvalues of the product of the derivatives of all segments.
//!
//! # When to choose it
//! To find what a motion never settles to: unstable orbits, both sides of a fold, the branches that leave, and where exactly. Begin with
//! `response` or `bifurcation` to see where something happens.
//!
//! # Reference
//! E. Doedel, H. B. Keller, J. P. Kernevez, *Numerical analysis and control of bifurcation problems*, 1991; R. Seydel, *Practical
//! Bifurcation and Stability Analysis*, 2010, chapters 4 to 7

mod curve;
mod curve_point;
mod driver;
mod equations;
mod error;
mod family;
mod nodes;
mod observer;
mod precision;
mod request;
mod special;
mod spectrum;
mod start;
mod switching;
mod tracer;

pub use driver::continuation;
pub(crate) use driver::continuation_shown;
pub use error::ContinuationError;
pub use request::{ContinuationRequest, FollowedKind, FollowedQuantity};
pub use special::SpecialKind;

use catena_linear::{Complex, ProductEigenvalue};

/// Families of solutions over a parameter.
#[derive(Clone, Debug)]
pub struct SolutionCurves {
    /// What is varied.
    pub followed: FollowedQuantity,
    /// The columns whose amplitudes, or values at rest, are known.
    pub columns: Vec<String>,
    /// The first begins at the start of the range; others leave it at special points.
    pub branches: Vec<SolutionBranch>,
    /// How much tighter tolerances change the amplitudes of one motion, relative to their size.
    pub integration_error: Option<f64>,
    /// Whether all of it is known; else the caller has stopped it.
    pub complete: bool,
}

/// One curve of solutions.
#[derive(Clone, Debug)]
pub struct SolutionBranch {
    /// States of rest, or motions.
    pub kind: FollowedKind,
    /// The number of periods of the drive after which its motions repeat; none without a drive.
    pub multiple: Option<u32>,
    /// The place of the special point where it begins: the number of a branch, and of a point there.
    pub origin: Option<(usize, usize)>,
    /// In the order in which they were found.
    pub points: Vec<MotionPoint>,
    /// Where it ends, in words.
    pub end: String,
}

/// One solution.
#[derive(Clone, Debug)]
pub struct MotionPoint {
    /// The value of the parameter that is varied.
    pub parameter: f64,
    /// s; 0 for an equilibrium.
    pub period: f64,
    /// ε of the acceleration ε v that a conservative system is given, 1/s: 0 for every motion of the model.
    pub unfolding: f64,
    /// Half the peak-to-peak value of each column in a period; of an equilibrium its value there.
    pub amplitudes: Vec<f64>,
    /// The largest absolute value of each column.
    pub largest: Vec<f64>,
    /// Floquet multipliers, the largest first, without the trivial ones.
    pub multipliers: Vec<ProductEigenvalue>,
    /// Eigenvalues of an equilibrium, 1/s, the largest real part first.
    pub eigenvalues: Vec<Complex>,
    /// The distance of the trivial multiplier from 1, where there is one.
    pub trivial_error: Option<f64>,
    /// How many multipliers lie outside of the unit circle, or eigenvalues in the right half-plane.
    pub unstable: usize,
    /// What happens there, and how far tighter tolerances move it, where that was looked at.
    pub special: Option<SpecialPoint>,
    /// The residual of the equations, relative to the size of the motion.
    pub residual: f64,
    /// Coordinates, velocities and states at the beginning of the period.
    pub state: Vec<f64>,
}

/// What happens at a point, and how well its place is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecialPoint {
    /// What happens.
    pub kind: SpecialKind,
    /// How far tighter tolerances move what is followed; none where it was not looked at.
    pub error: Option<f64>,
}

impl MotionPoint {
    /// Whether neighbouring motions come closer, or stay near.
    pub fn is_stable(&self) -> bool {
        self.unstable == 0
    }
}
