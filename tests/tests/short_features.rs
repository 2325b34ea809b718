//! Nothing is stepped over: pulses between the stages of a step, thin walls, switches, many events in one step.

use catena::RunSettings;
use catena::simulation::{Run, StopReason};
use catena_tests::written;

fn quarter_car(road: &str) -> String {
    format!(
        r#"
        title = "Quarter car"
        coordinates = {{ z = "body", w = "wheel" }}
        parameters = {{ late = 5, width = 0.005 }}
        [energy]
        kinetic = "1/2*300*z'^2 + 1/2*40*w'^2"
        potential = "1/2*2e4*(z - w)^2 + 1/2*2e5*(w - road)^2"
        dissipation = "1/2*1500*(z' - w')^2"
        [definitions]
        road = "{road}"
        "#
    )
}

fn settings(integrator: &str, tolerance: f64, t_end: f64) -> RunSettings {
    RunSettings {
        integrator: Some(integrator.into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(t_end),
        every: Some(t_end / 100.0),
        ..RunSettings::new().no_certify()
    }
}

fn run(text: &str, settings: &RunSettings) -> Run {
    catena::run(&written(text), settings).unwrap_or_else(|error| panic!("{error}"))
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).expect("the column")
}

/// The largest difference of two runs in a column, on the rows that they have in common: one that stopped early has its last
/// row where it stopped.
fn difference(a: &Run, b: &Run, name: &str) -> f64 {
    let times = column(a, "t").iter().zip(column(b, "t"));
    let pairs = times.zip(column(a, name).iter().zip(column(b, name)));
    let common = pairs.filter(|((t, other), _)| t == other);
    common.map(|(_, (a, b))| (a - b).abs()).fold(0.0, f64::max)
}

/// Five ways to write a bump of 5 ms, at rest before it: all are seen, at every tolerance, by every integrator with step
/// control. The reference takes steps that cannot miss it.
#[test]
fn a_bump_of_five_milliseconds_after_five_seconds_is_felt() {
    for road in [
        "0.05*max(0, sin(pi*(t - late)/width))*max(0, sign(t - late)*sign(late + width - t))",
        "0.05*exp(-((t - late)/width)^2)",
        "0.05*(tanh((t - late)/1e-4) - tanh((t - late - width)/1e-4))/2",
        "0.05/(1 + ((t - late)/width)^2)",
        "0.05*cos(pi*(t - late)/20)^100000",
    ] {
        let text = quarter_car(road);
        let exact =
            run(&text, &RunSettings { max_step: Some(2e-4), ..settings("dop853", 1e-12, 6.0) });
        let largest = column(&exact, "w").iter().fold(0.0_f64, |size, w| size.max(w.abs()));
        assert!(largest > 1e-5, "{road}: the bump moves the wheel");
        for (integrator, tolerance) in [
            ("dopri5", 1e-8),
            ("dop853", 1e-8),
            ("dop853", 1e-13),
            ("radau5", 1e-8),
            ("bs23", 1e-8),
        ] {
            let found = run(&text, &settings(integrator, tolerance, 6.0));
            let error = difference(&found, &exact, "w");
            assert!(error < 1e-3 * largest, "{integrator} at {tolerance}, {road}: {error:.1e}");
        }
    }
}

#[test]
fn before_the_bump_nothing_is_done_in_vain() {
    let road =
        "0.05*max(0, sin(pi*(t - late)/width))*max(0, sign(t - late)*sign(late + width - t))";
    let found = run(&quarter_car(road), &settings("dopri5", 1e-8, 4.9));
    let steps = found.certificate.statistics.steps;
    assert!(steps < 100, "{steps} steps though nothing happens");
}

/// A wall thinner than any step, and higher than the energy, throws the puck back; a lower one lets it pass.
#[test]
fn a_puck_does_not_pass_a_thin_wall_that_is_higher_than_its_energy() {
    for (height, end) in [(0.7, -4.0), (0.3, 4.0)] {
        for wall in ["exp(-(x/1e-3)^2)", "(1 - tanh(x/1e-3)^2)", "1/(1 + (x/1e-3)^4)"] {
            let text = format!(
                r#"
                title = "Puck"
                coordinates = {{ x = "puck" }}
                initial = {{ x = -1, "x'" = 1 }}
                energy = {{ kinetic = "1/2*x'^2", potential = "{height}*{wall}" }}
                "#
            );
            for integrator in ["dopri5", "dop853"] {
                let found = run(&text, &settings(integrator, 1e-8, 5.0));
                let last = *column(&found, "x").last().expect("a row");
                assert!((last - end).abs() < 0.1, "{integrator}, {height}, {wall}: {last}");
            }
        }
    }
}

