//! What the implicit methods' Newton iterations have in common.

use crate::breakdown::Breakdown;
use crate::method::{Failure, Work};
use crate::tangent::Tangent;

/// Iterations after which a fixed step gives up.
pub(crate) const MAX_ITERATIONS: u32 = 50;

/// ∂f/∂y, counted.
pub(crate) fn jacobian(
    work: &mut Work<'_>,
    t: f64,
    y: &[f64],
    tangent: Tangent,
    jacobian: &mut [f64],
) -> Result<(), Breakdown> {
    work.statistics.jacobians += 1;
    work.system.jacobian(t, y, tangent, jacobian)
}

/// Newton's method failed; the step should be halved.
pub(crate) fn failed(iterations: u32, change: f64) -> Failure {
    Failure::Newton { iterations, change, factor: 0.5 }
}

/// a / b, where nothing beside nothing is nothing.
pub(crate) fn ratio(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}
