//! Trajectories side by side: every one is what it is alone, to the last bit, whatever computes it and whoever runs beside.

use catena::ensemble::{
    Axis, Block, DeviceChoice, Grid, Measure, Schedule, Statistic, Sweep, SweepOptions,
};
use catena::formulation::FORMULATIONS;
use catena::integrator::{INTEGRATORS, Options};
use catena::simulation::Grade;
use catena::symbolic::parse;
use catena::{Model, RunSettings};
use catena_compile::InstructionSet;
use catena_tests::{ready, written};

fn schedule(t_end: &str, every: &str, step: Option<&str>) -> Schedule {
    let formula = |text: &str| parse(text).unwrap();
    Schedule {
        t_start: None,
        t_end: formula(t_end),
        every: Some(formula(every)),
        after: None,
        step: step.map(formula),
    }
}

fn options(formulation: &str, integrator: &str, schedule: Schedule) -> SweepOptions {
    SweepOptions {
        formulation: catena::formulation::find(formulation).unwrap(),
        formulation_options: catena::formulation::OptionValues::default(),
        integrator: catena::integrator::find(integrator).unwrap(),
        integration: Options::default(),
        schedule,
        instruction_set: InstructionSet::best(),
        device: DeviceChoice::Processor,
    }
}

fn measures(model: &Model) -> Vec<Measure> {
    let column = &model.own.coordinates[0].name;
    let columns = [column.clone(), format!("{column}'"), "energy".to_owned()];
    let statistics = [Statistic::Last, Statistic::MaxAbs];
    let pairs = columns.into_iter().flat_map(|column| {
        statistics.map(|statistic| Measure { statistic, column: column.clone() })
    });
    pairs.collect()
}

/// Numbers as bits, so that NaN equals NaN.
fn bits(block: &Block) -> Vec<u64> {
    block.values.iter().map(|value| value.to_bits()).collect()
}

fn run_all(sweep: &Sweep) -> Block {
    sweep.worker().run(0..sweep.len(), &|| false).unwrap()
}

#[test]
fn a_lane_has_the_bits_of_a_run_of_its_own() {
    let model = ready("triple-pendulum", &[]);
    let values = Axis::linear("theta1", 0.1, 2.5, 11);
    for entry in INTEGRATORS.iter().filter(|entry| entry.lanes().is_some()) {
        let step = (!entry.adaptive).then_some("0.01");
        let options = options("minimal", entry.name, schedule("3", "0.07", step));
        let grid = Grid { axes: vec![values.clone()] };
        let sweep = Sweep::new(&model, grid, measures(&model), options).unwrap();
        assert!(sweep.lanes() > 1, "{}", entry.name);
        let block = run_all(&sweep);
        for (cell, value) in values.values.iter().enumerate() {
            let model = ready("triple-pendulum", &[&format!("theta1={value:?}")]);
            let request = RunSettings {
                integrator: Some(entry.name.into()),
                step: step.map(|step| step.parse().unwrap()),
                t_end: Some(3.0),
                every: Some(0.07),
                ..RunSettings::default()
            };
            let run = catena::run(&model, &request).unwrap();
            for (i, measure) in measures(&model).iter().enumerate() {
                let column = run.table.column(&measure.column).unwrap();
                let expected = match measure.statistic {
                    Statistic::Last => *column.last().unwrap(),
                    _ => column.iter().fold(0.0, |largest: f64, value| largest.max(value.abs())),
                };
                let found = block.values[cell * measures(&model).len() + i];
                assert_eq!(
                    found.to_bits(),
                    expected.to_bits(),
                    "{}, {}",
                    entry.name,
                    measure.name()
                );
            }
        }
    }
}

#[test]
fn instruction_sets_and_neighbours_change_no_bit() {
    for (name, formulation, varied) in [
        ("triple-pendulum", "minimal", "theta2'"),
        ("four-bar", "baumgarte", "theta2'"),
        ("chain", "recursive", "theta3"),
    ] {
        let model = ready(name, &[]);
        for integrator in ["rk4", "dopri5", "dop853", "taylor"] {
            let step = (integrator == "rk4").then_some("0.01");
            let mut found: Option<Vec<u64>> = None;
            for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
                let options = SweepOptions {
                    instruction_set: set,
                    ..options(formulation, integrator, schedule("1", "0.1", step))
                };
                let grid = Grid { axes: vec![Axis::linear(varied, -0.3, 0.4, 13)] };
                let sweep = Sweep::new(&model, grid, measures(&model), options).unwrap();
                assert!(sweep.lanes() > 1);
                let block = run_all(&sweep);
                assert!(block.failures.is_empty(), "{name}: {:?}", block.failures);
                let whole = bits(&block);
                let mut parts = Vec::new();
                let mut worker = sweep.worker();
                for part in [0..1, 1..4, 4..13] {
                    parts.extend(bits(&worker.run(part, &|| false).unwrap()));
                }
                assert_eq!(whole, parts, "{name}, {integrator}, {}", set.name());
                assert_eq!(*found.get_or_insert(whole.clone()), whole, "{name}, {}", set.name());
            }
        }
    }
}

