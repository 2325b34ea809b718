//! Mechanisms that break a careless solver: a constraint too many, a link without mass, a pose in which a
//! linkage may go two ways. A formulation masters them or says what it cannot do.

use catena::formulation::{Approximation, FORMULATIONS, find};
use catena::simulation::{Column, Run, StopReason};
use catena::{Model, RunFailure, RunSettings};
use catena_tests::{difference, written};

fn request(formulation: &str, tolerance: f64, t_end: f64) -> RunSettings {
    RunSettings {
        formulation: Some(formulation.into()),
        integrator: Some("dopri5".into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(t_end),
        every: Some(0.01),
        ..RunSettings::default()
    }
}

fn finished(model: &Model, request: &RunSettings) -> Run {
    let label = request.formulation.as_deref().expect("the formulation is named");
    let run = catena::run(model, request).unwrap_or_else(|error| panic!("{label}: {error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{label}");
    assert!(
        run.table.columns.iter().flat_map(Column::numbers).all(|value| value.is_finite()),
        "{label}"
    );
    run
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_else(|| panic!("a column {name}"))
}

/// The four-bar linkage of the zoo with the crank spun, and more constraints.
fn four_bar(more: &str) -> Model {
    let text = catena::systems::find("four-bar").expect("it is in the zoo").text;
    let text = text.replace("\"theta2'\" = 0\n", "\"theta2'\" = 12\n");
    written(&text.replace("[initial]", &format!("{more}\n[initial]")))
}

/// The error of penalties depends on how often a spring is there; the others have none.
#[test]
fn a_constraint_written_twice_changes_no_motion() {
    let plain = four_bar("");
    let twice = four_bar("phi9 = \"L2*sin(theta2) + L3*sin(theta3) - L4*sin(theta4)\"");
    assert_eq!(twice.own.constraints.len(), 9);
    for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&twice).is_none()) {
        let tolerance = if entry.is_exact() { 1e-8 } else { 1e-3 };
        let [plain, twice] =
            [&plain, &twice].map(|model| finished(model, &request(entry.name, 1e-10, 1.0)));
        for name in ["theta2", "theta3", "theta4"] {
            let error = difference(column(&twice, name), column(&plain, name));
            assert!(error <= tolerance, "{}: {name} {error:.1e}", entry.name);
        }
    }
}

fn chain(masses: &str) -> Model {
    let links = masses.split(',').count();
    written(&format!(
        "title = \"Chain\"\n[chain]\nlinks = {links}\nmass = [{masses}]\nstart = \"horizontal\"\n"
    ))
}

/// Between others a massless rod is a rope under tension: it has no inertia, and needs none. Springs in
/// the place of its joints would move it without resistance: that is no equation of motion.
#[test]
fn a_massless_link_between_others_moves_as_it_must() {
    let model = chain("1, 0, 1.5");
    let expected = finished(&model, &request("minimal", 1e-10, 2.0));
    for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
        if entry.approximation == Approximation::StiffSprings {
            let failure = failure(&model, entry.name);
            assert!(failure.contains("the mass matrix is singular: `x2`"), "{failure}");
            continue;
        }
        let tolerance = if entry.is_exact() { 1e-7 } else { 1e-4 };
        let run = finished(&model, &request(entry.name, 1e-10, 2.0));
        for name in ["theta1", "theta2", "theta3", "joint2_fx", "joint3_fy"] {
            let error = difference(column(&run, name), column(&expected, name));
            assert!(error <= tolerance, "{}: {name} {error:.1e}", entry.name);
        }
    }
}

/// Why there is no run; the model is to blame, not the request.
fn failure(model: &Model, formulation: &str) -> String {
    let failure: RunFailure =
        catena::run(model, &request(formulation, 1e-6, 1.0)).expect_err("it cannot run");
    assert!(!failure.is_usage(), "{formulation}: {failure}");
    failure.to_string()
}

/// Nothing says how a massless link turns at the free end, nor how two of them in line buckle.
#[test]
fn a_massless_link_that_nothing_determines_is_named() {
    // of two that buckle either may be named
    for (masses, named) in [("1, 1, 0", "`theta3`"), ("1, 0, 0, 1", "`theta")] {
        let model = chain(masses);
        for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
            let failure = failure(&model, entry.name);
            assert!(failure.starts_with("the motion cannot begin: "), "{}: {failure}", entry.name);
            let springs = entry.approximation == Approximation::StiffSprings;
            let named = if springs { "`x" } else { named };
            assert!(failure.contains(named), "[{masses}] by {}: {failure}", entry.name);
        }
    }
}

