//! A motion that begins at another time than 0: drives, moving constraints, events, rows, certificates and sweeps see the
//! time that the clock shows.

use catena::ensemble::Statistic;
use catena::simulation::{Grade, StopReason};
use catena::sweep::{Plan, SweepRequest, in_memory, table};
use catena::{Model, Run, RunFailure, RunSettings, Setting, Source};
use catena_tests::{ready, written};

/// A free mass pushed by cos t, at rest where it begins: from t₀ on x = cos t₀ − cos t − (t − t₀) sin t₀.
const PUSHED: &str = r#"
    coordinates = { x = "" }
    energy.kinetic = "1/2*x'^2"
    forces.x = "cos(t)"
"#;

fn pushed(t: f64, t_start: f64) -> f64 {
    t_start.cos() - t.cos() - (t - t_start) * t_start.sin()
}

fn run(model: &Model, settings: &RunSettings) -> Run {
    catena::run(model, settings).expect("it runs")
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.numbers(name).expect("the column is there")
}

/// Settings from one time to another.
fn span(t_start: f64, t_end: f64) -> RunSettings {
    RunSettings::new().t_start(t_start).t_end(t_end)
}

#[test]
fn a_drive_sees_the_time_of_the_clock_under_every_integrator() {
    let model = written(PUSHED);
    for integrator in ["auto", "dopri5", "dop853", "radau5", "rk4", "implicit-midpoint"] {
        for (t_start, t_end) in [(5.0, 9.0), (-3.0, 2.0), (-7.0, -1.0), (1e3, 1003.0)] {
            let settings = span(t_start, t_end).integrator(integrator).every(0.25);
            let run = run(&model, &settings);
            let (t, x) = (column(&run, "t"), column(&run, "x"));
            assert_eq!((t[0], t[t.len() - 1]), (t_start, t_end), "{integrator}");
            assert_eq!(t.len(), ((t_end - t_start) / 0.25) as usize + 1);
            for (t, x) in t.iter().zip(x) {
                let exact = pushed(*t, t_start);
                assert!((x - exact).abs() < 1e-3, "{integrator}, {t}: {x} is not {exact}");
            }
            assert_eq!(run.certificate.stop, StopReason::Finished);
            assert_ne!(run.certificate.verdict.grade, Grade::Wrong, "{integrator}");
        }
    }
}

#[test]
fn a_motion_without_a_clock_is_the_same_whenever_it_begins() {
    let model = ready("double-pendulum", &[]);
    let (early, late) = (run(&model, &span(0.0, 3.0)), run(&model, &span(50.0, 53.0)));
    for name in ["theta1", "theta2", "theta1'", "theta2'"] {
        for (a, b) in column(&early, name).iter().zip(column(&late, name)) {
            assert!((a - b).abs() < 1e-9, "{name}: {a} and {b}");
        }
    }
    let [early, late] = [early, late].map(|run| run.certificate);
    assert_eq!(early.statistics.steps, late.statistics.steps);
    assert_eq!(early.verdict.grade, late.verdict.grade);
    let [before, after] =
        [early, late].map(|certificate| certificate.estimate.expect("it is short"));
    assert!((after.valid_until - before.valid_until - 50.0).abs() < 1e-9);
    assert_eq!(before.chaotic, after.chaotic);
}

#[test]
fn chaos_is_told_whenever_it_begins() {
    let model = ready("double-pendulum", &[]);
    let settings = |t_start: f64| span(t_start, t_start + 40.0).every(0.1);
    let [early, late] = [0.0, 1000.0].map(|t_start| {
        let estimate = run(&model, &settings(t_start)).certificate.estimate;
        estimate.expect("it is short")
    });
    assert!(early.diverged && early.chaotic);
    assert!(late.diverged && late.chaotic);
}

#[test]
fn to_begin_at_0_is_to_say_nothing() {
    let model = ready("triple-pendulum", &[]);
    let (said, unsaid) = (span(0.0, 2.0), RunSettings::new().t_end(2.0));
    assert_eq!(run(&model, &said).table, run(&model, &unsaid).table);
}

