//! The penalty study: its verdicts, and that they follow from its settings.

use catena::analysis::Watch;
use catena::model::Options;
use catena_studies::{Claim, Laboratory, Verdict, find};

/// The claims of all experiments but the last, which has none and takes longest, with these settings.
fn claims(settings: &[(&str, &str)]) -> Vec<Claim> {
    let study = find("penalty").expect("it is in the list");
    let mut options = Options::new(study.settings);
    for (key, value) in settings {
        options.set_text(key, value).expect("the study has this setting");
    }
    let laboratory = Laboratory::new(true, &options, &Watch::UNSEEN);
    let experiments = &study.experiments[..study.experiments.len() - 1];
    let sections = experiments.iter().map(|one| (one.run)(&laboratory).expect("it runs"));
    sections.flat_map(|section| section.claims).collect()
}

fn verdict(claims: &[Claim], id: &str) -> Verdict {
    let claim = claims.iter().find(|claim| claim.id == id);
    claim.unwrap_or_else(|| panic!("{id} is not weighed")).verdict.clone()
}

#[test]
fn every_claim_is_weighed_and_the_verdicts_are_those_of_the_equations() {
    let claims = claims(&[]);
    for (id, kind) in [
        ("P1", "holds"),
        ("P2", "holds-if"),
        ("P3", "does-not-hold"),
        ("P4", "holds"),
        ("P5", "holds"),
        ("P6", "holds"),
        ("P7", "does-not-hold"),
        ("P8", "holds-if"),
        ("P9", "does-not-hold"),
        ("P10", "holds-if"),
    ] {
        assert_eq!(verdict(&claims, id).kind(), kind, "{id}: {claims:#?}");
    }
}

#[test]
fn with_a_short_step_nothing_is_unstable_and_nothing_needs_a_cause() {
    let (long, short) = (claims(&[]), claims(&[("step", "0.005")]));
    assert_eq!(verdict(&short, "P1"), Verdict::DoesNotHold);
    assert_eq!(verdict(&short, "P2"), Verdict::Holds);
    assert_eq!(verdict(&short, "P3"), Verdict::NotTestable);
    let measured = |claims: &[Claim]| claims.iter().map(|c| c.measured.clone()).collect::<Vec<_>>();
    let same = measured(&long).iter().zip(&measured(&short)).filter(|(a, b)| a == b).count();
    assert_eq!(same, 1, "all but P9, which has no step, are measured anew");
}
