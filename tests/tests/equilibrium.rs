//! Where systems rest: the equations without their drive, and the state that balances them.

use catena::simulation::{
    Assembly, Equilibrium, EquilibriumError, Start, assemble, equilibrium as nearest,
};
use catena::{CoordinateSet, Equations, Model};
use catena_compile::{Evaluator, Functions};
use catena_tests::{Compiled, ready, written, zoo};
use std::f64::consts::PI;
use std::sync::Arc;

const PENDULUM: &str = r#"
parameters = { m = 0.3, l = 1.7, g = 9.81 }
coordinates = { theta = "from the downward vertical" }
energy.kinetic = "1/2*m*l^2*theta'^2"
energy.potential = "-m*g*l*cos(theta)"
"#;

fn start(model: &Model) -> Assembly {
    let system = &model.own;
    let mut evaluator = Evaluator::derived(model, system);
    assemble(system, &mut evaluator, &Start::new(model, CoordinateSet::Own)).expect("a start")
}

fn equilibrium(model: &Model) -> Result<Equilibrium, EquilibriumError> {
    let equations = Equations::derive(model, &model.own);
    nearest(model, &model.own, &equations, &start(model))
}

fn found(model: &Model) -> Equilibrium {
    equilibrium(model).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

/// Largest force, constraint and rate that is left, by the compiled model itself.
fn residual(model: &Model, rest: &Equilibrium) -> f64 {
    let n = rest.q.len();
    let at_rest = vec![0.0; n];
    let values =
        Compiled::new(model, CoordinateSet::Own).with_states(0.0, &rest.q, &at_rest, &rest.states);
    let mut forces = values.forces;
    for (row, multiplier) in rest.multipliers.iter().enumerate() {
        for (column, force) in forces.iter_mut().enumerate() {
            *force -= values.constraint_jacobian[row * n + column] * multiplier;
        }
    }
    let all = forces.iter().chain(&values.constraints).chain(&values.state_rates);
    all.fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

#[test]
fn undriven_equations_do_not_depend_on_time() {
    for (name, model, set) in zoo(3) {
        let system = model.system(set);
        let undriven = Equations::derive(&model, system).undriven();
        assert!(!undriven.depends_on_time(), "{name}");
        let others = [&undriven.constraint_rate, &undriven.outputs, &undriven.events];
        let energies = [undriven.kinetic, undriven.potential, undriven.power];
        for &expr in others.into_iter().flatten().chain(&energies) {
            assert!(!undriven.graph.depends_on(expr, &[undriven.time]), "{name}");
        }
    }
    let driven = ready("triple-pendulum", &[]);
    assert!(Equations::derive(&driven, &driven.own).depends_on_time());
}

#[test]
fn a_drive_is_off_with_all_its_derivatives() {
    let model = ready("triple-pendulum", &[]);
    let still = ready("triple-pendulum", &["eta0=0"]);
    let e = Equations::derive(&model, &model.own).undriven();
    let parameters: Vec<f64> = model.parameter_values();
    let mut undriven = Evaluator::new(Arc::new(Functions::new(e)), &parameters);
    let (q, v) = ([0.3, -0.7, 1.1], [0.4, 0.2, -0.9]);
    let found = undriven.values_at(0.77, &q, &v, &[]);
    let expected = catena_tests::values(&still, CoordinateSet::Own, 0.77, &q, &v);
    assert!(catena_tests::difference(&found.forces, &expected.forces) < 1e-15);
    assert!(catena_tests::difference(&found.mass_matrix, &expected.mass_matrix) < 1e-15);
}

#[test]
fn a_pivot_that_swings_on_an_arc_is_at_its_middle_when_the_drive_is_off() {
    // cos(a sin(wt)) is 1 there, not 0: the pivot hangs below its own
    let model = written(
        r#"
        parameters = { m = 1, g = 9.81, r = 2, a = 0.4, w = 3, k = 50 }
        coordinates = { x = "bob", y = "bob" }
        definitions = { px = "r*sin(a*sin(w*t))", py = "-r*cos(a*sin(w*t))" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y + 1/2*k*((x - px)^2 + (y - py)^2)"
        "#,
    );
    let rest = found(&model);
    assert!(rest.q[0].abs() < 1e-12, "{rest:?}");
    assert!((rest.q[1] - (-2.0 - 9.81 / 50.0)).abs() < 1e-12, "{rest:?}");
}

#[test]
fn a_pendulum_rests_where_the_way_from_its_start_ends() {
    // from beyond the horizontal the way goes up, from below it down; never to another turn
    for (degrees, expected) in [
        (170.0, PI),
        (91.0, PI),
        (89.0, 0.0),
        (30.0, 0.0),
        (-120.0, -PI),
        (0.0, 0.0),
        (400.0, 2.0 * PI),
    ] {
        let text = format!("{PENDULUM}\n[initial]\ntheta = \"{degrees} deg\"");
        let model = written(&text);
        let rest = found(&model);
        assert!((rest.q[0] - expected).abs() < 1e-12, "{degrees}°: {rest:?}");
        assert!(residual(&model, &rest) < 1e-14, "{degrees}°: {rest:?}");
        assert!(rest.iterations < 40, "{degrees}°: {rest:?}");
    }
}

#[test]
fn a_start_exactly_at_the_top_is_an_equilibrium() {
    let model = written(&format!("{PENDULUM}\n[initial]\ntheta = \"180 deg\""));
    let rest = found(&model);
    assert_eq!(rest.q, [PI]);
}

#[test]
fn a_rod_that_starts_level_falls_to_where_it_hangs() {
    // all slopes vanish at the start: only the force says where to go
    let level = written(
        r#"
        parameters = { m = 1, l = 1, g = 9.81 }
        coordinates = { theta = "from +x" }
        energy.kinetic = "1/6*m*l^2*theta'^2"
        energy.potential = "1/2*m*g*l*sin(theta)"
        "#,
    );
    assert!((found(&level).q[0] + PI / 2.0).abs() < 1e-12);
    let chain = ready("chain", &["links=30"]);
    assert!(found(&chain).q.iter().all(|angle| angle.abs() < 1e-10), "a chain hangs straight");
    let cartesian = found(&ready("double-pendulum-cartesian", &[]));
    for (value, expected) in cartesian.q.iter().zip([0.0, -1.0, 0.0, -2.0]) {
        assert!((value - expected).abs() < 1e-12, "{cartesian:?}");
    }
}

#[test]
fn constrained_systems_rest_with_their_multipliers() {
    for angle in ["60 deg", "-60 deg", "-110 deg", "150 deg"] {
        let model = ready("four-bar", &[&format!("theta2={angle}")]);
        let rest = found(&model);
        assert_eq!(rest.multipliers.len(), 8);
        assert!(residual(&model, &rest) < 1e-12, "{angle}: {rest:?}");
        assert!(rest.residual < 1e-12, "{angle}: {rest:?}");
    }
    let model = ready("slider-crank", &[]);
    assert!(residual(&model, &found(&model)) < 1e-12);
}

#[test]
fn a_cart_rests_where_it_starts() {
    let rest = found(&ready("cart-pendulum", &["x=-3.25", "theta=20 deg"]));
    assert_eq!(rest.q[0], -3.25);
    assert!(rest.q[1].abs() < 1e-14);
}

#[test]
fn an_elastic_pendulum_hangs_on_its_stretched_spring() {
    let rest = found(&ready("elastic-pendulum", &["k=40"]));
    assert!(rest.q[0].abs() < 1e-12);
    assert!((rest.q[1] - (-1.0 - 9.81 / 40.0)).abs() < 1e-12);
}

#[test]
fn first_order_states_rest_too() {
    let rest = found(&ready("lorenz", &["x=8", "y=8", "z=25"]));
    let expected = (8.0 / 3.0 * 27.0_f64).sqrt();
    for (value, expected) in rest.states.iter().zip([expected, expected, 27.0]) {
        assert!((value - expected).abs() < 1e-12, "{rest:?}");
    }
}

#[test]
fn a_hoop_that_turns_steadily_is_no_drive() {
    let model = ready("bead-on-hoop", &["omega=7", "R=0.5", "theta=60 deg"]);
    let rest = found(&model);
    let expected = (9.81 / (0.5 * 49.0_f64)).acos();
    assert!((rest.q[0] - expected).abs() < 1e-12, "{rest:?} and {expected}");
}

#[test]
fn without_an_equilibrium_the_coordinate_is_named() {
    let falling = written(
        r#"
        parameters = { m = 2, g = 9.81 }
        coordinates = { x = "sideways", y = "height" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y + x^2"
        initial = { x = 1 }
        "#,
    );
    let error = equilibrium(&falling).expect_err("it falls");
    let EquilibriumError::Unbalanced { coordinate, residual } = &error else { panic!("{error:?}") };
    assert_eq!((coordinate.as_str(), *residual), ("y", -2.0 * 9.81));
    let expected = "there is no equilibrium: the force on `y` cannot be balanced";
    assert_eq!(error.to_string(), expected);

    let error = equilibrium(&ready("cart-pendulum", &["F=3"])).expect_err("it is pushed away");
    assert!(error.to_string().contains("the force on `x`"), "{error}");

    let clock = written("parameters = { a = 1 }\nstates = { z = \"a\" }");
    let error = equilibrium(&clock).expect_err("it runs on");
    assert_eq!(error.to_string(), "there is no equilibrium: `z` cannot come to rest");
}

#[test]
fn a_constraint_that_turns_with_the_drive_is_not_dropped() {
    let model = written(
        r#"
        parameters = { m = 0.7, g = 9.81, w = 1.3, k = 5 }
        coordinates = { x = "bead", y = "bead" }
        energy.kinetic = "1/2*m*(x'^2 + y'^2)"
        energy.potential = "m*g*y + 1/2*k*(x^2 + y^2)"
        constraints = { rod = "y*cos(w*t) - x*sin(w*t)" }
        initial = { x = 0.5 }
        "#,
    );
    let error = equilibrium(&model).expect_err("gravity turns about the rod");
    let expected = "there is no equilibrium: nothing is left of `rod` when the drive is off";
    assert_eq!(error.to_string(), expected);
}
