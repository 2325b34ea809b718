//! Euler's method: one slope, taken at the start.
//!
//! # Equations
//! $$y_{n+1}=y_n+h\,f(t_n,y_n)$$
//!
//! # When to choose it
//! To see what the better ones are better than: first order, and oscillations gain energy at every step.
//!
//! # Reference
//! Euler 1768.

use super::tableau::{ErrorEstimator, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "euler",
    aliases: &["forward-euler"],
    summary: "one slope at the start of the step",
    reference: "Euler 1768",
    order: 1,
    dense_order: 1,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod = ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Fixed };

static TABLEAU: Tableau = Tableau {
    c: &[0.0],
    a: &[&[]],
    b: &[1.0],
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
        assert_conditions(&super::TABLEAU, 1, 0, 1);
    }
}
