//! Mechanisms of bodies and joints that break a careless solver: a coupler without mass, a pin modelled twice, a
//! crank more than is needed. The certificate says which forces are determined, how many degrees of freedom there
//! are along the run, and near which singular poses it came.

use catena::formulation::{Approximation, FORMULATIONS};
use catena::simulation::{ColumnValues, Run, StopReason};
use catena::{Model, RunSettings};
use catena_tests::{difference, ready, written};

/// What must master all of it: two formulations and a method that needs none.
const MASTERS: [(Option<&str>, &str); 3] = [
    (Some("augmented-lagrangian"), "dopri5"),
    (Some("projection"), "dopri5"),
    (None, "generalized-alpha"),
];
const T_END: f64 = 1.0;
/// What they may miss of a motion at these tolerances.
const ALLOWED: f64 = 1e-6;

fn request(formulation: Option<&str>, integrator: &str) -> RunSettings {
    let adaptive = catena::integrator::find(integrator).expect("it is there").adaptive;
    RunSettings {
        formulation: formulation.map(str::to_owned),
        integrator: Some(integrator.into()),
        rtol: Some(1e-10),
        atol: Some(1e-10),
        step: (!adaptive).then_some(0.0005),
        t_end: Some(T_END),
        every: Some(0.02),
        ..RunSettings::default()
    }
}

fn finished(model: &Model, request: &RunSettings) -> Run {
    let run = catena::run(model, request).unwrap_or_else(|error| panic!("{request:?}: {error}"));
    assert_eq!(run.certificate.stop, StopReason::Finished, "{request:?}");
    run
}

fn column<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.table.column(name).unwrap_or_else(|| panic!("a column {name}"))
}

/// Largest difference of some columns to those of another run, relative to their size.
fn error(run: &Run, exact: &Run, columns: &[&str]) -> f64 {
    let errors = columns.iter().map(|name| difference(column(run, name), column(exact, name)));
    errors.fold(0.0, f64::max)
}

/// A run of one that must master it. `generalized-alpha` is of order 2 in coordinates, velocities and multipliers:
/// what is left of two runs, one with half the step of the other, is the limit to a higher order.
fn mastered(model: &Model, (formulation, integrator): (Option<&str>, &str)) -> Run {
    let request = request(formulation, integrator);
    let mut run = finished(model, &request);
    if let Some(step) = request.step {
        let fine = finished(model, &RunSettings { step: Some(step / 2.0), ..request });
        for (values, fine) in run.table.columns.iter_mut().zip(fine.table.columns) {
            let ColumnValues::Numbers(values) = &mut values.values else { continue };
            values
                .iter_mut()
                .zip(fine.numbers())
                .for_each(|(value, fine)| *value = fine + (fine - *value) / 3.0);
        }
    }
    run
}

/// The zoo's four-bar linkage with more joints, or with other ones.
fn four_bar(change: impl Fn(&str) -> String) -> Model {
    let text = catena::systems::find("four-bar-bodies").expect("it is in the zoo").text;
    written(&change(text))
}

const ANGLES: [&str; 4] = ["crank_angle", "rocker_angle", "crank_angle'", "rocker_angle'"];

/// Crank and rocker alone, tied by a distance: what a coupler without mass must be.
fn rod_linkage() -> Model {
    four_bar(|text| {
        let (before, rest) = text.split_once("[[body]]\nname = \"coupler\"").expect("a coupler");
        let (_, after) = rest.split_once("[[body]]").expect("a rocker behind it");
        let text = format!("{before}[[body]]{after}");
        let (before, rest) = text.split_once("[[joint]]\nname = \"B\"").expect("a pin");
        let (_, after) = rest.split_once("[[joint]]\nname = \"D\"").expect("the last pin");
        format!(
            "{before}[[joint]]\nname = \"rod\"\ntype = \"distance\"\nlength = \"L3\"\n\
             between = [\"crank.B\", \"rocker.B\"]\n\n[[joint]]\nname = \"D\"{after}"
        )
    })
}

