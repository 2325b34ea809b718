//! Linear models as files: run like any other model, they move as `--linear` does.

use catena::analysis::{LinearModel, Modes, Rest, linear_file};
use catena::{Model, RunSettings};
use catena_tests::{ready, written};

fn file(model: &Model) -> String {
    let rest = Rest::nearest(model).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    let linear = LinearModel::new(rest).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    linear_file(&linear).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

/// Largest difference between the runs of a file and of the model itself made linear, over its columns.
fn difference(model: &Model, text: &str, columns: &[&str], t_end: f64) -> f64 {
    let request = RunSettings {
        integrator: Some("dop853".into()),
        rtol: Some(1e-12),
        atol: Some(1e-13),
        t_end: Some(t_end),
        every: Some(t_end / 20.0),
        ..RunSettings::default()
    };
    let file = written(text);
    let found = catena::run(&file, &request).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let linear = RunSettings { linear: true, ..request };
    let expected = catena::run(model, &linear).unwrap_or_else(|error| panic!("{error}"));
    let mut largest = 0.0_f64;
    for column in columns {
        let values = |run: &catena::simulation::Run| {
            run.table
                .column(column)
                .unwrap_or_else(|| panic!("no column {column}\n{text}"))
                .to_vec()
        };
        let (found, expected) = (values(&found), values(&expected));
        assert!(expected.iter().any(|value| value.abs() > 1e-4), "{column} moves");
        for (a, b) in found.iter().zip(&expected) {
            largest = if (a - b).abs() > largest { (a - b).abs() } else { largest };
        }
    }
    largest
}

#[test]
fn a_shaken_triple_pendulum_runs_from_its_linear_file() {
    let settings = ["R=0.3", "eta0=0.07", "f=0.6", "theta1=0.2", "theta3=-0.1", "theta2'=0.4"];
    let model = ready("triple-pendulum", &settings);
    let text = file(&model);
    assert!(text.contains("f = 0.6") && text.contains("eta0 = 0.07"), "{text}");
    let columns = ["theta1", "theta2", "theta3", "theta1'", "theta3'"];
    let error = difference(&model, &text, &columns, 10.0);
    assert!(error < 1e-9, "{error:.1e}");

    // the drive can still be changed
    let faster = text.replace("f = 0.6", "f = 0.9");
    let model = ready(
        "triple-pendulum",
        &settings.map(|text| if text == "f=0.6" { "f=0.9" } else { text }),
    );
    let error = difference(&model, &faster, &columns, 10.0);
    assert!(error < 1e-9, "{error:.1e}");
}

#[test]
fn a_vertically_shaken_pendulum_keeps_its_mathieu_term_in_the_file() {
    let model = written(
        r#"
        parameters = { m = 0.5, l = 1.2, g = 9.81, a = 0.3, w = 5.7 }
        coordinates = { theta = "from the downward vertical" }
        definitions = { x = "l*sin(theta)", y = "a*cos(w*t) - l*cos(theta)" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y"
        initial = { theta = 0.1 }
        "#,
    );
    let text = file(&model);
    let error = difference(&model, &text, &["theta", "theta'"], 6.0);
    assert!(error < 1e-9, "{error:.1e}\n{text}");
}

#[test]
fn a_tilted_driven_system_keeps_what_its_acceleration_does_to_the_mass() {
    // the mass of y depends on x, and the drive accelerates y at rest: ∂M/∂x a₀ does not vanish
    let model = written(
        r#"
        parameters = { k = 20, a = 0.4, w = 3 }
        coordinates = { x = "", y = "" }
        energy.kinetic = "1/2*x'^2 + 1/2*(1 + x)^2*y'^2"
        energy.potential = "1/2*k*(x - 0.2)^2 + 1/2*k*y^2"
        energy.dissipation = "0.1*x'^2"
        forces = { y = "a*cos(w*t)", x = "z - 0.3*y'" }
        states = { z = "y - x - z" }
        initial = { x = 0.3, y = -0.1, z = 0.2 }
        "#,
    );
    let text = file(&model);
    let error = difference(&model, &text, &["x", "y", "x'", "y'", "z"], 5.0);
    assert!(error < 1e-9, "{error:.1e}\n{text}");
}

#[test]
fn a_linkage_runs_from_the_linear_file_of_its_one_degree_of_freedom() {
    let hanging = ready("four-bar", &["theta2=-60 deg"]);
    let crank = Rest::nearest(&hanging).expect("it hangs").equilibrium.q[2];
    let error = |amplitude: f64| {
        let model = ready("four-bar", &[&format!("theta2={:?}", crank + amplitude)]);
        let text = file(&model);
        difference(&model, &text, &["x2", "theta2", "theta3", "y4", "theta4"], 2.0)
    };
    // the starts differ by the square of the deviation: dependent coordinates lie on the tangent here
    let (large, small) = (error(2e-3), error(1e-3));
    assert!(small < 1e-5, "{small:.1e}");
    assert!((3.5..4.5).contains(&(large / small)), "{large:.1e} and {small:.1e}");
}

#[test]
fn a_shaken_pivot_in_a_constraint_becomes_a_force() {
    let model = written(
        r#"
        parameters = { m = 0.5, l = 1.2, g = 9.81, a = 0.01, w = 2 }
        coordinates = { x = "bob", y = "bob" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y"
        constraints = { rod = "(x - a*cos(w*t))^2 + y^2 - l^2" }
        initial = { x = 0.01, "x'" = 0 }
        guess = { y = -1.2 }
        "#,
    );
    let text = file(&model);
    // x = a cos wt + l θ, l θ̈ + g θ = a w² cos wt: θ = B (cos wt − cos Ωt) from rest
    let request = RunSettings {
        integrator: Some("dop853".into()),
        rtol: Some(1e-11),
        atol: Some(1e-13),
        t_end: Some(3.0),
        every: Some(0.1),
        ..RunSettings::default()
    };
    let run =
        catena::run(&written(&text), &request).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (t, x) = (run.table.column("t").expect("t"), run.table.column("x").expect("x"));
    let (own, drive) = (9.81 / 1.2, 4.0);
    let swing = 0.01 * drive / (own - drive);
    for (t, x) in t.iter().zip(x) {
        let exact = (0.01 + swing) * (2.0 * t).cos() - swing * (own.sqrt() * t).cos();
        assert!((x - exact).abs() < 1e-9, "at {t} s: {x}, not {exact}\n{text}");
    }
}

#[test]
fn every_ready_system_that_rests_has_a_linear_file_with_the_same_modes() {
    let mut compared = 0;
    for system in catena::systems::SYSTEMS {
        let model = ready(system.name, &[]);
        let Ok(rest) = Rest::nearest(&model) else { continue };
        let modes = |linear: &LinearModel<'_>| {
            Modes::new(linear).unwrap_or_else(|error| panic!("{}: {error}", system.name))
        };
        let linear =
            LinearModel::new(rest).unwrap_or_else(|error| panic!("{}: {error}", system.name));
        if linear.independent.is_empty() && model.own.states.is_empty() {
            continue;
        }
        let text = linear_file(&linear).unwrap_or_else(|error| panic!("{}: {error}", system.name));
        let file = written(&text);
        let again = Rest::nearest(&file).and_then(LinearModel::new);
        let again = again.unwrap_or_else(|error| panic!("{}: {error}\n{text}", system.name));
        let (expected, found) = (modes(&linear), modes(&again));
        assert_eq!(found.modes.len(), expected.modes.len(), "{}\n{text}", system.name);
        for (found, expected) in found.modes.iter().zip(&expected.modes) {
            let error = (found.value - expected.value).norm();
            assert!(error <= 1e-9 * expected.value.norm(), "{}: {error:.1e}", system.name);
            assert_eq!(found.character, expected.character, "{}", system.name);
        }
        compared += 1;
    }
    assert!(compared >= 15, "{compared} systems rest");
}

#[test]
fn a_mass_that_the_drive_changes_is_refused() {
    let model = written(
        r#"
        coordinates = { x = "" }
        energy.kinetic = "1/2*(2 + cos(t))*x'^2"
        energy.potential = "1/2*x^2"
        "#,
    );
    let rest = Rest::nearest(&model).expect("it rests");
    let linear = LinearModel::new(rest).expect("it is linear");
    let error = linear_file(&linear).expect_err("no file says that");
    assert_eq!(
        error.to_string(),
        "the drive changes the mass of `x`: a linear model file cannot express that"
    );
}
