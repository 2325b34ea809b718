//! Nonlinear frequency responses against a reference, the linear limit, harmonic balance and each other.

use catena::Model;
use catena::analysis::{
    Branch, FrequencyUnit, Response, ResponseCurve, ResponseError, ResponsePoint, ResponseRequest,
    response,
};
use catena::ensemble::Axis;
use catena_compile::InstructionSet;
use catena_tests::{ready, solve, written};
use std::f64::consts::TAU;

fn found(model: &Model, request: &ResponseRequest) -> Response {
    response(model, request, &|_| false).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

fn refused(model: &Model, request: &ResponseRequest) -> ResponseError {
    response(model, request, &|_| false).expect_err("it has no response")
}

/// Points alone, without a look at their peaks.
fn plain(model: &Model, values: Vec<f64>) -> ResponseRequest {
    ResponseRequest { refinements: 0, certify: false, ..ResponseRequest::new(model, values) }
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(|number| number.as_f64().expect("a number")).collect()
}

fn branch(response: &Response, branch: Branch) -> &ResponseCurve {
    response.curves.iter().find(|curve| curve.branch == branch).expect("it was asked for")
}

/// `tests/reference/triple_response.json` says where it comes from. Every motion begins at rest; all rows together
/// differ by 1.2e-5 at most.
#[test]
fn the_triple_pendulum_swings_as_far_as_the_reference_says() {
    let text = include_str!("../reference/triple_response.json");
    let reference: serde_json::Value = serde_json::from_str(text).expect("the reference is JSON");
    let model = ready("triple-pendulum", &[]);
    let near_peaks = [0.29, 0.31, 0.32, 0.5, 0.68, 0.69, 0.7, 1.18];
    for (friction, every) in [("0.1", 0), ("0.5", 9), ("1.0", 9)] {
        let rows = reference["frf"][friction].as_array().expect("rows").iter().map(numbers);
        let chosen = |(at, row): &(usize, Vec<f64>)| match every {
            0 => near_peaks.contains(&row[0]),
            every => at % every == 4,
        };
        let rows: Vec<Vec<f64>> = rows.enumerate().filter(chosen).map(|(_, row)| row).collect();
        let mut request = plain(&model, rows.iter().map(|row| row[0]).collect());
        let friction: f64 = friction.parse().expect("a number");
        request.parameter = Some(Axis { name: "R".into(), values: vec![friction] });
        let found = found(&model, &request);
        assert_eq!(found.frequency.unit, FrequencyUnit::Hertz);
        assert_eq!(found.outputs, ["theta1", "theta2", "theta3"]);
        assert!(rows.len() >= 8);
        for (point, row) in found.curves[0].points.iter().zip(&rows) {
            assert!(point.settled && point.repeats_after == 1, "{friction}, {} Hz", row[0]);
            for (largest, expected) in point.largest.iter().zip(&row[1..]) {
                let error = (largest / expected - 1.0).abs();
                assert!(error < 5e-5, "R = {friction}, {} Hz: {error:.1e}", row[0]);
            }
        }
    }
}

/// |θ| of (M s² + C s + K) θ = −A s² η, the real and the imaginary part as unknowns of their own.
fn linear_amplitudes(friction: f64, frequency: f64, eta: f64) -> Vec<f64> {
    let mass = [[3.0, 2.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0]];
    let damping = [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]];
    let weights = [3.0, 2.0, 1.0];
    let omega = TAU * frequency;
    let mut matrix = vec![0.0; 36];
    for i in 0..3 {
        for j in 0..3 {
            let stiffness = if i == j { 9.81 * weights[i] } else { 0.0 };
            let real = stiffness - omega * omega * mass[i][j];
            let imaginary = omega * friction * damping[i][j];
            (matrix[i * 6 + j], matrix[(i + 3) * 6 + j + 3]) = (real, real);
            (matrix[i * 6 + j + 3], matrix[(i + 3) * 6 + j]) = (-imaginary, imaginary);
        }
    }
    let push = weights.map(|weight| weight * omega * omega * eta);
    let right: Vec<f64> = push.into_iter().chain([0.0; 3]).collect();
    let x = solve(&matrix, &right);
    (0..3).map(|at| x[at].hypot(x[at + 3])).collect()
}

