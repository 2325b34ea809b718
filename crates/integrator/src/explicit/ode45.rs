//! Dormand–Prince 5(4) as MATLAB's `ode45` runs it, to repeat published studies.
//!
//! # Equations
//! The tableau of [`super::dopri5`] under the rules of [`crate::control::matlab`]. Dense output is the quartic of MATLAB's
//! `ntrp45`: its weights of $\theta^2(1-\theta)^2$ are Shampine's, another member of the family Hairer's belongs to,
//! of the same order but not the same between the steps.
//!
//! # When to choose it
//! To compare with results from MATLAB, step for step. `first_step` is the distance to the first output, as MATLAB takes
//! it from its time grid. For new work `dopri5` usually takes fewer steps.
//!
//! # Reference
//! Shampine, Reichelt, *The MATLAB ODE Suite*, 1997; Shampine 1986 for the quartic.

use super::dopri5::with_dense;
use super::tableau::Tableau;
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;
use crate::integrator_option::{ATOL, FIRST_STEP, FIXED_STEP, MAX_STEP, MAX_STEPS, RTOL};

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "ode45",
    aliases: &["matlab"],
    summary: "adaptive, orders 5 and 4, with MATLAB's step control",
    reference: "Shampine, Reichelt 1997",
    order: 5,
    dense_order: 4,
    options: &[
        RTOL.meaning("RelTol; must be above 0"),
        ATOL.meaning("AbsTol"),
        FIRST_STEP.meaning(
            "distance to the first output, a bound on the first step; the interval if absent",
        ),
        MAX_STEP.meaning("longest step; a tenth of the interval if absent"),
        MAX_STEPS,
        FIXED_STEP,
    ],
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod = ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Matlab };

static TABLEAU: Tableau = with_dense(
    &[],
    &[&[
        -145.0 / 128.0,
        0.0,
        1000.0 / 371.0,
        -375.0 / 64.0,
        25515.0 / 6784.0,
        -55.0 / 28.0,
        5.0 / 2.0,
    ]],
);

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 5, 4, 4);
    }
}
