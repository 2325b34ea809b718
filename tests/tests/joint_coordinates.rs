//! Mechanisms derived in the coordinates of their joints, and forces on definitions, which that needs.

use catena::model::System;
use catena::{CoordinateSet, Model, Source};
use catena_compile::Evaluator;
use catena_tests::{
    ARM, Compiled, Random, accelerations, built, consistent_states, difference, driven_arm, ready,
    values, written,
};

const TOLERANCE: f64 = 1e-9;

fn tree(model: &Model) -> &System {
    model.joint.as_ref().expect("its joints leave something free")
}

/// Second derivatives of the joint coordinates from the derived equations, solved densely, against the
/// sweep at the same states, whose accelerations are those of the absolute coordinates.
fn compare(name: &str, model: &Model) {
    let system = tree(model);
    let mut derived = Evaluator::derived(model, system);
    let mut functions = Compiled::new(model, CoordinateSet::Own);
    let mut recursive = built(model, "recursive");
    let names: Vec<String> = system.coordinates.iter().map(|c| c.name.clone()).collect();
    assert_eq!(recursive.own_coordinates(), Some(names.as_slice()), "{name}");
    let n = names.len();
    for (number, state) in
        consistent_states(model, CoordinateSet::Own, 20, 5).into_iter().enumerate()
    {
        let mut y = vec![0.0; recursive.state_len()];
        recursive.pack(&state.q, &state.v, &state.states, &mut y);
        let found = derived.values_at(0.0, &y[..n], &y[n..2 * n], &state.states);
        let (solved, _) = accelerations(&found);
        let bodies = functions.with_states(0.0, &state.q, &state.v, &state.states);
        let (absolute, _) = accelerations(&bodies);
        for (at, coordinate) in names.iter().enumerate() {
            let places = &model.own.coordinates;
            let Some(place) = places.iter().position(|c| c.name == *coordinate) else { continue };
            let error = difference(&[solved[at]], &[absolute[place]]);
            assert!(error < TOLERANCE, "{name}, state {number}, {coordinate}: {error:.1e}");
        }
        let mut rate = vec![0.0; y.len()];
        recursive.derivative(0.0, &y, &mut rate).expect("it can be evaluated");
        let error = difference(&solved, &rate[n..2 * n]);
        assert!(error < TOLERANCE, "{name}, state {number}: {error:.1e}");
    }
}

#[test]
fn equations_in_joint_coordinates_say_the_same_as_those_of_bodies() {
    for name in ["four-bar-bodies", "slider-crank-bodies", "quick-return", "desk-lamp"] {
        compare(name, &ready(name, &[]));
    }
    compare("arm", &written(ARM));
    compare("driven arm", &driven_arm());
}

#[test]
fn an_open_tree_has_no_constraints_left_and_a_loop_those_of_its_cut() {
    assert!(tree(&written(ARM)).constraints.is_empty());
    let constraints = |model: &Model| -> Vec<String> {
        tree(model).constraints.iter().map(|entry| entry.name.clone()).collect()
    };
    assert_eq!(constraints(&driven_arm()), ["drive"]);
    assert_eq!(constraints(&ready("four-bar-bodies", &[])), ["C_x", "C_y"]);
}

#[test]
fn the_derivation_can_be_told_in_either_set() {
    let model = ready("slider-crank-bodies", &[]);
    let told = |set| catena::derive(&model, set).expect("both routes agree").coordinates;
    assert_eq!(told(CoordinateSet::Joint), ["crank_angle", "guide_position", "rod_angle"]);
    assert_eq!(told(CoordinateSet::Absolute).len(), 9);
    assert_eq!(told(CoordinateSet::default()).len(), 9);
    let plain = ready("double-pendulum", &[]);
    assert!(!plain.distinguishes(CoordinateSet::Absolute));
    let absolute = catena::derive(&plain, CoordinateSet::Absolute).expect("its own set answers");
    assert_eq!(absolute.coordinates, ["theta1", "theta2"]);
}

/// A force (X, Y) at the tip of a pendulum turns it with l (X cos θ + Y sin θ).
#[test]
fn a_force_on_the_tip_turns_a_pendulum_by_its_lever() {
    let model = written(
        r#"
        parameters = { m = 1.3, l = 0.7 }
        coordinates = { theta = "from the downward vertical" }
        definitions = { tip_x = "l*sin(theta)", tip_y = "-l*cos(theta)" }
        energy.kinetic = "1/2*m*(tip_x'^2 + tip_y'^2)"
        forces = { tip_x = "2*cos(t)", tip_y = "-0.3*tip_y'", theta = "0.1" }
        "#,
    );
    let mut random = Random::new(1);
    for _ in 0..20 {
        let [t, theta, rate] = [0.0, 1.0, 2.0].map(|_| random.between(-3.0, 3.0));
        let found = values(&model, CoordinateSet::Own, t, &[theta], &[rate]).forces;
        let (x, y) = (2.0 * t.cos(), -0.3 * 0.7 * theta.sin() * rate);
        let expected = 0.1 + 0.7 * (x * theta.cos() + y * theta.sin());
        assert!((found[0] - expected).abs() < 1e-14, "{} and {expected}", found[0]);
    }
    // and the independent route of the derivation agrees
    catena::derive(&model, CoordinateSet::Own).expect("both routes agree");
}

#[test]
fn a_force_on_what_is_no_position_is_refused() {
    let text = |force: &str| {
        format!(
            "parameters = {{ m = 1 }}\ncoordinates = {{ x = \"\" }}\nstates = {{ z = \"x\" }}\n\
             definitions = {{ speed = \"x'\", mixed = \"x + z\" }}\nenergy.kinetic = \"m*x'^2\"\n\
             forces = {{ {force} = 1 }}"
        )
    };
    for (force, reason) in [
        ("speed", "uses velocities"),
        ("mixed", "uses states"),
        ("m", "a parameter"),
        ("z", "a state"),
    ] {
        let problems = catena::read(Source::new("test.toml", text(force)), &[]);
        let message = problems.expect_err("it is refused").to_string();
        assert!(message.contains(reason), "{force}: {message}");
    }
}

/// A post that stands on the ground has no coordinate; what the file says about it may be meaningless.
#[test]
fn a_mechanism_that_cannot_move_has_no_joint_coordinates() {
    let post = r#"
        [[body]]
        name = "post"
        mass = 1
        length = 1
        [[joint]]
        name = "base"
        type = "weld"
        between = [[0, 0], "post.A"]
        "#;
    let model = written(post);
    assert!(!model.distinguishes(CoordinateSet::Joint));
    assert_eq!(model.system(CoordinateSet::Joint).coordinates.len(), 3);
}

#[test]
fn minimal_sends_an_open_tree_to_recursive() {
    let minimal = catena::formulation::find("minimal").expect("it is there");
    let reason = |model: &Model| (minimal.refuses)(model).expect("it has constraints");
    assert!(reason(&written(ARM)).contains("`recursive`"));
    assert!(!reason(&driven_arm()).contains("`recursive`"));
    assert!(!reason(&ready("four-bar-bodies", &[])).contains("`recursive`"));
}