#[test]
fn the_second_half_of_a_run_begins_where_the_first_has_ended() {
    let model = ready("triple-pendulum", &["R=1"]);
    let exact = |settings: RunSettings| settings.tolerance(1e-11).every(1.0);
    let whole = run(&model, &exact(span(0.0, 6.0)));
    let names = ["theta1", "theta2", "theta3", "theta1'", "theta2'", "theta3'"];
    let settings: Vec<String> = std::iter::once("R=1".to_owned())
        .chain(names.iter().map(|name| format!("{name}={:?}", column(&whole, name)[2])))
        .collect();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let second = run(&ready("triple-pendulum", &settings), &exact(span(2.0, 6.0)));
    for name in names {
        let (a, b) = (column(&whole, name)[6], column(&second, name)[4]);
        assert!((a - b).abs() < 1e-7, "{name}: {a} and {b}");
    }
}

/// A point that a constraint moves.
const MOVED: &str = r#"
    coordinates = { x = "", y = "" }
    energy.kinetic = "1/2*x'^2 + 1/2*y'^2"
    energy.potential = "9.81*y"
    constraints = { path = "x - sin(t)" }
    guess = { x = 3 }
    run = { t_start = 2, t_end = 4, every = 0.5 }
"#;

#[test]
fn moving_constraints_are_assembled_at_the_start_time() {
    let model = written(MOVED);
    let start = catena::diagnose(&model).start.expect("it can be assembled");
    assert_eq!(start.t, 2.0);
    assert!((start.q[0] - 2.0_f64.sin()).abs() < 1e-9);
    assert!((start.v[0] - 2.0_f64.cos()).abs() < 1e-9);
    for formulation in ["multipliers", "projection", "null-space", "baumgarte", "ggl", "penalty"] {
        let run = run(&model, &RunSettings::new().formulation(formulation));
        let (t, x) = (column(&run, "t"), column(&run, "x"));
        assert_eq!(t, [2.0, 2.5, 3.0, 3.5, 4.0], "{formulation}");
        for (t, x) in t.iter().zip(x) {
            assert!((x - t.sin()).abs() < 1e-2, "{formulation}, {t}: {x}");
        }
        assert_ne!(run.certificate.verdict.grade, Grade::Wrong, "{formulation}");
    }
    // what is said goes before the file
    let other = run(&model, &RunSettings::new().t_start(3.0));
    assert_eq!(column(&other, "t"), [3.0, 3.5, 4.0]);
}

#[test]
fn events_and_pulses_stand_where_the_clock_says() {
    let model = written(
        r#"
        coordinates = { x = "" }
        energy.kinetic = "1/2*x'^2"
        forces.x = "1e3*exp(-((t - 107.3)/1e-3)^2)"
        [events]
        bell = { when = "t - 104.25" }
        over = { when = "t - 118.5", terminal = true }
        "#,
    );
    let run = run(&model, &span(100.0, 120.0));
    let times = run.events.numbers("t").expect("events have times");
    assert!((times[0] - 104.25).abs() < 1e-9 && (times[1] - 118.5).abs() < 1e-9, "{times:?}");
    assert_eq!(run.certificate.stop, StopReason::Event { name: "over".to_owned() });
    // the pulse is a millionth of the run, and gives √π m/s
    let speed = *column(&run, "x'").last().expect("rows");
    assert!((speed - std::f64::consts::PI.sqrt()).abs() < 1e-4, "{speed}");
    // it is over before this run begins
    let late = run_from(&model, 110.0);
    assert!(column(&late, "x'").last().expect("rows").abs() < 1e-12);
}

fn run_from(model: &Model, t_start: f64) -> Run {
    run(model, &span(t_start, t_start + 5.0))
}

#[test]
fn rows_stand_at_their_distance_from_the_start_and_once_at_the_end() {
    let model = written(PUSHED);
    for (t_start, t_end, every) in [(0.1, 0.7, 0.1), (1.0 / 3.0, 7.0, 1.0 / 3.0), (-0.3, 0.3, 0.05)]
    {
        let run = run(&model, &span(t_start, t_end).every(every));
        let t = column(&run, "t");
        assert_eq!(t.len(), ((t_end - t_start) / every).round() as usize + 1, "{t:?}");
        assert_eq!(t[t.len() - 1], t_end);
        for (row, t) in t.iter().enumerate() {
            assert!((t - t_start - row as f64 * every).abs() < 1e-12);
        }
    }
    // a run that names no end takes as long as one from 0, and has as many rows
    let run = run(&model, &RunSettings::new().t_start(20.0));
    assert_eq!(column(&run, "t").last(), Some(&30.0));
    assert_eq!(run.table.len(), 201);
}

