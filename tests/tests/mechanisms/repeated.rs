//! Copies, sizes and guesses: what the file says once stands there many times.

use crate::{column, gap, run};
use catena_tests::{ready, written};

/// Six rods written once are the chain of six rods.
#[test]
fn repeated_rods_move_as_the_chain_does() {
    let rods = written(
        r#"
        [sizes]
        n = 6
        [[body]]
        name = "rod{i}"
        repeat = "n"
        mass = 1
        length = 1
        angle = 0
        [[joint]]
        name = "pivot"
        type = "revolute"
        between = [[0, 0], "rod1.A"]
        [[joint]]
        name = "pin{i}"
        repeat = "n-1"
        type = "revolute"
        between = ["rod{i}.B", "rod{i+1}.A"]
        [outputs]
        tip_x = "rod{n}_B_x"
        tip_y = "rod{n}_B_y"
        "#,
    );
    let chain = ready("chain", &["links=6"]);
    let (rods, chain) = (run(&rods, 1.5, 0.1), run(&chain, 1.5, 0.1));
    let pairs = [("tip_x", "tip_x"), ("tip_y", "tip_y"), ("pivot_fy", "joint1_fy")];
    for (found, expected) in pairs {
        let gap = gap(column(&rods, found), column(&chain, expected));
        assert!(gap <= 1e-8, "{found}: {gap:.1e}");
    }
}

#[test]
fn a_size_can_be_set() {
    for n in [1, 4] {
        let model = ready("n-four-bar", &[&format!("n={n}")]);
        let mechanism = model.mechanism.as_ref().expect("a mechanism");
        assert_eq!(mechanism.bodies.len(), 2 * n + 1);
        assert_eq!(mechanism.joints.len(), 3 * n + 1);
        assert_eq!(catena::diagnose(&model).freedom_by_rank(), 1);
    }
    let lift = ready("scissor-lift", &["n=1"]);
    assert_eq!(lift.mechanism.expect("a mechanism").bodies.len(), 3, "no stage above the first");
}

/// Windows of any number swing in step, through eight flat poses.
#[test]
fn the_row_of_windows_passes_its_flat_poses() {
    let model = ready("n-four-bar", &["n=3"]);
    let settings = catena::RunSettings {
        rtol: Some(1e-12),
        atol: Some(1e-12),
        ..catena::RunSettings::default()
    };
    let run = catena::run(&model, &settings).expect("it runs");
    let (first, last) = (column(&run, "upright1_angle"), column(&run, "upright4_angle"));
    assert!(gap(first, last) <= 1e-8, "{:.1e}", gap(first, last));
    assert!(column(&run, "t").last() == Some(&10.0), "{:?}", run.certificate.stop);
    let turned = first[0] - first[first.len() - 1];
    assert!(turned > 8.0 * std::f64::consts::PI, "only {turned} rad");
    // one upright with all masses gathered: the motion of a single pendulum
    let pendulum = written(
        r#"
        parameters = { g = 9.81 }
        coordinates = { a = "" }
        initial = { a = "90 deg", "a'" = -1 }
        energy.kinetic = "1/2*(4/3 + 3)*a'^2"
        energy.potential = "g*(4/2 + 3)*sin(a)"
        "#,
    );
    let pendulum = crate::run(&pendulum, 10.0, 0.02);
    let gap = gap(first, column(&pendulum, "a"));
    assert!(gap <= 1e-7, "{gap:.1e}");
}

/// The angle of one body chooses the branch; the others follow from the points they hang between.
#[test]
fn an_angle_chooses_the_branch() {
    let text = catena::systems::find("four-bar-bodies").expect("in the zoo").text;
    let start = |angle: &str| {
        let model = written(&text.replace("\"92 deg\"", angle));
        let start = catena::diagnose(&model).start.expect("it can be assembled");
        (start.q[5], start.q[8])
    };
    let (coupler, rocker) = start("\"92 deg\"");
    assert!((coupler - 0.527804473939).abs() < 1e-9 && (rocker - 1.59889575997).abs() < 1e-9);
    let (coupler, rocker) = start("\"-60 deg\"");
    assert!(coupler < -1.0 && rocker < -1.0, "the crossed branch: {coupler}, {rocker}");
}

#[test]
fn the_tree_is_kept() {
    let model = ready("slider-crank-bodies", &[]);
    let mechanism = model.mechanism.as_ref().expect("a mechanism");
    let names: Vec<&str> = mechanism.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["crank", "rod", "slider"]);
    let ties: Vec<_> = mechanism
        .joints
        .iter()
        .map(|joint| (joint.name.as_str(), joint.kind.name, joint.ends.each_ref().map(|e| e.body)))
        .collect();
    assert_eq!(
        ties,
        [
            ("axle", "revolute", [None, Some(0)]),
            ("crank_pin", "revolute", [Some(0), Some(1)]),
            ("wrist_pin", "revolute", [Some(1), Some(2)]),
            ("guide", "prismatic", [None, Some(2)]),
        ]
    );
    let constraints: Vec<String> =
        mechanism.joints.iter().flat_map(|joint| joint.constraints()).collect();
    let written: Vec<&str> =
        model.own.constraints.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(constraints, written, "the constraints stand in the order of the joints");
    assert!(model.absolute.is_none() && model.chain.is_none());
}
