//! A step allocates nothing: twice as many steps need not one allocation more.

use catena::RunRequest;
use catena_tests::ready;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes on to the system's allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
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
    let request = RunRequest {
        formulation: formulation.map(str::to_owned),
        integrator: Some(integrator.into()),
        step: Some(1e-4),
        t_end: Some(t_end),
        every: Some(t_end),
        ..RunRequest::default()
    };
    let before = COUNT.load(Ordering::Relaxed);
    let run = catena::run(model, &request).ok()?;
    Some((COUNT.load(Ordering::Relaxed) - before, run.certificate.statistics.steps))
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
                assert!(longest.1 > long.1 && long.1 > short.1);
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