#[test]
fn an_end_before_the_start_is_refused() {
    let model = written(MOVED);
    for settings in [RunSettings::new().t_end(1.0), RunSettings::new().t_start(4.0), span(3.0, 3.0)]
    {
        let failure = catena::run(&model, &settings).expect_err("it ends before it begins");
        assert!(matches!(failure, RunFailure::EndBeforeStart { .. }), "{failure}");
        assert!(failure.to_string().contains("is not after the start at "), "{failure}");
        assert!(failure.is_usage());
    }
    let text = MOVED.replace("t_start = 2", "t_start = 4");
    let problems = Model::read(Source::new("m.toml", text), &[]).expect_err("it ends at 4");
    let told = problems.to_string();
    assert!(told.contains("the end at 4 s is not after the start at 4 s"), "{told}");
}

#[test]
fn a_sweep_is_what_runs_from_the_same_start_give() {
    let text = r#"
        parameters = { a = 1, b = 2 }
        coordinates = { x = "" }
        energy.kinetic = "1/2*x'^2"
        forces.x = "a*cos(t) - b*x"
        initial.x = 0.5
    "#;
    let model = |a: f64| {
        let settings = [Setting::new("a", a)];
        Model::read(Source::new("m.toml", text), &settings).expect("it is a model")
    };
    // the first ones run in lanes, the last one does not
    for integrator in ["dopri5", "rk4", "radau5"] {
        let request = SweepRequest::new().over("a", 1.0, 3.0, 3).t_start(5.0).t_end(9.0);
        let request = request.measure(Statistic::Last, "x").measure(Statistic::Min, "t");
        let request = request.run(RunSettings::new().integrator(integrator).tolerance(1e-10));
        let plan = Plan::new(&written(text), &request).expect("it can be swept");
        let (result, _) = in_memory(&plan, 1, &mut |_| false).expect("it is computed");
        let found = table(&result);
        assert_eq!(found.numbers("min:t"), Some([5.0; 3].as_slice()), "{integrator}");
        for (cell, x) in found.numbers("last:x").expect("the measure").iter().enumerate() {
            let settings = span(5.0, 9.0).integrator(integrator).tolerance(1e-10);
            let alone = run(&model(1.0 + cell as f64), &settings);
            let exact = *column(&alone, "x").last().expect("rows");
            assert!((x - exact).abs() < 1e-8, "{integrator}: {x} and {exact}");
        }
    }
}

#[test]
fn methods_are_compared_from_the_start_on() {
    let options = [("t_start", "5"), ("t_end", "8"), ("integrators", "dopri5,radau5")];
    let answer = catena::ask("compare", &written(PUSHED), &options).expect("it compares");
    let errors = answer.table.numbers("error").expect("errors");
    assert!(!errors.is_empty() && errors.iter().all(|error| *error < 1e-4), "{errors:?}");
    let until = answer.table.numbers("holds_until").expect("times");
    assert!(until.iter().all(|until| *until == 8.0), "{until:?}");
}

#[test]
fn questions_about_a_run_look_at_all_of_it() {
    let options = [("t_start", "-5"), ("t_end", "-1"), ("every", "0.5")];
    let answer = catena::ask("phase", &written(PUSHED), &options).expect("it has a portrait");
    assert_eq!(answer.table.numbers("t").expect("times")[0], -5.0);
    assert_eq!(answer.table.len(), 9);
}

#[test]
fn motors_drive_a_mechanism_from_the_start_time_on() {
    let model = ready("quick-return", &[]);
    let mut late = model.clone();
    late.run.t_start = Some(1.0);
    late.run.t_end = Some(2.0);
    let answer = catena::ask("kinematics", &late, &[("points", "3")]).expect("it is driven");
    assert_eq!(answer.table.columns[0].numbers(), [1.0, 1.5, 2.0]);
}
