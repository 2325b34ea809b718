//! What a run says when it is asked for something it cannot do.

use catena::RunSettings;
use catena::simulation::{Column, StopReason};
use catena_tests::{ready, written};

fn failure(model: &catena::Model, request: RunSettings) -> (String, String, bool) {
    let failure = catena::run(model, &request).expect_err("it cannot run");
    (failure.to_string(), failure.help().unwrap_or_default(), failure.is_usage())
}

#[test]
fn an_unknown_method_is_answered_with_the_nearest_one() {
    let model = ready("double-pendulum", &[]);
    let request = RunSettings { integrator: Some("dopri6".into()), ..RunSettings::default() };
    let (message, help, usage) = failure(&model, request);
    assert_eq!(message, "there is no integrator `dopri6`");
    assert_eq!(help, "did you mean `dopri5`?");
    assert!(usage);
    let request = RunSettings { formulation: Some("multiplier".into()), ..RunSettings::default() };
    let (message, help, _) = failure(&model, request);
    assert_eq!(message, "there is no formulation `multiplier`");
    assert_eq!(help, "did you mean `multipliers`?");
}

#[test]
fn numbers_that_must_be_positive_are_checked() {
    let model = ready("double-pendulum", &[]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let requests = [
            ("rtol", RunSettings { rtol: Some(bad), ..RunSettings::default() }),
            ("atol", RunSettings { atol: Some(bad), ..RunSettings::default() }),
            ("step", RunSettings { step: Some(bad), ..RunSettings::default() }),
            ("t_end", RunSettings { t_end: Some(bad), ..RunSettings::default() }),
            ("every", RunSettings { every: Some(bad), ..RunSettings::default() }),
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
    let request = RunSettings { formulation: Some("minimal".into()), ..RunSettings::default() };
    let (message, help, usage) = failure(&ready("four-bar", &[]), request);
    assert!(message.contains("8 constraints"), "{message}");
    assert!(help.starts_with("these do: multipliers, baumgarte"), "{help}");
    assert!(usage);
    let request = RunSettings { formulation: Some("multipliers".into()), ..RunSettings::default() };
    let (message, _, _) = failure(&ready("double-pendulum", &[]), request);
    assert!(message.contains("no constraints"), "{message}");
}

#[test]
fn an_integrator_that_does_not_fit_says_what_it_needs() {
    let request = RunSettings { integrator: Some("leapfrog".into()), ..RunSettings::default() };
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
    let request = RunSettings { t_end: Some(2.0), every: Some(0.1), ..RunSettings::default() };
    let run = catena::run(&model, &request).expect("it begins");
    let StopReason::Failed { message } = &run.certificate.stop else {
        panic!("it cannot pass the pole: {:?}", run.certificate);
    };
    // free fall into the centre from rest takes π/(2√2) = 1.11 s
    assert!((run.certificate.time - 1.1107).abs() < 1e-3, "{}", run.certificate.time);
    assert!(message.contains("1.11"), "{message}");
    // rows from 0 to 1.1 s, and one where it stopped
    assert_eq!(run.table.len(), 13);
    assert_eq!(run.table.column("t").and_then(<[f64]>::last), Some(&run.certificate.time));
    assert!(run.table.columns.iter().flat_map(Column::numbers).all(|value| value.is_finite()));
}

/// Explicit methods with step control.
fn explicit() -> impl Iterator<Item = &'static str> {
    let entries = catena::integrator::INTEGRATORS.iter();
    entries.filter(|entry| entry.adaptive && !entry.implicit).map(|entry| entry.name)
}

#[test]
fn swinging_systems_are_not_called_stiff_at_any_tolerance() {
    let systems = [
        ("chain", ["links=6"].as_slice()),
        ("pendulum-chain", &["links=4"]),
        ("double-pendulum", &[]),
        ("four-bar", &[]),
        ("lorenz", &[]),
    ];
    for (name, settings) in systems {
        let model = ready(name, settings);
        for integrator in explicit() {
            for exponent in [2, 4, 6, 9, 12] {
                let rtol = 10.0_f64.powi(-exponent);
                let request = RunSettings {
                    integrator: Some(integrator.into()),
                    rtol: Some(rtol),
                    atol: Some(1e-3 * rtol),
                    max_steps: Some(2000),
                    ..RunSettings::default()
                };
                let found = catena::run(&model, &request).expect("it begins").certificate;
                let case = format!("{name}, {integrator}, {rtol}: {found:?}");
                assert!(!found.statistics.mostly_stiff(), "{case}");
                assert!(!found.remarks.iter().any(|remark| remark.contains("stiff")), "{case}");
            }
        }
    }
}

/// A pendulum in honey: a fast decay of the velocity, a slow way down.
#[test]
fn a_strongly_damped_model_is_called_stiff_with_what_to_try() {
    let model = ready("driven-pendulum", &["c=1e4"]);
    for integrator in explicit() {
        let request = |max_steps: u64| RunSettings {
            integrator: Some(integrator.into()),
            max_steps: Some(max_steps),
            t_end: Some(1.0),
            every: Some(0.1),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request(10_u64.pow(6))).expect("it begins");
        assert_eq!(run.certificate.stop, StopReason::Finished, "{integrator}");
        let remarks = run.certificate.remarks.join("\n");
        assert!(
            remarks.contains("stiff") && remarks.contains("`radau5`"),
            "{integrator}: {remarks}"
        );
        let run = catena::run(&model, &request(500)).expect("it begins");
        let StopReason::Failed { message } = &run.certificate.stop else { panic!("{integrator}") };
        assert!(message.contains("stiff") && message.contains("`radau5`"), "{message}");
        assert!(message.contains("max_steps"), "{message}");
    }
}

#[test]
fn components_of_the_state_go_by_their_names() {
    // the velocity overflows first; nothing else is computed from it
    let model = written(
        r#"
        title = "Catapult"
        coordinates = { x = "stone" }
        [energy]
        kinetic = "1/2*x'^2"
        potential = "-1e308*x"
        "#,
    );
    let request = RunSettings {
        integrator: Some("euler".into()),
        step: Some(1.0),
        t_end: Some(10.0),
        columns: vec!["x".into()],
        ..RunSettings::default()
    };
    let run = catena::run(&model, &request).expect("it begins");
    let StopReason::Failed { message } = &run.certificate.stop else { panic!("{run:?}") };
    assert!(
        message.starts_with("`x'` is not finite after t = 1 s, where `x'` is 1.0e308"),
        "{message}"
    );
}

#[test]
fn an_estimate_that_is_interrupted_is_no_estimate_of_the_rest() {
    let model = ready("double-pendulum", &[]);
    let request = RunSettings { certify: true, ..RunSettings::default() };
    // the first run takes up to 0.3 of the work
    let run = catena::run_watched(&model, &request, &mut |done| done > 0.6).expect("it begins");
    assert_eq!(run.certificate.stop, StopReason::Cancelled);
    assert_eq!(run.table.len(), 1001);
    let remarks = run.certificate.remarks.join("\n");
    assert!(remarks.contains("the second run was interrupted"), "{remarks}");
}

#[test]
fn outputs_without_a_value_are_counted() {
    let model = written(
        r#"
        title = "Fall through the floor"
        coordinates = { x = "bead" }
        initial = { x = 1 }
        [energy]
        kinetic = "1/2*x'^2"
        potential = "2*x"
        [outputs]
        root = "sqrt(x)"
        "#,
    );
    let request = RunSettings { t_end: Some(2.0), every: Some(0.3), ..RunSettings::default() };
    let run = catena::run(&model, &request).expect("it begins");
    assert_eq!(run.certificate.remarks, ["`root` is not finite in 4 of 8 rows"]);
}
