//! The closed-chain study: its verdicts, and that they follow from its settings.

use catena::analysis::Watch;
use catena::model::Options;
use catena_studies::{Block, Claim, Laboratory, Section, StudyError, find};

/// What the experiment of this title finds with these settings.
fn experiment(title: &str, settings: &[(&str, &str)]) -> Result<Section, StudyError> {
    let study = find("four-bar").expect("it is in the list");
    let mut options = Options::new(study.settings);
    for (key, value) in settings {
        options.set_text(key, value).expect("the study has this setting");
    }
    let laboratory = Laboratory::new(true, &options, &Watch::UNSEEN);
    let found = study.experiments.iter().find(|one| one.title == title).expect("it is made");
    (found.run)(&laboratory)
}

fn claim(title: &str, id: &str, settings: &[(&str, &str)]) -> Claim {
    let section = experiment(title, settings).expect("it runs");
    let found = section.claims.into_iter().find(|claim| claim.id == id);
    found.unwrap_or_else(|| panic!("{id} is not weighed"))
}

const PENDULUM: &str = "The single pendulum";
const DRIFT: &str = "Are the constraints satisfied?";

#[test]
fn every_claim_is_weighed_and_the_verdicts_are_those_of_the_figures() {
    let study = find("four-bar").expect("it is in the list");
    let findings = study.run(true, &Options::new(study.settings), &Watch::UNSEEN).expect("it runs");
    let kinds: Vec<(&str, &str)> =
        findings.claims().iter().map(|claim| (claim.id, claim.verdict.kind())).collect();
    let expected = [
        ("C1", "holds"),
        ("C2", "does-not-hold"),
        ("C3", "holds"),
        ("C4", "does-not-hold"),
        ("C5", "not-testable"),
        ("C6", "not-testable"),
        ("C7", "holds-if"),
    ];
    assert_eq!(kinds, expected);
    let films = findings.sections.iter().flat_map(|(_, section)| &section.blocks);
    assert_eq!(films.filter(|block| matches!(block, Block::Film { .. })).count(), 3);
}

#[test]
fn constraints_hold_at_tolerances_tight_enough() {
    let loose = claim(DRIFT, "C4", &[]);
    let tight = claim(DRIFT, "C4", &[("rtol", "1e-12"), ("atol", "1e-12")]);
    assert_eq!((loose.verdict.kind(), tight.verdict.kind()), ("does-not-hold", "holds"));
    assert_ne!(loose.measured, tight.measured);
}

#[test]
fn the_response_is_not_right_at_the_tolerances_that_ode45_takes_by_itself() {
    let study = claim(PENDULUM, "C3", &[]);
    let defaults = claim(PENDULUM, "C3", &[("rtol", "1e-3"), ("atol", "1e-6")]);
    assert_eq!((study.verdict.kind(), defaults.verdict.kind()), ("holds", "does-not-hold"));
}

#[test]
fn a_short_arc_cannot_be_told_from_a_parabola() {
    let short = claim(PENDULUM, "C2", &[("theta0", "1 deg")]);
    assert_eq!(short.verdict.kind(), "holds", "{}", short.measured);
}

#[test]
fn formulations_agree_however_fast_the_crank_turns() {
    for spin in ["12", "-3"] {
        let claim = claim("One linkage, written in four ways", "C5", &[("spin", spin)]);
        assert!(claim.measured.starts_with("four formulations agree"), "{}", claim.measured);
    }
}

#[test]
fn a_pendulum_that_does_not_swing_is_refused() {
    let refusal =
        experiment(PENDULUM, &[("theta0", "200 deg")]).err().map(|error| error.to_string());
    let sentence = "a pendulum released at 3.491 rad does not swing to and fro";
    assert_eq!(refusal.as_deref(), Some(sentence));
}