/// Two bodies that fly by each other nearly collide in the midst of a long step.
#[test]
fn a_near_collision_is_not_stepped_over() {
    let text = r#"
        title = "Repulsion"
        coordinates = { x = "first", u = "second" }
        initial = { x = -3, "x'" = 1, u = 3, "u'" = -1 }
        energy = { kinetic = "1/2*x'^2 + 1/2*u'^2", potential = "2e-6/((x - u)^2 + 1e-6)" }
    "#;
    let exact = run(text, &RunSettings { max_step: Some(2e-4), ..settings("dop853", 1e-12, 6.0) });
    let found = run(text, &settings("dop853", 1e-6, 6.0));
    assert!(difference(&found, &exact, "x") < 1e-3);
    // the potential between them is higher than their energy: each is thrown back
    let last = *column(&found, "x").last().expect("a row");
    assert!((last + 3.0).abs() < 0.1, "{last}");
}

/// Hanging at rest, its angles do not feel the shaking: the steps must.
#[test]
fn a_hanging_chain_on_a_shaken_pivot_keeps_its_balance() {
    let text = r#"
        title = "Shaken"
        [chain]
        links = 3
        start = [0, 0, 0]
        [chain.pivot]
        y = "0.1*cos(4*pi*t)"
    "#;
    let found = run(text, &settings("dopri5", 1e-8, 60.0));
    let steps = found.certificate.statistics.steps;
    assert!(steps >= 240, "{steps} steps for 120 periods");
    assert!(found.certificate.energy_residual < 1e-2, "{}", found.certificate.energy_residual);
}

#[test]
fn jumps_and_bends_are_located_and_the_motion_is_exact_behind_them() {
    // x'' = -sign(x): parabolas with the period 4 sqrt(2 x0)
    let text = r#"
        title = "Relay"
        coordinates = { x = "mass" }
        initial = { x = 0.5 }
        energy = { kinetic = "1/2*x'^2", potential = "abs(x)" }
    "#;
    for (integrator, tolerance) in [("dopri5", 1e-9), ("dop853", 1e-9), ("radau5", 1e-9)] {
        let found = run(text, &settings(integrator, tolerance, 40.0));
        let last = *column(&found, "x").last().expect("a row");
        assert!((last - 0.5).abs() < 1e-6, "{integrator}: {last} after ten periods");
        let evaluations = found.certificate.statistics.evaluations;
        assert!(evaluations < 6000, "{integrator}: {evaluations} evaluations for 20 switches");
    }
}

/// The drag |v| v is smooth enough: its switch costs nothing but a look.
#[test]
fn quadratic_drag_is_not_slowed() {
    let drag = |force: &str| {
        format!(
            r#"
            title = "Drag"
            coordinates = {{ x = "mass" }}
            initial = {{ x = 1 }}
            energy = {{ kinetic = "1/2*x'^2", potential = "1/2*x^2" }}
            forces = {{ x = "{force}" }}
            "#
        )
    };
    let steps = |force: &str| {
        run(&drag(force), &settings("dop853", 1e-8, 100.0)).certificate.statistics.steps
    };
    // the same force, of which nobody knows that it has a switch
    let (sharp, smooth) = (steps("-0.1*abs(x')*x'"), steps("-0.1*sqrt(x'^2 + 1e-30)*x'"));
    assert!(sharp < smooth + smooth / 10, "{sharp} steps, and {smooth} of a smooth one");
}

const FRICTION: &str = r#"
title = "Block"
coordinates = { x = "block" }
initial = { x = 1 }
energy = { kinetic = "1/2*x'^2", potential = "5*x^2" }
forces = { x = "-3*sign(x') + drive" }
definitions = { drive = "0" }
"#;

