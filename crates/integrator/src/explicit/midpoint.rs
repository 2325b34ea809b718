//! The explicit midpoint rule: the slope in the middle, found with half an Euler step.
//!
//! # Equations
//! $$k_1=f(t,y),\qquad k_2=f(t+\tfrac h2,y+\tfrac h2k_1),\qquad y_{new}=y+hk_2$$
//!
//! # When to choose it
//! As `heun`; `implicit-midpoint` is the one that keeps energy in bounds.
//!
//! # Reference
//! Runge 1895.

use super::tableau::{ErrorEstimator, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "midpoint",
    aliases: &["explicit-midpoint"],
    summary: "slope in the middle of the step",
    reference: "Runge 1895",
    order: 2,
    dense_order: 2,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod = ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Fixed };

static TABLEAU: Tableau = Tableau {
    c: &[0.0, 0.5],
    a: &[&[], &[0.5]],
    b: &[0.0, 1.0],
    estimate: ErrorEstimator::None,
    extra: &[],
    dense: &[],
    boundary: 1.96,
    imaginary_boundary: 0.0,
};

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 2, 0, 2);
    }
}
