//! The pair of Tsitouras, orders 5 and 4, with smaller error constants than Dormand and Prince.
//!
//! # Equations
//! Six stages and the slope at the new state. The weights were found with only the first column simplifying assumption,
//! hence no fractions. The free interpolant of order 4 has the slopes of $f$ at both ends, so it is the Hermite cubic
//! and $\theta^2(1-\theta)^2h\sum d_ik_i$, where $d_i$ is the coefficient of $\theta^4$ in the paper's $b_i(\theta)$. As in
//! `dopri5` it gives states at θ = 1/5 and 1/2, whose slopes make dense output of order 5.
//!
//! # When to choose it
//! As `dopri5`, usually with a few steps less.
//!
//! # Reference
//! Tsitouras 2011.

use super::dopri5::GAINS;
use super::tableau::{ErrorEstimator, Extra, Tableau};
use super::{ControlRule, ExplicitMethod};
use crate::catalogue::Entry;

/// The catalogue row.
pub(crate) static ENTRY: Entry = Entry {
    name: "tsit5",
    aliases: &[],
    summary: "adaptive, orders 5 and 4, with small error constants",
    reference: "Tsitouras 2011",
    order: 5,
    dense_order: 5,
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
    extra: &[
        Extra {
            c: 0.2,
            a: &[
                0.11107285420721583,
                0.00364352,
                0.11366858215578003,
                -0.28021454225788034,
                0.8707485326428211,
                -0.6509189467479367,
                0.032,
            ],
        },
        Extra {
            c: 0.5,
            a: &[
                0.10741235230096877,
                0.01135625,
                0.3956090305604531,
                -0.34475214352593536,
                1.3161853649581645,
                -1.0170608542936512,
                0.03125,
            ],
        },
    ],
    dense: &[
        &[
            -2.7106176995458044,
            0.03,
            1.4396689512434988,
            4.137025722311226,
            -9.870208546308243,
            6.974131572299322,
            0.125,
            125.0 / 24.0,
            -16.0 / 3.0,
        ],
        &[
            1.6849415963664345,
            -0.24,
            -11.51735160994799,
            -33.09620577848981,
            78.96166837046594,
            -55.79305257839457,
            4.0,
            0.0,
            16.0,
        ],
    ],
    boundary: 3.45,
    imaginary_boundary: 0.47,
};

#[cfg(test)]
mod tests {
    use super::super::tableau::tests::assert_conditions;

    #[test]
    fn the_tableau_satisfies_its_order_conditions() {
        assert_conditions(&super::TABLEAU, 5, 4, 5);
    }
}
