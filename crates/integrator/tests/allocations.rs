//! Nothing allocates in a step: a counting allocator watches every row of the catalogue.

mod problems;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use catena_integrator::{INTEGRATORS, Options};
use problems::{begin, pushed_pendulum};

struct Counting;

thread_local! {
    /// Of this thread: what the test harness does meanwhile is not counted.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_method_allocates_in_a_step() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        for step in [Some(0.01), None] {
            let options = Options { step, rtol: 1e-8, ..Options::default() };
            let mut system = pushed_pendulum();
            let mut integrator = begin(entry, &options, &mut system, &[0.5, 1.0], 100.0);
            let mut y = [0.0; 2];
            let before = COUNT.get();
            for _ in 0..100 {
                integrator.step(&mut system).unwrap();
                integrator.prepare_dense(&mut system);
                integrator.interpolate(integrator.time() - 1e-4, &mut y);
            }
            let count = COUNT.get() - before;
            assert_eq!(count, 0, "{}", entry.name);
        }
    }
}
