//! The articulated study: verdicts follow from figures, and figures from settings.

use catena::analysis::Watch;
use catena::model::Options;
use catena_studies::{Block, Claim, Laboratory, Section, Verdict, find};

/// An experiment of the study by its heading, in the quick form.
fn experiment(title: &str, changes: &[(&str, &str)]) -> Section {
    let study = find("articulated").expect("a study");
    let mut settings = Options::new(study.settings);
    for (key, value) in changes {
        settings.set_text(key, value).expect("a setting of the study");
    }
    let watch = Watch { threads: 2, ..Watch::UNSEEN };
    let experiment = study.experiments.iter().find(|one| one.title == title);
    let run = experiment.expect("an experiment").run;
    run(&Laboratory::new(true, &settings, &watch)).expect("it runs")
}

fn claim<'a>(section: &'a Section, id: &str) -> &'a Claim {
    section.claims.iter().find(|claim| claim.id == id).expect("a claim")
}

fn kind<'a>(section: &'a Section, id: &str) -> &'a str {
    claim(section, id).verdict.kind()
}

#[test]
fn the_tip_runs_away_only_where_nothing_stabilises_the_constraints() {
    let [plain, stabilised] =
        ["0", "10"].map(|omega| experiment("The path of the tip", &[("omega", omega)]));
    assert_eq!(kind(&plain, "A1"), "holds-if");
    assert!(claim(&plain, "A1").verdict.to_string().contains("nothing stabilises the constraints"));
    assert_eq!(claim(&stabilised, "A1").verdict, Verdict::DoesNotHold);
    assert_ne!(claim(&plain, "A1").measured, claim(&stabilised, "A1").measured);
    // the recursive method has no constraints to stabilise
    assert_eq!(claim(&plain, "A4"), claim(&stabilised, "A4"));
    assert_eq!(claim(&plain, "A4").verdict, Verdict::Holds);
}

/// A shorter chain, for what is to be seen in any: it takes a tenth of the time.
const STABILISED_AND_SHORT: &[(&str, &str)] = &[("omega", "10"), ("links", "8")];

#[test]
fn joints_open_only_where_nothing_stabilises_the_constraints_whatever_the_penalty_factor() {
    let plain = experiment("Joints that open", &[]);
    let stabilised = experiment("Joints that open", STABILISED_AND_SHORT);
    assert_eq!(kind(&plain, "A2"), "holds-if");
    assert_eq!(claim(&stabilised, "A2").verdict, Verdict::DoesNotHold);
    assert_eq!(claim(&plain, "A3").verdict, Verdict::Holds);
    for section in [&plain, &stabilised] {
        assert_eq!(claim(section, "A6").verdict, Verdict::Holds);
    }
}

#[test]
fn velocities_are_unstable_only_where_nothing_stabilises_the_constraints() {
    let plain = experiment("The velocity of the tip", &[]);
    let stabilised = experiment("The velocity of the tip", STABILISED_AND_SHORT);
    assert_eq!(kind(&plain, "A5"), "holds-if");
    assert_eq!(claim(&stabilised, "A5").verdict, Verdict::DoesNotHold);
}

#[test]
fn runs_that_differ_in_their_output_alone_are_the_same_to_the_last_digit() {
    let section = experiment("What the step size is", &[]);
    let tips = |file: &str| {
        let table = section.blocks.iter().find_map(|block| match block {
            Block::Table { file: own, table, .. } if *own == file => Some(table),
            _ => None,
        });
        table.expect("a table").words("tip y at 5 s, m").expect("a column").to_vec()
    };
    let same = |tips: &[String]| tips.iter().all(|tip| *tip == tips[0]);
    assert!(same(&tips("grid-output")), "{:?}", tips("grid-output"));
    assert!(!same(&tips("grid-first-step")), "{:?}", tips("grid-first-step"));
}

#[test]
fn every_setting_is_checked_where_it_is_given() {
    let study = find("articulated").expect("a study");
    let refused = |key: &str, value: &str| {
        Options::new(study.settings).set_text(key, value).expect_err("no such value").help()
    };
    assert!(
        refused("links", "1").contains("a whole number from 2 up"),
        "{}",
        refused("links", "1")
    );
    assert!(refused("alpha", "0").contains("a number greater than 0"), "{}", refused("alpha", "0"));
    assert!(refused("omega", "-1").contains("a number from 0 up"), "{}", refused("omega", "-1"));
}
