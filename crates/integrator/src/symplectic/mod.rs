//! Symplectic methods for separable systems: the energy error swings but does not grow.

pub(crate) mod leapfrog;
pub(crate) mod symplectic_euler;

use crate::error::IntegrationError;
use crate::system::FirstOrderSystem;

/// The number of positions of a separable system, or why it is not one.
fn separable_positions(
    method: &'static str,
    system: &dyn FirstOrderSystem,
) -> Result<usize, IntegrationError> {
    let unsuitable = |reason| Err(IntegrationError::Unsuitable { method, reason });
    match system.partition() {
        Some(partition) if partition.separable => Ok(partition.positions),
        Some(_) => unsuitable(
            "its accelerations depend on the velocities; the method needs a constant mass matrix and forces \
             that depend on positions and time alone (try implicit-midpoint or gauss4)",
        ),
        None => unsuitable(
            "its state is not made of positions and their rates (try implicit-midpoint or gauss4)",
        ),
    }
}
