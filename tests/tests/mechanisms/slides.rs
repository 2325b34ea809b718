//! What slides or rolls against motions and forces known in closed form: guides, slots, racks.

use crate::{assert_is, run};
use catena_tests::written;
use std::f64::consts::PI;

/// s = ½ g sin α t² and N = m g cos α; the axis need not be a unit vector.
#[test]
fn a_block_slides_down_a_slope_as_galilei_found() {
    let model = written(
        r#"
        [parameters]
        alpha = "30 deg"
        [[body]]
        name = "block"
        mass = 2
        inertia = 0.1
        x = 0
        y = 0
        [[joint]]
        name = "slope"
        type = "prismatic"
        between = [[0, 0], "block"]
        axis = ["-3*cos(alpha)", "-3*sin(alpha)"]
        angle = "alpha"
        "#,
    );
    let run = run(&model, 2.0, 0.1);
    let (sine, cosine) = (PI / 6.0).sin_cos();
    let travelled = |t: f64| 0.5 * 9.81 * sine * t * t;
    assert_is(&run, "block_x", 1e-11, |t| -travelled(t) * cosine);
    assert_is(&run, "block_y", 1e-11, |t| -travelled(t) * sine);
    assert_is(&run, "block_angle", 1e-12, |_| PI / 6.0);
    let normal = 2.0 * 9.81 * cosine;
    assert_is(&run, "slope_fx", 1e-11, |_| -normal * sine);
    assert_is(&run, "slope_fy", 1e-11, |_| normal * cosine);
    assert_is(&run, "slope_m", 1e-12, |_| 0.0);
}

/// On a rod that is turned at the rate ω the bead flies out as r₀ cosh ωt; the rod pushes it with
/// 2 m ω ṙ, and the motor does the work: torque = 2 m ω r ṙ.
#[test]
fn a_bead_on_a_turned_rod_flies_out_and_the_motor_pays() {
    let model = written(
        r#"
        parameters = { g = 0, w = 1.5, r0 = 0.3 }
        [[body]]
        name = "rod"
        mass = 1
        inertia = 1
        [[body]]
        name = "bead"
        mass = 0.7
        inertia = 0.2
        x = "r0"
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "rod"]
        [[joint]]
        name = "slide"
        type = "prismatic"
        between = ["rod", "bead"]
        axis = [1, 0]
        [[motor]]
        name = "drive"
        joint = "O"
        angle = "w*t"
        [initial]
        bead_x = "r0"
        "bead_x'" = 0
        "#,
    );
    let run = run(&model, 2.0, 0.1);
    let (w, m, r0) = (1.5, 0.7, 0.3);
    let (radius, rate) = (|t: f64| r0 * (w * t).cosh(), |t: f64| r0 * w * (w * t).sinh());
    assert_is(&run, "bead_x", 1e-10, |t| radius(t) * (w * t).cos());
    assert_is(&run, "bead_y", 1e-10, |t| radius(t) * (w * t).sin());
    let push = |t: f64| 2.0 * m * w * rate(t);
    assert_is(&run, "slide_fx", 1e-10, |t| -push(t) * (w * t).sin());
    assert_is(&run, "slide_fy", 1e-10, |t| push(t) * (w * t).cos());
    assert_is(&run, "slide_m", 1e-10, |_| 0.0);
    assert_is(&run, "drive_torque", 1e-10, |t| push(t) * radius(t));
}

/// A scotch yoke: the pin of a crank in an upright slot moves the yoke by r cos ωt.
#[test]
fn a_scotch_yoke_moves_as_a_cosine() {
    let model = written(
        r#"
        parameters = { r = 0.2, w = 3 }
        [[body]]
        name = "crank"
        mass = 1
        length = "r"
        [[body]]
        name = "yoke"
        mass = 4
        inertia = 0.1
        x = 0.2
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "crank.A"]
        [[joint]]
        name = "guide"
        type = "prismatic"
        between = [[0, 0], "yoke"]
        axis = [1, 0]
        [[joint]]
        name = "slot"
        type = "pin-in-slot"
        between = ["yoke", "crank.B"]
        axis = [0, 1]
        [[motor]]
        name = "drive"
        joint = "O"
        angle = "w*t"
        "#,
    );
    let run = run(&model, 3.0, 0.1);
    assert_is(&run, "yoke_x", 1e-11, |t| 0.2 * (3.0 * t).cos());
    // the slot pushes the pin with what the yoke's mass resists
    assert_is(&run, "slot_fx", 1e-10, |t| 4.0 * 0.2 * 9.0 * (3.0 * t).cos());
    assert_is(&run, "slot_fy", 1e-12, |_| 0.0);
    assert_is(&run, "guide_fy", 1e-10, |_| 4.0 * 9.81);
}

/// θ̈ = torque/(J + M R²), and the teeth push the rack with M R θ̈.
#[test]
fn a_pinion_drives_its_rack() {
    let model = written(
        r#"
        [[body]]
        name = "pinion"
        mass = 1
        inertia = 0.02
        [[body]]
        name = "rack"
        mass = 3
        inertia = 0.1
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0.1], "pinion"]
        [[joint]]
        name = "rail"
        type = "prismatic"
        between = [[0, 0], "rack"]
        axis = [1, 0]
        [[joint]]
        name = "teeth"
        type = "rack"
        between = ["pinion", "rack"]
        axis = [1, 0]
        radius = 0.1
        offset = 0.4
        [[torque]]
        on = "pinion"
        value = 0.2
        [initial]
        pinion_angle = 0
        "#,
    );
    let run = run(&model, 1.0, 0.1);
    let acceleration = 0.2 / (0.02 + 3.0 * 0.01);
    assert_is(&run, "pinion_angle", 1e-11, |t| 0.5 * acceleration * t * t);
    assert_is(&run, "rack_x", 1e-11, |t| 0.4 + 0.05 * acceleration * t * t);
    assert_is(&run, "teeth_fx", 1e-11, |_| 3.0 * 0.1 * acceleration);
    assert_is(&run, "teeth_fy", 1e-12, |_| 0.0);
}

/// A wheel that rolls down a slope: v̇ = g sin α / (1 + J/mR²). The slope is the rack.
#[test]
fn a_wheel_rolls_down_a_slope() {
    let model = written(
        r#"
        [parameters]
        R = 0.3
        alpha = "20 deg"
        [[body]]
        name = "wheel"
        mass = 2
        inertia = 0.12
        [[joint]]
        name = "slope"
        type = "pin-in-slot"
        between = [[0, 0], "wheel"]
        axis = ["cos(alpha)", "-sin(alpha)"]
        [[joint]]
        name = "rolling"
        type = "rack"
        between = ["wheel", "ground"]
        axis = ["cos(alpha)", "-sin(alpha)"]
        radius = "R"
        [initial]
        wheel_angle = 0
        "#,
    );
    let run = run(&model, 2.0, 0.1);
    let (sine, cosine) = 20_f64.to_radians().sin_cos();
    let acceleration = 9.81 * sine / (1.0 + 0.12 / (2.0 * 0.09));
    let way = |t: f64| 0.5 * acceleration * t * t;
    assert_is(&run, "wheel_x", 1e-10, |t| way(t) * cosine);
    assert_is(&run, "wheel_angle", 1e-10, |t| -way(t) / 0.3);
}
