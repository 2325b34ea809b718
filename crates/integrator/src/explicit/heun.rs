//! Heun's method: the mean of the slopes at both ends.
//!
//! # Equations
//! $$k_1=f(t,y),\qquad k_2=f(t+h,y+hk_1),\qquad y_{new}=y+\tfrac h2(k_1+k_2)$$
//!
//! # When to choose it
//! Teaching, and right-hand sides with jumps at the ends of steps; otherwise `rk4` buys more with twice the work.
//!
//! # Reference
//! Heun 1900.

use super::tableau::{ErrorEstimator, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "heun",
    aliases: &["rk2"],
    summary: "mean of the slopes at both ends",
    reference: "Heun 1900",
    order: 2,
    dense_order: 2,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod = ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Fixed };

static TABLEAU: Tableau = Tableau {
    c: &[0.0, 1.0],
    a: &[&[], &[1.0]],
    b: &[0.5, 0.5],
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
