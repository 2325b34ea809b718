//! Bodies that turn on and on, against closed forms: a planetary gear by Willis' formula, a rotor about an axle far from
//! its centre, cranks that a motor drives. Whoever keeps the constraints keeps the phase, too, as exactly as joint
//! coordinates do; whoever does not says so by its energy balance or its constraints.

use catena::formulation::{Entry, FORMULATIONS};
use catena::simulation::Run;
use catena::{Model, RunSettings};
use catena_tests::written;
use std::f64::consts::{PI, TAU};

/// A sun drives three planets on a carrier inside a ring that is held.
const PLANETARY: &str = r#"
    [parameters]
    zs = 20
    zp = 15
    zr = 50
    rc = 0.07
    torque = 0.002

    [[body]]
    name = "sun"
    mass = 1.0
    inertia = 0.002

    [[body]]
    name = "carrier"
    mass = 2.0
    inertia = 0.01
    points = { P1 = ["rc", 0], P2 = ["-rc/2", "rc*sqrt(3)/2"], P3 = ["-rc/2", "-rc*sqrt(3)/2"] }

    [[body]]
    name = "ring"
    mass = 3.0
    inertia = 0.05

    [[body]]
    name = "planet{i}"
    repeat = 3
    mass = 0.5
    inertia = 0.0005

    [[joint]]
    name = "sun_axle"
    type = "revolute"
    between = [[0, 0], "sun"]

    [[joint]]
    name = "carrier_axle"
    type = "revolute"
    between = [[0, 0], "carrier"]

    [[joint]]
    name = "housing"
    type = "weld"
    between = [[0, 0], "ring"]

    [[joint]]
    name = "pin{i}"
    repeat = 3
    type = "revolute"
    between = ["carrier.P{i}", "planet{i}"]

    [[joint]]
    name = "mesh{i}"
    repeat = 3
    type = "gear"
    between = ["sun", "planet{i}"]
    carrier = "carrier"
    ratio = "-zs/zp"

    [[joint]]
    name = "inner"
    type = "gear"
    between = ["planet1", "ring"]
    carrier = "carrier"
    ratio = "zp/zr"

    [[torque]]
    on = "sun"
    value = "torque"

    [initial]
    sun_angle = 0
    "sun_angle'" = 400
"#;

/// A body on an axle far from its centre, without gravity.
const ECCENTRIC: &str = r#"
    [parameters]
    g = 0

    [[body]]
    name = "rotor"
    mass = 2.0
    inertia = 0.01
    points = { A = [-0.1, 0.02] }

    [[joint]]
    name = "axle"
    type = "revolute"
    between = [[0, 0], "rotor.A"]

    [initial]
    rotor_angle = 0
    "rotor_angle'" = "100*pi"
"#;

/// The exact formulations that take a model.
fn exact_for(model: &Model) -> impl Iterator<Item = &'static Entry> {
    let taken = |entry: &&'static Entry| entry.is_exact() && (entry.refuses)(model).is_none();
    FORMULATIONS.iter().copied().filter(taken)
}

/// A run to the end at the default tolerance.
fn run(model: &Model, entry: &Entry, t_end: f64) -> Result<Run, String> {
    let settings = RunSettings {
        formulation: Some(entry.name.to_owned()),
        integrator: Some("dopri5".to_owned()),
        t_end: Some(t_end),
        every: Some(t_end / 4.0),
        ..RunSettings::default()
    };
    let run = catena::run(model, &settings).map_err(|error| error.to_string())?;
    let reached = run.certificate.time == t_end;
    reached.then_some(run).ok_or_else(|| "it ended before".to_owned())
}

/// The largest difference of a column from a function of time.
fn error(run: &Run, column: &str, exact: impl Fn(f64) -> f64) -> f64 {
    let found = run.table.column(column).unwrap_or_else(|| panic!("there is a column {column}"));
    let times = run.table.column("t").expect("there is a time");
    found.iter().zip(times).map(|(found, &t)| (found - exact(t)).abs()).fold(0.0, f64::max)
}

/// Formulations that bring states back to the constraints are right to `tolerance`, rad; of the others, which let
/// constraints drift or pull them back by forces, the energy balance tells: a relative error of the energy that grows
/// with time, half of it one of the rate, turns by a quarter of that part of the angle.
fn assert_phase(model: &Model, t_end: f64, tolerance: f64, phase: impl Fn(&Run) -> [f64; 2]) {
    let mut right = 0;
    for entry in exact_for(model) {
        let run = match run(model, entry, t_end) {
            Ok(run) => run,
            Err(reason) => {
                println!("{}: {reason}", entry.name);
                continue;
            }
        };
        let [error, angle] = phase(&run);
        let certificate = &run.certificate;
        let told = certificate.energy_residual / certificate.energy * angle;
        println!("{}: off by {error:.1e} rad of {angle:.0}, told {told:.1e}", entry.name);
        let keeps_constraints = certificate.constraint_error < 1e-9;
        right += usize::from(error <= tolerance);
        if keeps_constraints {
            assert!(error <= tolerance, "{}: {error:e}", entry.name);
        } else {
            assert!(error <= tolerance + told, "{}: {error:e}, told {told:e}", entry.name);
        }
    }
    assert!(right >= 5, "only {right} formulations keep the phase to {tolerance:e}");
}

