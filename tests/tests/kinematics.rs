//! Mechanisms led through their range, against closed forms of the four-bar linkage.

use catena::analysis::{Drive, DriveError};
use catena_tests::{ready, written};
use std::f64::consts::TAU;

const L1: f64 = 1.0;
const L2: f64 = 0.4;
const L3: f64 = 0.9;
const L4: f64 = 0.8;
const RATE: f64 = 12.0;

fn drive(coordinate: &str) -> Drive {
    Drive {
        coordinate: Some(coordinate.into()),
        from: None,
        to: None,
        rate: RATE,
        points: 181,
        ..Drive::default()
    }
}

/// Angles of coupler and rocker on the open branch, from the triangle of crank end and ground pin.
fn closed_form(theta2: f64) -> [f64; 2] {
    let (bx, by) = (L2 * theta2.cos(), L2 * theta2.sin());
    let (dx, dy) = (L1 - bx, -by);
    let d = dx.hypot(dy);
    let at_crank = ((L3 * L3 + d * d - L4 * L4) / (2.0 * L3 * d)).acos();
    let theta3 = dy.atan2(dx) + at_crank;
    let (cx, cy) = (bx + L3 * theta3.cos(), by + L3 * theta3.sin());
    [theta3, cy.atan2(cx - L1)]
}

#[test]
fn positions_and_velocities_of_the_four_bar_follow_the_closed_form() {
    let driven =
        catena::analysis::drive(&ready("four-bar", &[]), &drive("theta2")).expect("it turns");
    assert!(driven.dead_points.is_empty());
    let column = |name: &str| driven.table.column(name).expect("a column");
    assert_eq!(driven.table.len(), 181);
    for row in 0..driven.table.len() {
        let at = |name: &str| column(name)[row];
        let (theta2, theta3, theta4) = (at("theta2"), at("theta3"), at("theta4"));
        let [expected3, expected4] = closed_form(theta2);
        let gap = |a: f64, b: f64| ((a - b + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0).abs();
        assert!(gap(theta3, expected3) < 1e-9 && gap(theta4, expected4) < 1e-9, "row {row}");
        let rate3 = L2 * RATE * (theta4 - theta2).sin() / (L3 * (theta3 - theta4).sin());
        let rate4 = L2 * RATE * (theta2 - theta3).sin() / (L4 * (theta4 - theta3).sin());
        assert!((at("theta3'") - rate3).abs() < 1e-9 && (at("theta4'") - rate4).abs() < 1e-9);
        // the loop closes for accelerations too: the second derivative of its x and y
        let term = |l: f64, angle: f64, rate: f64, acceleration: f64| {
            let (s, c) = angle.sin_cos();
            [l * (-s * acceleration - c * rate * rate), l * (c * acceleration - s * rate * rate)]
        };
        let crank = term(L2, theta2, RATE, 0.0);
        let coupler = term(L3, theta3, rate3, at("theta3''"));
        let rocker = term(L4, theta4, rate4, at("theta4''"));
        for axis in 0..2 {
            assert!((crank[axis] + coupler[axis] - rocker[axis]).abs() < 1e-9, "row {row}");
        }
    }
}

/// The same linkage from bodies and joints: the same angles, the same torque, the same pin forces.
#[test]
fn a_linkage_of_bodies_and_joints_is_led_like_one_of_energies() {
    let plain =
        catena::analysis::drive(&ready("four-bar", &[]), &drive("theta2")).expect("it turns");
    let bodies = catena::analysis::drive(&ready("four-bar-bodies", &[]), &drive("crank_angle"));
    let bodies = bodies.expect("it turns");
    let pairs = [
        ("theta3", "coupler_angle"),
        ("theta4'", "rocker_angle'"),
        ("theta4''", "rocker_angle''"),
        ("drive_torque", "drive_torque"),
        ("pin_O_x", "O_fx"),
        ("pin_B_y", "B_fy"),
    ];
    for (a, b) in pairs {
        let columns = plain.table.column(a).zip(bodies.table.column(b));
        let (expected, found) = columns.unwrap_or_else(|| panic!("{a} and {b}"));
        for (expected, found) in expected.iter().zip(found) {
            let error = (found - expected).abs() / expected.abs().max(1.0);
            assert!(error < 1e-9, "{b}: {found} and {expected}");
        }
    }
}

/// The torque at constant speed feeds the change of energy, and nothing else.
#[test]
fn the_driving_torque_times_the_speed_is_the_rate_of_the_energy() {
    let driven =
        catena::analysis::drive(&ready("four-bar", &[]), &drive("theta2")).expect("it turns");
    let masses = [("2", 1.0, L2), ("3", 2.25, L3), ("4", 2.0, L4)];
    for row in 0..driven.table.len() {
        let at = |name: String| driven.table.column(&name).expect("a column")[row];
        let mut power = 0.0;
        for (link, mass, length) in masses {
            let inertia = mass * length * length / 12.0;
            for axis in ["x", "y"] {
                power += mass * at(format!("{axis}{link}'")) * at(format!("{axis}{link}''"));
            }
            power += inertia * at(format!("theta{link}'")) * at(format!("theta{link}''"));
            power += mass * 9.81 * at(format!("y{link}'"));
        }
        let torque = at("drive_torque".into());
        assert!((torque * RATE - power).abs() < 1e-9 * (1.0 + power.abs()), "row {row}");
    }
}

/// Joint forces of the driven linkage obey Newton's law for each link.
#[test]
fn pin_forces_carry_the_links() {
    let driven =
        catena::analysis::drive(&ready("four-bar", &[]), &drive("theta2")).expect("it turns");
    for row in 0..driven.table.len() {
        let at = |name: &str| driven.table.column(name).expect("a column")[row];
        let gap = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "row {row}");
        };
        gap(at("pin_O_x") - at("pin_B_x"), at("x2''"));
        gap(at("pin_B_x") - at("pin_C_x"), 2.25 * at("x3''"));
        gap(at("pin_C_x") + at("pin_D_x"), 2.0 * at("x4''"));
        gap(at("pin_O_y") - at("pin_B_y"), at("y2''") + 9.81);
        gap(at("pin_B_y") - at("pin_C_y"), 2.25 * (at("y3''") + 9.81));
        gap(at("pin_C_y") + at("pin_D_y"), 2.0 * (at("y4''") + 9.81));
    }
}

