//! Mechanisms led through change points, where branches of their motion meet, and into dead points, where the drive ends.

use catena::Model;
use catena::analysis::{Drive, DriveError, Driven};
use catena_tests::written;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn drive(coordinate: &str, points: usize) -> Drive {
    Drive {
        coordinate: Some(coordinate.into()),
        from: None,
        to: None,
        rate: 2.0,
        points,
        ..Drive::default()
    }
}

fn driven(model: &Model, drive: &Drive) -> Driven {
    catena::analysis::drive(model, drive).unwrap_or_else(|error| panic!("{error}"))
}

const CRANK: f64 = 0.3;

/// A crank, a rod and a slider on the x axis.
fn slider_crank(rod: f64, start: &str, more: &str) -> Model {
    written(&format!(
        r#"
        title = "Slider-crank"
        [[body]]
        name = "crank"
        mass = 1
        length = {CRANK}
        [[body]]
        name = "rod"
        mass = 1
        length = {rod}
        angle = "-30 deg"
        [[body]]
        name = "slider"
        mass = 1
        inertia = 0.01
        [[joint]]
        name = "axle"
        type = "revolute"
        between = [[0, 0], "crank.A"]
        [[joint]]
        name = "pin"
        type = "revolute"
        between = ["crank.B", "rod.A"]
        [[joint]]
        name = "wrist"
        type = "revolute"
        between = ["rod.B", "slider"]
        [[joint]]
        name = "guide"
        type = "prismatic"
        between = [[0, 0], "slider"]
        axis = [1, 0]
        {more}
        [initial]
        {start}
        "#
    ))
}

fn parallelogram() -> Model {
    written(
        r#"
        title = "Parallelogram"
        coordinates = { crank = "", coupler = "", rocker = "" }
        initial = { crank = "60 deg" }
        guess = { coupler = 0.1, rocker = "70 deg" }
        [energy]
        kinetic = "1/2*(crank'^2 + coupler'^2 + rocker'^2)"
        [constraints]
        x = "0.3*cos(crank) + 0.8*cos(coupler) - 0.8 - 0.3*cos(rocker)"
        y = "0.3*sin(crank) + 0.8*sin(coupler) - 0.3*sin(rocker)"
        "#,
    )
}

fn assert_change_points(driven: &Driven, expected: &[f64]) {
    let found: Vec<f64> = driven.change_points.iter().map(|point| point.at).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-8, "{found} and {expected}");
    }
    assert!(driven.change_points.iter().all(|point| point.is_decided));
    assert!(driven.dead_points.is_empty());
}

/// With a rod as long as the crank x = 2 r cos a, or the slider rests at 0: at 90° both are possible, and the slider
/// does not stop of itself. Points fall into the change points, between them, and far from each other.
#[test]
fn a_slider_with_equal_links_goes_on_through_its_change_points() {
    let model = slider_crank(CRANK, "crank_angle = \"45 deg\"", "");
    for points in [9, 37, 73, 100, 361, 1000] {
        let driven = driven(&model, &drive("crank_angle", points));
        assert_change_points(&driven, &[FRAC_PI_2, 3.0 * FRAC_PI_2]);
        let column = |name: &str| driven.table.column(name).expect("a column");
        for row in 0..driven.table.len() {
            let angle = column("crank_angle")[row];
            let expected = [
                ("slider_x", 2.0 * CRANK * angle.cos()),
                ("rod_angle", -angle),
                ("slider_x'", -2.0 * CRANK * angle.sin() * 2.0),
                ("rod_angle'", -2.0),
                ("slider_x''", -2.0 * CRANK * angle.cos() * 4.0),
                ("rod_angle''", 0.0),
            ];
            for (name, expected) in expected {
                let found = column(name)[row];
                assert!((found - expected).abs() < 1e-6, "{points}, {name} at {angle}: {found}");
            }
        }
    }
}

#[test]
fn a_parallelogram_stays_one_through_its_flat_poses() {
    for points in [9, 40, 361] {
        let driven = driven(&parallelogram(), &drive("crank", points));
        assert_change_points(&driven, &[PI, TAU]);
        let column = |name: &str| driven.table.column(name).expect("a column");
        for row in 0..driven.table.len() {
            assert!((column("rocker")[row] - column("crank")[row]).abs() < 1e-9, "row {row}");
            assert!(column("coupler")[row].abs() < 1e-9, "row {row}");
        }
    }
}

