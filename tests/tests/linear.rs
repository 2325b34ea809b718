//! Runs of the linear model about an equilibrium.

use catena::simulation::Run;
use catena::{Model, RunSettings};
use catena_tests::{ready, solve, written};
use std::f64::consts::TAU;

fn linear_request(t_end: f64, every: f64) -> RunSettings {
    RunSettings {
        integrator: Some("dop853".into()),
        rtol: Some(1e-12),
        atol: Some(1e-13),
        t_end: Some(t_end),
        every: Some(every),
        linear: true,
        ..RunSettings::default()
    }
}

fn run(model: &Model, request: &RunSettings) -> Run {
    catena::run(model, request).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_else(|| panic!("no column {name}"))
}

/// The classical method with so many equal steps.
fn runge_kutta<const N: usize>(
    rate: impl Fn(f64, &[f64; N]) -> [f64; N],
    mut y: [f64; N],
    t: f64,
    steps: usize,
) -> [f64; N] {
    let h = t / steps as f64;
    let moved = |y: &[f64; N], by: f64, k: &[f64; N]| -> [f64; N] {
        std::array::from_fn(|i| y[i] + by * k[i])
    };
    for step in 0..steps {
        let t = step as f64 * h;
        let k1 = rate(t, &y);
        let k2 = rate(t + h / 2.0, &moved(&y, h / 2.0, &k1));
        let k3 = rate(t + h / 2.0, &moved(&y, h / 2.0, &k2));
        let k4 = rate(t + h, &moved(&y, h, &k3));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

/// The short model of the triple pendulum's study, M θ̈ + C θ̇ + K θ + A η̈ = 0.
fn short_model(r: f64, eta0: f64, f: f64) -> impl Fn(f64, &[f64; 6]) -> [f64; 6] {
    let mass = [3.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0];
    let friction = [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]];
    let weights = [3.0, 2.0, 1.0];
    move |t, y| {
        let pivot = -eta0 * (TAU * f).powi(2) * (TAU * f * t).cos();
        let right: [f64; 3] = std::array::from_fn(|i| {
            let braked: f64 = (0..3).map(|j| r * friction[i][j] * y[3 + j]).sum();
            -braked - 9.81 * weights[i] * y[i] - weights[i] * pivot
        });
        let a = solve(&mass, &right);
        [y[3], y[4], y[5], a[0], a[1], a[2]]
    }
}

#[test]
fn the_linear_triple_pendulum_is_the_short_model_of_its_study() {
    let settings = ["R=0.3", "eta0=0.07", "f=0.6", "theta1=0.2", "theta3=-0.1", "theta2'=0.4"];
    let model = ready("triple-pendulum", &settings);
    let run = run(&model, &linear_request(10.0, 2.5));
    let rate = short_model(0.3, 0.07, 0.6);
    let start = [0.2, 0.0, -0.1, 0.0, 0.4, 0.0];
    for (row, &t) in column(&run, "t").iter().enumerate().skip(1) {
        let expected = runge_kutta(&rate, start, t, (2000.0 * t) as usize);
        let names = ["theta1", "theta2", "theta3", "theta1'", "theta2'", "theta3'"];
        for (name, expected) in names.iter().zip(expected) {
            let value = column(&run, name)[row];
            assert!((value - expected).abs() < 1e-8, "{name} at {t} s: {value}, not {expected}");
        }
    }
}

/// |θk/η| at R = 1, f = 0.3 Hz: `triple/frf_linear.json` of the reference files, row f_hz = 0.3, from
/// θ/η = −(M s² + C s + K)⁻¹ A s² and checked there by Cramer's rule in 40 digits.
const AMPLIFICATION: [f64; 3] = [2.2751420256760326, 2.8605984945660285, 3.437342082978191];

#[test]
fn after_the_transient_the_linear_triple_pendulum_has_the_amplitude_of_its_response() {
    let model = ready("triple-pendulum", &["R=1", "f=0.3", "eta0=0.05"]);
    let period = 1.0 / 0.3;
    let run = run(&model, &linear_request(150.0 * period, period / 64.0));
    for (k, amplification) in AMPLIFICATION.iter().enumerate() {
        let angles = column(&run, &format!("theta{}", k + 1));
        // the last period, against a cosine and a sine
        let last = &angles[angles.len() - 65..angles.len() - 1];
        let part = |wave: fn(f64) -> f64| -> f64 {
            let turns =
                last.iter().enumerate().map(|(i, angle)| angle * wave(TAU * i as f64 / 64.0));
            turns.sum::<f64>() / 32.0
        };
        let amplitude = part(f64::cos).hypot(part(f64::sin));
        let expected = amplification * 0.05;
        assert!((amplitude / expected - 1.0).abs() < 1e-4, "{amplitude} and {expected}");
    }
}

#[test]
fn a_linear_pendulum_swings_as_a_cosine_however_far_by_every_integrator_family() {
    let model = written(
        r#"
        parameters = { m = 0.3, l = 1.7, g = 9.81 }
        coordinates = { theta = "from the downward vertical" }
        energy.kinetic = "1/2*m*l^2*theta'^2"
        energy.potential = "-m*g*l*cos(theta)"
        initial = { theta = 0.8 }
        "#,
    );
    let errors = |request: RunSettings| {
        let run = run(&model, &request);
        let rows = column(&run, "t").iter().zip(column(&run, "theta"));
        rows.map(|(t, theta)| (theta - 0.8 * ((9.81 / 1.7_f64).sqrt() * t).cos()).abs())
            .fold(0.0, f64::max)
    };
    assert!(errors(linear_request(10.0, 0.25)) < 1e-9);
    for (integrator, bound) in [("radau5", 1e-8), ("gauss4", 1e-6), ("leapfrog", 1e-2)] {
        let integrator = Some(integrator.into());
        let error =
            errors(RunSettings { integrator, step: Some(0.01), ..linear_request(2.0, 0.25) });
        assert!(error < bound, "{error:.1e}");
    }
}

#[test]
fn a_vertically_shaken_pendulum_keeps_its_mathieu_term() {
    let model = written(
        r#"
        parameters = { m = 0.5, l = 1.2, g = 9.81, a = 0.3, w = 5.7 }
        coordinates = { theta = "from the downward vertical" }
        definitions = { x = "l*sin(theta)", y = "a*cos(w*t) - l*cos(theta)" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y"
        initial = { theta = 0.1 }
        "#,
    );
    let run = run(&model, &linear_request(6.0, 1.5));
    let rate = |t: f64, y: &[f64; 2]| {
        let lift = -0.3 * 5.7_f64.powi(2) * (5.7 * t).cos();
        [y[1], -(9.81 + lift) / 1.2 * y[0]]
    };
    for (row, &t) in column(&run, "t").iter().enumerate().skip(1) {
        let [angle, _] = runge_kutta(rate, [0.1, 0.0], t, (2000.0 * t) as usize);
        let value = column(&run, "theta")[row];
        assert!((value - angle).abs() < 1e-9, "at {t} s: {value}, not {angle}");
    }
    // without the term the difference would be of the size of the motion
    let [still, _] =
        runge_kutta(|_, y: &[f64; 2]| [y[1], -9.81 / 1.2 * y[0]], [0.1, 0.0], 6.0, 9000);
    assert!((column(&run, "theta")[4] - still).abs() > 0.01);
}

/// The crank angle at which the linkage hangs, by the model itself.
fn hanging_crank() -> f64 {
    let run = run(&ready("four-bar", &["theta2=-60 deg"]), &linear_request(0.1, 0.1));
    let rest = run.certificate.linear_about.expect("a linear run says where it is");
    rest.iter().find(|(name, _)| name == "theta2").expect("the crank").1
}

#[test]
fn a_hanging_four_bar_swings_linearly_up_to_the_square_of_its_amplitude() {
    let crank = hanging_crank();
    let difference = |amplitude: f64| {
        let model = ready("four-bar", &[&format!("theta2={:?}", crank + amplitude)]);
        let request = linear_request(2.0, 0.1);
        let linear = run(&model, &request);
        let full = run(&model, &RunSettings { linear: false, ..request });
        let swing = column(&full, "theta2").iter().fold(0.0_f64, |a, b| a.max((b - crank).abs()));
        assert!(swing < 1.5 * amplitude, "it hangs: {swing:.1e}");
        let mut largest = 0.0_f64;
        for name in ["x2", "y2", "theta2", "x3", "theta3", "y4", "theta4", "theta4'"] {
            for (a, b) in column(&linear, name).iter().zip(column(&full, name)) {
                largest = largest.max((a - b).abs());
            }
        }
        largest
    };
    let (large, small) = (difference(2e-4), difference(1e-4));
    assert!(small < 1e-6, "{small:.1e}");
    assert!((3.5..4.5).contains(&(large / small)), "{large:.1e} and {small:.1e}");
}

#[test]
fn formulations_agree_on_the_linear_model_of_a_shaken_chain() {
    let model = ready("pendulum-chain", &["links=3"]);
    let angles = |formulation: &str| -> Vec<f64> {
        let formulation = Some(formulation.into());
        let run = run(&model, &RunSettings { formulation, ..linear_request(4.0, 0.5) });
        ["theta1", "theta2", "theta3"].iter().flat_map(|name| column(&run, name).to_vec()).collect()
    };
    let expected = angles("minimal");
    assert!(expected.iter().any(|angle| angle.abs() > 1e-3), "the chain is shaken");
    for formulation in ["multipliers", "projection", "baumgarte"] {
        for (value, expected) in angles(formulation).iter().zip(&expected) {
            assert!((value - expected).abs() < 1e-9, "{formulation}: {value}, not {expected}");
        }
    }
}

#[test]
fn columns_that_need_forces_are_left_out_and_the_certificate_says_so() {
    let four_bar = run(&ready("four-bar", &[]), &linear_request(0.5, 0.1));
    let mut names = four_bar.table.names();
    assert!(!names.clone().any(|name| name.starts_with("lambda_") || name.starts_with("pin_")));
    assert_eq!(names.next_back(), Some("energy"));
    let json = catena::run_json(&four_bar);
    let certificate = &json["certificate"];
    assert_eq!(certificate["linear_about"].as_object().map(|rest| rest.len()), Some(9));
    for figure in ["energy_residual", "constraint_error", "constraint_rate_error"] {
        assert!(certificate[figure].is_null(), "{figure}");
    }

    // the rail's force needs an acceleration, the momentum does not
    let cart = run(&ready("cart-pendulum", &["theta=0.1"]), &linear_request(0.5, 0.1));
    assert!(cart.table.column("momentum").is_some() && cart.table.column("rail_force").is_none());
    let plain = RunSettings { linear: false, ..linear_request(0.5, 0.1) };
    let plain = run(&ready("cart-pendulum", &["theta=0.1"]), &plain);
    assert!(plain.table.column("rail_force").is_some());
    assert!(plain.certificate.linear_about.is_none());
}

#[test]
fn events_of_a_linear_run_are_found() {
    let model = ready("double-pendulum-cartesian", &[]);
    let request = linear_request(4.0, 0.1);
    let run = run(&model, &request);
    let x1 = run.events.column("x1").expect("events have columns");
    let x2 = run.events.column("x2").expect("events have columns");
    assert!(!x1.is_empty());
    assert!(x1.iter().zip(x2).all(|(a, b)| (a - b).abs() < 1e-8));
}

#[test]
fn what_cannot_rest_has_no_linear_run() {
    let model = written(
        r#"
        parameters = { m = 2, g = 9.81 }
        coordinates = { y = "height" }
        energy.kinetic = "1/2*m*y'^2"
        energy.potential = "m*g*y"
        "#,
    );
    let failure = catena::run(&model, &linear_request(1.0, 0.1)).expect_err("it falls");
    let expected = "there is no equilibrium: the force on `y` cannot be balanced";
    assert_eq!(failure.to_string(), expected);
    assert!(failure.help().is_some_and(|help| help.starts_with("-19.62 is left")));
    assert!(!failure.is_usage(), "the model is to blame, not the request");
}
