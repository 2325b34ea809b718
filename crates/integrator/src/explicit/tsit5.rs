//! The pair of Tsitouras, orders 5 and 4, with smaller error constants than Dormand and Prince.
//!
//! # Equations
//! Six stages and the slope at the new state. The weights were found with only the first column simplifying assumption,
//! hence no fractions. The free interpolant of order 4 has the slopes of $f$ at both ends, so it is the Hermite cubic
//! and $\theta^2(1-\theta)^2h\sum d_ik_i$, where $d_i$ is the coefficient of $\theta^4$ in the paper's $b_i(\theta)$.
//!
//! # When to choose it
//! As `dopri5`, usually with a few steps less.
//!
//! # Reference
//! Tsitouras 2011.

use super::dopri5::GAINS;
use super::tableau::{ErrorEstimator, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "tsit5",
    aliases: &[],
    summary: "adaptive, orders 5 and 4, with small error constants",
    reference: "Tsitouras 2011",
    order: 5,
    dense_order: 4,
    ..Entry::explicit(&METHOD)
};

static METHOD: ExplicitMethod =
    ExplicitMethod { tableau: &TABLEAU, control: ControlRule::Pi(GAINS) };

static TABLEAU: Tableau = Tableau {
    c: &[0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0],
    a: &[
        &[],
        &[0.161],
        &[-0.008480655492356989, 0.335480655492357],
        &[2.8971530571054935, -6.359448489975075, 4.3622954328695815],
        &[5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525],
        &[
            5.86145544294642,
            -12.92096931784711,
            8.159367898576159,
            -0.071584973281401,
            -0.028269050394068383,
        ],
    ],
    b: &[
        0.09646076681806523,
        0.01,
        0.4798896504144996,
        1.379008574103742,
        -3.290069515436081,
        2.324710524099774,
    ],
    estimate: ErrorEstimator::Embedded(&[
        -0.001780011052225777,
        -0.0008164344596567469,
        0.007880878010261995,
        -0.1447110071732629,
        0.5823571654525552,
        -0.45808210592918697,
        1.0 / 66.0,
    ]),
    extra: &[],
    dense: &[&[
        -1.0530884977290216,
        0.1017,
        2.490627285651253,
        -16.548102889244902,
        47.37952196281928,
        -34.87065786149661,
        2.5,
    ]],
    boundary: 3.45,
    imaginary_boundary: 0.47,
};

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 5, 4, 4);
    }
}
