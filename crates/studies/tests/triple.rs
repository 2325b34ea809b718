//! The triple-pendulum study: verdicts follow from the figures of the run.

use catena::analysis::Watch;
use catena::model::Options;
use catena_studies::{Claim, Laboratory, Section, find};

/// The section of an experiment of the quick study, with some settings changed.
fn experiment(title: &str, changes: &[(&str, &str)]) -> Section {
    let study = find("triple").expect("there is the study");
    let mut settings = Options::new(study.settings);
    for (key, text) in changes {
        settings.set_text(key, text).expect("a setting");
    }
    let watch = Watch { threads: 2, ..Watch::UNSEEN };
    let laboratory = Laboratory::new(true, &settings, &watch);
    let experiment = study.experiments.iter().find(|experiment| experiment.title == title);
    (experiment.expect("there is the experiment").run)(&laboratory).expect("it comes to its end")
}

fn claim<'a>(section: &'a Section, id: &str) -> &'a Claim {
    section.claims.iter().find(|claim| claim.id == id).expect("the experiment weighs it")
}

#[test]
fn the_matrix_form_has_the_entries_of_derived_equations() {
    let section = experiment("System and equations", &[]);
    assert_eq!(claim(&section, "T1").verdict.to_string(), "holds");
}

#[test]
fn the_linear_model_follows_the_full_one_at_half_a_hertz_and_only_if_shaken_little() {
    let section = experiment("The linear model in time", &[]);
    let own = claim(&section, "T2");
    assert_eq!(own.verdict.to_string(), "holds if f = 0.5 Hz");
    // an independent computation with 28 digits
    for figure in ["2.37 %", "0.00439 of 0.149 rad", "59.9 %", "0.159 of 0.22 rad"] {
        assert!(own.measured.contains(figure), "{figure}: {}", own.measured);
    }
    let section = experiment("The linear model in time", &[("amplitude", "0.005")]);
    let small = claim(&section, "T2");
    assert_eq!(small.verdict.to_string(), "holds");
    let section = experiment("The linear model in time", &[("amplitude", "0.3")]);
    let large = claim(&section, "T2");
    assert_eq!(large.verdict.to_string(), "does not hold");
    assert!(own.measured != small.measured && own.measured != large.measured);
}

#[test]
fn the_law_of_the_first_resonance_stands_and_falls_with_friction() {
    let title = "The first resonance and friction";
    let section = experiment(title, &[("friction", "2")]);
    let little = claim(&section, "T10");
    assert_eq!(little.verdict.to_string(), "holds");
    let section = experiment(title, &[("friction", "20")]);
    let much = claim(&section, "T10");
    assert_eq!(much.verdict.to_string(), "does not hold");
    assert_ne!(little.measured, much.measured);
}
