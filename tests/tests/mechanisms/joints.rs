//! Welds, massless rods and gears against motions and forces known in closed form.

use crate::{assert_is, column, gap, run};
use catena_tests::written;
use std::f64::consts::PI;

/// Two rods welded to a hook are one compound pendulum.
#[test]
fn welded_rods_swing_as_one_body() {
    let hook = written(
        r#"
        [[body]]
        name = "stem"
        mass = 1
        length = 1
        angle = "-30 deg"
        [[body]]
        name = "barb"
        mass = 0.5
        length = 0.4
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "stem.A"]
        [[joint]]
        name = "W"
        type = "weld"
        between = ["stem.B", "barb.A"]
        angle = "90 deg"
        [initial]
        stem_angle = "-30 deg"
        "#,
    );
    // the barb stands across the end of the stem: its centre is at (1, 0.2)
    let pendulum = written(
        r#"
        parameters = { g = 9.81 }
        coordinates = { a = "angle from +x" }
        initial = { a = "-30 deg" }
        [definitions]
        J = "1/3 + 0.5*0.4^2/12 + 0.5*(1 + 0.2^2)"
        [energy]
        kinetic = "1/2*J*a'^2"
        potential = "g*(0.5*sin(a) + 0.5*(sin(a) + 0.2*cos(a)))"
        "#,
    );
    let (hook, pendulum) = (run(&hook, 3.0, 0.1), run(&pendulum, 3.0, 0.1));
    let gap = gap(column(&hook, "stem_angle"), column(&pendulum, "a"));
    assert!(gap <= 1e-10, "{gap:.1e}");
    let turned: Vec<f64> = column(&pendulum, "a").iter().map(|a| a + PI / 2.0).collect();
    assert!(crate::gap(column(&hook, "barb_angle"), &turned) <= 1e-10);
}

/// A bob on a massless rod is a pendulum, and the rod pulls with m g cos θ + m l θ̇².
#[test]
fn a_bob_on_a_massless_rod_is_a_pendulum_with_the_known_tension() {
    let bob = written(
        r#"
        [parameters]
        l = 0.8
        [[body]]
        name = "bob"
        mass = 1.5
        inertia = 0.1
        x = 0.5
        y = -0.5
        [[joint]]
        name = "rod"
        type = "distance"
        between = [[0, 0], "bob"]
        length = "l"
        [initial]
        bob_x = "l*sin(1)"
        "bob_angle'" = 2
        [outputs]
        tension = "lambda_rod_d"
        "#,
    );
    let pendulum = written(
        r#"
        parameters = { g = 9.81, l = 0.8, m = 1.5 }
        coordinates = { a = "from the downward vertical" }
        initial = { a = 1 }
        energy.kinetic = "1/2*m*l^2*a'^2"
        energy.potential = "-m*g*l*cos(a)"
        outputs.tension = "m*g*cos(a) + m*l*a'^2"
        outputs.x = "l*sin(a)"
        outputs.fx = "-(m*g*cos(a) + m*l*a'^2)*sin(a)"
        "#,
    );
    let (bob, pendulum) = (run(&bob, 2.0, 0.1), run(&pendulum, 2.0, 0.1));
    for (found, expected) in [("bob_x", "x"), ("tension", "tension"), ("rod_fx", "fx")] {
        let gap = gap(column(&bob, found), column(&pendulum, expected));
        assert!(gap <= 1e-9, "{found}: {gap:.1e}");
    }
    assert_is(&bob, "bob_angle", 1e-10, |t| 2.0 * t);
}

/// J₁ θ̈₁ + ratio² J₂ θ̈₁ = torque
#[test]
fn gears_share_a_torque_by_the_square_of_their_ratio() {
    let model = written(
        r#"
        [[body]]
        name = "small"
        mass = 1
        inertia = 0.01
        [[body]]
        name = "large"
        mass = 4
        inertia = 0.08
        [[joint]]
        name = "A"
        type = "revolute"
        between = [[0, 0], "small"]
        [[joint]]
        name = "B"
        type = "revolute"
        between = [[0.3, 0], "large"]
        [[joint]]
        name = "teeth"
        type = "gear"
        between = ["small", "large"]
        ratio = -0.5
        offset = 0.2
        [[torque]]
        on = "small"
        value = 0.03
        [initial]
        small_angle = 0
        "#,
    );
    let run = run(&model, 2.0, 0.1);
    let acceleration = 0.03 / (0.01 + 0.25 * 0.08);
    let angle = |t: f64| 0.5 * acceleration * t * t;
    assert_is(&run, "small_angle", 1e-11, angle);
    assert_is(&run, "large_angle", 1e-11, |t| 0.2 - 0.5 * angle(t));
    assert_is(&run, "teeth_m", 1e-11, |_| -0.08 * 0.5 * acceleration);
}

/// A planet rolls around a fixed sun twice its size: it turns three times as fast as the arm.
#[test]
fn a_planet_turns_with_its_carrier_and_its_gear() {
    let model = written(
        r#"
        parameters = { g = 0 }
        [[body]]
        name = "arm"
        mass = 1
        length = 0.3
        [[body]]
        name = "planet"
        mass = 2
        inertia = 0.01
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "arm.A"]
        [[joint]]
        name = "P"
        type = "revolute"
        between = ["arm.B", "planet"]
        [[joint]]
        name = "teeth"
        type = "gear"
        between = ["ground", "planet"]
        ratio = -2
        carrier = "arm"
        [[torque]]
        on = "arm"
        value = 0.5
        [initial]
        arm_angle = 0
        "#,
    );
    let run = run(&model, 2.0, 0.1);
    let inertia = 0.3 * 0.3 / 3.0 + 2.0 * 0.3 * 0.3 + 9.0 * 0.01;
    let angle = |t: f64| 0.25 * t * t / inertia;
    assert_is(&run, "arm_angle", 1e-11, angle);
    assert_is(&run, "planet_angle", 1e-11, |t| 3.0 * angle(t));
    assert_is(&run, "teeth_m", 1e-11, |_| 0.01 * 3.0 * 0.5 / inertia);
}

/// The book's table and the table of the program are two lists; this keeps them one.
#[test]
fn the_book_lists_every_joint_with_its_constraints_and_keys() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/model-files.md");
    let page = std::fs::read_to_string(page).expect("the page on model files");
    for kind in catena::model::JOINTS {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", kind.name)));
        let row = row.unwrap_or_else(|| panic!("no row for {}", kind.name));
        let keys = row.trim_end_matches('|').rsplit('|').next().expect("the last column");
        let told: Vec<&str> = keys.split('`').skip(1).step_by(2).collect();
        let known: Vec<&str> = kind.keys.iter().map(|key| key.name).collect();
        assert_eq!(told, known, "{}", kind.name);
        for ending in kind.constraints() {
            assert!(row.contains(&format!("`B_{ending}`")), "{}: B_{ending}", kind.name);
        }
    }
}
