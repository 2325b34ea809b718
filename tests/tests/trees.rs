//! The recursive formulation of mechanisms: joint coordinates inside, and outside nothing that differs
//! from formulations in the coordinates of the bodies.

use catena::formulation::Formulation;
use catena::simulation::{Assembly, Run, StopReason};
use catena::{CoordinateSet, Model, RunSettings};
use catena_tests::{
    ARM, Compiled, accelerations, built, consistent_states, difference, driven_arm, jacobian_error,
    ready, written,
};

const TOLERANCE: f64 = 1e-9;

fn packed(formulation: &dyn Formulation, state: &Assembly) -> Vec<f64> {
    let mut y = vec![0.0; formulation.state_len()];
    formulation.pack(&state.q, &state.v, &state.states, &mut y);
    y
}

/// Every mechanism of the zoo, and the arms.
fn mechanisms() -> Vec<(String, Model)> {
    let zoo = catena::systems::SYSTEMS.iter().map(|system| system.name);
    let zoo = zoo.map(|name| (name.to_owned(), ready(name, &[])));
    let mut all: Vec<_> = zoo.filter(|(_, model)| model.mechanism.is_some()).collect();
    all.push(("arm".to_owned(), written(ARM)));
    all.push(("driven arm".to_owned(), driven_arm()));
    assert!(all.len() >= 8);
    all
}

#[test]
fn an_open_tree_moves_as_multipliers_say_and_its_joints_pull_alike() {
    for model in [written(ARM), driven_arm()] {
        let mut functions = Compiled::new(&model, CoordinateSet::Own);
        let mut formulations =
            ["recursive", "multipliers", "projection"].map(|name| built(&model, name));
        for state in consistent_states(&model, CoordinateSet::Own, 50, 3) {
            let values = functions.with_states(0.0, &state.q, &state.v, &state.states);
            let (motion, multipliers) = accelerations(&values);
            for formulation in &mut formulations {
                let y = packed(formulation.as_ref(), &state);
                let mut rate = vec![f64::NAN; y.len()];
                formulation.derivative(0.0, &y, &mut rate).expect("it can be evaluated");
                assert!(difference(formulation.accelerations(), &motion) < TOLERANCE);
                assert!(difference(formulation.multipliers(), &multipliers) < TOLERANCE);
                assert_eq!(rate[rate.len() - 1], values.state_rates[0]);
            }
        }
    }
}

/// As many coordinates as the joints leave free, and everything can be found again from them.
#[test]
fn joint_coordinates_say_where_everything_is() {
    let arm = built(&written(ARM), "recursive");
    let names = arm.own_coordinates().expect("it has its own");
    let expected = [
        "arm_angle",
        "rail_position",
        "swing_angle",
        "guide_position",
        "slot_position",
        "bead_angle",
        "prongs_position",
        "fork_angle",
        "balloon_x",
        "balloon_y",
        "balloon_angle",
    ];
    let mut sorted = [names.to_vec(), expected.map(str::to_owned).to_vec()];
    sorted.iter_mut().for_each(|names| names.sort());
    assert_eq!(sorted[0], sorted[1]);
    assert_eq!(arm.state_len(), 2 * expected.len() + 1);
    for (name, model) in mechanisms() {
        let formulation = built(&model, "recursive");
        for state in consistent_states(&model, CoordinateSet::Own, 10, 11) {
            let y = packed(formulation.as_ref(), &state);
            let mut found = state.clone();
            formulation.unpack(&y, &mut found.q, &mut found.v, &mut found.states);
            let error = difference(&found.q, &state.q).max(difference(&found.v, &state.v));
            assert!(error < TOLERANCE, "{name}: {error:.1e}");
            assert_eq!(found.states, state.states);
        }
    }
}

/// Off the cuts too: a Jacobian is asked for between steps.
#[test]
fn the_jacobian_agrees_with_differences_of_the_right_hand_side() {
    for (name, model) in mechanisms() {
        let mut formulation = built(&model, "recursive");
        let start = catena::diagnose(&model).start.expect("a start");
        let mut y = packed(formulation.as_ref(), &start);
        for (i, entry) in y.iter_mut().enumerate() {
            *entry += 0.05 * (1.0 + i as f64).sin();
        }
        let error = jacobian_error(formulation.as_mut(), 0.3, &y);
        assert!(error < 1e-7, "{name}: {error:.1e}");
    }
}