#[test]
fn a_massless_coupler_moves_as_a_rod_between_two_pins() {
    let exact = RunSettings {
        rtol: Some(1e-12),
        atol: Some(1e-12),
        ..request(Some("projection"), "dop853")
    };
    let exact = finished(&rod_linkage(), &exact);
    let angles = column(&exact, "crank_angle");
    assert!(angles.iter().any(|angle| (angle - angles[0]).abs() > 0.5), "it moves");
    let massless = ready("four-bar-bodies", &["m3=0"]);
    for master in MASTERS {
        let run = mastered(&massless, master);
        let error = error(&run, &exact, &ANGLES);
        assert!(error <= ALLOWED, "{master:?}: {error:.1e}");
    }
    // the others do as well, or say what they lack
    for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&massless).is_none()) {
        match catena::run(&massless, &request(Some(entry.name), "dopri5")) {
            Ok(run) => match &run.certificate.stop {
                StopReason::Finished => {
                    let allowed = if entry.is_exact() { 1e-7 } else { 1e-3 };
                    let error = error(&run, &exact, &ANGLES);
                    assert!(error <= allowed, "{}: {error:.1e}", entry.name);
                }
                StopReason::Failed { message } => panic!("{}: {message}", entry.name),
                other => panic!("{}: {other:?}", entry.name),
            },
            Err(failure) => {
                let text = failure.to_string();
                let reason = match entry.approximation {
                    Approximation::StiffSprings => "the mass matrix is singular: `coupler_x`",
                    _ => "nothing resists a motion of the body `coupler` in the joint `B`",
                };
                assert!(text.contains(reason), "{}: {text}", entry.name);
                assert!(failure.help().is_some() || text.contains("`projection`"), "{text}");
            }
        }
    }
}

/// Half of a force in each of two pins in one place is the shortest way to share it; the others are as with one.
#[test]
fn a_pin_modelled_twice_changes_no_motion_and_its_force_is_told_to_be_arbitrary() {
    let twice = four_bar(|text| {
        let pin = "[[joint]]\nname = \"B2\"\ntype = \"revolute\"\nbetween = [\"crank.B\", \"coupler.A\"]\n";
        text.replace("[initial]", &format!("{pin}\n[initial]"))
    });
    let exact = finished(&ready("four-bar-bodies", &[]), &request(Some("projection"), "dop853"));
    let words = "the forces of `B`, `B2` are shared arbitrarily, and one way of many is shown; those of `O`, \
                 `C`, `D` are determined";
    for master in MASTERS {
        let label = format!("{master:?}");
        let run = mastered(&twice, master);
        let motion = error(&run, &exact, &ANGLES);
        assert!(motion <= ALLOWED, "{label}: {motion:.1e}");
        let determined = ["O_fx", "O_fy", "C_fx", "C_fy", "D_fx", "D_fy"];
        let forces = error(&run, &exact, &determined);
        assert!(forces <= 1e-5, "{label}: {forces:.1e}");
        let both: Vec<f64> =
            column(&run, "B_fx").iter().zip(column(&run, "B2_fx")).map(|(a, b)| a + b).collect();
        let together = difference(&both, column(&exact, "B_fx"));
        assert!(together <= 1e-5, "{label}: {together:.1e}");
        let notes = run.certificate.notes();
        assert!(notes.iter().any(|note| note == words), "{label}: {notes:?}");
        let freedom = run.certificate.freedom.expect("it has constraints");
        assert_eq!(freedom.to_string(), "1 on 51 of 51 rows", "{label}");
    }
    let run = finished(&twice, &request(Some("projection"), "dopri5"));
    let json = &catena::run_json(&run)["certificate"];
    let freedom = &json["degrees_of_freedom"];
    assert_eq!((freedom["degrees"].as_u64(), freedom["rows"].as_u64()), (Some(1), Some(51)));
    assert_eq!(freedom["forces"]["shared"][1].as_str(), Some("B2"));
    assert!(json["remarks"].as_array().is_some_and(|all| all.iter().any(|note| note == words)));
    let diagnosis = catena::diagnose(&twice);
    assert_eq!(diagnosis.shared.map(|shared| shared.to_string()).as_deref(), Some(words));
}

/// Three equal cranks carry a coupler; two would do.
fn parallel_cranks() -> Model {
    written(
        r#"
title = "Parallel cranks"
[parameters]
g = 9.81
R = 0.4
m = 1.0
load = 2.0
[[body]]
name = "crank{i}"
repeat = 3
mass = "m"
length = "R"
angle = "-60 deg"
[[body]]
name = "coupler"
mass = "load"
length = 1.0
points = { M = [0.5, 0] }
[[joint]]
name = "foot{i}"
repeat = 3
type = "revolute"
between = [["0.5*({i}-1)", 0], "crank{i}.A"]
[[joint]]
name = "left"
type = "revolute"
between = ["crank1.B", "coupler.A"]
[[joint]]
name = "middle"
type = "revolute"
between = ["crank2.B", "coupler.M"]
[[joint]]
name = "right"
type = "revolute"
between = ["crank3.B", "coupler.B"]
[initial]
crank1_angle = "-60 deg"
"crank1_angle'" = 0
"#,
    )
}

