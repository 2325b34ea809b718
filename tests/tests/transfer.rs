//! Linear frequency responses against a reference and closed forms.

use catena::Model;
use catena::analysis::{
    Complex, LinearModel, LinearResponseRequest, Rest, Transfer, TransferError, TransferRequest,
    linear_response, transfer,
};
use catena::ensemble::Axis;
use catena_tests::{ready, written};
use std::f64::consts::TAU;

fn asked(
    model: &Model,
    input: &str,
    outputs: &[&str],
    frequencies: &[f64],
) -> Result<Transfer, TransferError> {
    let rest = Rest::nearest(model).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    let linear = LinearModel::new(rest).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    let request = TransferRequest {
        parameter: None,
        input: input.to_owned(),
        outputs: outputs.iter().map(|&name| name.to_owned()).collect(),
        frequencies: frequencies.to_vec(),
    };
    transfer(&linear, &request)
}

fn responses(
    model: &Model,
    input: &str,
    outputs: &[&str],
    frequencies: &[f64],
) -> Vec<Vec<Complex>> {
    let found = asked(model, input, outputs, frequencies);
    found.unwrap_or_else(|error| panic!("{}: {error}", model.title)).responses
}

/// `tests/reference/frf_linear.json` says where it comes from.
#[test]
fn the_triple_pendulum_answers_its_pivot_as_the_reference_says() {
    let text = include_str!("../reference/frf_linear.json");
    let reference: serde_json::Value = serde_json::from_str(text).expect("the reference is JSON");
    let list = |value: &serde_json::Value| -> Vec<f64> {
        let numbers = value.as_array().expect("a list").iter();
        numbers.map(|number| number.as_f64().expect("a number")).collect()
    };
    let frequencies = list(&reference["f_hz"]);
    for (friction, expected) in reference["R"].as_object().expect("by R") {
        let outputs = ["theta1", "theta2", "theta3"];
        let chain = ["links=3".to_owned(), format!("friction={friction}")];
        let chain = ready("pendulum-chain", &[&chain[0], &chain[1]]);
        let triple = ready("triple-pendulum", &[&format!("R={friction}")]);
        let mut all = vec![responses(&triple, "eta", &outputs, &frequencies)];
        all.push(responses(&chain, "pivot_x", &outputs, &frequencies));
        for found in all {
            for (at, frequency) in frequencies.iter().enumerate() {
                let sizes = list(&expected["abs_theta_over_eta_rad_per_m"][at]);
                let phases = list(&expected["phase_rad"][at]);
                for angle in 0..3 {
                    let exact = Complex::from_polar(sizes[angle], phases[angle]);
                    let error = (found[angle][at] - exact).norm() / exact.norm();
                    assert!(error < 1e-9, "R = {friction}, {frequency} Hz: {error:.1e}");
                }
            }
        }
    }
}

