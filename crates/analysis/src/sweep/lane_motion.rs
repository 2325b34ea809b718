//! The motion of as many states as there are lanes, each with its own parameters.

use super::lane_function::{LaneFunction, LaneKernels};
use catena_compile::InstructionSet;
use catena_formulation::pivot_is_sound;
use catena_integrator::LaneSystem;

/// The rate of a formulation's state: ẏ, pivots, and the entries they were left of.
pub(super) struct LaneMotion {
    pub(super) function: LaneFunction,
}

impl LaneMotion {
    pub(super) fn new(kernels: LaneKernels) -> LaneMotion {
        LaneMotion { function: LaneFunction::new(kernels) }
    }
}

impl LaneSystem for LaneMotion {
    fn len(&self) -> usize {
        self.function.kernels().len
    }

    fn instruction_set(&self) -> InstructionSet {
        self.function.kernels().set
    }

    fn inputs(&mut self) -> (&mut [f64], &mut [f64]) {
        self.function.inputs()
    }

    fn evaluate(&mut self, rate: &mut [f64]) {
        self.function.evaluate();
        let (rates, pivots) = self.function.outputs.split_at(rate.len());
        rate.copy_from_slice(rates);
        let (pivots, entries) = pivots.split_at(pivots.len() / 2);
        // all of them at once: nothing is looked at twice as long as all is well
        let sound = pivots
            .iter()
            .zip(entries)
            .fold(true, |sound, (&pivot, &entry)| sound & pivot_is_sound(pivot, entry));
        if sound {
            return;
        }
        let width = self.function.width();
        let broken = (0..pivots.len()).filter(|&at| !pivot_is_sound(pivots[at], entries[at]));
        for at in broken {
            rate.iter_mut().skip(at % width).step_by(width).for_each(|rate| *rate = f64::NAN);
        }
    }
}