#[test]
fn small_swings_are_those_of_the_linear_model() {
    let model = ready("triple-pendulum", &["eta0=5e-4"]);
    for friction in [0.1, 1.0] {
        let mut request = plain(&model, vec![0.1, 0.2, 0.4, 0.55, 0.9, 1.05, 1.5, 2.0]);
        request.parameter = Some(Axis { name: "R".into(), values: vec![friction] });
        for point in &found(&model, &request).curves[0].points {
            let expected = linear_amplitudes(friction, point.frequency, 5e-4);
            assert!(point.settled);
            for (amplitude, expected) in point.amplitudes.iter().zip(expected) {
                let error = (amplitude / expected - 1.0).abs();
                assert!(error < 1e-4, "R = {friction}, {} Hz: {error:.1e}", point.frequency);
            }
        }
    }
}

fn duffing() -> Model {
    written(
        r#"
        parameters = { k = 1, c = 0.03, beta = 0.05, F = 0.1, omega = 1 }
        coordinates = { x = "displacement" }
        energy.kinetic = "1/2*x'^2"
        energy.potential = "1/2*k*x^2 + 1/4*beta*x^4"
        energy.dissipation = "1/2*c*x'^2"
        forces = { x = "F*cos(omega*t)" }
        initial = { x = 0, "x'" = 0 }
        "#,
    )
}

/// Amplitudes a with ((k − ω² + ¾βa²)² + c²ω²) a² = F²: one harmonic alone, in rising order.
fn harmonic_balance(omega: f64) -> Vec<f64> {
    let excess = |a: f64| {
        let (stiffness, damping) = (1.0 - omega * omega + 0.75 * 0.05 * a * a, 0.03 * omega);
        (stiffness * stiffness + damping * damping) * a * a - 0.01
    };
    let cells = (0..5000).map(|at| [f64::from(at) * 1e-3, f64::from(at + 1) * 1e-3]);
    let crossed = cells.filter(|[from, to]| (excess(*from) < 0.0) != (excess(*to) < 0.0));
    crossed.map(|[from, to]| 0.5 * (from + to)).collect()
}

#[test]
fn a_stiffening_spring_has_two_answers_between_its_folds() {
    let model = duffing();
    let mut request = ResponseRequest::new(&model, Axis::linear("omega", 0.98, 1.2, 23).values);
    request.branches = vec![Branch::FromRest, Branch::Up, Branch::Down];
    request.certify = false;
    let found = found(&model, &request);
    assert_eq!(found.frequency.unit, FrequencyUnit::RadiansPerSecond);
    let [up, down] = [Branch::Up, Branch::Down].map(|wanted| branch(&found, wanted));
    let mut folded = 0;
    for (high, low) in up.points.iter().zip(&down.points) {
        let omega = high.frequency;
        let roots = harmonic_balance(omega);
        // near a fold the harmonics that are left out decide
        if [-0.015, 0.015].iter().any(|shift| harmonic_balance(omega + shift).len() != roots.len())
        {
            continue;
        }
        assert!(high.settled && low.settled, "{omega}");
        folded += usize::from(roots.len() == 3);
        for (point, expected) in [(high, roots[roots.len() - 1]), (low, roots[0])] {
            let error = (point.amplitudes[0] / expected - 1.0).abs();
            assert!(error < 0.02, "{omega}: {} and not {expected}", point.amplitudes[0]);
        }
    }
    assert!(folded >= 2, "there is something between the folds");
    let top = &up.peaks[0][0];
    assert!(top.jump && (top.frequency_error - 0.01 / 16.0).abs() < 1e-12);
    let rest = &branch(&found, Branch::FromRest).points;
    for ((rest, high), low) in rest.iter().zip(&up.points).zip(&down.points) {
        let near =
            |point: &ResponsePoint| (rest.amplitudes[0] / point.amplitudes[0] - 1.0).abs() < 1e-3;
        assert!(!rest.settled || near(high) || near(low), "{}", rest.frequency);
    }
}

#[test]
fn lanes_and_threads_change_no_bit() {
    let model = duffing();
    let mut request = ResponseRequest::new(&model, Axis::linear("omega", 0.7, 1.0, 11).values);
    request.branches = vec![Branch::FromRest, Branch::Down];
    request.parameter = Some(Axis { name: "c".into(), values: vec![0.2, 0.3] });
    let first = found(&model, &request);
    assert_eq!(first.curves.len(), 4);
    request.threads = 3;
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        request.instruction_set = set;
        assert_eq!(found(&model, &request), first, "{}", set.name());
    }
}