#[test]
fn a_shaken_pivot_in_a_constraint_gives_the_closed_form() {
    let model = written(
        r#"
        parameters = { m = 0.5, l = 1.2, g = 9.81, a = 0.01, w = 2, c = 0.2 }
        coordinates = { x = "bob", y = "bob" }
        definitions = { pivot = "a*cos(w*t)", swing = "x - pivot" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y"
        energy.dissipation = "1/2*c*x'^2"
        constraints = { rod = "(x - pivot)^2 + y^2 - l^2" }
        outputs = { pull = "2*l*lambda_rod" }
        initial = { x = 0.01, "x'" = 0 }
        guess = { y = -1.2 }
        "#,
    );
    let frequencies = [0.1, 0.4, 0.45, 1.7];
    let found = responses(&model, "pivot", &["x", "x'", "swing", "pull"], &frequencies);
    for (at, frequency) in frequencies.iter().enumerate() {
        // m ẍ + c ẋ + m g/l (x − pivot) = 0
        let s = Complex::new(0.0, TAU * frequency);
        let spring = 0.5 * 9.81 / 1.2;
        let exact = Complex::from(spring) / (s * s * 0.5 + s * 0.2 + spring);
        for (value, exact) in
            [(found[0][at], exact), (found[1][at], s * exact), (found[2][at], exact - 1.0)]
        {
            assert!((value - exact).norm() < 1e-12, "{frequency} Hz: {value}, not {exact}");
        }
        assert!(found[3][at].norm() < 1e-9, "to first order the pull stays the weight");
    }
}

#[test]
fn what_has_no_response_says_why() {
    let still = ready("double-pendulum", &[]);
    assert_eq!(asked(&still, "theta1", &[], &[1.0]), Err(TransferError::NoDrive));
    let triple = ready("triple-pendulum", &["R=0"]);
    let unknown = asked(&triple, "pivott", &[], &[1.0]);
    assert!(matches!(unknown, Err(TransferError::Unknown { name, .. }) if name == "pivott"));
    let spring = r#"
        parameters = { w = 2 }
        coordinates = { x = "" }
        definitions = { push = "cos(w*t)" }
        energy.kinetic = "1/2*x'^2"
        energy.potential = "1/2*w^2*x^2"
        forces = { x = "push" }
        "#;
    let tuned = asked(&written(spring), "push", &["x"], &[1.0]);
    assert_eq!(tuned, Err(TransferError::FrequencyAtRest { parameter: "w".into() }));
    let undamped =
        asked(&written(&spring.replace("1/2*w^2*x^2", "1/2*x^2")), "push", &["x"], &[1.0 / TAU]);
    assert_eq!(undamped, Err(TransferError::Resonance { frequency: 1.0 / TAU }));
    let still = asked(&triple, "theta1", &["theta2"], &[1.0]);
    assert_eq!(still, Err(TransferError::StillInput { name: "theta1".into() }));
}

#[test]
fn a_linear_response_has_the_numbers_of_the_transfer_function() {
    let frequencies = [0.2, 0.33, 0.76, 1.3];
    let request = LinearResponseRequest {
        frequency: Some("f".to_owned()),
        values: frequencies.to_vec(),
        parameter: Some(Axis { name: "R".to_owned(), values: vec![0.1, 0.5] }),
        input: None,
        outputs: vec!["theta1".to_owned(), "theta3'".to_owned()],
    };
    let model = ready("triple-pendulum", &["m2=2"]);
    let found = linear_response(&model, &request).expect("the pendulum has a drive");
    assert_eq!(found.input, "eta");
    let frequencies_in_words = format!("f={}", frequencies.map(|f| f.to_string()).join(","));
    let options = [
        ("linear", "true"),
        ("over", frequencies_in_words.as_str()),
        ("over", "R=0.1,0.5"),
        ("columns", "theta1,theta3'"),
    ];
    let answer = catena::ask("response", &model, &options).expect("the pendulum has a drive");
    for (curve, friction) in ["R=0.1", "R=0.5"].into_iter().enumerate() {
        let model = ready("triple-pendulum", &["m2=2", friction]);
        let exact = responses(&model, "eta", &["theta1", "theta3'"], &frequencies);
        assert_eq!(found.curves[curve].responses, exact);
        for (at, exact) in exact[1].iter().enumerate() {
            let kept = |name: &str| {
                let column = answer.table.column(name).expect("there is such a column");
                column[4 * curve + at]
            };
            assert_eq!([kept("theta3'_real"), kept("theta3'_imaginary")], [exact.re, exact.im]);
            let shown =
                Complex::from_polar(kept("theta3'_magnitude"), kept("theta3'_phase").to_radians());
            assert!((shown - exact).norm() <= 1e-14 * exact.norm());
        }
    }
}

/// The magnitude has no slope at a peak: it falls to both sides by the same amount.
#[test]
fn peaks_of_a_linear_response_are_level() {
    let model = ready("triple-pendulum", &[]);
    let request = LinearResponseRequest {
        frequency: None,
        values: (0..14).map(|at| 0.2 + 0.1 * f64::from(at)).collect(),
        parameter: None,
        input: None,
        outputs: Vec::new(),
    };
    let found = linear_response(&model, &request).expect("the pendulum has a drive");
    assert!(found.error() < 1e-11);
    for (name, peaks) in found.outputs.iter().zip(&found.curves[0].peaks) {
        assert_eq!(peaks.len(), 3, "{name} has a peak for each mode");
        for peak in peaks {
            let (f, step) = (peak.frequency, 1e-4 * peak.frequency);
            let around = responses(&model, "eta", &[name], &[f - step, f, f + step]);
            let [low, top, high] = [0, 1, 2].map(|at| around[0][at].norm());
            assert!(low < top && high < top);
            // the vertex of the parabola lies where the peak is said to be
            let shift = 0.5 * step * (high - low) / (2.0 * top - high - low);
            assert!(shift.abs() < 1e-6 * f, "{name} at {f}: {shift:.1e}");
            assert!(peak.frequency_error < 1e-9 * f);
            assert_eq!(peak.response, Some(around[0][1]));
        }
    }
}
