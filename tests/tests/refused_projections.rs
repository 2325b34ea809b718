//! A state that constraint projection cannot bring back is refused by every formulation that projects, with the
//! name of a constraint: what Newton's method ends with instead is no pose of the mechanism.

use catena::formulation::{Entry, FORMULATIONS};
use catena::simulation::StopReason;
use catena::{Model, RunSettings};
use catena_tests::{consistent_states, formulation, ready};

/// Formulations that take a model and correct its states after each step, each with the options for that.
fn projecting(model: &Model) -> Vec<(&'static Entry, &'static str)> {
    let takes = FORMULATIONS.iter().copied().filter(|entry| (entry.refuses)(model).is_none());
    let mut found = Vec::new();
    for entry in takes {
        for options in ["", "project=1"] {
            let option = options.split_once('=').map(|(name, _)| (name, 1.0));
            if option.is_some_and(|(name, _)| entry.options.iter().all(|o| o.name != name)) {
                continue;
            }
            let mut motion = formulation(entry, model, option.as_slice());
            let start = &consistent_states(model, entry.coordinates, 1, 3)[0];
            let mut y = vec![0.0; motion.state_len()];
            motion.pack(&start.q, &start.v, &start.states, &mut y);
            y[0] += 1e-6;
            if motion.after_step(0.0, &mut y).expect("it is a small error") {
                found.push((entry, options));
            }
        }
    }
    found
}

fn names(found: &[(&Entry, &str)]) -> Vec<String> {
    found.iter().map(|(entry, options)| format!("{} {options}", entry.name)).collect()
}

/// What a run with steps of a sixth of a turn and more ends with: a message, unless its constraints are kept; of rows that
/// are off them it tells.
fn refusal(model: &Model, (entry, options): (&Entry, &str), step: f64) -> Option<String> {
    let request = RunSettings {
        formulation: Some(entry.name.into()),
        integrator: Some("rk4".into()),
        step: Some(step),
        t_end: Some(5.0),
        with: options.split_whitespace().map(str::to_owned).collect(),
        ..RunSettings::default()
    };
    let certificate = catena::run(model, &request).expect(entry.name).certificate;
    let error = certificate.constraint_error;
    // a row between the ends of a step may have no way back, either, and is counted
    let told = certificate.remarks.iter().any(|text| text.contains("could not be corrected"));
    assert!(error <= 1e-7 || told, "{} delivers an error of {error:.1e} m", entry.name);
    match certificate.stop {
        StopReason::Failed { message } => Some(message),
        _ => None,
    }
}

/// Runs that the formulations that project refuse, in this order, for want of a way back to a constraint that they
/// name.
fn refused(model: &Model, step: f64) -> Vec<String> {
    let constraints = &model.own.constraints;
    let all = projecting(model);
    let named = |message: &String| {
        message.contains("there is no way back to it")
            && constraints.iter().any(|c| message.contains(&format!("`{}`", c.name)))
    };
    let found = all.iter().filter(|&&case| refusal(model, case, step).as_ref().is_some_and(named));
    names(&found.copied().collect::<Vec<_>>())
}

#[test]
fn formulations_that_project_are_told_by_what_they_do() {
    let linkage = names(&projecting(&ready("four-bar", &[])));
    let expected = [
        "projection ",
        "ggl ",
        "coordinate-partitioning ",
        "null-space ",
        "augmented-lagrangian project=1",
    ];
    assert_eq!(linkage, expected);
    let bodies = names(&projecting(&ready("four-bar-bodies", &[])));
    assert!(bodies.contains(&"recursive ".to_owned()), "{bodies:?}");
    assert_eq!(bodies.len(), expected.len() + 1, "{bodies:?}");
}

/// By chance a step may end near another pose of the linkage, which then is a pose all the same.
#[test]
fn steps_too_long_for_a_linkage_are_refused_by_the_name_of_a_constraint() {
    let slow = ready("four-bar", &["theta2'=6"]);
    let found = refused(&slow, 0.18);
    let expected = ["projection ", "coordinate-partitioning ", "augmented-lagrangian project=1"];
    assert_eq!(found, expected);
    let fast = ready("four-bar", &["theta2'=12"]);
    let more = [refused(&slow, 0.25), refused(&slow, 0.35), refused(&fast, 0.25), found].concat();
    for name in names(&projecting(&slow)) {
        assert!(more.contains(&name), "{name} in {more:?}");
    }
}

#[test]
fn steps_too_long_for_joints_are_refused_by_the_name_of_a_constraint() {
    let model = ready("four-bar-bodies", &["crank_angle'=6"]);
    let found = [refused(&model, 0.18), refused(&model, 0.25)].concat();
    for name in ["projection ", "recursive "] {
        assert!(found.contains(&name.to_owned()), "{name} in {found:?}");
    }
}
