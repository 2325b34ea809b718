//! Forces between teeth: against the closed forms of a pair of wheels, and by Newton's and Euler's laws for every body.

use crate::reactions::{TRAIN, assert_balanced};
use crate::{assert_is, column, run};
use catena_tests::written;

const PINION_RADIUS: f64 = 0.1;
const WHEEL_RADIUS: f64 = 0.2;
const PRESSURE_ANGLE: f64 = 25.0;

/// A pinion at the origin and a wheel on the x axis, outside it or around it, with torques that balance or do not.
fn pair(distance: f64, ratio: f64, torques: [f64; 2], teeth: &str) -> String {
    let [on_pinion, on_wheel] = torques;
    format!(
        r#"
        title = "Pair of wheels"
        parameters = {{ g = 0 }}
        [[body]]
        name = "pinion"
        mass = 1
        inertia = 0.01
        [[body]]
        name = "wheel"
        mass = 4
        inertia = 0.08
        [[joint]]
        name = "A"
        type = "revolute"
        between = [[0, 0], "pinion"]
        [[joint]]
        name = "B"
        type = "revolute"
        between = ["wheel", [{distance}, 0]]
        [[joint]]
        name = "teeth"
        type = "gear"
        between = ["pinion", "wheel"]
        ratio = {ratio}
        {teeth}
        [[torque]]
        on = "pinion"
        value = {on_pinion}
        [[torque]]
        on = "wheel"
        value = {on_wheel}
        [initial]
        pinion_angle = 0
        "pinion_angle'" = 3
        "#
    )
}

fn flanks() -> String {
    format!("pressure_angle = \"{PRESSURE_ANGLE} deg\"")
}

/// Fₜ = T/r and Fᵣ = Fₜ tan α, on both flanks: teeth push, they never pull.
#[test]
fn a_pair_of_wheels_pushes_its_bearings_apart_by_the_closed_form() {
    let (distance, ratio) = (PINION_RADIUS + WHEEL_RADIUS, -PINION_RADIUS / WHEEL_RADIUS);
    for torque in [21.0, -21.0] {
        let torques = [torque, torque * WHEEL_RADIUS / PINION_RADIUS];
        let run = run(&written(&pair(distance, ratio, torques, &flanks())), 0.5, 0.1);
        let tangential = torque / PINION_RADIUS;
        let radial = tangential.abs() * PRESSURE_ANGLE.to_radians().tan();
        // a torque forward on the pinion drives the tooth of the wheel up
        assert_is(&run, "teeth_fx", 1e-11, |_| radial);
        assert_is(&run, "teeth_fy", 1e-11, |_| tangential);
        assert_is(&run, "A_fx", 1e-11, |_| radial);
        assert_is(&run, "A_fy", 1e-11, |_| tangential);
        // the ground is the second body of this pin
        assert_is(&run, "B_fx", 1e-11, |_| radial);
        assert_is(&run, "B_fy", 1e-11, |_| tangential);
    }
}

/// In a ring the teeth are on the far side of the pinion, and the ring is pushed outwards there.
#[test]
fn a_pinion_in_a_ring_is_pulled_towards_its_centre_by_the_closed_form() {
    let (distance, ratio) = (WHEEL_RADIUS - PINION_RADIUS, PINION_RADIUS / WHEEL_RADIUS);
    for torque in [21.0, -21.0] {
        let torques = [torque, -torque * WHEEL_RADIUS / PINION_RADIUS];
        let run = run(&written(&pair(distance, ratio, torques, &flanks())), 0.5, 0.1);
        let tangential = torque / PINION_RADIUS;
        let radial = tangential.abs() * PRESSURE_ANGLE.to_radians().tan();
        // the teeth meet at x = -0.1, where the pinion moves down
        assert_is(&run, "teeth_fx", 1e-11, |_| -radial);
        assert_is(&run, "teeth_fy", 1e-11, |_| -tangential);
        assert_is(&run, "A_fx", 1e-11, |_| -radial);
        assert_is(&run, "A_fy", 1e-11, |_| -tangential);
    }
}