/// θ_c = θ_s z_s/(z_s + z_r), and a constant torque on a constant inertia.
#[test]
fn a_planetary_gear_turns_as_willis_says_under_every_formulation() {
    let model = written(PLANETARY);
    let [zs, zp, zr, rc, torque] = [20.0, 15.0, 50.0, 0.07, 0.002_f64];
    let carrier = zs / (zs + zr);
    let planet = carrier - zs / zp * (1.0 - carrier);
    let planets = 3.0 * (0.5 * (rc * carrier).powi(2) + 0.0005 * planet.powi(2));
    let inertia = 0.002 + 0.01 * carrier * carrier + planets;
    let sun = |t: f64| 400.0 * t + 0.5 * torque / inertia * t * t;
    let t_end = 5.0;
    assert_phase(&model, t_end, 1e-6, |run| {
        let errors = [
            error(run, "sun_angle", sun),
            error(run, "carrier_angle", |t| carrier * sun(t)),
            error(run, "planet2_angle", |t| planet * sun(t)),
            error(run, "planet1_x", |t| rc * (carrier * sun(t)).cos()),
        ];
        // without a projection x drifts, and the constraint says so
        let allowed = run.certificate.constraint_error;
        assert!(errors[3] <= 1e-6 + errors[1] * rc + 2.0 * allowed, "x is off by {:e}", errors[3]);
        [errors[..3].iter().copied().fold(0.0, f64::max), sun(t_end)]
    });
}

#[test]
fn a_rotor_far_from_its_axle_turns_uniformly_under_every_formulation() {
    let model = written(ECCENTRIC);
    let t_end = 2.0;
    assert_phase(&model, t_end, 1e-6, |run| {
        [error(run, "rotor_angle", |t| 100.0 * PI * t), 100.0 * PI * t_end]
    });
}

/// A ready mechanism whose crank is driven by a motor in a joint, at 3000 turns a minute.
fn driven(name: &str, joint: &str, angle: f64) -> Model {
    let text = catena::systems::find(name).expect("it is a ready system").text;
    let (head, tail) = text.split_once("[initial]").expect("it has a start");
    let (_, rest) = tail.split_once("[events]").expect("it has events");
    let rest = rest.split_once("[run]").expect("it says how it runs").1;
    let rest = rest.split_once("[draw]").map_or(rest, |(run, _)| run);
    let motor = format!("angle = \"{angle} + 100*pi*t\"");
    written(&format!(
        "{head}\n[[motor]]\nname = \"drive\"\njoint = \"{joint}\"\n{motor}\n[run]\n{rest}"
    ))
}

#[test]
fn a_driven_slider_crank_is_where_its_crank_says_under_every_formulation() {
    let model = driven("slider-crank-bodies", "axle", 0.5);
    let crank = |t: f64| 0.5 + 100.0 * PI * t;
    let (r, l) = (0.1, 0.3_f64);
    let slider = |t: f64| {
        let (sine, cosine) = crank(t).sin_cos();
        r * cosine + (l * l - (r * sine).powi(2)).sqrt()
    };
    let mut right = 0;
    for entry in exact_for(&model) {
        let Ok(run) = run(&model, entry, 1.0) else { continue };
        let errors = [error(&run, "crank_angle", crank), error(&run, "slider_x", slider)];
        println!("{}: {:.1e} rad, {:.1e} m", entry.name, errors[0], errors[1]);
        // the motor's constraint is one of those that the certificate is about
        let allowed = 1e-10 + 10.0 * run.certificate.constraint_error;
        assert!(errors.iter().all(|error| *error <= allowed), "{}: {errors:?}", entry.name);
        right += usize::from(allowed < 1e-8);
    }
    assert!(right >= 5, "only {right} formulations keep their constraints");
}

/// A pendulum that turns over and over.
const WHIRLING: &str = r#"
    parameters = { g = 9.81, l = 1 }
    coordinates = { theta = "angle from the vertical" }
    [energy]
    kinetic = "1/2*l^2*theta'^2"
    potential = "-g*l*cos(theta)"
    [initial]
    theta = 0
    "theta'" = 12
"#;

/// Turns that are over have no influence: not on the scale of a tolerance either.
#[test]
fn a_thousand_turns_on_steps_are_what_they_were() {
    let heavy = ECCENTRIC.replace("g = 0", "g = 981");
    for (formulation, text, angle) in
        [("minimal", WHIRLING, "theta = 0"), ("recursive", &heavy, "rotor_angle = 0")]
    {
        let steps = |turns: f64| {
            let begun = angle.replace("= 0", &format!("= {:?}", TAU * turns));
            let model = written(&text.replace(angle, &begun));
            let entry = catena::formulation::find(formulation).unwrap();
            let run = run(&model, entry, 10.0).expect("it turns");
            run.certificate.statistics.steps
        };
        let (soon, late) = (steps(1.0), steps(1000.0));
        assert!(soon.abs_diff(late) * 100 <= soon, "{formulation}: {soon} steps, later {late}");
    }
}

/// What a point far from its axle does to the choice of independent coordinates: nothing, whatever the unit of length.
#[test]
fn angles_stay_independent_in_any_unit_of_length() {
    let far = ECCENTRIC.replace("[-0.1, 0.02]", "[-100, 20]");
    let model = written(&far);
    let partitioning = catena::formulation::find("coordinate-partitioning").unwrap();
    let run = run(&model, partitioning, 0.5).expect("it turns");
    assert!(error(&run, "rotor_angle", |t| 100.0 * PI * t) <= 1e-7);
    assert!(run.certificate.remarks.is_empty(), "{:?}", run.certificate.remarks);
}
