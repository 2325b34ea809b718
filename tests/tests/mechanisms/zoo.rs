//! Linkages written as bodies and joints against the same ones written as energies and constraints,
//! and against the stored motions of the closed-chain study.

use crate::{column, gap, run};
use catena_tests::ready;

/// The same column in both models.
fn assert_same(bodies: &str, settings: &str, energies: &str, other: &str, pairs: &[(&str, &str)]) {
    let (bodies, energies) = (ready(bodies, &[settings]), ready(energies, &[other]));
    let (bodies, energies) = (run(&bodies, 3.0, 0.05), run(&energies, 3.0, 0.05));
    for (found, expected) in pairs {
        let gap = gap(column(&bodies, found), column(&energies, expected));
        println!("{settings} {found}: {gap:.1e}");
        assert!(gap <= 1e-9, "{settings} {found}: {gap:.1e}");
    }
}

#[test]
fn the_four_bar_linkage_of_bodies_moves_as_that_of_energies() {
    let pairs = [
        ("crank_x", "x2"),
        ("crank_angle", "theta2"),
        ("coupler_y", "y3"),
        ("coupler_angle", "theta3"),
        ("rocker_x", "x4"),
        ("rocker_angle", "theta4"),
        ("energy", "energy"),
        ("O_fx", "pin_O_x"),
        ("B_fy", "pin_B_y"),
    ];
    assert_same("four-bar-bodies", "g=9.81", "four-bar", "g=9.81", &pairs);
    assert_same("four-bar-bodies", "crank_angle'=12", "four-bar", "theta2'=12", &pairs);
}

#[test]
fn the_slider_crank_of_bodies_moves_as_that_of_energies() {
    let pairs = [
        ("crank_angle", "theta"),
        ("rod_angle", "phi"),
        ("slider_x", "x3"),
        ("crank_pin_fx", "crank_pin_force_x"),
        ("wrist_pin_fy", "wrist_pin_force_y"),
        ("guide_fy", "guide_force"),
    ];
    assert_same("slider-crank-bodies", "c=0", "slider-crank", "c=0", &pairs);
    assert_same("slider-crank-bodies", "c=4", "slider-crank", "c=4", &pairs);
    assert_same("slider-crank-bodies", "torque=0.4", "slider-crank", "torque=0.4", &pairs);
}

/// Rows of the closed-chain study, computed in 113-bit arithmetic in two ways that agree to 20 digits
/// or more: t, crank angle, rocker angle, and the multipliers of the pins O, B, C, D. The force on
/// the crank at O, on the coupler at B and on the rocker at C and D is minus the multiplier.
const FROM_REST: [[f64; 11]; 3] = [
    [
        1.0,
        -4.33849650188294,
        1.98414940705746,
        5.28035098808983,
        -16.3856392535975,
        3.53984173992625,
        -8.07259046319695,
        -4.55775897157235,
        7.86806343497524,
        8.27460777435505,
        -25.0314359858828,
    ],
    [
        2.5,
        1.04500405578043,
        1.5982768520544,
        -10.2516376214754,
        -21.2199925321112,
        -8.49567944263537,
        -12.4392041231657,
        -1.98853709907077,
        7.38466517869654,
        -0.28367307086219,
        -27.0643055180164,
    ],
    [
        5.0,
        1.03837458468835,
        1.59642223144514,
        -10.3190727283443,
        -21.037798248142,
        -8.52468456557063,
        -12.3271616762112,
        -1.94596062553212,
        7.32427923990032,
        -0.31301766228801,
        -26.9909535770266,
    ],
];
const SPINNING: [[f64; 11]; 4] = [
    [
        0.25,
        4.13425111636305,
        2.62262136404355,
        -289.096633773837,
        -447.778528903022,
        -237.028918397364,
        -358.71099787848,
        -61.0266553095204,
        -55.6855985956614,
        8.71562998438204,
        -55.1552498288729,
    ],
    [
        0.5,
        7.43864584115255,
        1.63249216226932,
        28.5903678707061,
        72.6050905572438,
        32.6126570641466,
        53.5026834093859,
        15.5950655453511,
        -3.74392405683914,
        7.57626085823702,
        -3.19501693556539,
    ],
    [
        1.0,
        13.8232774445438,
        1.66877258636827,
        15.8320682168217,
        55.7575634851004,
        19.4608918683454,
        41.071082008773,
        10.7480969793957,
        -7.94216665449807,
        4.25425689160703,
        2.51653584697322,
    ],
    [
        2.0,
        26.5792538493489,
        1.7463048302421,
        3.55472270077016,
        38.6762521513052,
        6.76788134916526,
        28.8254503885675,
        6.55599341238415,
        -11.2806057377526,
        0.0586687171003691,
        7.60882988011717,
    ],
];

#[test]
fn the_pins_of_the_four_bar_linkage_bear_the_forces_of_the_study() {
    let columns = [
        "crank_angle",
        "rocker_angle",
        "O_fx",
        "O_fy",
        "B_fx",
        "B_fy",
        "C_fx",
        "C_fy",
        "D_fx",
        "D_fy",
    ];
    let cases = [("crank_angle'=0", &FROM_REST[..]), ("crank_angle'=12", &SPINNING[..])];
    for (setting, rows) in cases {
        let model = ready("four-bar-bodies", &[setting]);
        for &[t, ref expected @ ..] in rows {
            let run = run(&model, t, t);
            for (place, (name, expected)) in columns.iter().zip(expected).enumerate() {
                let values = column(&run, name);
                let found = values[values.len() - 1];
                let expected = if place < 2 { *expected } else { -expected };
                let error = (found - expected).abs() / expected.abs().max(1.0);
                let tolerance = if place < 2 { 1e-9 } else { 1e-6 };
                assert!(error <= tolerance, "{setting}, {t} s: {name} {error:.1e}");
            }
        }
    }
}
