//! Every ready system: derived correctly, introduced properly, able to run; and the check that
//! says so is able to say no.

use catena::derivation::{Agreement, CheckError, Thoroughness, check};
use catena::simulation::FindingKind;
use catena::symbolic::Number;
use catena::{CoordinateSet, Equations, Model};
use catena_tests::{ready, written, zoo};

/// A different seed from the one that `derive` uses: other states than every user sees checked.
const SEED: u64 = 20_240_117;

/// Checks at 100 random states; prints the figures for those who run with `--nocapture`.
fn agreement(name: &str, model: &Model, set: CoordinateSet, how: Thoroughness) -> Agreement {
    let system = model.system(set);
    let equations = Equations::derive(model, system);
    let agreement = check(model, system, &equations, 100, how, SEED)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .expect("there are coordinates");
    println!("{name}: {:?}", agreement.figures());
    agreement
}

fn assert_agrees(name: &str, agreement: &Agreement) {
    assert_eq!(agreement.states, 100);
    for (object, figure) in agreement.figures() {
        assert!(figure <= 1e-9, "{name}: {object} differs by {figure:e}");
    }
}

/// Numerical differentiation in twice the usual precision uses none of the rules of the derivation.
/// Its own error is near 1e-12; a forgotten term would show as a difference near 1.
#[test]
fn every_ready_system_agrees_with_numerical_differentiation_entry_by_entry() {
    for (name, model, set) in zoo(5) {
        let system = model.system(set);
        // twenty links have their own test, Lorenz has no energies
        if !system.coordinates.is_empty() && system.coordinates.len() <= 15 {
            assert_agrees(&name, &agreement(&name, &model, set, Thoroughness::Entries));
        }
    }
}

/// The long one by itself: 210 entries of M at every state.
#[test]
fn a_chain_of_twenty_rods_agrees_with_numerical_differentiation_entry_by_entry() {
    let model = ready("chain", &[]);
    assert_eq!(model.own.coordinates.len(), 20);
    let agreement = agreement("chain", &model, CoordinateSet::Own, Thoroughness::Entries);
    assert_agrees("chain", &agreement);
}

#[test]
fn a_model_without_coordinates_has_nothing_to_check() {
    let lorenz = ready("lorenz", &[]);
    let equations = Equations::derive(&lorenz, &lorenz.own);
    let result = check(&lorenz, &lorenz.own, &equations, 5, Thoroughness::Entries, SEED);
    assert_eq!(result, Ok(None));
}

#[test]
fn every_ready_system_has_a_title_a_sentence_a_drawing_and_run_defaults() {
    for (name, model, set) in zoo(5) {
        assert!(!model.title.is_empty(), "{name} has a title");
        let sentence = &model.description;
        assert!(sentence.ends_with('.') && sentence.len() > 20, "{name}: {sentence}");
        assert!(sentence.starts_with(char::is_uppercase), "{name}: {sentence}");
        let inside = sentence.trim_end_matches('.');
        let ends = [". ", "! ", "? "].iter().any(|end| inside.contains(end));
        assert!(!ends && !inside.contains('\n'), "{name}: one sentence, not {sentence}");
        assert!(!model.sketch(set).is_empty(), "{name} can be drawn");
        let (t_end, every) = (model.run.t_end, model.run.every);
        assert!(t_end.is_some_and(|t| t > 0.0), "{name} says how long to run");
        assert!(every.is_some_and(|dt| dt > 0.0 && dt < t_end.unwrap_or(0.0)), "{name}: rows");
        assert!(model.warnings.is_empty(), "{name}: {:?}", model.warnings);
    }
}

/// How many ways each system can move, counted by hand. A new system needs a line here.
const FREEDOM: [(&str, usize); 22] = [
    ("starter", 1),
    ("single-pendulum", 1),
    ("double-pendulum", 2),
    ("double-pendulum-cartesian", 2),
    ("triple-pendulum", 3),
    ("pendulum-chain", 5),
    ("chain", 20),
    ("driven-pendulum", 1),
    ("elastic-pendulum", 2),
    ("cart-pendulum", 2),
    ("bead-on-hoop", 1),
    ("four-bar", 1),
    ("slider-crank", 1),
    ("four-bar-bodies", 1),
    ("slider-crank-bodies", 1),
    ("scissor-lift", 1),
    ("n-four-bar", 1),
    ("quick-return", 0),
    ("dwell-linkage", 0),
    ("double-wishbone", 2),
    ("desk-lamp", 3),
    ("lorenz", 0),
];

#[test]
fn every_ready_system_can_run_with_the_degrees_of_freedom_it_should_have() {
    for (name, model, set) in zoo(5) {
        if set == CoordinateSet::Absolute {
            continue;
        }
        let diagnosis = catena::diagnose(&model);
        assert!(diagnosis.can_run() && diagnosis.findings.is_empty(), "{name}: {diagnosis:?}");
        let expected = FREEDOM.iter().find(|(system, _)| *system == name);
        let (_, expected) = expected.unwrap_or_else(|| panic!("{name} has no line in FREEDOM"));
        assert_eq!(diagnosis.freedom_by_rank(), *expected, "{name}");
        assert_eq!(diagnosis.freedom_by_count(), *expected as i64, "{name}");
        let start = diagnosis.start.expect("a start that satisfies the constraints");
        assert_eq!(start.states.len(), if name == "lorenz" { 3 } else { 0 }, "{name}");
    }
}

