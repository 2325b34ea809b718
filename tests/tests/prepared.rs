//! A model prepared once runs as one prepared for each run: to the last bit, with other parameters, starts and spans.

use catena::formulation::{FORMULATIONS, OptionValues};
use catena::integrator::{Options, find};
use catena::simulation::{Certification, Host, Prepared, Run, RunOptions, Start, StopReason};
use catena::{CoordinateSet, Model};
use catena_tests::ready;

fn options(integrator: &str, tolerance: f64, t_end: f64) -> RunOptions {
    let integrator = find(integrator).expect("the catalogue has it");
    let integration = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
    RunOptions::new(integrator, integration, t_end, t_end / 7.0)
}

fn run(prepared: &mut Prepared, options: &RunOptions) -> Run {
    let found = prepared.run(options, &mut Host::new(&mut || 0.0, &mut |_| false));
    found.unwrap_or_else(|error| panic!("{error}"))
}

fn prepared(model: &Model, formulation: &str) -> Prepared {
    let entry = catena::formulation::find(formulation).expect("the catalogue has it");
    Prepared::new(model, entry, OptionValues::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Equal to the last bit; NaN equals NaN.
fn assert_same(name: &str, a: &Run, b: &Run) {
    let bits = |run: &Run| -> Vec<u64> {
        let numbers = run.table.columns.iter().flat_map(|column| column.numbers());
        numbers.map(|number| number.to_bits()).collect()
    };
    assert_eq!(a.certificate.stop, b.certificate.stop, "{name}");
    assert_eq!(a.certificate.statistics, b.certificate.statistics, "{name}");
    assert!(bits(a) == bits(b), "{name}: other bits");
}

#[test]
fn other_parameters_give_the_bits_of_a_fresh_model() {
    let cases = [
        ("four-bar-bodies", "g=4.2"),
        ("chain", "g=3"),
        ("triple-pendulum", "R=0.4"),
        ("four-bar", "m2=1.7"),
    ];
    for (name, setting) in cases {
        let [plain, changed] = [ready(name, &[]), ready(name, &[setting])];
        for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&plain).is_none()) {
            let mut reused = prepared(&plain, entry.name);
            let wanted = options("dopri5", 1e-5, 0.4);
            let first = run(&mut reused, &wanted);
            let other =
                RunOptions { parameters: Some(changed.parameter_values()), ..wanted.clone() };
            let second = run(&mut reused, &other);
            let label = format!("{name}, {}", entry.name);
            assert_same(&label, &second, &run(&mut prepared(&changed, entry.name), &wanted));
            assert_ne!(first.table, second.table, "{label}: the parameter changes nothing");
            // and back again, in another thread
            let mut copy = reused.clone();
            let third = std::thread::scope(|scope| scope.spawn(|| run(&mut copy, &wanted)).join());
            assert_same(&label, &first, &third.expect("the thread ends"));
        }
    }
}

#[test]
fn a_start_tolerances_and_spans_belong_to_the_run() {
    let (plain, turned) =
        (ready("double-pendulum", &[]), ready("double-pendulum", &["theta1=0.3"]));
    let mut reused = prepared(&plain, "minimal");
    run(&mut reused, &options("dop853", 1e-9, 2.0));
    let wanted = options("bs23", 1e-4, 1.0);
    let start = Some(Start::new(&turned, CoordinateSet::Own));
    let from_there = run(&mut reused, &RunOptions { start, ..wanted.clone() });
    assert_same("start", &from_there, &run(&mut prepared(&turned, "minimal"), &wanted));
    // a structural method, then the formulation again
    let mut reused = prepared(&ready("four-bar", &[]), "multipliers");
    let [explicit, structural] =
        [options("rk4", 1e-6, 0.2), options("generalized-alpha", 1e-6, 0.2)];
    let before = run(&mut reused, &explicit);
    run(&mut reused, &structural);
    assert_same("structural", &before, &run(&mut reused, &explicit));
}

#[test]
fn a_linear_run_leaves_nothing_behind() {
    let mut reused = prepared(&ready("triple-pendulum", &[]), "minimal");
    let wanted = options("dopri5", 1e-6, 1.0);
    let before = run(&mut reused, &wanted);
    let linear = run(&mut reused, &RunOptions { linear: true, ..wanted.clone() });
    assert_ne!(before.table, linear.table);
    assert_same("nonlinear again", &before, &run(&mut reused, &wanted));
}

#[test]
fn rows_can_be_streamed_and_are_those_of_the_table() {
    let mut prepared = prepared(&ready("four-bar", &[]), "projection");
    let wanted = RunOptions {
        columns: Some(vec!["theta2".to_owned(), "energy".to_owned()]),
        ..options("dopri5", 1e-6, 1.0)
    };
    let kept = run(&mut prepared, &wanted);
    assert_eq!(prepared.column_names(&wanted).expect("they are known"), ["t", "theta2", "energy"]);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut take = |row: &[f64]| rows.push(row.to_vec());
    let (clock, cancelled) = (&mut || 0.0, &mut |_| false);
    let mut host = Host::new(clock, cancelled);
    host.rows = Some(&mut take);
    let streamed = prepared.run(&wanted, &mut host).expect("it runs");
    assert_eq!(streamed.certificate.stop, StopReason::Finished);
    assert!(streamed.table.is_empty() && !kept.table.is_empty());
    for (at, row) in rows.iter().enumerate() {
        let of_table: Vec<f64> = kept.table.columns.iter().map(|c| c.numbers()[at]).collect();
        assert_eq!(*row, of_table);
    }
    assert_eq!(rows.len(), kept.table.len());
    let mut count = 0;
    let mut take = |row: &[f64]| count += usize::from(row.len() == 3);
    let (clock, cancelled) = (&mut || 0.0, &mut |_| false);
    let mut host = Host::new(clock, cancelled);
    host.rows = Some(&mut take);
    let certified =
        prepared.run_certified(&wanted, Certification::Always, &mut host).expect("it runs");
    assert!(certified.certificate.estimate.is_some() && certified.table.is_empty());
    assert_eq!(count, kept.table.len());
}