/// Momenta that are sums, of which columns have parts as well.
const TWO_MASSES: &str = r#"
    parameters = { m1 = 1.3, m2 = 0.7, k = 9 }
    coordinates = { a = "", b = "" }
    [definitions]
    x1 = "sin(a) + b"
    x2 = "2*a + cos(b) + 3*b"
    p = "m1*x1 + m2*x2"
    q = "m2*x2 - m1*x1"
    r = "m1*a*b + m2*sin(a)"
    [energy]
    kinetic = "1/2*m1*x1'^2 + 1/2*m2*x2'^2 + 1/2*a'^2 + 1/2*b'^2"
    potential = "1/2*k*(a^2 + b^2)"
    [initial]
    a = 0.3
    b = -0.2
"#;

#[test]
fn what_is_measured_changes_no_bit() {
    let model = written(TWO_MASSES);
    let last = |column: &str| Measure { statistic: Statistic::Last, column: column.to_owned() };
    for integrator in ["dop853", "taylor"] {
        let ends = |others: &[&str]| -> Vec<u64> {
            let measures: Vec<Measure> =
                ["a", "b'"].iter().chain(others).map(|column| last(column)).collect();
            let options = options("minimal", integrator, schedule("5", "0.1", None));
            let grid = Grid { axes: vec![Axis::linear("k", 5.0, 11.0, 9)] };
            let sweep = Sweep::new(&model, grid, measures.clone(), options).unwrap();
            assert!(sweep.lanes() > 1);
            let block = run_all(&sweep);
            assert!(block.failures.is_empty());
            block
                .values
                .chunks(measures.len())
                .flat_map(|of| [of[0], of[1]])
                .map(f64::to_bits)
                .collect()
        };
        let expected = ends(&[]);
        for others in [&["p'"][..], &["q'"], &["r'", "p'"], &["kinetic"], &["x2'", "q"]] {
            assert_eq!(ends(others), expected, "{integrator}, {others:?}");
        }
    }
}

/// The right-hand side program of every formulation that has one is the formulation itself.
#[test]
fn lanes_agree_with_runs_for_every_formulation_and_model() {
    for system in catena::systems::SYSTEMS {
        let name = system.name;
        let model = ready(name, &[]);
        for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
            let stiff = !entry.is_exact();
            let (t_end, step) = if stiff { ("2e-4", "1e-5") } else { ("0.05", "0.001") };
            let column = match model.own.coordinates.first() {
                Some(coordinate) => coordinate.name.clone(),
                None => model.own.states[0].name.clone(),
            };
            let measure = Measure { statistic: Statistic::Last, column: column.clone() };
            let options = options(entry.name, "rk4", schedule(t_end, t_end, Some(step)));
            let sweep = Sweep::new(&model, Grid::default(), vec![measure], options).unwrap();
            let block = run_all(&sweep);
            let request = RunSettings {
                formulation: Some(entry.name.into()),
                integrator: Some("rk4".into()),
                step: step.parse().ok(),
                t_end: t_end.parse().ok(),
                ..RunSettings::default()
            };
            let Ok(run) = catena::run(&model, &request) else {
                assert_eq!(block.failures.len(), 1, "{name}, {}", entry.name);
                continue;
            };
            // what is soft has not settled in so short a time: both say so
            let is_wrong = run.certificate.verdict.grade == Grade::Wrong;
            if !block.failures.is_empty() && stiff && is_wrong {
                continue;
            }
            assert!(block.failures.is_empty(), "{name}, {}: {:?}", entry.name, block.failures);
            let expected = *run.table.column(&column).unwrap().last().unwrap();
            let difference = (block.values[0] - expected).abs();
            assert!(difference <= 1e-12 * expected.abs().max(1.0), "{name}, {}", entry.name);
        }
    }
}

#[test]
fn a_trajectory_that_fails_marks_its_cell_alone() {
    let model = ready("triple-pendulum", &[]);
    let grid =
        Grid { axes: vec![Axis { name: "m3".into(), values: vec![1.0, f64::MAX, 2.0, 0.0] }] };
    let options = options("minimal", "dopri5", schedule("1", "0.1", None));
    let sweep = Sweep::new(&model, grid, measures(&model), options).unwrap();
    let block = run_all(&sweep);
    let failed: Vec<u64> = block.failures.iter().map(|(cell, _)| *cell).collect();
    assert_eq!(failed, [1, 3], "{:?}", block.failures);
    let count = measures(&model).len();
    for (cell, values) in block.values.chunks_exact(count).enumerate() {
        assert_eq!(values[0].is_nan(), failed.contains(&(cell as u64)), "{cell}");
    }
}

#[test]
fn rows_before_the_transient_do_not_count_and_times_may_be_formulas() {
    let model = ready("triple-pendulum", &["R=0"]);
    let late = Schedule {
        t_start: None,
        t_end: parse("4/f").unwrap(),
        every: parse("1/f/8").ok(),
        after: parse("2/f").ok(),
        step: None,
    };
    let measure = Measure { statistic: Statistic::Max, column: "t".into() };
    let first = Measure { statistic: Statistic::Min, column: "t".into() };
    let grid = Grid { axes: vec![Axis { name: "f".into(), values: vec![0.5, 2.0] }] };
    let options = options("minimal", "dopri5", late);
    let sweep = Sweep::new(&model, grid, vec![measure, first], options).unwrap();
    assert_eq!(run_all(&sweep).values, [8.0, 4.0, 2.0, 1.0]);
}