#[test]
fn a_chain_has_the_same_freedom_in_both_sets_of_coordinates() {
    for (name, model, set) in zoo(5) {
        if set == CoordinateSet::Own {
            continue;
        }
        let diagnosis = catena::simulation::diagnose(&model, set);
        assert_eq!(diagnosis.coordinates, 15, "{name}: x, y and angle of every link");
        assert_eq!(diagnosis.freedom_by_rank(), 5, "{name}: one for each link");
        assert_eq!(diagnosis.freedom_by_count(), 5, "{name}");
        assert!(diagnosis.can_run(), "{name}: {diagnosis:?}");
        // a bob is a point: the angle of its massless link is known from the constraints alone
        let massless: Vec<_> = diagnosis.findings.iter().map(|finding| &finding.kind).collect();
        match (name.starts_with("pendulum-chain"), massless.as_slice()) {
            (false, []) => {}
            (true, [FindingKind::Massless { coordinates, saved_by_constraints: true }]) => {
                assert_eq!(*coordinates, ["theta1", "theta2", "theta3", "theta4", "theta5"]);
            }
            (_, findings) => panic!("{name}: {findings:?}"),
        }
    }
}

/// The object that the check complains about after the equations were spoiled.
fn complaint(model: &Model, how: Thoroughness, spoil: impl Fn(&mut Equations)) -> &'static str {
    let mut equations = Equations::derive(model, &model.own);
    let sound = check(model, &model.own, &equations, 3, how, SEED);
    assert!(sound.is_ok(), "unspoiled equations pass: {sound:?}");
    spoil(&mut equations);
    match check(model, &model.own, &equations, 3, how, SEED) {
        Err(CheckError::Disagreement { object, difference }) => {
            assert!(difference > 1e-9);
            object
        }
        other => panic!("the check noticed nothing: {other:?}"),
    }
}

#[test]
fn the_check_notices_a_force_that_is_doubled() {
    let model = ready("triple-pendulum", &[]);
    let object = complaint(&model, Thoroughness::Entries, |equations| {
        let force = equations.forces[1];
        equations.forces[1] = equations.graph.add(force, force);
    });
    assert_eq!(object, "Q");
}

#[test]
fn the_check_notices_a_mass_that_is_wrong_in_the_eighth_digit() {
    let model = ready("double-pendulum", &[]);
    let object = complaint(&model, Thoroughness::Entries, |equations| {
        let (_, _, entry) = equations.mass_matrix[0];
        let factor = equations.graph.number(Number::Real(1.000_000_03));
        equations.mass_matrix[0].2 = equations.graph.mul(factor, entry);
    });
    assert_eq!(object, "M");
}

#[test]
fn the_check_notices_a_missing_entry_of_the_mass_matrix() {
    let model = ready("cart-pendulum", &[]);
    let object = complaint(&model, Thoroughness::Entries, |equations| {
        equations.mass_matrix.retain(|&(row, column, _)| row == column);
    });
    assert_eq!(object, "M");
}

/// One entry of 210 has the wrong sign: random directions find it, too.
#[test]
fn the_quick_check_notices_one_wrong_entry_of_a_long_chain() {
    let model = ready("chain", &[]);
    let object = complaint(&model, Thoroughness::Quick, |equations| {
        let at = equations.mass_matrix.iter().position(|&(i, j, _)| (i, j) == (16, 18));
        let entry = &mut equations.mass_matrix[at.expect("M is full")].2;
        *entry = equations.graph.neg(*entry);
    });
    assert_eq!(object, "M");
}

#[test]
fn the_check_notices_a_wrong_sign_in_the_constraint_jacobian() {
    let model = ready("four-bar", &[]);
    let object = complaint(&model, Thoroughness::Entries, |equations| {
        let entry = &mut equations.constraint_jacobian.entries[1].2;
        *entry = equations.graph.neg(*entry);
    });
    assert_eq!(object, "Φq");
}

/// The classic mistake: position and time both change, so the mixed term of γ counts twice.
/// Constraints that stand still do not show it; a rod that turns at a prescribed rate does.
#[test]
fn the_check_notices_a_gamma_that_lacks_the_factor_two_of_the_mixed_term() {
    let model = written(
        r#"
        parameters = { m = 0.5, w = 1.4 }
        coordinates = { x = "", y = "" }
        energy = { kinetic = "1/2*m*(x'^2 + y'^2)" }
        constraints = { rod = "y*cos(w*t) - x*sin(w*t)" }
        initial = { x = 1 }
        "#,
    );
    let object = complaint(&model, Thoroughness::Entries, |equations| {
        let (q, v) = (equations.coordinates.clone(), equations.velocities.clone());
        let motion: Vec<_> = q.into_iter().zip(v).collect();
        let graph = &mut equations.graph;
        let mixed = graph.directional(&equations.constraint_rate, &motion)[0];
        assert!(!graph.is_zero(mixed), "Φqt is not zero here");
        equations.gamma[0] = graph.add(equations.gamma[0], mixed);
    });
    assert_eq!(object, "γ");
}
