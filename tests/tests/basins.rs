//! Which start leads where, against symmetry, known attractors and bad input.

use catena::Model;
use catena::analysis::{
    Basins, BasinsError, ClassifyRequest, DrivePeriod, MotionClass, PeriodError, basins,
};
use catena::ensemble::Axis;
use catena_tests::{ready, written};
use std::f64::consts::PI;

fn axis(name: &str, low: f64, high: f64, count: usize) -> Axis {
    Axis::linear(name, low, high, count)
}

fn request(model: &Model, over: Vec<Axis>) -> ClassifyRequest {
    let period = DrivePeriod::find(model).ok();
    ClassifyRequest { threads: 2, max_periods: 512, ..ClassifyRequest::new(model, over, period) }
}

fn found(model: &Model, over: Vec<Axis>) -> Basins {
    basins(model, &request(model, over), &|_| false).unwrap_or_else(|error| panic!("{error}"))
}

fn pendulum_box(count: usize) -> Vec<Axis> {
    vec![axis("theta", -PI, PI, count), axis("theta'", -6.0, 6.0, count)]
}

#[test]
fn rotations_to_both_sides_have_basins_of_their_own() {
    let model = ready("driven-pendulum", &["drive=1.35"]);
    let found = found(&model, pendulum_box(30));
    let seen: Vec<(MotionClass, u32)> =
        found.attractors.iter().map(|it| (it.class, it.multiple)).collect();
    assert_eq!(seen, [(MotionClass::Rotating, 1), (MotionClass::Rotating, 1)]);
    let turns: Vec<i64> = found.attractors.iter().map(|it| it.turns).collect();
    assert_eq!(turns.iter().sum::<i64>(), 0, "{turns:?}");
    assert!(found.labels.iter().all(Option::is_some));
    let sum: f64 = found.attractors.iter().map(|it| it.fraction[0]).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    assert!((0.05..0.6).contains(&found.border_fraction), "{}", found.border_fraction);
    // the way a start goes is the way it goes when it is run by itself
    let row = 12 * 30 + 7;
    let request = request(&model, pendulum_box(30));
    let alone = catena::analysis::classify_some(&model, &request, &[row], &|_| false);
    let alone = alone.expect("a motion").cells[row].clone().expect("it was not stopped");
    let label = found.labels[row].expect("it is decided");
    assert_eq!(alone.turns, found.attractors[label].turns);
}

#[test]
fn mirror_images_are_different_attractors() {
    // just below the first period doubling the orbit has lost its symmetry: two orbits, each the image of the other under
    // a half turn of phase and a change of sign
    let model = ready("driven-pendulum", &["drive=1.05"]);
    let found = found(&model, pendulum_box(24));
    assert_eq!(found.attractors.len(), 2, "{:?}", found.attractors);
    assert!(
        found.attractors.iter().all(|it| it.multiple == 1 && it.class == MotionClass::Periodic)
    );
    let section = |at: usize| found.attractors[at].states[0].clone();
    let distance = (section(0)[0] - section(1)[0]).abs();
    assert!(distance > 0.1, "{distance}");
}

/// A ball in a double well x⁴/4 − x²/2, damped and hardly driven.
fn double_well() -> Model {
    written(
        r#"
        parameters = { w = 2, a = 0.02 }
        coordinates = { x = "place" }
        energy = { kinetic = "x'^2/2", potential = "x^4/4 - x^2/2", dissipation = "x'^2/8" }
        forces = { x = "a*cos(w*t)" }
        "#,
    )
}

#[test]
fn a_double_well_has_two_basins_of_nearly_equal_size() {
    let over = vec![axis("x", -2.0, 2.0, 40), axis("x'", -2.0, 2.0, 40)];
    let found = found(&double_well(), over);
    assert_eq!(found.attractors.len(), 2);
    for attractor in &found.attractors {
        // without the drive both halves are the same by symmetry
        let [fraction, error] = attractor.fraction;
        assert!((fraction - 0.5).abs() < 4.0 * error, "{fraction} ± {error}");
        assert!(!attractor.is_outside);
        assert!((attractor.states[0][0].abs() - 1.0).abs() < 0.05, "{:?}", attractor.states);
    }
}

#[test]
fn one_attractor_and_attractors_outside_of_the_box_are_named_as_such() {
    let over = vec![axis("x", -0.4, 0.4, 8), axis("x'", -0.4, 0.4, 8)];
    let outside = found(&double_well(), over);
    assert!(outside.attractors.iter().all(|it| it.is_outside), "{:?}", outside.attractors);
    let near = vec![axis("x", 0.9, 1.1, 6), axis("x'", -0.1, 0.1, 6)];
    assert_eq!(found(&double_well(), near).attractors.len(), 1);
}

#[test]
fn attractors_that_share_a_cell_are_marked() {
    let over = vec![axis("x", -8.0, 8.0, 3), axis("x'", -8.0, 8.0, 3)];
    let coarse = found(&double_well(), over);
    if coarse.attractors.len() == 2 {
        assert_eq!(coarse.attractors[0].shares_cell_with, Some(1));
    } else {
        panic!("both wells are reached from nine starts: {:?}", coarse.attractors);
    }
}

#[test]
fn bad_questions_are_refused_in_a_sentence() {
    let refused = |model: &Model, over: Vec<Axis>| {
        let found = basins(model, &request(model, over), &|_| false);
        found.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let driven = ready("driven-pendulum", &[]);
    assert_eq!(
        refused(&driven, vec![axis("theta", -1.0, 1.0, 4)]),
        "basins are mapped over two initial values, and 1 are given"
    );
    assert_eq!(
        refused(&driven, vec![axis("theta", -1.0, 1.0, 4), axis("drive", 1.0, 2.0, 4)]),
        "`drive` is not an initial value of this model: basins are mapped over where motions begin"
    );
    let free = ready("single-pendulum", &[]);
    let theta = free.own.coordinates[0].name.clone();
    let over = vec![axis(&theta, -1.0, 1.0, 4), axis(&format!("{theta}'"), -1.0, 1.0, 4)];
    assert_eq!(
        basins(&free, &request(&free, over), &|_| false),
        Err(BasinsError::from(PeriodError::NoDrive))
    );
    let undamped = ready("driven-pendulum", &["quality=1e12", "drive=0.1"]);
    assert_eq!(
        refused(&undamped, pendulum_box(10)),
        "the model has no attractors: it has no damping, and every start keeps a motion of its own"
    );
}
