//! A start is assembled from what is given.

use catena_tests::{Random, written};

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

/// An up-and-over door: an arm on the frame, a door that hangs from it at half its height, a roller in a level rail. With
/// the door upright no small turn lifts or lowers the roller, and Newton's method has no direction.
fn door(arm: &str, door: &str, height: f64) -> catena::Model {
    written(&format!(
        r#"
        title = "Up-and-over door"
        [[body]]
        name = "arm"
        mass = 2
        length = 0.8
        [[body]]
        name = "door"
        mass = 30
        length = 2
        points = {{ M = [1, 0] }}
        {door}
        [[joint]]
        name = "pivot"
        type = "revolute"
        between = [[-0.8, 1], "arm.A"]
        [[joint]]
        name = "hinge"
        type = "revolute"
        between = ["arm.B", "door.M"]
        [[joint]]
        name = "roller"
        type = "pin-in-slot"
        between = [[0, {height}], "door.B"]
        axis = [1, 0]
        [initial]
        {arm}
        "#
    ))
}

#[test]
fn an_upright_door_is_assembled_with_the_arm_where_it_is_given() {
    for arm in [0.0, -10.0, 5.0, 180.0] {
        let model = door(&format!("arm_angle = \"{arm} deg\""), "angle = \"90 deg\"", 1.5);
        let start = catena::diagnose(&model).start.expect("it can be assembled");
        let [arm_angle, door_angle] = [start.q[2], start.q[5]];
        assert!((arm_angle - f64::to_radians(arm)).abs() < 1e-15, "{arm}: {arm_angle}");
        let roller = 1.0 + 0.8 * arm_angle.sin() + door_angle.sin();
        assert!((roller - 1.5).abs() < 1e-8, "{arm}: the roller is at {roller}");
        assert!(door_angle.abs() <= std::f64::consts::PI, "{arm}: no turn too many");
        let again = catena::diagnose(&model).start.expect("it can be assembled");
        assert_eq!(start, again, "the same pose every time");
    }
}

#[test]
fn a_guess_chooses_the_branch_where_it_can() {
    for (guess, expected) in [(80.0, 30.0), (100.0, 150.0)] {
        let model = door("arm_angle = 0", &format!("angle = \"{guess} deg\""), 1.5);
        let start = catena::diagnose(&model).start.expect("it can be assembled");
        assert!((start.q[5].to_degrees() - expected).abs() < 1e-5, "{}", start.q[5]);
    }
}

#[test]
fn a_door_that_is_too_short_says_what_was_tried_and_which_parts_stay_apart() {
    let diagnosis = catena::diagnose(&door("arm_angle = 0", "angle = \"90 deg\"", 2.5));
    let [finding] = diagnosis.findings.as_slice() else { panic!("{:?}", diagnosis.findings) };
    let message = finding.kind.message();
    // half a metre is missing, shared by two joints
    for part in [
        "stays 250 mm open between `arm.B` and `door.M`",
        "between the ground and `door.B`",
        "tried from",
    ] {
        assert!(message.contains(part), "{message}");
    }
}

/// Links of four-bar linkages with every guess a multiple of 30°: there is always a way, and it is found.
#[test]
fn a_linkage_is_assembled_from_any_guess() {
    for (coupler, rocker) in (0..12).flat_map(|a| (0..12).map(move |b| (30 * a, 30 * b))) {
        let model = written(&format!(
            r#"
            coordinates = {{ a = "crank", b = "coupler", c = "rocker" }}
            initial = {{ a = "60 deg" }}
            guess = {{ b = "{coupler} deg", c = "{rocker} deg" }}
            [energy]
            kinetic = "1/2*(a'^2 + b'^2 + c'^2)"
            [constraints]
            x = "0.4*cos(a) + 0.9*cos(b) - 1 - 0.8*cos(c)"
            y = "0.4*sin(a) + 0.9*sin(b) - 0.8*sin(c)"
            "#
        ));
        assert!(catena::diagnose(&model).start.is_some(), "from {coupler}° and {rocker}°");
    }
}

/// Doors made from a pose in which they are closed, with guesses that are multiples of 90°: many of them stand where Newton's
/// method has no direction.
#[test]
fn doors_that_can_be_closed_are_closed_from_any_guess() {
    let mut random = Random::new(11);
    for number in 0..100 {
        let mut between = |low: f64, high: f64| random.between(low, high);
        let (arm, door) = (between(0.3, 1.2), between(0.5, 2.0));
        let middle = door * between(0.3, 0.7);
        let (arm_angle, door_angle) = (between(-3.0, 3.0), between(-3.0, 3.0));
        let height = arm * arm_angle.sin() + (door - middle) * door_angle.sin();
        let [arm_guess, door_guess] =
            [90.0 * between(-2.0, 2.0).round(), 90.0 * between(-2.0, 2.0).round()];
        let given = match number % 3 {
            0 => String::new(),
            1 => format!("arm_angle = {arm_angle:?}"),
            _ => format!("door_angle = {door_angle:?}"),
        };
        let model = written(&format!(
            r#"
            [[body]]
            name = "arm"
            mass = 1
            length = {arm:?}
            angle = "{arm_guess} deg"
            [[body]]
            name = "door"
            mass = 1
            length = {door:?}
            points = {{ M = [{middle:?}, 0] }}
            angle = "{door_guess} deg"
            [[joint]]
            name = "pivot"
            type = "revolute"
            between = [[0, 0], "arm.A"]
            [[joint]]
            name = "hinge"
            type = "revolute"
            between = ["arm.B", "door.M"]
            [[joint]]
            name = "roller"
            type = "pin-in-slot"
            between = [[0, {height:?}], "door.B"]
            axis = [1, 0]
            [initial]
            {given}
            "#
        ));
        let diagnosis = catena::diagnose(&model);
        assert!(diagnosis.start.is_some(), "{number}: {:?}", diagnosis.findings);
    }
}
