//! What a run says when it is asked for something it cannot do.

use catena::RunRequest;
use catena_tests::{ready, written};

fn failure(model: &catena::Model, request: RunRequest) -> (String, String, bool) {
    let failure = catena::run(model, &request).expect_err("it cannot run");
    (failure.to_string(), failure.help().unwrap_or_default(), failure.is_usage())
}

#[test]
fn an_unknown_method_is_answered_with_the_nearest_one() {
    let model = ready("double-pendulum", &[]);
    let request = RunRequest { integrator: Some("dopri6".into()), ..RunRequest::default() };
    let (message, help, usage) = failure(&model, request);
    assert_eq!(message, "there is no integrator `dopri6`");
    assert_eq!(help, "did you mean `dopri5`?");
    assert!(usage);
    let request = RunRequest { formulation: Some("multiplier".into()), ..RunRequest::default() };
    let (message, help, _) = failure(&model, request);
    assert_eq!(message, "there is no formulation `multiplier`");
    assert_eq!(help, "did you mean `multipliers`?");
}

#[test]
fn numbers_that_must_be_positive_are_checked() {
    let model = ready("double-pendulum", &[]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let requests = [
            ("rtol", RunRequest { rtol: Some(bad), ..RunRequest::default() }),
            ("atol", RunRequest { atol: Some(bad), ..RunRequest::default() }),
            ("step", RunRequest { step: Some(bad), ..RunRequest::default() }),
            ("to", RunRequest { t_end: Some(bad), ..RunRequest::default() }),
            ("every", RunRequest { every: Some(bad), ..RunRequest::default() }),
        ];
        for (name, request) in requests {
            let (message, _, usage) = failure(&model, request);
            assert_eq!(message, format!("`{name}` must be greater than 0, not {bad}"));
            assert!(usage);
        }
    }
}

#[test]
fn a_formulation_that_does_not_fit_says_why_and_what_does() {
    let request = RunRequest { formulation: Some("minimal".into()), ..RunRequest::default() };
    let (message, help, usage) = failure(&ready("four-bar", &[]), request);
    assert!(message.contains("8 constraints"), "{message}");
    assert!(help.starts_with("these do: multipliers, baumgarte"), "{help}");
    assert!(usage);
    let request = RunRequest { formulation: Some("multipliers".into()), ..RunRequest::default() };
    let (message, _, _) = failure(&ready("double-pendulum", &[]), request);
    assert!(message.contains("no constraints"), "{message}");
}

#[test]
fn an_integrator_that_does_not_fit_says_what_it_needs() {
    let request = RunRequest { integrator: Some("leapfrog".into()), ..RunRequest::default() };
    let (message, _, _) = failure(&ready("double-pendulum", &[]), request);
    assert!(message.contains("constant mass matrix"), "{message}");
}

/// A falling bead whose potential has a pole: the run stops there, says when, and keeps its rows.
#[test]
fn a_run_that_breaks_down_keeps_its_rows_and_says_when() {
    let model = written(
        r#"
        title = "Fall into a pole"
        coordinates = { x = "bead" }
        initial = { x = 1 }
        [energy]
        kinetic = "1/2*x'^2"
        potential = "-1/x"
        "#,
    );
    let request = RunRequest { t_end: Some(2.0), every: Some(0.1), ..RunRequest::default() };
    let run = catena::run(&model, &request).expect("it begins");
    let catena::simulation::StopReason::Failed { message } = &run.certificate.stop else {
        panic!("it cannot pass the pole: {:?}", run.certificate);
    };
    // free fall into the centre from rest takes π/(2√2) = 1.11 s
    assert!((run.certificate.time - 1.1107).abs() < 1e-3, "{}", run.certificate.time);
    assert!(message.contains("1.11"), "{message}");
    assert_eq!(run.table.len(), 12);
    assert!(run.table.columns.iter().flatten().all(|value| value.is_finite()));
}
