//! Comparisons say what each method costs and how wrong it is.

use catena::analysis::{BenchCell, BenchRequest, CompareRequest, bench, bench_tables, compare};
use catena_tests::{clocked, ready, written};

fn names(outcomes: &[catena::analysis::Outcome]) -> Vec<&str> {
    let mut names: Vec<&str> = outcomes.iter().map(|outcome| outcome.formulation).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn every_formulation_takes_part_or_is_left_out_with_its_reason() {
    for (system, settings) in [("four-bar", vec![]), ("chain", vec!["links=3"]), ("lorenz", vec![])]
    {
        let mut request = CompareRequest::default();
        request.run.t_end = Some(0.5);
        let comparison = compare(&ready(system, &settings), &request, &clocked())
            .unwrap_or_else(|error| panic!("{system}: {error}"));
        for entry in catena::formulation::FORMULATIONS {
            let took_part = names(&comparison.outcomes).contains(&entry.name);
            let left_out = comparison.refused.iter().any(|(name, _)| name == entry.name);
            assert!(took_part != left_out, "{system}, {}", entry.name);
        }
        assert!(!comparison.outcomes.is_empty());
        assert!(comparison.outcomes.windows(2).all(|pair| pair[0].seconds <= pair[1].seconds));
        assert!(comparison.recommendation.starts_with("take `"), "{}", comparison.recommendation);
    }
}

/// Formulations that solve the same equations agree in motion and in forces; penalties do not quite.
#[test]
fn errors_fall_with_the_tolerance_and_forces_agree() {
    let mut request = CompareRequest {
        formulations: ["multipliers", "projection", "recursive", "minimal"]
            .map(str::to_owned)
            .into(),
        tolerances: vec![1e-4, 1e-8],
        ..CompareRequest::default()
    };
    request.run.t_end = Some(1.0);
    let model = ready("chain", &["links=4"]);
    let comparison = compare(&model, &request, &clocked()).expect("it compares");
    assert_eq!(comparison.outcomes.len(), 8);
    for name in names(&comparison.outcomes) {
        let error = |tolerance: f64| {
            let found = comparison
                .outcomes
                .iter()
                .find(|outcome| outcome.formulation == name && outcome.tolerance == tolerance);
            let outcome = found.expect("it took part");
            (outcome.error.error, outcome.force_error.expect("joints have forces"))
        };
        let (loose, tight) = (error(1e-4), error(1e-8));
        assert!(tight.0 < 1e-6 && tight.0 < loose.0 / 100.0, "{name}: {loose:?} {tight:?}");
        assert!(tight.1 < 1e-5 && tight.1 < loose.1 / 100.0, "{name}: {loose:?} {tight:?}");
    }
}

#[test]
fn an_option_that_nobody_reads_is_refused_and_others_go_to_those_who_do() {
    let mut request = CompareRequest {
        formulations: vec!["multipliers".into(), "baumgarte".into()],
        ..CompareRequest::default()
    };
    request.run.t_end = Some(0.2);
    request.run.with = vec!["omega=40".into()];
    let model = ready("four-bar", &[]);
    assert!(compare(&model, &request, &clocked()).is_ok());
    request.run.with = vec!["omga=40".into()];
    let error = compare(&model, &request, &clocked()).expect_err("nobody reads it");
    assert_eq!(error.help().as_deref(), Some("did you mean `omega`?"));
}

/// A mass on a frictionless line: nothing to compare but one formulation.
#[test]
fn a_model_that_only_one_formulation_takes_is_compared_with_its_reference() {
    let model = written(
        "title = \"Free\"\ncoordinates = { x = \"\" }\n[energy]\nkinetic = \"x'^2\"\n[initial]\n\"x'\" = 1\n",
    );
    let comparison = compare(&model, &CompareRequest::default(), &clocked()).expect("it compares");
    assert_eq!(names(&comparison.outcomes), ["minimal"]);
    let reference = comparison.reference.expect("there is one");
    assert_eq!((reference.formulation, reference.checked_by), ("minimal", "minimal"));
    assert!(comparison.outcomes[0].error.error < 1e-9);
}

/// A rotor on an axle far from its centre: turns add up whatever errors a formulation makes in each.
const ROTOR: &str = r#"
    [parameters]
    g = 0

    [[body]]
    name = "rotor"
    mass = 2.0
    inertia = INERTIA
    points = { A = [-0.1, 0.02] }

    [[joint]]
    name = "axle"
    type = "revolute"
    between = [[0, 0], "rotor.A"]

    [initial]
    rotor_angle = 0
    "rotor_angle'" = 100
"#;

#[test]
fn the_reference_has_joint_coordinates_and_nobody_is_called_better_than_it_is() {
    let model = written(&ROTOR.replace("INERTIA", "0.01"));
    let mut request = CompareRequest::default();
    request.run.t_end = Some(1.0);
    let comparison = compare(&model, &request, &clocked()).expect("it compares");
    let reference = comparison.reference.expect("there is one");
    assert_eq!(reference.formulation, "recursive");
    assert_ne!(reference.checked_by, "recursive");
    assert!(reference.error.error > 0.0 && reference.error.error < 1e-7, "{reference:?}");
    assert!(!reference.error.diverged);
    for outcome in &comparison.outcomes {
        assert!(outcome.error.error >= reference.error.error, "{}", outcome.formulation);
        let is_bound = outcome.error.error == reference.error.error;
        assert_eq!(outcome.within_reference, is_bound, "{}", outcome.formulation);
    }
    let joint = comparison.outcomes.iter().find(|outcome| outcome.formulation == "recursive");
    assert!(joint.expect("it takes part").within_reference);
}

/// A body without mass stops the recursion, and does not stop others.
#[test]
fn where_the_recursion_stops_another_formulation_is_the_reference() {
    let mut request = CompareRequest::default();
    request.run.t_end = Some(0.5);
    let massless = "\n[[body]]\nname = \"link\"\nmass = 0\ninertia = 0\npoints = { A = [0, 0], B = [0.3, 0] }\n\
        [[joint]]\nname = \"far\"\ntype = \"revolute\"\nbetween = [\"rotor\", \"link.A\"]\n\
        [[joint]]\nname = \"guide\"\ntype = \"pin-in-slot\"\nbetween = [[0, 0], \"link.B\"]\naxis = [1, 0]\n";
    let text = ROTOR
        .replace("INERTIA", "0.01")
        .replace("    [initial]", &format!("{massless}\n[initial]"));
    let comparison = compare(&written(&text), &request, &clocked()).expect("it compares");
    let reference = comparison.reference.expect("there is one");
    assert_ne!(reference.formulation, "recursive", "{reference:?}");
    assert!(comparison.outcomes.iter().any(|outcome| outcome.is_whole()));
}

#[test]
fn a_bench_covers_every_length_and_says_how_time_grows() {
    let request = BenchRequest {
        links: vec![2, 4, 8],
        every: vec![0.1],
        methods: CompareRequest {
            formulations: vec!["recursive".into(), "multipliers".into()],
            tolerances: vec![1e-3, 1e-6],
            run: catena::RunSettings { t_end: Some(0.3), ..catena::RunSettings::default() },
            ..CompareRequest::default()
        },
    };
    let found = bench(&ready("chain", &[]), &request, &clocked()).expect("it runs");
    let outcomes = found.outcomes;
    assert_eq!(outcomes.len(), 3 * 2 * 2);
    let tables = bench_tables(&outcomes);
    assert_eq!(tables.len(), 3);
    let (title, links) = &tables[0];
    assert!(title.starts_with("Time against links at tolerance 1e-6"), "{title}");
    assert_eq!(links.headings, ["links", "recursive", "multipliers"]);
    assert_eq!(links.rows.len(), 4);
    assert!(matches!(links.rows[3][1], BenchCell::Exponent(_)));
    assert_eq!(tables[2].1.rows.len(), 4);
}
