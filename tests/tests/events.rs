//! Events are found where they are, and none is missed.

use catena::RunSettings;
use catena::simulation::StopReason;
use catena_tests::written;

/// y' = 3x² + 12x − 4 from y(−8) = −120 with x = t − 8 is the cubic (x + 6)(x + 2)(x − 2).
#[test]
fn the_roots_of_a_cubic_written_as_a_state_are_found() {
    let model = written(
        r#"
        title = "Cubic"
        states = { y = "3*(t - 8)^2 + 12*(t - 8) - 4" }
        initial = { y = -120 }
        events = { root = { when = "y" } }
        "#,
    );
    for integrator in ["dopri5", "dop853", "bs23", "radau5"] {
        let request = RunSettings {
            integrator: Some(integrator.into()),
            rtol: Some(1e-10),
            atol: Some(1e-10),
            t_end: Some(12.0),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).expect("it runs");
        let times = run.events.column("t").expect("times");
        assert_eq!(times.len(), 3, "{integrator}: {times:?}");
        for (time, root) in times.iter().zip([-6.0, -2.0, 2.0]) {
            assert!((time - 8.0 - root).abs() < 1e-8, "{integrator}: {times:?}");
        }
    }
}

const OSCILLATOR: &str = r#"
title = "Oscillator"
coordinates = { x = "bead" }
initial = { x = 1 }
[energy]
kinetic = "1/2*x'^2"
potential = "1/2*x^2"
[events]
up = { when = "x", direction = 1 }
down = { when = "x", direction = -1 }
"#;

#[test]
fn ten_thousand_crossings_are_all_found_even_with_a_loose_tolerance() {
    let model = written(OSCILLATOR);
    for (rtol, integrator) in [(1e-8, "dop853"), (1e-3, "dopri5")] {
        let request = RunSettings {
            integrator: Some(integrator.into()),
            rtol: Some(rtol),
            atol: Some(rtol * 1e-3),
            t_end: Some(31_420.0),
            every: Some(0.25),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).expect("it runs");
        let x = run.table.column("x").expect("positions");
        let changes = x.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
        assert!(changes > 9_900, "{changes} changes of sign in the rows");
        assert_eq!(run.events.len(), changes, "{integrator} at {rtol}");
        // crossings alternate: one down, one up
        let kinds = run.events.words("event").expect("names");
        assert!(kinds.iter().all(|kind| kind == "up" || kind == "down"));
        assert!(kinds.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

#[test]
fn zeros_between_poles_are_all_found_however_many_a_step_passes() {
    for (rate, count) in [(50.0, 318), (100.0, 636), (500.0, 3183)] {
        let tangent = format!("tan = {{ when = \"tan({rate}*t)\" }}\n");
        let quotient = format!("quotient = {{ when = \"sin({rate}*t)/cos({rate}*t)\" }}\n");
        let model = written(&format!("{OSCILLATOR}{tangent}{quotient}"));
        for integrator in ["dopri5", "taylor"] {
            let settings = RunSettings::new().integrator(integrator).t_end(20.0).no_certify();
            let run = catena::run(&model, &settings).expect("it runs");
            let kinds = run.events.words("event").expect("names");
            for name in ["tan", "quotient"] {
                let found = kinds.iter().filter(|kind| *kind == name).count();
                assert_eq!(found, count, "{name}({rate} t), {integrator}");
            }
        }
    }
}

#[test]
fn crossings_stand_at_their_exact_times() {
    let request = RunSettings {
        integrator: Some("dop853".into()),
        rtol: Some(1e-12),
        atol: Some(1e-12),
        t_end: Some(20.0),
        ..RunSettings::default()
    };
    let run = catena::run(&written(OSCILLATOR), &request).expect("it runs");
    for (k, time) in run.events.column("t").expect("times").iter().enumerate() {
        let exact = (k as f64 + 0.5) * std::f64::consts::PI;
        assert!((time - exact).abs() < 1e-9, "{time} and {exact}");
    }
}

#[test]
fn a_terminal_event_ends_the_run_with_a_row_of_its_own() {
    let model = written(&OSCILLATOR.replace("direction = -1", "direction = -1, terminal = true"));
    let request = RunSettings {
        rtol: Some(1e-10),
        atol: Some(1e-10),
        t_end: Some(20.0),
        every: Some(1.0),
        ..RunSettings::default()
    };
    let run = catena::run(&model, &request).expect("it runs");
    assert_eq!(run.certificate.stop, StopReason::Event { name: "down".into() });
    let times = run.table.column("t").expect("times");
    assert_eq!(times.len(), 3, "{times:?}");
    assert!((times[2] - std::f64::consts::FRAC_PI_2).abs() < 1e-8, "{times:?}");
    assert!(run.table.column("x").expect("positions")[2].abs() < 1e-8);
}
