//! Motions against reference solutions, by every formulation that applies.

use catena::RunSettings;
use catena_tests::ready;
use serde_json::Value;

fn reference() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reference/motions.json");
    let text = std::fs::read_to_string(path).expect("the reference motions are there");
    serde_json::from_str(&text).expect("they are JSON")
}

/// Coordinates to 1e-8, velocities to 1e-7, forces to 1e-6, relative to max(1, |value|).
fn tolerance(column: &str) -> f64 {
    if ["lambda_", "pin_", "joint"].iter().any(|start| column.starts_with(start)) {
        1e-6
    } else if column.ends_with('\'') || column.starts_with("tip_v") {
        1e-7
    } else {
        1e-8
    }
}

#[test]
fn runs_with_dop853_match_the_reference_motions() {
    let reference = reference();
    let mut compared = 0;
    for case in reference["cases"].as_array().expect("a list of cases") {
        let name = case["model"].as_str().expect("a model");
        let settings: Vec<&str> = case["settings"]
            .as_array()
            .expect("settings")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let model = ready(name, &settings);
        let t_end = case["t"].as_f64().expect("a time");
        let request = RunSettings {
            formulation: case["formulation"].as_str().map(str::to_owned),
            integrator: Some("dop853".into()),
            rtol: Some(1e-12),
            atol: Some(1e-12),
            t_end: Some(t_end),
            every: Some(t_end),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (column, expected) in case["values"].as_object().expect("values") {
            let values = run.table.column(column).unwrap_or_else(|| panic!("{name} has {column}"));
            let (value, expected) =
                (values[values.len() - 1], expected.as_f64().expect("a number"));
            let error = (value - expected).abs() / expected.abs().max(1.0);
            assert!(
                error <= tolerance(column),
                "{name} {settings:?} at {t_end} s: {column} = {value}, not {expected} ({error:.1e})"
            );
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} values were compared");
}

/// θ = 2 asin(k sn(K − ω₀t)): Jacobi's function by the arithmetic-geometric mean.
#[test]
fn the_single_pendulum_follows_its_elliptic_function() {
    let model = ready("single-pendulum", &[]);
    let request = RunSettings {
        integrator: Some("dop853".into()),
        rtol: Some(1e-13),
        atol: Some(1e-13),
        t_end: Some(3.0),
        every: Some(0.25),
        ..RunSettings::default()
    };
    let run = catena::run(&model, &request).expect("it runs");
    let k = (std::f64::consts::FRAC_PI_8).sin();
    let rate = (3.0 * 9.81 / (2.0 * 10.0_f64)).sqrt();
    let quarter = quarter_period(k);
    let times = run.table.column("t").expect("times");
    let angles = run.table.column("theta").expect("angles");
    assert_eq!(times.len(), 13);
    for (&t, &angle) in times.iter().zip(angles) {
        let expected = 2.0 * (k * sn(quarter - rate * t, k)).asin();
        assert!((angle - expected).abs() < 1e-10, "t = {t}: {angle} and {expected}");
    }
}

/// K(k) = π / (2 agm(1, √(1 − k²)))
fn quarter_period(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    std::f64::consts::PI / (2.0 * a)
}

/// sn(u, k) by descending Landen transformations.
fn sn(u: f64, k: f64) -> f64 {
    let (mut a, mut c) = (vec![1.0], vec![k]);
    let mut b = (1.0 - k * k).sqrt();
    for i in 0..8 {
        let next = (a[i] + b) / 2.0;
        c.push((a[i] - b) / 2.0);
        b = (a[i] * b).sqrt();
        a.push(next);
    }
    let mut phase = 2_f64.powi(8) * a[8] * u;
    for i in (1..=8).rev() {
        phase = (phase + (c[i] / a[i] * phase.sin()).asin()) / 2.0;
    }
    phase.sin()
}
