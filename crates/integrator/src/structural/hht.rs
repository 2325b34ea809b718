//! The method of Hilber, Hughes and Taylor on the constrained system.
//!
//! # Equations
//! Those of the family with $\alpha_m=0$, $\alpha_f=\alpha$, $\gamma=\tfrac12+\alpha$,
//! $\beta=\tfrac14(1+\alpha)^2$.
//!
//! # When to choose it
//! Stiff structures with constraints: order 2 with damping of what the step cannot resolve, the more the larger α, up to
//! 1/3. `generalized-alpha` damps the rest of the motion less.
//!
//! # Reference
//! H. M. Hilber, T. J. R. Hughes, R. L. Taylor, *Improved numerical dissipation for time integration algorithms in
//! structural dynamics*, 1977.

use super::{Coefficients, Structural};
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::integrator::Integrator;
use crate::integrator_option::{IntegratorOption, MAX_STEPS, NEWTON_TOL, STEP};
use crate::options::Options;
use crate::stepper::Stepper;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "hht",
    aliases: &["hht-alpha"],
    summary: "on the constrained system itself: Newmark with damping of what is too fast",
    reference: "Hilber, Hughes, Taylor 1977",
    order: 2,
    dense_order: 2,
    ..Entry::structural(&[ALPHA, STEP, MAX_STEPS, NEWTON_TOL], build)
};

const ALPHA: IntegratorOption = IntegratorOption::own("alpha", "damping, from 0 to 1/3", 0.1);

fn build(options: &Options) -> Box<dyn Integrator> {
    let alpha = options.own(&ALPHA);
    let coefficients = Coefficients {
        alpha_m: 0.0,
        alpha_f: alpha,
        gamma: 0.5 + alpha,
        beta: 0.25 * (1.0 + alpha) * (1.0 + alpha),
    };
    let method = Structural::new("hht", coefficients, options);
    Stepper::build(options, method, Fixed::boxed(options))
}
