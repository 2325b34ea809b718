//! Cams against closed forms: an eccentric disc, whose roller moves as if a rod held it, and a fixed
//! circle, on which a bead is a pendulum.

use crate::{assert_is, column, gap, run};
use catena::formulation::{Approximation, FORMULATIONS};
use catena::simulation::Run;
use catena::{Model, RunSettings};
use catena_tests::written;

const G: f64 = 9.81;
/// Radius of the disc, m.
const R: f64 = 0.04;
/// Eccentricity, m.
const E: f64 = 0.015;
/// Radius of the roller, m.
const B: f64 = 0.01;
/// Mass of the follower, kg.
const M: f64 = 0.5;
/// Speed, rad/s.
const OMEGA: f64 = 25.0;

/// A disc that turns about a point off its centre lifts a follower straight above the axle.
fn valve(radius: &str) -> Model {
    written(&format!(
        r#"
        parameters = {{ R = {R}, e = {E}, b = {B}, omega = {OMEGA} }}
        [[body]]
        name = "cam"
        mass = 1
        inertia = 0.001
        points = {{ O = [0, 0] }}
        [[body]]
        name = "follower"
        mass = {M}
        inertia = 0.001
        centre = [0, 0.1]
        points = {{ P = [0, 0] }}
        [[joint]]
        name = "axle"
        type = "revolute"
        between = [[0, 0], "cam.O"]
        [[joint]]
        name = "guide"
        type = "prismatic"
        between = [[0, 0], "follower.P"]
        axis = [0, 1]
        [[joint]]
        name = "contact"
        type = "cam-follower"
        between = ["cam.O", "follower.P"]
        profile = "e*cos(phi) + sqrt(R^2 - e^2*sin(phi)^2)"
        radius = "{radius}"
        [[motor]]
        name = "drive"
        joint = "axle"
        angle = "omega*t"
        [outputs]
        lift = "follower_P_y"
        speed = "follower_P_y'"
        "#
    ))
}

/// With the sum of the radii of disc and roller the lift is e sin θ + √(sum² − e² cos² θ).
fn assert_lifts(run: &Run, sum: f64, tolerance: f64) {
    let root = |t: f64| (sum * sum - (E * (OMEGA * t).cos()).powi(2)).sqrt();
    let lift = |t: f64| E * (OMEGA * t).sin() + root(t);
    let speed = |t: f64| {
        let (s, c) = (OMEGA * t).sin_cos();
        OMEGA * (E * c + E * E * s * c / root(t))
    };
    let acceleration = |t: f64| {
        let (s, c) = (OMEGA * t).sin_cos();
        let product = E * E * s * c / root(t);
        OMEGA * OMEGA * (-E * s + E * E * (c * c - s * s) / root(t) - product * product / root(t))
    };
    // the normal points from the centre of the disc to that of the roller
    let normal = |t: f64| M * (G + acceleration(t)) * sum / root(t);
    assert_is(run, "lift", tolerance, lift);
    assert_is(run, "speed", tolerance, speed);
    assert_is(run, "contact_fy", tolerance, |t| M * (G + acceleration(t)));
    assert_is(run, "contact_fx", tolerance, |t| -normal(t) * E * (OMEGA * t).cos() / sum);
    assert_is(run, "contact_normal", tolerance, normal);
    assert_is(run, "drive_torque", tolerance, |t| M * (G + acceleration(t)) * speed(t) / OMEGA);
    let forces = column(run, "contact_normal").iter();
    let (least, most) = forces.fold((f64::MAX, f64::MIN), |(a, b), &f| (a.min(f), b.max(f)));
    assert!(least < -0.1 && most > 5.0, "fast enough to lift off: {least} to {most} N");
}

/// Four turns: the polar angle jumps by 2π on the way.
#[test]
fn a_knife_edge_follows_an_eccentric_disc() {
    assert_lifts(&run(&valve("0"), 1.0, 0.01), R, 1e-10);
}

#[test]
fn a_roller_keeps_its_distance_from_an_eccentric_disc() {
    assert_lifts(&run(&valve("b"), 1.0, 0.01), R + B, 1e-10);
}

