//! The defaults alone are right, and cheap, where a user would once have needed to know the name of a method: rigid
//! bodies in Euler parameters, loops with a constraint too many, stiff kinetics, stiff penalties, flat poses.

use catena::simulation::{Grade, Run, StopReason};
use catena::{Model, RunSettings, Setting, Source};
use catena_tests::{difference, ready, written};

macro_rules! model {
    ($name:literal) => {
        include_str!(concat!("defaults/", $name, ".toml"))
    };
}

/// Runs a model with nothing said but tolerances; it arrives and calls itself good.
fn run(model: &Model, rtol: f64, atol: f64) -> Run {
    let settings = RunSettings { rtol: Some(rtol), atol: Some(atol), ..RunSettings::default() };
    let run = catena::run(model, &settings).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished);
    assert_eq!(run.certificate.verdict.grade, Grade::Good, "{:?}", run.certificate.verdict);
    run
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_else(|| panic!("a column {name}"))
}

/// How far the column of the energy leaves its first value, J.
fn energy_error(run: &Run) -> f64 {
    let energy = column(run, "energy");
    energy.iter().map(|value| (value - energy[0]).abs()).fold(0.0, f64::max)
}

/// A body about a fixed point, by Euler's angles and in another way: places of its axes and rates agree, at no more than
/// twice the evaluations.
fn agrees_with_angles(angles: &str, other: &str) {
    let [angles, other] = [angles, other].map(|text| run(&written(text), 1e-12, 1e-12));
    for name in ["axis1_x", "axis1_z", "axis3_x", "axis3_y", "axis3_z", "rate1", "rate2", "rate3"] {
        let error = difference(column(&other, name), column(&angles, name));
        assert!(error <= 1e-7, "{name}: {error:.1e}");
    }
    let [few, many] = [&angles, &other].map(|run| run.certificate.statistics.evaluations);
    assert!(many <= 2 * few, "{many} evaluations, {few} by Euler's angles");
}

#[test]
fn a_symmetric_top_in_euler_parameters_moves_as_by_eulers_angles() {
    agrees_with_angles(model!("symmetric-top-angles"), model!("symmetric-top-parameters"));
}

#[test]
fn a_free_body_in_euler_parameters_moves_as_by_eulers_angles() {
    agrees_with_angles(model!("free-body-angles"), model!("free-body-parameters"));
}

#[test]
fn an_asymmetric_top_in_euler_parameters_moves_as_by_eulers_angles() {
    agrees_with_angles(model!("asymmetric-top-angles"), model!("asymmetric-top-parameters"));
}

/// Three coordinates of the centre more, and three constraints that take them away again: the steps are those of other
/// coordinates, so only the motion is compared.
#[test]
fn a_top_on_a_ball_joint_moves_as_by_eulers_angles() {
    let texts = [model!("symmetric-top-angles"), model!("symmetric-top-ball-joint")];
    let [angles, other] = texts.map(|text| run(&written(text), 1e-12, 1e-12));
    for name in ["axis1_x", "axis3_x", "axis3_y", "axis3_z", "rate1", "rate2", "rate3"] {
        let error = difference(column(&other, name), column(&angles, name));
        assert!(error <= 1e-7, "{name}: {error:.1e}");
    }
}

/// Ten seconds of a loop with one redundant constraint at 1e-10: its energy is kept.
fn keeps_its_energy(text: &str) {
    let model = written(text);
    let diagnosis = catena::diagnose(&model);
    assert_eq!((diagnosis.freedom_by_count(), diagnosis.freedom_by_rank()), (0, 1));
    let run = run(&model, 1e-10, 1e-10);
    assert!(energy_error(&run) <= 1e-6, "{:.1e} J", energy_error(&run));
    assert!(run.certificate.constraint_error <= 1e-8, "{:.1e}", run.certificate.constraint_error);
    // the loop moves: an energy that nothing exchanges is easily kept
    let heights = column(&run, "p3z");
    let swing = heights.iter().fold(0.0_f64, |most, z| most.max((z - heights[0]).abs()));
    assert!(swing > 0.1, "{swing} m");
    let evaluations = run.certificate.statistics.evaluations;
    assert!(evaluations <= 20_000, "{evaluations} evaluations");
}

#[test]
fn an_orthogonal_loop_with_a_redundant_constraint_keeps_its_energy() {
    keeps_its_energy(model!("loop-orthogonal"));
}

