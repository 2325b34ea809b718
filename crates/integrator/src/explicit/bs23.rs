//! The pair of Bogacki and Shampine, orders 3 and 2.
//!
//! # Equations
//! $$c=\left(0,\tfrac12,\tfrac34\right),\qquad y_{new}=y+h\left(\tfrac29k_1+\tfrac13k_2+\tfrac49k_3\right),\qquad
//! \hat y=y+h\left(\tfrac7{24}k_1+\tfrac14k_2+\tfrac13k_3+\tfrac18k_4\right),\quad k_4=f(t+h,y_{new}).$$
//! Three evaluations a step, for $k_4$ is the next $k_1$.
//!
//! # When to choose it
//! Loose tolerances (above 10⁻³), rough forces. MATLAB's `ode23` has the same tableau.
//!
//! # Reference
//! Bogacki, Shampine 1989.

use super::tableau::{ErrorEstimator, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;
use crate::control::pi::PiGains;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "bs23",
    aliases: &["rk23"],
    summary: "adaptive, orders 3 and 2, for loose tolerances",
    reference: "Bogacki, Shampine 1989",
    order: 3,
    dense_order: 3,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod =
    ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Pi(GAINS) };

const GAINS: PiGains = PiGains { p: 3.0, beta: 0.04, shrink: 0.2, grow: 10.0 };

static TABLEAU: Tableau = Tableau {
    c: &[0.0, 1.0 / 2.0, 3.0 / 4.0],
    a: &[&[], &[1.0 / 2.0], &[0.0, 3.0 / 4.0]],
    b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
    estimate: ErrorEstimator::Embedded(&[
        2.0 / 9.0 - 7.0 / 24.0,
        1.0 / 3.0 - 1.0 / 4.0,
        4.0 / 9.0 - 1.0 / 3.0,
        -1.0 / 8.0,
    ]),
    extra: &[],
    dense: &[],
    boundary: 2.47,
    imaginary_boundary: 1.7,
};

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 3, 2, 3);
    }
}