#[test]
fn a_roller_of_no_size_is_a_knife_edge() {
    assert_lifts(&run(&valve("0*b"), 1.0, 0.01), R, 1e-10);
}

#[test]
fn a_roller_with_a_negative_radius_runs_inside_the_curve() {
    assert_lifts(&run(&valve("-b"), 1.0, 0.01), R - B, 1e-10);
}

/// A heavy disc turns under a lever.
fn lever(contact: &str) -> Model {
    written(&format!(
        r#"
        parameters = {{ R = 0.3, e = 0.1, b = 0.12 }}
        [[body]]
        name = "disc"
        mass = 4
        inertia = "4*R^2/2"
        points = {{ O = ["-e", 0], C = [0, 0] }}
        [[body]]
        name = "lever"
        mass = 1
        length = 0.8
        angle = "20 deg"
        points = {{ P = [0.5, -0.03] }}
        [[joint]]
        name = "axle"
        type = "revolute"
        between = [[0, 0], "disc.O"]
        [[joint]]
        name = "pivot"
        type = "revolute"
        between = [[-0.6, 0.3], "lever.A"]
        friction = 0.02
        [[joint]]
        name = "contact"
        {contact}
        [[spring]]
        between = ["lever.B", [0.3, -0.5]]
        stiffness = 40
        [initial]
        disc_angle = "75 deg"
        "disc_angle'" = 9
        "#
    ))
}

/// The lever on the disc, and with a massless rod from the centre of the disc to that of the roller.
fn disc_and_rod() -> [Model; 2] {
    let cam = "type = \"cam-follower\"\nbetween = [\"disc.O\", \"lever.P\"]\n\
               profile = \"e*cos(phi) + sqrt(R^2 - e^2*sin(phi)^2)\"\nradius = \"b\"";
    let rod = "type = \"distance\"\nbetween = [\"disc.C\", \"lever.P\"]\nlength = \"R + b\"";
    [cam, rod].map(lever)
}

#[test]
fn a_roller_on_a_disc_moves_as_if_a_rod_held_it() {
    let [cam, rod] = disc_and_rod().map(|model| run(&model, 2.0, 0.05));
    let angles = column(&cam, "disc_angle");
    assert!(angles[angles.len() - 1] - angles[0] > 6.3, "more than a turn");
    for expected in &rod.table.columns {
        // both multipliers are the force along the line of centres
        let difference = gap(column(&cam, &expected.name), expected.numbers());
        assert!(difference <= 1e-9, "{}: {difference:.1e}", expected.name);
    }
    let thrust: Vec<f64> = column(&rod, "lambda_contact_d").iter().map(|force| -force).collect();
    let difference = gap(column(&cam, "contact_normal"), &thrust);
    assert!(difference <= 1e-9, "{difference:.1e}");
}

#[test]
fn every_formulation_keeps_a_roller_on_its_cam() {
    let [cam, rod] = disc_and_rod();
    let rod = run(&rod, 1.0, 0.05);
    let mut tried = 0;
    for entry in FORMULATIONS.iter().filter(|entry| entry.approximation == Approximation::None) {
        if (entry.refuses)(&cam).is_some() {
            continue;
        }
        let request = RunSettings {
            formulation: Some(entry.name.into()),
            integrator: Some("dopri5".into()),
            rtol: Some(1e-9),
            atol: Some(1e-9),
            t_end: Some(1.0),
            every: Some(0.05),
            ..RunSettings::default()
        };
        let run = catena::run(&cam, &request).unwrap_or_else(|error| panic!("{error}"));
        for name in ["disc_angle", "lever_angle", "lever_angle'"] {
            let difference = gap(column(&run, name), column(&rod, name));
            assert!(difference <= 1e-6, "{name} by {}: {difference:.1e}", entry.name);
        }
        tried += 1;
    }
    assert!(tried >= 7, "{tried} formulations take constraints");
}

