//! Newmark's method on the constrained system.
//!
//! # Equations
//! Those of the family with $\alpha_m=\alpha_f=0$: $a=\dot v$. The trapezoidal rule at $\gamma=\tfrac12$,
//! $\beta=\tfrac14$; of order 2 at $\gamma=\tfrac12$, else of order 1. Where $\beta$ is not given it is
//! $\tfrac14(\gamma+\tfrac12)^2$, which damps fast parts most.
//!
//! # When to choose it
//! To compare. With constraints and $\gamma=\tfrac12$ nothing damps the multipliers: they ring at the step's own
//! frequency, and in a long run the ringing grows until Newton's method fails. `generalized-alpha` cures that.
//!
//! # Reference
//! N. M. Newmark, *A method of computation for structural dynamics*, 1959.

use super::{Coefficients, Structural};
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::integrator::Integrator;
use crate::integrator_option::{IntegratorOption, MAX_STEPS, NEWTON_TOL, STEP};
use crate::options::Options;
use crate::stepper::Stepper;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "newmark",
    aliases: &["trapezoidal"],
    summary: "on the constrained system itself: the trapezoidal rule; its multipliers ring",
    reference: "Newmark 1959",
    order: 2,
    dense_order: 2,
    ..Entry::structural(&[GAMMA, BETA, STEP, MAX_STEPS, NEWTON_TOL], build)
};

const GAMMA: IntegratorOption =
    IntegratorOption::own("gamma", "1/2 for order 2; more damps and costs an order", 0.5);
const BETA: IntegratorOption = IntegratorOption {
    default: None,
    ..IntegratorOption::own(
        "beta",
        "weight of the new acceleration in the positions; (gamma + 1/2)^2/4 if absent",
        0.25,
    )
};

fn build(options: &Options) -> Box<dyn Integrator> {
    let gamma = options.own_number(&GAMMA);
    let beta = match options.own_number(&BETA) {
        beta if beta.is_finite() => beta,
        _ => (gamma + 0.5).powi(2) / 4.0,
    };
    let coefficients = Coefficients { alpha_m: 0.0, alpha_f: 0.0, gamma, beta };
    let method = Structural::new("newmark", coefficients, options);
    Stepper::build(options, method, Fixed::boxed(options))
}