/// They move like one body that swings without turning: a single coordinate says it all.
#[test]
fn a_parallel_crank_changes_no_motion_and_leaves_no_force_determined() {
    let swinging = written(
        r#"
title = "Swinging body"
[parameters]
g = 9.81
R = 0.4
m = 1.0
load = 2.0
[coordinates]
angle = "of the cranks from +x"
[energy]
kinetic = "1/2*(3*m/3 + load)*R^2*angle'^2"
potential = "g*(3*m/2 + load)*R*sin(angle)"
[initial]
angle = "-60 deg"
"angle'" = 0
"#,
    );
    let exact = finished(&swinging, &request(Some("minimal"), "dop853"));
    let words = "the forces of `foot1`, `foot2`, `foot3`, `left`, `middle`, `right` are shared arbitrarily, and one \
                 way of many is shown; none are determined";
    let model = parallel_cranks();
    let diagnosis = catena::diagnose(&model);
    assert_eq!((diagnosis.freedom_by_count(), diagnosis.freedom_by_rank()), (0, 1));
    for master in MASTERS {
        let label = format!("{master:?}");
        let run = mastered(&model, master);
        for crank in ["crank1_angle", "crank2_angle", "crank3_angle"] {
            let error = difference(column(&run, crank), column(&exact, "angle"));
            assert!(error <= ALLOWED, "{label}: {crank} {error:.1e}");
        }
        let notes = run.certificate.notes();
        assert!(notes.iter().any(|note| note == words), "{label}: {notes:?}");
        let freedom = run.certificate.freedom.expect("it has constraints");
        assert_eq!(freedom.to_string(), "1 on 51 of 51 rows", "{label}");
        assert_eq!(freedom.approach, None, "{label}");
    }
}

/// The same pin, a millimetre beside itself: no motion satisfies both.
#[test]
fn a_pin_modelled_twice_in_two_places_is_refused() {
    let apart = four_bar(|text| {
        let pin = "[[joint]]\nname = \"B2\"\ntype = \"revolute\"\nbetween = [\"crank.B\", \"coupler.N\"]\n";
        text.replace("length = \"L3\"", "length = \"L3\"\npoints = { N = [0.001, 0] }")
            .replace("[initial]", &format!("{pin}\n[initial]"))
    });
    let diagnosis = catena::diagnose(&apart);
    assert!(!diagnosis.can_run());
    let failure = catena::run(&apart, &request(Some("projection"), "dopri5"))
        .expect_err("there is no such start");
    assert!(!failure.is_usage());
    assert_eq!(failure.help().as_deref(), Some("a check of the model says more about the start"));
}

/// The windows lie flat whenever sin θ changes its sign, and half of the horizontal constraints depend on the others
/// there.
#[test]
fn passages_of_flat_poses_are_counted_and_told_with_time_pose_and_constraints() {
    let run = catena::run(&ready("n-four-bar", &[]), &RunSettings::default()).expect("it runs");
    let angles = column(&run, "upright1_angle");
    let flat = |pair: &&[f64]| pair[0].sin() * pair[1].sin() < 0.0;
    let passages = angles.windows(2).filter(flat).count();
    let first = angles.windows(2).position(|pair| flat(&pair)).expect("it falls");
    let freedom = run.certificate.freedom.as_ref().expect("it has constraints");
    assert_eq!(freedom.to_string(), "1 on 501 of 501 rows");
    let approach = freedom.approach.as_ref().expect("it passes flat poses");
    assert_eq!(approach.near_singular_passages, passages);
    let times = &column(&run, "t")[first..=first + 1];
    assert!(times.contains(&approach.first), "{times:?} and {}", approach.first);
    let text = approach.to_string();
    let told =
        format!("near a singular pose {passages} times, first at t = {} s (", approach.first);
    assert!(text.contains(&told) && text.contains("_angle` = "), "{text}");
    assert!(approach.constraints.iter().all(|name| name.ends_with("_x")), "{text}");
    assert!(run.certificate.remarks.is_empty(), "{:?}", run.certificate.remarks);
}

/// A start in the flat pose itself has one degree of freedom more for every window.
#[test]
fn rows_in_a_singular_pose_are_counted_with_their_freedom() {
    let uprights =
        (1..=4).flat_map(|i| [format!("upright{i}_angle=0"), format!("upright{i}_angle'=3")]);
    let settings: Vec<String> = std::iter::once("n=3".to_owned()).chain(uprights).collect();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let request = RunSettings { t_end: Some(0.1), every: Some(0.01), ..RunSettings::default() };
    let run = catena::run(&ready("n-four-bar", &settings), &request).expect("it runs");
    let freedom = run.certificate.freedom.expect("it has constraints");
    let text = freedom.to_string();
    assert!(
        text.starts_with("1 on 10 of 11 rows, but 4 on 1, first at t = 0 s, where `"),
        "{text}"
    );
    assert!(text.ends_with(" follow from the others"), "{text}");
}
