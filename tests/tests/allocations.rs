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
    system: &str,
    formulation: &str,
    integrator: &str,
    t_end: f64,
) -> Option<(u64, u64)> {
    let model = ready(system, &[]);
    let request = RunRequest {
        formulation: Some(formulation.into()),
        integrator: Some(integrator.into()),
        step: Some(0.002),
        t_end: Some(t_end),
        every: Some(t_end),
        ..RunRequest::default()
    };
    let before = COUNT.load(Ordering::Relaxed);
    let run = catena::run(&model, &request).ok()?;
    Some((COUNT.load(Ordering::Relaxed) - before, run.certificate.statistics.steps))
}

#[test]
fn every_formulation_and_integrator_steps_without_allocating() {
    let mut pairs = 0;
    for formulation in catena::formulation::FORMULATIONS {
        for integrator in catena::integrator::INTEGRATORS {
            // without events, whose zeros are collected in lists
            for system in ["chain", "single-pendulum", "elastic-pendulum", "pendulum-chain"] {
                let measure = |t| allocations(system, formulation.name, integrator.name, t);
                let (Some(short), Some(long)) = (measure(0.1), measure(0.2)) else { continue };
                assert!(long.1 > short.1);
                if ready(system, &[]).joint.events.is_empty() {
                    let label = format!("{system}, {}, {}", formulation.name, integrator.name);
                    assert_eq!(long.0, short.0, "{label}: {} steps more", long.1 - short.1);
                    pairs += 1;
                }
            }
        }
    }
    assert!(pairs >= 24, "only {pairs} pairs were measured");
}
