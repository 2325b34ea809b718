//! A program for several states side by side: as vector code where the machine allows it.

use crate::code::Code;
#[cfg(target_arch = "x86_64")]
use crate::native::Width;
use crate::program::Program;
use catena_linear::InstructionSet;

/// A compiled function of several states: value i of all lanes stands at i·lanes. Every lane gets the bits that
/// [`crate::Kernel`] computes for it alone.
#[derive(Debug)]
pub struct LaneKernel {
    code: Code,
    lanes: usize,
}

impl LaneKernel {
    /// With an instruction set; the portable one stands in where the machine does not allow it.
    pub fn new(program: &Program, set: InstructionSet) -> LaneKernel {
        #[cfg(target_arch = "x86_64")]
        {
            let width = match set {
                InstructionSet::Avx512 => Some(Width::Eight),
                InstructionSet::Avx2 => Some(Width::Four),
                InstructionSet::Portable => None,
            };
            if let Some(code) = width.and_then(|width| Code::native(program, width)) {
                return LaneKernel { code, lanes: set.lanes() };
            }
        }
        LaneKernel {
            code: Code::interpreted_in_lanes(program),
            lanes: InstructionSet::PORTABLE_LANES,
        }
    }

    /// How many states are computed at once.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many numbers go in, all lanes counted.
    pub fn input_len(&self) -> usize {
        self.code.input_len
    }

    /// How many numbers come out, all lanes counted.
    pub fn output_len(&self) -> usize {
        self.code.output_len
    }

    /// How many numbers of scratch memory a run needs.
    pub fn scratch_len(&self) -> usize {
        self.code.scratch_len()
    }

    /// Computes the outputs. Allocates nothing.
    ///
    /// # Panics
    /// If a slice is shorter than the kernel says.
    pub fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        self.code.run(inputs, outputs, scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::kernel::tests::{crowded_program, outputs, program};
    use catena_linear::Aligned;

    fn each_lane_gets_the_bits_of_a_single_state(program: &Program) {
        let single = Kernel::new(program);
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let kernel = LaneKernel::new(program, set);
            let lanes = kernel.lanes();
            assert_eq!(lanes, set.lanes());
            let mut inputs = Aligned::zeros(kernel.input_len());
            // the last angle is beyond the reach of the fast sine
            let point = |lane: usize, i: usize| {
                0.1 + 0.37 * ((lane * 7 + i * 3) % 11) as f64 + if lane == 3 { 2e5 } else { 0.0 }
            };
            for (at, input) in inputs.iter_mut().enumerate() {
                *input = point(at % lanes, at / lanes);
            }
            let mut found = Aligned::zeros(kernel.output_len());
            kernel.run(&inputs, &mut found, &mut Aligned::zeros(kernel.scratch_len()));
            for lane in 0..lanes {
                let point: Vec<f64> = (0..single.input_len()).map(|i| point(lane, i)).collect();
                for (i, expected) in outputs(&single, &point).into_iter().enumerate() {
                    let found = found[i * lanes + lane];
                    let same = found.to_bits() == expected.to_bits();
                    assert!(
                        same || (found.is_nan() && expected.is_nan()),
                        "{}, {i}, {lane}",
                        set.name()
                    );
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_gives_each_lane_the_bits_of_a_single_state() {
        let (_, _, program) = program();
        each_lane_gets_the_bits_of_a_single_state(&program);
        each_lane_gets_the_bits_of_a_single_state(&crowded_program());
    }
}
