//! Methods taken by rules: they take every model, say why, and change the integrator where that pays.

use catena::simulation::{Run, StopReason, formulation_of_model};
use catena::{Model, RunSettings, run};
use catena_tests::{ready, written, zoo};

fn moved(model: &Model, settings: &RunSettings) -> Run {
    let run = run(model, settings).expect("it runs");
    assert_eq!(run.certificate.stop, StopReason::Finished);
    run
}

fn last(run: &Run, column: &str) -> f64 {
    *run.table.column(column).expect("the column is there").last().expect("there are rows")
}

#[test]
fn what_is_taken_takes_every_ready_system_and_is_said_with_its_reason() {
    for (name, model, _) in zoo(4) {
        let choice = formulation_of_model(&model);
        assert_eq!((choice.entry.refuses)(&model), None, "{name}");
        assert!(choice.reason.starts_with(choice.entry.name), "{name}: {}", choice.reason);
    }
    let settings = RunSettings::new().t_end(0.01);
    let rods = moved(&ready("chain", &["links=1000"]), &settings).certificate.chosen;
    assert_eq!(rods[0], "recursive: a chain of 1000 links without loops");
    assert_eq!(rods[1], "dopri5: a tolerance of 1e-6");
    let linkage = moved(&ready("four-bar-bodies", &[]), &settings.clone().tolerance(1e-9));
    assert_eq!(
        linkage.certificate.chosen,
        [
            "recursive: 3 bodies in joint coordinates, 2 constraints left to close loops",
            "dop853: a tolerance of 1e-9"
        ]
    );
    let named = settings.formulation("multipliers").integrator("rk4");
    assert!(moved(&ready("four-bar", &[]), &named).certificate.chosen.is_empty());
}

#[test]
fn a_name_in_the_file_goes_before_the_rules_and_auto_before_the_file() {
    let model = written(
        "[coordinates]\nx = \"\"\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\n\
         [initial]\nx = 1\n[run]\nt_end = 1\nintegrator = \"rk4\"\n",
    );
    assert_eq!(moved(&model, &RunSettings::new()).certificate.integrator, "rk4");
    let automatic = moved(&model, &RunSettings::new().integrator("auto"));
    assert_eq!(automatic.certificate.integrator, "dopri5");
}

/// H. H. Robertson's reactions, 1966.
const ROBERTSON: &str = "
[states]
y1 = \"-0.04*y1 + 1e4*y2*y3\"
y2 = \"0.04*y1 - 1e4*y2*y3 - 3e7*y2^2\"
y3 = \"3e7*y2^2\"
[initial]
y1 = 1
[run]
t_end = 1e5
";

#[test]
fn a_stiff_reaction_goes_on_with_an_implicit_method_once_that_is_seen() {
    let model = written(ROBERTSON);
    let settings = RunSettings { rtol: Some(1e-6), atol: Some(1e-10), ..RunSettings::new() };
    let found = moved(&model, &settings);
    let certificate = &found.certificate;
    assert!(certificate.statistics.evaluations <= 5000, "{:?}", certificate.statistics);
    let change = certificate.chosen.last().expect("it was chosen");
    assert!(change.starts_with("dopri5 until 0.0"), "{change}");
    assert!(
        change.ends_with("then radau5: stability, not accuracy, limited the steps"),
        "{change}"
    );
    let exact = RunSettings { rtol: Some(1e-11), atol: Some(1e-15), ..RunSettings::new() };
    let exact = moved(&model, &exact.integrator("radau5"));
    for state in ["y1", "y2", "y3"] {
        let (found, exact) = (last(&found, state), last(&exact, state));
        assert!((found - exact).abs() <= 1e-4 * exact.abs(), "{state}: {found} and {exact}");
    }
}

#[test]
fn stiff_springs_in_the_place_of_constraints_begin_with_an_implicit_method() {
    let model = ready("double-pendulum-cartesian", &[]);
    let settings = RunSettings::new().formulation("penalty").t_end(5.0);
    let stiff = moved(&model, &settings.clone().with("alpha", 1e9)).certificate;
    assert_eq!(stiff.integrator, "radau5");
    assert!(stiff.statistics.evaluations <= 200_000, "{:?}", stiff.statistics);
    let soft = moved(&model, &settings.with("alpha", 100.0)).certificate;
    assert_eq!(soft.integrator, "dopri5", "{:?}", soft.chosen);
}

/// A slow oscillator that leads a spring 10⁵ times as fast, which hardly swings.
const LED_SPRING: &str = "
[coordinates]
x = \"slow\"
s = \"led\"
[energy]
kinetic = \"1/2*x'^2 + 1/2*s'^2\"
potential = \"1/2*x^2 + 1/2*1e10*(s - 1e-3*x^2)^2\"
[initial]
x = 1
s = 1e-3
[run]
t_end = 10
";

#[test]
fn a_fast_spring_that_hardly_swings_does_not_hold_the_steps() {
    let found = moved(&written(LED_SPRING), &RunSettings::new());
    let statistics = found.certificate.statistics;
    // held by stability, dopri5 takes 7.6 million
    assert!(statistics.evaluations <= 50_000, "{statistics:?}");
    // the slow coordinate alone, with the spring rigid: ẍ (1 + 4e-6 x²) + 4e-6 x ẋ² + x = 0
    let rigid = written(
        "[coordinates]\nx = \"\"\n[energy]\nkinetic = \"1/2*x'^2*(1 + (2e-3*x)^2)\"\n\
         potential = \"1/2*x^2\"\n[initial]\nx = 1\n[run]\nt_end = 10\n",
    );
    let rigid = moved(&rigid, &RunSettings::new().tolerance(1e-12));
    assert!((last(&found, "x") - last(&rigid, "x")).abs() < 1e-4);
}

#[test]
fn an_oscillation_that_is_followed_keeps_its_explicit_method() {
    for tolerance in [1e-2, 1e-3, 1e-5, 1e-8] {
        let model = ready("double-pendulum", &[]);
        let settings = RunSettings::new().tolerance(tolerance).t_end(60.0);
        let chosen = moved(&model, &settings).certificate.chosen;
        assert!(chosen.iter().all(|line| !line.contains("radau5")), "{tolerance:e}: {chosen:?}");
    }
}