/// A cam that is no disc: Newton's and Euler's laws hold for each body by itself.
#[test]
fn a_cam_and_its_follower_act_on_each_other() {
    let roller = r#"
        [[body]]
        name = "cam"
        mass = 2
        inertia = 0.01
        centre = [0.02, 0.01]
        points = { O = [0, 0] }
        [[body]]
        name = "lever"
        mass = 0.7
        length = 0.5
        points = { P = [0.3, -0.05] }
        angle = "10 deg"
        [[joint]]
        name = "axle"
        type = "revolute"
        between = [[0, 0], "cam.O"]
        [[joint]]
        name = "pivot"
        type = "revolute"
        between = [[-0.3, 0.2], "lever.A"]
        [[joint]]
        name = "contact"
        type = "cam-follower"
        between = ["cam.O", "lever.P"]
        profile = "0.12 + 0.02*cos(2*phi) + 0.01*sin(3*phi)"
        radius = 0.04
        [initial]
        cam_angle = 0.3
        "cam_angle'" = 5
        "#;
    crate::reactions::assert_balanced("roller on a lobed cam", roller, 1.0, &[]);
    let knife_edge = roller.replace("radius = 0.04", "");
    crate::reactions::assert_balanced("knife edge on a lobed cam", &knife_edge, 1.0, &[]);
}

/// On a circle fixed to the ground a bead is a pendulum; what pulls it inwards is a negative normal
/// force.
#[test]
fn a_bead_on_a_fixed_circle_is_a_pendulum() {
    let bead = written(
        r#"
        [[body]]
        name = "bead"
        mass = 2
        inertia = 0.1
        x = 0.5
        y = -0.8
        [[joint]]
        name = "wire"
        type = "cam-follower"
        between = [[0, 0], "bead"]
        profile = 1
        [initial]
        bead_x = 0.6
        bead_angle = 0
        "bead_angle'" = 0
        "#,
    );
    let pendulum = written(
        r#"
        coordinates = { a = "from the downward vertical" }
        initial = { a = "asin(0.6)" }
        [energy]
        kinetic = "1/2*2*a'^2"
        potential = "-2*9.81*cos(a)"
        [outputs]
        x = "sin(a)"
        y = "-cos(a)"
        tension = "2*(9.81*cos(a) + a'^2)"
        "#,
    );
    let (bead, pendulum) = (run(&bead, 4.0, 0.1), run(&pendulum, 4.0, 0.1));
    for (found, expected) in [("bead_x", "x"), ("bead_y", "y")] {
        let difference = gap(column(&bead, found), column(&pendulum, expected));
        assert!(difference <= 1e-9, "{found}: {difference:.1e}");
    }
    let pulls: Vec<f64> = column(&bead, "wire_normal").iter().map(|force| -force).collect();
    let difference = gap(&pulls, column(&pendulum, "tension"));
    assert!(difference <= 1e-9, "{difference:.1e}");
}

/// Formulas at the limit of what can be read are taken, or refused with a message.
#[test]
fn a_profile_nested_deeply_is_taken_or_refused() {
    let model = |profile: &str| {
        let text = format!(
            "[[body]]\nname = \"bead\"\nmass = 1\ninertia = 0\n\
             [[joint]]\nname = \"wire\"\ntype = \"cam-follower\"\nbetween = [[0, 0], \"bead\"]\n\
             profile = \"{profile}\"\nradius = 0.1\n"
        );
        catena::read(catena::model::Source::new("cam.toml", text), &[])
    };
    let mut refused = 0;
    for levels in (1..=200).filter(|levels| levels % 10 == 1 || *levels > 185) {
        for (open, close) in [("(", ")"), ("sin(", ")"), ("2^", ""), ("-", ""), ("phi^(", ")")] {
            let profile = format!("1 + {}phi{}", open.repeat(levels), close.repeat(levels));
            match model(&profile) {
                Ok(model) => assert_eq!(model.own.constraints.len(), 1),
                Err(error) => {
                    refused += 1;
                    assert!(levels > 20, "{levels} × {open}: {error}");
                }
            }
        }
    }
    assert!(refused > 20, "{refused}");
}