#[test]
fn a_plane_symmetric_loop_with_massless_axles_keeps_its_energy() {
    keeps_its_energy(model!("loop-plane-symmetric"));
}

#[test]
fn a_line_symmetric_loop_with_a_redundant_constraint_keeps_its_energy() {
    keeps_its_energy(model!("loop-line-symmetric"));
}

/// States at the end, within 1e-4 of their sizes, in few evaluations.
fn ends_at(text: &str, (rtol, atol): (f64, f64), expected: &[(&str, f64)], most: u64) {
    let run = run(&written(text), rtol, atol);
    for (name, expected) in expected {
        let found = column(&run, name)[run.table.len() - 1];
        let error = (found - expected).abs() / expected.abs();
        assert!(error <= 1e-4, "{name}: {found:e}, not {expected:e}");
    }
    let evaluations = run.certificate.statistics.evaluations;
    assert!(evaluations <= most, "{evaluations} evaluations");
}

/// Expected: the linearly implicit method of Euler, extrapolated twelve times in 40-digit arithmetic, with two tolerances
/// that agree to 14 digits.
#[test]
fn robertsons_kinetics_are_right_after_a_hundred_thousand_seconds() {
    let expected =
        [("a", 0.017_865_921_142_099), ("b", 7.274_751_468_436_3e-8), ("c", 0.982_134_006_110_386)];
    ends_at(model!("robertson"), (1e-6, 1e-10), &expected, 5_000);
}

/// Expected: the test set for initial value problems of the universities of Amsterdam and Bari.
#[test]
fn the_oregonator_is_right_after_a_period() {
    let expected = [
        ("a", 0.100_081_487_031_852_3e1),
        ("b", 0.122_817_852_154_991_7e4),
        ("c", 0.132_055_494_284_670_6e3),
    ];
    ends_at(model!("oregonator"), (1e-7, 1e-10), &expected, 20_000);
}

/// Expected: the same.
#[test]
fn the_high_irradiance_response_is_right_in_the_end() {
    let expected = [
        ("y1", 0.737_131_257_332_566_8e-3),
        ("y4", 0.117_565_134_328_314_9e-2),
        ("y6", 0.623_896_825_274_279_6e-2),
        ("y8", 0.285_000_160_481_423_1e-2),
    ];
    ends_at(model!("hires"), (1e-6, 1e-10), &expected, 5_000);
}

/// Bobs on springs of 10⁹ N/m in the place of rods: stability would ask for millions of steps.
#[test]
fn stiff_penalties_do_not_make_a_run_long() {
    let heavy = ["m1=1.5", "m2=0.3", "l2=0.6"];
    for settings in [&[][..], &heavy] {
        let model = ready("double-pendulum-cartesian", settings);
        let settings = RunSettings::new().formulation("penalty").with("alpha", 1e9).t_end(5.0);
        let run = catena::run(&model, &settings).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run.certificate.stop, StopReason::Finished);
        let evaluations = run.certificate.statistics.evaluations;
        assert!(evaluations <= 200_000, "{evaluations} evaluations");
    }
}

/// Uprights of another length than the bars, so that flat poses are passed at another speed.
fn windows(count: usize, height: &str) -> Model {
    let text = catena::systems::find("n-four-bar").expect("it is in the zoo").text;
    let text = text.replacen("length = \"L\"", &format!("length = \"{height}\""), 1);
    let size = Setting(format!("n={count}"));
    catena::read(Source::new("windows.toml", text), &[size])
        .unwrap_or_else(|error| panic!("{error}"))
}

/// J; the rows weigh some kilograms and fall by metres.
const MAX_LOSS_OF_WINDOWS: f64 = 1e-6;

#[test]
fn windows_keep_their_energy_through_flat_poses() {
    for count in [1, 2, 10] {
        let run = run(&windows(count, "L"), 1e-10, 1e-10);
        assert!(energy_error(&run) <= MAX_LOSS_OF_WINDOWS, "{count}: {:.1e} J", energy_error(&run));
    }
}

#[test]
fn windows_of_another_height_keep_their_energy_through_flat_poses() {
    for (count, height) in [(1, "7/10*L"), (3, "13/10*L")] {
        let run = run(&windows(count, height), 1e-10, 1e-10);
        assert!(energy_error(&run) <= MAX_LOSS_OF_WINDOWS, "{count}: {:.1e} J", energy_error(&run));
    }
}
