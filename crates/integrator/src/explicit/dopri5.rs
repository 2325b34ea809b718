//! The pair of Dormand and Prince, orders 5 and 4: the workhorse.
//!
//! # Equations
//! Six stages and the slope at the new state, which is the next first stage; the difference to the embedded method of
//! order 4 is the error estimate. Dense output is of order 5 like the steps: Hairer's quartic gives states at θ = 1/5 and
//! 1/2, and the quintic through both ends has the slopes of the equations there. The two places make its error least
//! (1.6 times that of the step, in the norm of the trees of order 6); only steps that hold rows pay for them.
//!
//! # When to choose it
//! The default for smooth, non-stiff motions at tolerances from 10⁻³ to 10⁻⁸. Stiff penalties or dampers make it crawl:
//! then `radau5`.
//!
//! # Reference
//! Dormand, Prince 1980; Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, 1993, II.5 and II.6.

use super::tableau::{ErrorEstimator, Extra, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;
use crate::control::pi::PiGains;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "dopri5",
    aliases: &["rk45"],
    summary: "adaptive, orders 5 and 4: the workhorse for smooth motions",
    reference: "Dormand, Prince 1980",
    order: 5,
    dense_order: 5,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod =
    ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Pi(GAINS) };

/// Hairer's constants for methods of order 5.
pub(super) const GAINS: PiGains = PiGains { p: 5.0, beta: 0.04, shrink: 0.2, grow: 10.0 };

static TABLEAU: Tableau = with_dense(
    &[
        Extra {
            c: 0.2,
            a: &[
                0.10862751699277781,
                0.0,
                0.11521144182186273,
                -0.07784115688333237,
                0.05663434597726282,
                -0.031623352562091464,
                0.028991204653520477,
            ],
        },
        Extra {
            c: 0.5,
            a: &[
                0.10013431883002395,
                0.0,
                0.3918321794184259,
                -0.02982460176594817,
                0.05893268337240795,
                -0.04497888809104361,
                0.023904308236133973,
            ],
        },
    ],
    &[
        &[
            -349.0 / 128.0,
            0.0,
            1.3477088948787062,
            1.953125,
            -0.9671285377358491,
            11.0 / 28.0,
            0.125,
            125.0 / 24.0,
            -16.0 / 3.0,
        ],
        &[
            1.8125,
            0.0,
            -10.78167115902965,
            -15.625,
            7.7370283018867925,
            -22.0 / 7.0,
            4.0,
            0.0,
            16.0,
        ],
    ],
);

/// The tableau, with one of its several forms of dense output.
pub(super) const fn with_dense(
    extra: &'static [Extra],
    dense: &'static [&'static [f64]],
) -> Tableau {
    Tableau {
        c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
        a: &[
            &[],
            &[1.0 / 5.0],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
            &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
            &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        ],
        b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
        estimate: ErrorEstimator::Embedded(&[
            71.0 / 57600.0,
            0.0,
            -71.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339_200.0,
            22.0 / 525.0,
            -1.0 / 40.0,
        ]),
        extra,
        dense,
        boundary: 3.25,
        imaginary_boundary: 0.97,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 5, 4, 5);
    }
}