/// Opposite links are equally long: crank and rocker stay parallel, and the linkage moves like one body
/// that swings without turning. Whenever it lies flat its constraints become dependent, and it could as
/// well go on crossed.
fn parallelogram(start: &str) -> Model {
    written(&format!(
        r#"
title = "Parallelogram"
[parameters]
g = 9.81
L = 1.0
R = 0.4
m2 = 1.0
m3 = 2.0
m4 = 1.5
[coordinates]
x2 = "crank, centre"
y2 = "crank, centre"
theta2 = "crank, angle from +x"
x3 = "coupler, centre"
y3 = "coupler, centre"
theta3 = "coupler, angle from +x"
x4 = "rocker, centre"
y4 = "rocker, centre"
theta4 = "rocker, angle from +x"
[energy]
kinetic = "1/2*m2*(x2'^2 + y2'^2 + R^2/12*theta2'^2) + 1/2*m3*(x3'^2 + y3'^2 + L^2/12*theta3'^2) + 1/2*m4*(x4'^2 + y4'^2 + R^2/12*theta4'^2)"
potential = "g*(m2*y2 + m3*y3 + m4*y4)"
[constraints]
O_x = "x2 - R/2*cos(theta2)"
O_y = "y2 - R/2*sin(theta2)"
B_x = "x3 - L/2*cos(theta3) - x2 - R/2*cos(theta2)"
B_y = "y3 - L/2*sin(theta3) - y2 - R/2*sin(theta2)"
C_x = "x4 + R/2*cos(theta4) - x3 - L/2*cos(theta3)"
C_y = "y4 + R/2*sin(theta4) - y3 - L/2*sin(theta3)"
D_x = "x4 - R/2*cos(theta4) - L"
D_y = "y4 - R/2*sin(theta4)"
[initial]
theta3 = 0
"theta3'" = 0
{start}
"#
    ))
}

/// The same in its one degree of freedom.
fn swinging_body(start: &str) -> Model {
    written(&format!(
        r#"
title = "A body that swings without turning"
[parameters]
g = 9.81
R = 0.4
m2 = 1.0
m3 = 2.0
m4 = 1.5
[coordinates]
theta2 = "angle from +x"
[energy]
kinetic = "1/2*(m2/3 + m3 + m4/3)*R^2*theta2'^2"
potential = "g*(m2/2 + m3 + m4/2)*R*sin(theta2)"
[initial]
{start}
"#
    ))
}

/// On the parallel branch θ̈₂ = θ̈₄ and θ̈₃ = 0 on both sides of the fork, so that every stage of a step lies on
/// the branch. What errors there are must be gone before the next passage, a third of a second later, or
/// they choose the way: projection removes them at once, stabilisation needs a large ω for it, and a
/// penalty a large α where the constraints hardly hold.
#[test]
fn a_parallelogram_stays_one_through_its_flat_pose() {
    let starts = [
        // swings between 60° and −240°, nineteen times past 0° or −180°
        ("theta2 = \"60 deg\"\n\"theta2'\" = 0", "theta4 = \"60 deg\"\n\"theta4'\" = 0"),
        // begins in the flat pose itself
        ("theta2 = 0\n\"theta2'\" = 3", "theta4 = 0\n\"theta4'\" = 3"),
    ];
    for (crank, rocker) in starts {
        let model = parallelogram(&format!("{crank}\n{rocker}"));
        let expected = finished(&swinging_body(crank), &request("minimal", 1e-10, 10.0));
        let angles = column(&expected, "theta2");
        let flat = |pair: &&[f64]| pair[0].sin() * pair[1].sin() < 0.0;
        let passages = angles.windows(2).filter(flat).count();
        assert!(passages >= 10, "it passes the flat pose {passages} times");
        for (name, with) in
            [("projection", None), ("augmented-lagrangian", Some("omega=40;alpha=1e7"))]
        {
            let Some(entry) = find(name) else { continue };
            for (tolerance, accuracy) in [(1e-6, 1e-3), (1e-8, 1e-5)] {
                let label = format!("{name} at {tolerance:e}");
                let with = with
                    .iter()
                    .flat_map(|options: &&str| options.split(';'))
                    .map(str::to_owned)
                    .collect();
                let request = RunSettings { with, ..request(entry.name, tolerance, 10.0) };
                let run = finished(&model, &request);
                let pairs = column(&run, "theta4").iter().zip(column(&run, "theta2"));
                let split = pairs.fold(0.0_f64, |split, (a, b)| split.max((a - b).abs()));
                let error = difference(column(&run, "theta2"), angles);
                assert!(split <= 1e-6, "{label}: θ₄ − θ₂ reaches {split:.1e}");
                assert!(error <= accuracy, "{label}: θ₂ is off by {error:.1e}");
            }
        }
    }
}

/// Other formulations may cross over, and tight tolerances may find no way on: in the fork accelerations are
/// not determined, and near it hardly. Then the run says so and keeps what it has.
#[test]
fn a_fork_ends_in_a_motion_or_in_a_reason() {
    let model = parallelogram("theta2 = \"60 deg\"\n\"theta2'\" = 0\ntheta4 = \"60 deg\"");
    for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
        for (tolerance, t_end) in [(1e-6, 5.0), (1e-11, 0.5)] {
            let label = format!("{} at {tolerance:e}", entry.name);
            let run = catena::run(&model, &request(entry.name, tolerance, t_end));
            let run = run.unwrap_or_else(|error| panic!("{label}: {error}"));
            let mut values = run.table.columns.iter().flat_map(Column::numbers);
            assert!(values.all(|value| value.is_finite()), "{label}");
            match &run.certificate.stop {
                StopReason::Finished => assert_eq!(run.certificate.time, t_end, "{label}"),
                StopReason::Failed { message } => {
                    let reason = message.contains("the motion is singular there");
                    assert!(reason && message.contains("at t = 0.34"), "{label}: {message}");
                }
                other => panic!("{label}: {other:?}"),
            }
        }
    }
}
