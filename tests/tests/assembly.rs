//! A start is assembled from what is given.

use catena_tests::written;

fn bead(initial: &str) -> catena::Model {
    written(&format!(
        r#"
        title = "Bead on a circle"
        coordinates = {{ x = "right", y = "up" }}
        initial = {{ {initial} }}
        [energy]
        kinetic = "1/2*(x'^2 + y'^2)"
        [constraints]
        circle = "x^2 + y^2 - 1"
        "#
    ))
}

#[test]
fn a_guess_where_every_slope_vanishes_is_left() {
    let diagnosis = catena::diagnose(&bead("x = 0.6"));
    let start = diagnosis.start.expect("it can be assembled");
    assert_eq!(start.q[0], 0.6);
    assert!((start.q[1].abs() - 0.8).abs() < 1e-12, "{:?}", start.q);
    assert_eq!(start.solved, ["y"]);
}

#[test]
fn given_velocities_are_kept_and_the_others_follow() {
    let diagnosis = catena::diagnose(&bead("x = 0.6, \"x'\" = 2"));
    let start = diagnosis.start.expect("it can be assembled");
    assert_eq!(start.v[0], 2.0);
    assert!((start.q[0] * start.v[0] + start.q[1] * start.v[1]).abs() < 1e-12);
}

#[test]
fn parts_that_cannot_meet_are_not_assembled() {
    let diagnosis = catena::diagnose(&bead("x = 1.5"));
    assert!(diagnosis.start.is_none());
    assert!(!diagnosis.can_run());
}
