//! A model with a negative mass is refused in the words of its diagnosis, by every formulation; and tolerances that ask for
//! nothing are told as what they are.

use catena::RunSettings;
use catena::formulation::FORMULATIONS;
use catena::simulation::{RunError, StopReason};
use catena::{Model, RunFailure};
use catena_tests::{ready, written};

/// What a diagnosis says that prevents a run: message and help.
fn diagnosed(model: &Model) -> (String, String) {
    let diagnosis = catena::diagnose(model);
    let found = diagnosis.findings.iter().find(|finding| !finding.can_run);
    let kind = &found.expect("the mass is negative").kind;
    (kind.message(), kind.help())
}

#[test]
fn every_formulation_tells_a_negative_mass_as_the_diagnosis_does() {
    for (name, setting) in [
        ("double-pendulum", "m1=-1.0"),
        ("double-pendulum-cartesian", "m1=-1.0"),
        // the motion along the constraints would have a positive mass all the same
        ("four-bar", "m3=-0.1"),
        ("single-pendulum", "m=-1.0"),
        ("chain", "m=-1.0"),
    ] {
        let model = ready(name, &[setting]);
        let (message, help) = diagnosed(&model);
        assert!(message.contains("has negative kinetic energy"), "{message}");
        let fit = FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none());
        for entry in fit {
            let settings = RunSettings::new().formulation(entry.name).t_end(0.1);
            let failure = catena::run(&model, &settings).expect_err("it cannot run");
            assert!(
                matches!(failure, RunFailure::Run(RunError::NegativeMass { .. })),
                "{name}, {}: {failure}",
                entry.name
            );
            assert!(failure.to_string().contains("has negative kinetic energy"), "{failure}");
            assert_eq!(failure.help().as_ref(), Some(&help));
            assert!(!failure.is_usage());
        }
        let failure = catena::run(&model, &RunSettings::new()).expect_err("it cannot run");
        assert!(name == "chain" || failure.to_string() == message, "{failure}");
    }
}

#[test]
fn an_indefinite_mass_matrix_with_a_positive_diagonal_is_told_too() {
    let model = written(
        r#"coordinates = { x = "", y = "" }
           energy.kinetic = "1/2*x'^2 + 2*x'*y' + 1/2*y'^2""#,
    );
    let failure = catena::run(&model, &RunSettings::new()).expect_err("it cannot run");
    assert_eq!(failure.to_string(), diagnosed(&model).0);
}

#[test]
fn a_massless_coordinate_is_not_called_negative() {
    let model = written(
        r#"coordinates = { x = "", y = "" }
           energy = { kinetic = "1/2*x'^2", potential = "1/2*(x - y)^2 + 1/2*y^2" }"#,
    );
    if let Err(failure) = catena::run(&model, &RunSettings::new()) {
        assert!(!failure.to_string().contains("negative"), "{failure}");
    }
}

#[test]
fn a_relative_tolerance_of_1_or_more_is_refused() {
    let model = ready("double-pendulum", &[]);
    for rtol in [1.0, 10.0] {
        let settings = RunSettings { rtol: Some(rtol), ..RunSettings::new() };
        let failure = catena::run(&model, &settings).expect_err("it asks for nothing");
        assert_eq!(failure, RunFailure::NoDigits { rtol });
        assert!(failure.is_usage());
        assert_eq!(failure.help().as_deref(), Some("take one below 1, such as 1e-6"));
    }
}

#[test]
fn what_a_loose_tolerance_led_to_is_not_only_called_singular() {
    let model = ready("double-pendulum", &[]);
    let settings = RunSettings { rtol: Some(0.5), ..RunSettings::new() };
    let run = catena::run(&model, &settings).expect("it begins");
    let StopReason::Failed { message } = &run.certificate.stop else {
        panic!("the motion is lost at this tolerance")
    };
    assert!(
        message.contains("errors that `rtol` 0.5 lets pass may have led there: take 1e-6 first"),
        "{message}"
    );
}