/// What the teeth do to the wheel is what its kinetic energy gains, and it comes from the pinion.
#[test]
fn teeth_hand_on_power_and_keep_none() {
    let (distance, ratio) = (PINION_RADIUS + WHEEL_RADIUS, -PINION_RADIUS / WHEEL_RADIUS);
    let run = run(&written(&pair(distance, ratio, [0.7, 0.0], &flanks())), 1.0, 0.05);
    let acceleration = 0.7 / (0.01 + ratio * ratio * 0.08);
    for row in 0..column(&run, "t").len() {
        let at = |name: &str| column(&run, name)[row];
        let force = [at("teeth_fx"), at("teeth_fy")];
        // velocities of the teeth at the pitch point
        let of_pinion = [0.0, at("pinion_angle'") * PINION_RADIUS];
        let of_wheel = [0.0, -at("wheel_angle'") * WHEEL_RADIUS];
        let power = |velocity: [f64; 2]| force[0] * velocity[0] + force[1] * velocity[1];
        assert!((power(of_wheel) - power(of_pinion)).abs() < 1e-10, "row {row}");
        let gained = 0.08 * at("wheel_angle'") * ratio * acceleration;
        assert!((power(of_wheel) - gained).abs() < 1e-10, "row {row}");
        let spent = 0.7 * at("pinion_angle'") - 0.01 * acceleration * at("pinion_angle'");
        assert!((power(of_pinion) - spent).abs() < 1e-10, "row {row}");
    }
}

#[test]
fn the_motion_is_the_same_with_and_without_teeth() {
    let text = |teeth: &str| pair(0.3, -0.5, [0.7, 0.1], teeth);
    let [with, without] =
        [flanks(), String::new()].map(|teeth| run(&written(&text(&teeth)), 1.0, 0.1));
    for name in ["pinion_angle", "wheel_angle'", "teeth_m", "lambda_A_y"] {
        assert_eq!(column(&with, name), column(&without, name), "{name}");
    }
    assert!(without.table.column("teeth_fx").is_none());
}

#[test]
fn flanks_of_a_train_with_a_rack_hold_every_body() {
    let [pair, rack] = [r#"between = ["pinion", "gear"]"#, "radius = 0.1"];
    assert!(TRAIN.contains(pair) && TRAIN.contains(rack));
    let flanks = "between = [\"pinion.C\", \"gear.C\"]\npressure_angle = \"20 deg\"";
    let train =
        TRAIN.replace(pair, flanks).replace(rack, &format!("{rack}\npressure_angle = \"15 deg\""));
    assert_balanced("train", &train, 1.0, &[]);
}

/// The sun turns on the axle of the arm, and the ring is fixed: forces go round by three pins.
#[test]
fn flanks_of_a_planetary_gear_hold_every_body() {
    let planetary = r#"
        [[body]]
        name = "sun"
        mass = 1
        inertia = 0.01
        [[body]]
        name = "arm"
        mass = 1
        length = 0.3
        [[body]]
        name = "planet"
        mass = 2
        inertia = 0.02
        [[joint]]
        name = "S"
        type = "revolute"
        between = [[0, 0], "sun"]
        [[joint]]
        name = "O"
        type = "revolute"
        between = ["arm.A", [0, 0]]
        [[joint]]
        name = "P"
        type = "revolute"
        between = ["arm.B", "planet"]
        [[joint]]
        name = "inner"
        type = "gear"
        between = ["sun", "planet"]
        ratio = -2
        carrier = "arm"
        pressure_angle = "20 deg"
        [[joint]]
        name = "outer"
        type = "gear"
        between = ["planet", [0, 0]]
        ratio = 0.25
        carrier = "arm"
        pressure_angle = "20 deg"
        [[torque]]
        name = "drive"
        on = "sun"
        value = "0.5 + 0*t"
        [outputs]
        motor = "0.5 + 0*t"
        [initial]
        arm_angle = 0.3
        "arm_angle'" = 1
        "#;
    assert_balanced("planetary", planetary, 1.0, &[("sun", ["", "", "motor"])]);
}

#[test]
fn teeth_that_no_bearing_holds_are_told_so() {
    let refused = |text: &str| {
        let source = catena::Source::new("test.toml", text);
        catena::read(source, &[]).expect_err("it cannot be read").to_string()
    };
    let (ratio, distance) = (-0.5, 0.3);
    let away = pair(distance, ratio, [1.0, 0.0], &flanks())
        .replace(
            "name = \"wheel\"\n        mass = 4",
            "name = \"wheel\"\n        points = { P = [0.01, 0] }\n        mass = 4",
        )
        .replace("[\"pinion\", \"wheel\"]", "[\"pinion\", \"wheel.P\"]");
    let message = refused(&away);
    assert!(message.contains("the teeth of `teeth` push `wheel`"), "{message}");
    let message = refused(&pair(0.0, ratio, [1.0, 0.0], &flanks()));
    assert!(message.contains("its teeth meet nowhere"), "{message}");
}

#[test]
fn a_diagnosis_says_that_bearings_lack_the_force_of_the_teeth() {
    let notes =
        |teeth: &str| catena::diagnose(&written(&pair(0.3, -0.5, [1.0, 0.0], teeth))).notes();
    let without = notes("");
    assert!(without.iter().any(|note| note.contains("lack what the teeth of `teeth` add")));
    assert_eq!(notes(&flanks()), Vec::<String>::new());
}
