//! Springs, dampers, friction, forces, torques and motors against models of energies, and against
//! the balance of power.

use crate::{assert_is, column, gap, run};
use catena_tests::{ready, written};

/// A pinned rod with everything that can act on it, in one angle and as a body.
#[test]
fn everything_that_acts_on_a_rod_acts_as_its_energies_say() {
    let body = written(
        r#"
        [parameters]
        k = 40
        c = 0.8
        [[body]]
        name = "rod"
        mass = 1.2
        length = 0.9
        points = { P = [0.6, 0.1] }
        angle = "-40 deg"
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0.1, 0.2], "rod.A"]
        friction = 0.05
        [[spring]]
        name = "coil"
        between = [[1, 0.8], "rod.P"]
        stiffness = "k"
        length = 0.4
        damping = "c"
        [[torsion-spring]]
        name = "twist"
        between = ["ground", "rod"]
        stiffness = 3
        angle = "-20 deg"
        damping = 0.07
        [[force]]
        on = "rod.B"
        x = "2*sin(5*t)"
        y = "-0.3*rod_B_y'"
        [[torque]]
        on = "rod"
        value = "0.4*cos(3*t) - 0.1*z"
        [states]
        z = "rod_angle - z"
        [initial]
        rod_angle = "-40 deg"
        z = 0.3
        "#,
    );
    let angle = written(
        r#"
        parameters = { g = 9.81 }
        coordinates = { a = "angle from +x" }
        initial = { a = "-40 deg", z = 0.3 }
        states = { z = "a - z" }
        [definitions]
        p_x = "0.1 + 0.6*cos(a) - 0.1*sin(a)"
        p_y = "0.2 + 0.6*sin(a) + 0.1*cos(a)"
        d = "sqrt((p_x - 1)^2 + (p_y - 0.8)^2)"
        b_x = "0.1 + 0.9*cos(a)"
        b_y = "0.2 + 0.9*sin(a)"
        [energy]
        kinetic = "1/2*1.2*0.9^2/3*a'^2"
        potential = "1.2*g*0.45*sin(a) + 20*(d - 0.4)^2 + 3/2*(a + (20 deg))^2"
        dissipation = "1/2*0.05*a'^2 + 1/2*0.8*d'^2 + 1/2*0.07*a'^2"
        [forces]
        a = "-0.9*sin(a)*2*sin(5*t) - 0.9*cos(a)*0.3*b_y' + 0.4*cos(3*t) - 0.1*z"
        [outputs]
        coil = "40*(d - 0.4) + 0.8*d'"
        twist = "-3*(a + (20 deg)) - 0.07*a'"
        "#,
    );
    let (body, angle) = (run(&body, 3.0, 0.05), run(&angle, 3.0, 0.05));
    let pairs = [("rod_angle", "a"), ("coil_force", "coil"), ("twist_torque", "twist"), ("z", "z")];
    for (found, expected) in pairs {
        let gap = gap(column(&body, found), column(&angle, expected));
        assert!(gap <= 1e-9, "{found}: {gap:.1e}");
    }
}

/// A torque from one body to another and a spring between two: nothing outside feels them.
#[test]
fn what_acts_between_two_free_bodies_keeps_their_momenta() {
    let model = written(
        r#"
        parameters = { g = 0 }
        [[body]]
        name = "a"
        mass = 1
        inertia = 0.2
        points = { P = [0.1, 0.2] }
        free = true
        x = 0
        [[body]]
        name = "b"
        mass = 2
        inertia = 0.3
        points = { Q = [-0.3, 0.1] }
        free = true
        x = 1
        [[spring]]
        between = ["a.P", "b.Q"]
        stiffness = 30
        length = 0.2
        damping = 0.5
        [[torque]]
        on = "a"
        from = "b"
        value = "sin(2*t)"
        [initial]
        a_x = 0
        a_y = 0
        b_x = 1
        b_y = 0.3
        "a_y'" = 0.6
        [outputs]
        p_x = "a_x' + 2*b_x'"
        p_y = "a_y' + 2*b_y'"
        L = "a_x*a_y' - a_y*a_x' + 0.2*a_angle' + 2*(b_x*b_y' - b_y*b_x') + 0.3*b_angle'"
        "#,
    );
    let run = run(&model, 3.0, 0.1);
    assert_is(&run, "p_x", 1e-11, |_| 0.0);
    assert_is(&run, "p_y", 1e-11, |_| 0.6);
    assert_is(&run, "L", 1e-11, |_| 0.0);
    assert!(column(&run, "a_angle'").iter().any(|rate| rate.abs() > 0.1), "it does turn");
}

