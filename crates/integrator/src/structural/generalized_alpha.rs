//! The generalized-α method on the constrained system.
//!
//! # Equations
//! Those of the family with one knob, the spectral radius $\rho_\infty$ at infinite frequency:
//! $$\alpha_m=\frac{2\rho_\infty-1}{\rho_\infty+1},\quad\alpha_f=\frac{\rho_\infty}{\rho_\infty+1},\quad
//! \gamma=\tfrac12+\alpha_f-\alpha_m,\quad\beta=\tfrac14\left(\gamma+\tfrac12\right)^2.$$
//!
//! # When to choose it
//! Mechanisms with stiff springs, redundant constraints or singular poses, at fixed steps: order 2 in positions,
//! velocities and multipliers, positions on the constraints to rounding, and damping only of what the step cannot
//! resolve. $\rho_\infty=1$ damps nothing, 0 forgets it in one step.
//!
//! # Reference
//! J. Chung, G. M. Hulbert, *A time integration algorithm for structural dynamics with improved numerical dissipation*,
//! 1993; M. Arnold, O. Brüls 2007.

use super::{Coefficients, Structural};
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::integrator::Integrator;
use crate::integrator_option::{IntegratorOption, MAX_STEPS, NEWTON_TOL, STEP};
use crate::options::Options;
use crate::stepper::Stepper;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "generalized-alpha",
    aliases: &["gen-alpha"],
    summary: "on the constrained system itself: order 2, damps what is too fast and little else",
    reference: "Chung, Hulbert 1993; Arnold, Brüls 2007",
    order: 2,
    dense_order: 2,
    ..Entry::structural(&[RHO, STEP, MAX_STEPS, NEWTON_TOL], build)
};

const RHO: IntegratorOption =
    IntegratorOption::own("rho", "spectral radius at infinite frequency, from 0 to 1", 0.8);

fn build(options: &Options) -> Box<dyn Integrator> {
    let rho = options.own(&RHO);
    let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
    let gamma = 0.5 + alpha_f - alpha_m;
    let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    let coefficients = Coefficients { alpha_m, alpha_f, beta, gamma };
    let method = Structural::new("generalized-alpha", coefficients, options);
    Stepper::build(options, method, Fixed::boxed(options))
}
