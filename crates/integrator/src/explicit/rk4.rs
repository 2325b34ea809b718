//! The classical Runge–Kutta method of order four.
//!
//! # Equations
//! $$k_1=f(t,y),\quad k_2=f(t+\tfrac h2,y+\tfrac h2k_1),\quad k_3=f(t+\tfrac h2,y+\tfrac h2k_2),\quad k_4=f(t+h,y+hk_3),$$
//! $$y_{new}=y+\tfrac h6(k_1+2k_2+2k_3+k_4)$$
//! Dense output is the quartic through both ends with their slopes and the slope of the Hermite cubic's state at θ = 3/4.
//!
//! # When to choose it
//! Short smooth motions at a fixed step, and as the reference everyone knows. It loses energy slowly but steadily.
//!
//! # Reference
//! Kutta 1901.

use super::tableau::{ErrorEstimator, Extra, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "rk4",
    aliases: &["runge-kutta"],
    summary: "the classical method with four slopes",
    reference: "Kutta 1901",
    order: 4,
    dense_order: 4,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod = ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Fixed };

static TABLEAU: Tableau = Tableau {
    c: &[0.0, 0.5, 0.5, 1.0],
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    estimate: ErrorEstimator::None,
    extra: &[Extra { c: 0.75, a: &[0.1875, 0.28125, 0.28125, 0.140625, -0.140625] }],
    dense: &[&[-2.0 / 3.0, 2.0, 2.0, 1.0, 1.0, -16.0 / 3.0]],
    boundary: 2.73,
    imaginary_boundary: 2.76,
};

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 4, 0, 4);
    }
}