/// A rod that is longer by a millionth has no change point: the slider rests, within the millionth, until the crank is
/// back, and the rod swings over within a thousandth of a turn.
#[test]
fn links_that_are_nearly_equal_are_led_as_they_are() {
    let rod = CRANK * (1.0 + 1e-6);
    let model = slider_crank(rod, "crank_angle = \"45 deg\"", "");
    let driven = driven(&model, &drive("crank_angle", 361));
    assert!(driven.change_points.is_empty() && driven.dead_points.is_empty());
    let column = |name: &str| driven.table.column(name).expect("a column");
    for row in 0..driven.table.len() {
        let (sine, cosine) = column("crank_angle")[row].sin_cos();
        let across = CRANK * sine;
        let expected = CRANK * cosine + (rod * rod - across * across).sqrt();
        assert!((column("slider_x")[row] - expected).abs() < 1e-9, "row {row}");
    }
}

/// A rod that is shorter by a millionth ends the motion just before.
#[test]
fn a_rod_that_is_nearly_long_enough_has_a_dead_point() {
    let rod = CRANK * (1.0 - 1e-6);
    let model = slider_crank(rod, "crank_angle = \"45 deg\"", "");
    let driven = driven(&model, &drive("crank_angle", 361));
    let [dead] = driven.dead_points.as_slice() else { panic!("a dead point") };
    assert!((dead.at - (rod / CRANK).asin()).abs() < 1e-9, "{}", dead.at);
}

#[test]
fn a_mechanism_that_starts_where_branches_meet_is_told_so() {
    let slider = slider_crank(CRANK, "crank_angle = \"90 deg\"", "");
    let error = catena::analysis::drive(&slider, &drive("crank_angle", 100));
    assert!(matches!(error, Err(DriveError::StartsInChangePoint { .. })), "{error:?}");
}

/// y² = x⁴: two parabolas with the same tangent.
#[test]
fn branches_that_touch_leave_the_way_undecided() {
    let model = written(
        r#"
        coordinates = { x = "", y = "" }
        initial = { x = -1 }
        guess = { y = 0.9 }
        [energy]
        kinetic = "1/2*(x'^2 + y'^2)"
        [constraints]
        parabolas = "y^2 - x^4"
        "#,
    );
    for points in [20, 21] {
        let driven = driven(&model, &Drive { to: Some(1.0), ..drive("x", points) });
        let [touch] = driven.change_points.as_slice() else { panic!("{:?}", driven.change_points) };
        assert!(touch.at.abs() < 1e-6 && !touch.is_decided, "{touch:?}");
    }
}

/// The crank cannot turn past asin(l/r), where the rod stands across the guide. The crank swings back, with everything
/// on it; the slider goes on, and its angle, which the guide holds, does neither.
#[test]
fn what_turns_back_in_a_dead_point_is_what_changes_the_sign_of_its_rate() {
    let rod = 0.2;
    let crank = slider_crank(rod, "crank_angle = \"20 deg\"", "");
    let by_crank = driven(&crank, &drive("crank_angle", 100));
    let motor = "[[motor]]\nname = \"drive\"\njoint = \"axle\"\nangle = \"0.3 + 2*t\"";
    let motor = slider_crank(rod, "", motor);
    let by_motor = driven(&motor, &Drive { coordinate: None, ..drive("", 100) });
    let limit = (rod / CRANK).asin();
    for (driven, at) in [(by_crank, limit), (by_motor, (limit - 0.3) / 2.0)] {
        let [dead] = driven.dead_points.as_slice() else { panic!("a dead point") };
        assert!((dead.at - at).abs() < 1e-9, "{} and {at}", dead.at);
        let mut turning = dead.turning_back.clone();
        turning.sort();
        assert_eq!(turning, ["crank_angle", "crank_x", "crank_y", "rod_y"]);
        assert_eq!(dead.going_on.as_deref(), Some("rod_angle"));
    }
}

#[test]
fn a_run_into_a_dead_point_says_so() {
    let motor = "[[motor]]\nname = \"drive\"\njoint = \"axle\"\nangle = \"0.3 + 2*t\"";
    let model = slider_crank(0.2, "", motor);
    let settings = catena::RunSettings {
        formulation: Some("recursive".into()),
        t_end: Some(1.0),
        ..catena::RunSettings::default()
    };
    let run = catena::run(&model, &settings).expect("it begins");
    let catena::simulation::StopReason::Failed { message } = &run.certificate.stop else {
        panic!("{:?}", run.certificate.stop)
    };
    let expected = "it is a dead point: `drive` cannot lead the mechanism further";
    assert!(message.contains(expected), "{message}");
}
