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

use super::ExplicitMethod;
use super::dopri5::with_dense;
use super::tableau::Tableau;
use crate::catalogue::Entry;
use crate::control::fixed::Fixed;
use crate::control::matlab::Matlab;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "ode45",
    aliases: &["matlab"],
    summary: "adaptive, orders 5 and 4, with MATLAB's step control",
    reference: "Shampine, Reichelt 1997",
    order: 5,
    dense_order: 4,
    adaptive: true,
    structural: false,
    implicit: false,
    options: &[
        ("rtol", "RelTol; must be > 0"),
        ("atol", "AbsTol"),
        ("first_step", "distance to the first output in s, a bound on the first step"),
        ("max_step", "longest step in s; a tenth of the interval if absent"),
        ("max_steps", "bound on accepted and rejected steps"),
        ("step", "a fixed step in s; nothing is controlled then"),
    ],
    lanes: Some(&METHOD),
    build: |options| METHOD.build(options),
};

static METHOD: ExplicitMethod = ExplicitMethod {
    tableau: &TABLEAU,
    control: |options| match options.step {
        Some(_) => Fixed::boxed(options),
        None => Matlab::boxed(options),
    },
};

static TABLEAU: Tableau = with_dense(&[&[
    -145.0 / 128.0,
    0.0,
    1000.0 / 371.0,
    -375.0 / 64.0,
    25515.0 / 6784.0,
    -55.0 / 28.0,
    5.0 / 2.0,
]]);

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 5, 4, 4);
    }
}