/// Ends that meet are no trouble for a spring of free length 0.
#[test]
fn a_spring_without_free_length_is_a_plane_oscillator() {
    let model = written(
        r#"
        parameters = { g = 0 }
        [[body]]
        name = "bob"
        mass = 2
        inertia = 1
        free = true
        [[spring]]
        between = [[0, 0], "bob"]
        stiffness = 18
        [initial]
        bob_x = 0
        bob_y = 0
        "bob_x'" = 1.5
        "#,
    );
    assert_is(&run(&model, 3.0, 0.1), "bob_x", 1e-11, |t| 0.5 * (3.0 * t).sin());
}

/// Simpson's rule over rows of equal distance.
fn integral(values: &[f64], every: f64) -> f64 {
    assert_eq!(values.len() % 2, 1, "an even number of intervals");
    let weight = |i: usize| match i {
        0 => 1.0,
        i if i == values.len() - 1 => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    values.iter().enumerate().map(|(i, value)| weight(i) * value).sum::<f64>() * every / 3.0
}

/// The four-bar linkage with its crank turned evenly: torque times speed is the rate of the energy.
#[test]
fn a_motor_pays_for_the_energy_of_the_linkage() {
    let text = catena::systems::find("four-bar-bodies").expect("in the zoo").text;
    let text = text.replace(
        "[initial]",
        "[[motor]]\nname = \"drive\"\njoint = \"O\"\nangle = \"(60 deg) + 3*t\"\n[unused]",
    );
    let (text, _) = text.split_once("[unused]").expect("it was put there");
    let run = run(&written(text), 1.0, 0.001);
    assert_is(&run, "crank_angle", 1e-11, |t| std::f64::consts::FRAC_PI_3 + 3.0 * t);
    let energy = column(&run, "energy");
    let work = 3.0 * integral(column(&run, "drive_torque"), 0.001);
    let gained = energy[energy.len() - 1] - energy[0];
    assert!((work - gained).abs() <= 1e-8, "{work} and {gained}");
    assert!(gained.abs() > 1.0, "there is something to pay: {gained}");
}

/// A motor in a prismatic joint lifts a block: its force is m (g + ẍ).
#[test]
fn a_motor_lifts_a_block_with_its_weight_and_its_inertia() {
    let model = written(
        r#"
        [[body]]
        name = "block"
        mass = 3
        inertia = 0.1
        [[joint]]
        name = "rail"
        type = "prismatic"
        between = [[0, 1], "block"]
        axis = [0, 1]
        friction = 2
        [[motor]]
        name = "lift"
        joint = "rail"
        position = "0.2*(1 - cos(4*t))"
        "#,
    );
    let run = run(&model, 2.0, 0.1);
    assert_is(&run, "block_y", 1e-11, |t| 1.0 + 0.2 * (1.0 - (4.0 * t).cos()));
    assert_is(&run, "lift_force", 1e-10, |t| {
        3.0 * (9.81 + 3.2 * (4.0 * t).cos()) + 2.0 * 0.8 * (4.0 * t).sin()
    });
}

/// The springs of the lamp cancel gravity at every pose: without a push it stays where it is put.
#[test]
fn the_desk_lamp_stays_where_it_is_put() {
    for (lower, upper) in [(110, 20), (70, -35), (140, 60)] {
        let settings =
            ["push=0".to_owned(), format!("lower={lower} deg"), format!("upper={upper} deg")];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let run = run(&ready("desk-lamp", &settings), 1.0, 0.5);
        assert_is(&run, "lower1_angle", 1e-10, |_| f64::from(lower).to_radians());
        assert_is(&run, "upper1_angle", 1e-10, |_| f64::from(upper).to_radians());
    }
}
