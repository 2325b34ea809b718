//! A module for `tests/web/numbers.mjs`: random programs, compiled by the host and interpreted, must give the same bits.

#![cfg(target_arch = "wasm32")]

mod random_program;

use catena_compile::Kernel;
use random_program::random_program;

/// Operations after which every program is compiled, unless the host declines.
const OPERATIONS: usize = 120_000;
const INPUTS: usize = 5;

/// How many outputs of a random program differ between its readers, at many points; −1 if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn differing_bits(seed: u32, operations: u32) -> i32 {
    let program = random_program(u64::from(seed), operations as usize);
    let (written, interpreted) = (Kernel::new(&program), Kernel::interpreted(&program));
    let outputs = |kernel: &Kernel, inputs: &[f64]| {
        let mut outputs = vec![f64::NAN; kernel.output_len()];
        kernel.run(inputs, &mut outputs, &mut vec![f64::NAN; kernel.scratch_len()]);
        outputs
    };
    let point = |step: usize| {
        std::array::from_fn::<f64, INPUTS, _>(|at| ((step * 7 + at * 13) % 29) as f64 * 0.17 - 1.9)
    };
    let repeats = OPERATIONS / operations.max(1) as usize + 1;
    (0..repeats).for_each(|step| drop(outputs(&written, &point(step))));
    let mut differing = 0;
    for step in 0..20 {
        let (a, b) = (outputs(&written, &point(step)), outputs(&interpreted, &point(step)));
        // the sign and the payload of NaN are the processor's choice
        let same = |(a, b): &(&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        differing += a.iter().zip(&b).filter(|pair| !same(pair)).count() as i32;
    }
    if interpreted.output_len() == 0 { -1 } else { differing }
}
