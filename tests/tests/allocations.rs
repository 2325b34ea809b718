//! A step allocates nothing: twice as many steps need not one allocation more.

use catena::RunSettings;
use catena::ensemble::{
    Axis, DeviceChoice, Grid, Measure, Schedule, Statistic, Sweep, SweepOptions,
};
use catena::formulation::FirstOrder;
use catena::integrator::{FirstOrderSystem, Options};
use catena_compile::InstructionSet;
use catena_tests::ready;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Of this thread: what the test harness does meanwhile is not counted.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system's allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: as the caller promises
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a run of so many steps, and the steps.
fn allocations(
    model: &catena::Model,
    formulation: Option<&str>,
    integrator: &str,
    t_end: f64,
) -> Option<(u64, u64)> {
    let request = RunSettings {
        formulation: formulation.map(str::to_owned),
        integrator: Some(integrator.into()),
        step: Some(1e-4),
        t_end: Some(t_end),
        every: Some(t_end),
        no_certify: true,
        ..RunSettings::default()
    };
    let before = COUNT.get();
    let run = catena::run(model, &request).ok()?;
    Some((COUNT.get() - before, run.certificate.statistics.steps))
}

/// Systems without events, or with events that do not happen in the time of the test: a row for each
/// would be memory that somebody asked for.
const SYSTEMS: [(&str, &[&str]); 7] = [
    ("chain", &["links=3"]),
    ("single-pendulum", &[]),
    ("elastic-pendulum", &[]),
    ("pendulum-chain", &["links=2"]),
    ("slider-crank", &[]),
    ("double-pendulum-cartesian", &[]),
    ("n-four-bar", &["n=1"]),
];

#[test]
fn every_formulation_and_integrator_steps_without_allocating() {
    let mut pairs = 0;
    for integrator in catena::integrator::INTEGRATORS {
        let formulations: Vec<Option<&str>> = match integrator.structural {
            true => vec![None],
            false => catena::formulation::FORMULATIONS.iter().map(|f| Some(f.name)).collect(),
        };
        for formulation in formulations {
            for (system, settings) in SYSTEMS {
                let measure =
                    |t| allocations(&ready(system, settings), formulation, integrator.name, t);
                let [Some(short), Some(long), Some(longest)] = [0.005, 0.01, 0.02].map(measure)
                else {
                    continue;
                };
                assert!(longest.1 > long.1 && long.1 > short.1 && short.0 > 0);
                // what is compiled when it is first needed may fall into one of the two, not into both
                let more = long.0.saturating_sub(short.0).min(longest.0.saturating_sub(long.0));
                let label = format!("{system}, {formulation:?}, {}", integrator.name);
                assert_eq!(more, 0, "{label}: {} steps more", long.1 - short.1);
                pairs += 1;
            }
        }
    }
    assert!(pairs >= 200, "only {pairs} pairs were measured");
}

#[test]
fn whole_steps_allocate_nothing_once_they_are_compiled() {
    let model = ready("triple-pendulum", &[]);
    for name in ["rk4", "dop853"] {
        let mut system = FirstOrder::new(catena_tests::built(&model, "minimal"));
        let entry = catena::integrator::find(name).unwrap();
        let method = entry.lanes().unwrap().explicit().unwrap();
        assert!(system.whole_steps().unwrap().prepare(method, u32::MAX));
        let options = Options { step: Some(1e-4), ..Options::default() };
        let (mut integrator, y) = (entry.build(&options), vec![0.3; system.len()]);
        integrator.begin(&mut system, 0.0, &y, 1.0).unwrap();
        let before = COUNT.get();
        for _ in 0..3_000 {
            integrator.step(&mut system).unwrap();
        }
        // as behind a switch of the equations
        assert!(system.whole_steps().unwrap().prepare(method, 0));
        assert_eq!(COUNT.get() - before, 0, "{name}");
    }
}

#[test]
fn trajectories_side_by_side_step_without_allocating() {
    let model = ready("triple-pendulum", &[]);
    let methods = [("rk4", Some(1e-3)), ("dopri5", None), ("dop853", None), ("taylor", None)];
    for (integrator, step) in methods {
        let allocations = |t_end: f64| {
            let options = SweepOptions {
                formulation: catena::formulation::find("minimal").unwrap(),
                formulation_options: catena::formulation::OptionValues::default(),
                integrator: catena::integrator::find(integrator).unwrap(),
                integration: catena::integrator::Options::default(),
                schedule: Schedule::of_numbers(t_end, Some(0.01), step),
                instruction_set: InstructionSet::best(),
                device: DeviceChoice::Processor,
            };
            let most = Measure { statistic: Statistic::Max, column: "energy".into() };
            let first = Measure { statistic: Statistic::Time, column: "peak".into() };
            let grid = Grid { axes: vec![Axis::linear("theta1", 0.1, 2.0, 20)] };
            let sweep = Sweep::new(&model, grid, vec![most, first], options).unwrap();
            let mut worker = sweep.worker();
            let before = COUNT.get();
            worker.run(0..20, &|| false).unwrap();
            COUNT.get() - before
        };
        let [short, long] = [1.0, 4.0].map(allocations);
        assert!(short > 0, "the beginning allocates, and is counted");
        assert_eq!(short, long, "{integrator}");
    }
}