#[test]
fn methods_that_run_alone_give_the_same_response() {
    let model = duffing();
    let mut request = plain(&model, vec![0.7, 0.75, 0.8]);
    request.branches = vec![Branch::Up];
    request.parameter = Some(Axis { name: "c".into(), values: vec![0.3] });
    let side_by_side = found(&model, &request);
    request.integrator = catena::integrator::find("radau5").expect("the catalogue has it");
    let alone = found(&model, &request);
    for (a, b) in alone.curves[0].points.iter().zip(&side_by_side.curves[0].points) {
        assert!(a.settled && b.settled);
        assert!((a.amplitudes[0] / b.amplitudes[0] - 1.0).abs() < 3e-5);
    }
}

/// The pivot is in a constraint, which moves on when the frequency changes: a state taken over has to be assembled anew.
#[test]
fn a_constraint_that_moves_gives_the_response_of_the_angle() {
    let shared = r#"
        parameters = { l = 1, g = 9.81, a = 0.02, c = 0.8, omega = 3 }
        definitions = { pivot = "a*cos(omega*t)" DEFINITIONS }
        energy.kinetic = "1/2*(x'^2 + y'^2)"
        energy.potential = "g*y"
        energy.dissipation = "1/2*c*(x'^2 + y'^2)"
    "#;
    let angle = r#", x = "pivot + l*sin(theta)", y = "-l*cos(theta)""#;
    let angle = format!(
        "coordinates = {{ theta = \"angle\" }}\noutputs = {{ swing = \"x\" }}\n{}",
        shared.replace("DEFINITIONS", angle)
    );
    let bob = format!(
        r#"coordinates = {{ x = "bob", y = "bob" }}
        constraints = {{ rod = "(x - pivot)^2 + y^2 - l^2" }}
        initial = {{ x = "a", "x'" = 0 }}
        guess = {{ y = -1 }}
        outputs = {{ swing = "x" }}
        {}"#,
        shared.replace("DEFINITIONS", "")
    );
    let (angle, bob) = (written(&angle), written(&bob));
    let asked = |model: &Model, formulation: &str| {
        let mut request = plain(model, vec![2.0, 2.5, 3.0, 3.5]);
        request.branches = vec![Branch::Up];
        request.outputs = vec!["swing".into()];
        request.formulation = catena::formulation::find(formulation).expect("it is there");
        found(model, &request).curves.remove(0).points
    };
    let expected = asked(&angle, "minimal");
    for formulation in ["baumgarte", "projection"] {
        for (point, expected) in asked(&bob, formulation).iter().zip(&expected) {
            assert_eq!(point.failure, None, "{formulation}, {}", point.frequency);
            assert!(point.settled && expected.settled, "{formulation}, {}", point.frequency);
            let error = (point.amplitudes[0] / expected.amplitudes[0] - 1.0).abs();
            assert!(error < 5e-5, "{formulation}, {}: {error:.1e}", point.frequency);
        }
    }
}

/// ẍ + c ẋ + x = F cos ωt has the amplitude F/√((1 − ω²)² + c²ω²), which is largest at ω² = 1 − c²/2.
#[test]
fn a_linear_peak_is_where_and_as_high_as_the_closed_form_says() {
    let model = written(
        r#"
        parameters = { c = 0.2, F = 0.1, omega = 1 }
        coordinates = { x = "displacement" }
        energy.kinetic = "1/2*x'^2"
        energy.potential = "1/2*x^2"
        energy.dissipation = "1/2*c*x'^2"
        forces = { x = "F*cos(omega*t)" }
        outputs = { lifted = "x + 3" }
        "#,
    );
    let mut request = ResponseRequest::new(&model, Axis::linear("omega", 0.7, 1.3, 13).values);
    request.outputs = vec!["x".into(), "lifted".into()];
    let found = found(&model, &request);
    let curve = &found.curves[0];
    assert!(curve.decay_rate.is_some_and(|rate| (rate - 0.1).abs() < 1e-9));
    assert!(curve.integration_error.is_some_and(|error| error < 1e-5));
    let (omega, height) = (0.98_f64.sqrt(), 0.1 / (0.2 * 0.99_f64.sqrt()));
    for peaks in &curve.peaks {
        let [peak] = peaks.as_slice() else { panic!("one peak") };
        assert!((peak.frequency - omega).abs() < 1e-4 && !peak.jump && peak.settled);
        assert!((peak.amplitude / height - 1.0).abs() < 3e-5);
    }
    for point in &curve.points {
        assert!((point.largest[1] - point.amplitudes[1] - 3.0).abs() < 1e-4, "an offset is none");
    }
}