/// Led by its rocker the linkage sticks where crank and coupler are in line.
#[test]
fn dead_points_are_found_where_crank_and_coupler_are_in_line() {
    let angle_where = |distance: f64| {
        let cosine = (distance * distance - L1 * L1 - L4 * L4) / (2.0 * L1 * L4);
        cosine.acos()
    };
    for (to, distance) in [(4.0, L3 - L2), (0.0, L3 + L2)] {
        let drive = Drive { to: Some(to), ..drive("theta4") };
        let driven = catena::analysis::drive(&ready("four-bar", &[]), &drive).expect("it begins");
        let [dead] = driven.dead_points.as_slice() else { panic!("one dead point: {driven:?}") };
        assert!(
            (dead.at - angle_where(distance)).abs() < 1e-6,
            "{} {}",
            dead.at,
            angle_where(distance)
        );
        // the rocker swings back with its centre, and the crank turns on
        assert_eq!(dead.turning_back, ["theta4", "x4", "y4"]);
        assert_eq!(dead.going_on.as_deref(), Some("theta2"));
    }
}

const MOTOR: &str = r#"
    title = "Motor"
    parameters = { m = 2, l = 0.5, g = 9.81, w = 3 }
    coordinates = { x = "", y = "", a = "" }
    [energy]
    kinetic = "1/2*m*(x'^2 + y'^2)"
    potential = "m*g*y"
    [constraints]
    cx = "x - l*cos(a)"
    cy = "y - l*sin(a)"
    motor = "a - w*t"
    [outputs]
    torque = "-lambda_motor"
    "#;

/// A crank that a motor turns: time leads, and the multiplier of the motor is its torque.
#[test]
fn a_motor_leads_by_time() {
    let model = written(MOTOR);
    let drive = Drive {
        coordinate: None,
        from: Some(0.0),
        to: Some(2.0),
        rate: 1.0,
        points: 21,
        ..Drive::default()
    };
    let driven = catena::analysis::drive(&model, &drive).expect("it turns");
    let (times, torques) = (driven.table.column("t"), driven.table.column("torque"));
    for (t, torque) in times.expect("t").iter().zip(torques.expect("torque")) {
        // weight times lever
        let expected = 2.0 * 9.81 * 0.5 * (3.0 * t).cos();
        assert!((torque - expected).abs() < 1e-9, "{t}: {torque} and {expected}");
    }
    let error = catena::analysis::drive(&model, &Drive { coordinate: Some("a".into()), ..drive });
    assert!(matches!(error, Err(DriveError::Overdetermined { .. })), "{error:?}");
}

/// Neither the model nor the question has an end: the motor turns once, whatever its speed.
#[test]
fn a_motor_turns_once_where_nobody_says_how_far() {
    for speed in [3.0, -40.0] {
        let model = written(&MOTOR.replace("w = 3", &format!("w = {speed}")));
        let answer = catena::ask("inverse", &model, &[("columns", "torque")]).expect("it turns");
        let times = answer.table.column("t").expect("t");
        let period = std::f64::consts::TAU / f64::abs(speed);
        assert!((times[times.len() - 1] - period).abs() < 1e-12 * period, "{times:?}");
        assert!(answer.words.to_text().contains("one period of the drive"));
        let longer = catena::ask("inverse", &model, &[("to", "9")]).expect("it turns");
        assert_eq!(longer.table.column("t").expect("t").last(), Some(&9.0));
    }
}

#[test]
fn what_cannot_be_led_is_told_why() {
    let four_bar = ready("four-bar", &[]);
    let error = catena::analysis::drive(&four_bar, &drive("theta9")).expect_err("there is none");
    assert!(matches!(error, DriveError::UnknownCoordinate { .. }));
    let nothing = Drive { coordinate: None, ..drive("theta2") };
    assert_eq!(catena::analysis::drive(&four_bar, &nothing), Err(DriveError::NothingDriven));
    let error =
        catena::analysis::drive(&ready("double-pendulum", &[]), &drive("theta1")).expect_err("two");
    assert_eq!(
        error.to_string(),
        "1 degree of freedom is left when the mechanism is driven: nothing determines theta2"
    );
}