#[test]
fn dry_friction_that_sticks_is_told_as_what_it_is() {
    let starts_at_rest = FRICTION.replace("x = 1 }", "x = 0.2 }");
    let pushed = FRICTION.replace("x = 1 }", "x = 0 }").replace(r#""0""#, r#""2*sin(t)""#);
    for text in [FRICTION, &starts_at_rest, &pushed] {
        for integrator in ["dopri5", "dop853", "radau5", "bs23"] {
            let found = run(text, &settings(integrator, 1e-8, 10.0));
            let StopReason::Failed { message } = &found.certificate.stop else {
                panic!("{integrator}: {:?}", found.certificate.stop)
            };
            for word in
                ["dry friction that sticks", "sign(x')", "tanh((...)/", "a terminal event on `x'`"]
            {
                assert!(message.contains(word), "{integrator}: {message}");
            }
            let evaluations = found.certificate.statistics.evaluations;
            assert!(evaluations < 200_000, "{integrator}: {evaluations}");
        }
    }
}

#[test]
fn friction_between_two_blocks_is_told_by_its_velocity() {
    let text = r#"
        title = "Blocks"
        coordinates = { x = "first", y = "second" }
        initial = { x = 1, "y'" = 2 }
        energy = { kinetic = "1/2*x'^2 + 1/2*y'^2", potential = "5*x^2" }
        forces = { x = "-3*sign(x' - y')", y = "3*sign(x' - y')" }
    "#;
    let found = run(text, &settings("dopri5", 1e-8, 10.0));
    let StopReason::Failed { message } = &found.certificate.stop else { panic!("it sticks") };
    assert!(message.contains("dry friction") && message.contains("sign(x' - y')"), "{message}");
}

/// The advice is about what the file says, whose sign the equations may have turned round.
#[test]
fn what_friction_is_replaced_by_keeps_the_sign_of_the_file() {
    let belt = FRICTION.replace("-3*sign(x') + drive", "-3*sign(x' - 1/5)");
    let found = run(&belt, &settings("dopri5", 1e-8, 10.0));
    let StopReason::Failed { message } = &found.certificate.stop else { panic!("it sticks") };
    let (_, advice) = message.split_once("`tanh((...)").expect("what to write");
    let width = advice.split_once("/").and_then(|(_, rest)| rest.split_once(")")).expect("a width");
    let smooth = belt.replace("sign(x' - 1/5)", &format!("tanh((x' - 1/5)/{})", width.0));
    let found = run(&smooth, &settings("radau5", 1e-8, 10.0));
    assert_eq!(found.certificate.stop, StopReason::Finished);
    let energy = found.table.column("energy").expect("runs have it");
    // friction pulls the block no farther than where its spring holds it
    assert!(*energy.last().expect("rows") < energy[0], "{energy:?}");
}

/// A relay that is told where the motion goes slides along its switch.
#[test]
fn a_switch_that_holds_the_motion_is_told() {
    let text = r#"
        title = "Sliding mode"
        coordinates = { x = "mass" }
        initial = { x = 1 }
        energy = { kinetic = "1/2*x'^2" }
        forces = { x = "-sign(x + x'/2)" }
    "#;
    let found = run(text, &settings("dopri5", 1e-8, 10.0));
    let StopReason::Failed { message } = &found.certificate.stop else { panic!("it is held") };
    assert!(message.contains("holds the motion"), "{message}");
}

#[test]
fn a_block_that_slides_on_is_not_said_to_stick() {
    let text = FRICTION.replace(r#"potential = "5*x^2""#, r#"potential = "-4*x""#);
    let found = run(&text, &settings("dopri5", 1e-9, 10.0));
    assert_eq!(found.certificate.stop, StopReason::Finished);
    let last = *column(&found, "x").last().expect("a row");
    assert!((last - 51.0).abs() < 1e-5, "{last}: it falls with 1 m/s²");
}

fn events(when: &str, t_end: f64) -> Vec<f64> {
    let text = format!(
        r#"
        title = "Rest"
        coordinates = {{ x = "mass" }}
        initial = {{ "x'" = 1 }}
        energy = {{ kinetic = "1/2*x'^2" }}
        events = {{ zero = {{ when = "{when}" }} }}
        "#
    );
    run(&text, &settings("dop853", 1e-8, t_end)).events.column("t").expect("times").to_vec()
}

#[test]
fn every_crossing_of_a_fast_function_is_an_event() {
    assert_eq!(events("sin(200*t)", 5.0).len(), 318);
    assert_eq!(events("sin(200*x)", 5.0).len(), 318, "of the state too");
}

#[test]
fn narrow_windows_are_events() {
    for when in [
        "(t - 2.345678)^2 - 1e-12",
        "exp(-((t - 2.345678)/1e-4)^2) - 1/2",
        "(x - 2.345678)^2 - 1e-10",
        "max(abs(t - 2.345678) - 1e-5, -1)",
    ] {
        let times = events(when, 5.0);
        assert_eq!(times.len(), 2, "{when}: {times:?}");
        assert!(times.iter().all(|time| (time - 2.345678).abs() < 1e-3), "{when}: {times:?}");
    }
}

#[test]
fn poles_are_no_events() {
    let times = events("tan(t)", 10.0);
    assert_eq!(times.len(), 3, "{times:?}");
    assert!(
        times.iter().zip(1..).all(|(t, k)| (t - f64::from(k) * std::f64::consts::PI).abs() < 1e-9)
    );
    assert!(events("1/(t - 2.2)", 5.0).is_empty());
}

/// Fixed steps stay what they are; that they are too long is remarked on.
#[test]
fn fixed_steps_are_never_changed_but_what_they_miss_is_told() {
    let text = quarter_car("0.05*exp(-((t - late)/width)^2)");
    let found = run(&text, &RunSettings { step: Some(0.1), ..settings("rk4", 1e-8, 10.0) });
    assert_eq!(found.certificate.statistics.steps, 100);
    let remarks = found.certificate.remarks.join("; ");
    assert!(remarks.contains("fixed steps are too long"), "{remarks}");
}