fn run(model: &Model, formulation: &str, integrator: &str, tolerance: f64, t_end: f64) -> Run {
    let request = RunSettings {
        formulation: Some(formulation.into()),
        integrator: Some(integrator.into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(t_end),
        every: Some(t_end / 20.0),
        ..RunSettings::default()
    };
    let run = catena::run(model, &request).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{}: {formulation}", model.title);
    run
}

/// The same columns with the same numbers, multipliers and outputs among them.
#[test]
fn tables_are_those_of_projection() {
    for (name, model) in mechanisms().into_iter().filter(|(name, _)| name != "n-four-bar") {
        let [recursive, projection] = ["recursive", "projection"]
            .map(|formulation| run(&model, formulation, "dop853", 1e-12, 0.5));
        assert!(recursive.table.names().eq(projection.table.names()), "{name}");
        for (column, names) in recursive.table.names().enumerate() {
            let pair = [&recursive, &projection].map(|run| run.table.columns[column].numbers());
            let gap = difference(pair[0], pair[1]);
            assert!(gap < 1e-7, "{name}, {names}: {gap:.1e}");
        }
        let certificate = &recursive.certificate;
        assert!(
            certificate.constraint_error < 1e-12,
            "{name}: {:.1e}",
            certificate.constraint_error
        );
        assert!(certificate.energy_residual < 1e-8, "{name}: {:.1e}", certificate.energy_residual);
    }
}

/// Implicit integrators use the Jacobian.
#[test]
fn implicit_integrators_move_the_arm_too() {
    let model = driven_arm();
    let reference = run(&model, "recursive", "dop853", 1e-11, 0.3);
    let implicit = run(&model, "recursive", "radau5", 1e-9, 0.3);
    let last = |run: &Run, name: &str| run.table.column(name).and_then(|c| c.last().copied());
    for name in ["tool_x", "bead_y", "sleeve_angle", "drive_torque"] {
        let [a, b] = [&reference, &implicit].map(|run| last(run, name).expect("a column"));
        assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{name}: {a} and {b}");
    }
}

/// A tree without cuts cannot come apart, however long the steps are.
#[test]
fn an_open_tree_cannot_drift() {
    let request = RunSettings {
        formulation: Some("recursive".into()),
        integrator: Some("rk4".into()),
        step: Some(0.02),
        t_end: Some(2.0),
        ..RunSettings::default()
    };
    let run = catena::run(&written(ARM), &request).unwrap_or_else(|error| panic!("{error}"));
    assert!(run.certificate.constraint_error < 1e-12, "{:?}", run.certificate);
}

#[test]
fn a_body_that_nothing_resists_is_named_with_its_joint() {
    let model = written(
        r#"
        [[body]]
        name = "rod"
        mass = 1
        length = 1
        [[body]]
        name = "ghost"
        mass = 0
        inertia = 0
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "rod.A"]
        [[joint]]
        name = "pin"
        type = "revolute"
        between = ["rod.B", "ghost"]
        "#,
    );
    let request = RunSettings { formulation: Some("recursive".into()), ..RunSettings::default() };
    let error = catena::run(&model, &request).expect_err("it cannot begin").to_string();
    assert!(error.contains("`ghost`") && error.contains("`pin`"), "{error}");
}

/// A rod without mass that carries others only passes forces on: it has inertia at its joint.
#[test]
fn a_massless_body_may_carry_others() {
    let model = written(
        r#"
        [[body]]
        name = "rod"
        mass = 0
        length = 0.7
        angle = "-20 deg"
        [[body]]
        name = "weight"
        mass = 2
        length = 0.5
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "rod.A"]
        [[joint]]
        name = "pin"
        type = "revolute"
        between = ["rod.B", "weight.A"]
        "#,
    );
    let [recursive, projection] =
        ["recursive", "projection"].map(|name| run(&model, name, "dop853", 1e-12, 1.0));
    for (a, b) in recursive.table.columns.iter().zip(&projection.table.columns) {
        assert!(difference(a.numbers(), b.numbers()) < 1e-8);
    }
}

/// What a joint of the tree holds already needs no force, were it said first or between others.
#[test]
fn cuts_that_the_tree_keeps_by_itself_get_no_force() {
    let text = catena::systems::find("slider-crank-bodies").expect("it is in the zoo").text;
    let (before, after) = text.split_once("[initial]").expect("it has a start");
    let own = "[constraints]\nheld = \"crank_x\"\nlevel = \"slider_angle\"\npin = \"rod_A_y - crank_P_y\"\n";
    let model = written(&format!("{before}{own}[initial]{after}"));
    let [more, plain] = [&model, &ready("slider-crank-bodies", &[])]
        .map(|model| run(model, "recursive", "dopri5", 1e-9, 1.0));
    for column in &plain.table.columns {
        let name = &column.name;
        let found = more.table.column(name).expect("the same columns");
        let gap = difference(found, column.numbers());
        assert!(gap < 1e-6, "{name}: {gap:.1e}");
    }
    for name in ["lambda_held", "lambda_level", "lambda_pin"] {
        let column = more.table.column(name).expect("a column");
        assert!(column.iter().all(|force| force.abs() < 1e-9), "{name}: {column:?}");
    }
}

/// The shortest multipliers of cuts that say the same twice, and words about it.
#[test]
fn redundant_cuts_are_survived_with_a_remark() {
    let text = catena::systems::find("four-bar-bodies").expect("it is in the zoo").text;
    let own = "[constraints]\nagain = \"crank_B_x - coupler_A_x\"\nclosed = \"coupler_B_y - rocker_B_y\"\n";
    let model = written(&format!("{text}\n{own}"));
    let run = run(&model, "recursive", "dopri5", 1e-9, 1.0);
    let plain = self::run(&ready("four-bar-bodies", &[]), "recursive", "dopri5", 1e-9, 1.0);
    for name in ["crank_angle", "rocker_angle"] {
        let pair = [&run, &plain].map(|run| run.table.column(name).expect("a column"));
        assert!(difference(pair[0], pair[1]) < 1e-6, "{name}");
    }
    let remarks = &run.certificate.remarks;
    assert!(remarks.iter().any(|remark| remark.contains("followed from")), "{remarks:?}");
}