/// A pendulum shaken along its rod at twice its frequency swings once in two periods of the drive.
#[test]
fn a_response_that_takes_two_periods_is_settled_and_says_so() {
    let model = written(
        r#"
        parameters = { c = 0.05, a = 0.3, omega = 2 }
        coordinates = { theta = "angle" }
        energy.kinetic = "1/2*theta'^2"
        energy.potential = "-(1 + a*cos(omega*t))*cos(theta)"
        energy.dissipation = "1/2*c*theta'^2"
        initial = { theta = 0.1 }
        "#,
    );
    let found = found(&model, &plain(&model, vec![1.9, 2.5]));
    let [shaken, quiet] = found.curves[0].points.as_slice() else { panic!("two points") };
    assert!(shaken.settled && shaken.repeats_after == 2 && shaken.amplitudes[0] > 0.5);
    assert!(quiet.settled && quiet.amplitudes[0] < 1e-9, "{}", quiet.amplitudes[0]);
}

/// Ueda's oscillator, ẍ + 0.05 ẋ + x³ = 7.5 cos t, has a strange attractor.
#[test]
fn chaos_is_never_called_settled() {
    let model = written(
        r#"
        parameters = { c = 0.05, F = 7.5, omega = 1 }
        coordinates = { x = "displacement" }
        energy.kinetic = "1/2*x'^2"
        energy.potential = "1/4*x^4"
        energy.dissipation = "1/2*c*x'^2"
        forces = { x = "F*cos(omega*t)" }
        "#,
    );
    let mut request = plain(&model, vec![1.0]);
    request.transient.max_blocks = 5;
    let point = &found(&model, &request).curves[0].points[0];
    assert!(!point.settled && point.residual > 1e-3 && point.error > 1e-3);
}

/// A browser has no threads to spawn.
#[test]
fn one_thread_is_the_callers_own() {
    let model = ready("triple-pendulum", &["R=1"]);
    let caller = std::thread::current().id();
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let stop = |_: f64| {
        assert_eq!(std::thread::current().id(), caller);
        calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        false
    };
    let values = (1..=20).map(|at| 0.1 * f64::from(at)).collect();
    let request = ResponseRequest { threads: 1, ..plain(&model, values) };
    response(&model, &request, &stop).expect("it is driven");
    assert!(calls.into_inner() > 0);
}

#[test]
fn what_has_no_response_says_why() {
    let still = ready("double-pendulum", &[]);
    assert_eq!(refused(&still, &plain(&still, vec![1.0])), ResponseError::NoDrive);
    let off = ready("triple-pendulum", &["eta0=0"]);
    assert_eq!(refused(&off, &plain(&off, vec![1.0])), ResponseError::NoDrive);
    let model = ready("triple-pendulum", &[]);
    let named = |name: &str| {
        let request = plain(&model, vec![1.0]);
        refused(&model, &ResponseRequest { frequency: Some(name.into()), ..request })
    };
    assert!(
        matches!(named("eta"), ResponseError::UnknownFrequency { meant: Some(name), .. } if name == "eta0")
    );
    assert_eq!(named("L1"), ResponseError::NotPeriodic { name: "L1".into() });
    for values in [vec![], vec![0.0, 1.0], vec![1.0, 0.5], vec![f64::NAN]] {
        assert_eq!(refused(&model, &plain(&model, values)), ResponseError::BadFrequencies);
    }
    let ramp = written(
        r#"
        parameters = { m = 1, f = 2 }
        coordinates = { x = "displacement" }
        energy.kinetic = "1/2*m*x'^2"
        forces = { x = "f*t" }
        "#,
    );
    let refusal = refused(&ramp, &plain(&ramp, vec![1.0]));
    assert!(
        matches!(refusal, ResponseError::NoFrequency { known } if known.contains(&"f".to_owned()))
    );
}

/// A fixed step that the integrator chooses by itself cannot be halved: there is no error to report, and none is.
#[test]
fn a_response_that_cannot_be_made_tighter_reports_no_integration_error() {
    let model = ready("triple-pendulum", &[]);
    let error = |options: &[(&str, &str)]| {
        let asked = [&[("over", "f=0.3,0.4"), ("columns", "theta1")], options].concat();
        let answer = catena::ask("response", &model, &asked).expect("it is driven");
        answer.result["curves"][0]["integration_error"].as_f64()
    };
    assert_eq!(error(&[("integrator", "rk4")]), None);
    assert!(error(&[("integrator", "rk4"), ("step", "0.01")]).is_some_and(|error| error > 0.0));
}
