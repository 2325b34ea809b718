//! Dormand and Prince's method of order 8 with Hairer's estimate of orders 5 and 3.
//!
//! # Equations
//! Twelve stages. Two estimates, $e_5$ of order 5 and $e_3$ of order 3, are joined to
//! $$err=\frac{e_5^2}{\sqrt{e_5^2+0.01\,e_3^2}},$$
//! which behaves as $h^8$ and does not vanish when one of them happens to. Dense output of order 7 needs three more
//! stages behind the new slope.
//!
//! # When to choose it
//! Tight tolerances, 10⁻⁷ to 10⁻¹³, long smooth motions, reference solutions. Twelve evaluations a step, and three more
//! for dense output in the steps where it is asked for.
//!
//! # Reference
//! Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 1993, II.5, II.6 and II.10.

use super::dop853_coefficients::{A, B, C, DENSE, EXTRA, FIFTH, THIRD};
use super::tableau::{ErrorEstimator, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;
use crate::control::pi::PiGains;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "dop853",
    aliases: &["rk853"],
    summary: "adaptive, order 8, for tight tolerances",
    reference: "Hairer, Nørsett, Wanner 1993",
    order: 8,
    dense_order: 7,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod =
    ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Pi(GAINS) };

/// Hairer's constants for this method; he does without the integral part.
const GAINS: PiGains = PiGains { p: 8.0, beta: 0.0, shrink: 0.333, grow: 6.0 };

static TABLEAU: Tableau = Tableau {
    c: C,
    a: A,
    b: B,
    estimate: ErrorEstimator::Pair { fifth: FIFTH, third: THIRD },
    extra: EXTRA,
    dense: DENSE,
    boundary: 6.1,
    imaginary_boundary: 5.8,
};

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;
    use super::*;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&TABLEAU, 5, 5, 5);
    }

    #[test]
    fn quadrature_is_exact_to_order_eight_and_the_third_estimate_to_order_three() {
        for power in 0..8 {
            let sum: f64 = B.iter().zip(C).map(|(b, c)| b * c.powi(power)).sum();
            assert!((sum - 1.0 / f64::from(power + 1)).abs() < 1e-14, "power {power}");
            let third: f64 = THIRD.iter().zip(C).map(|(e, c)| e * c.powi(power)).sum();
            assert_eq!(third.abs() < 1e-14, power < 3, "power {power}: {third:e}");
        }
    }
}
