//! Whole steps as functions: what follows from parameters alone is computed once for a motion.

use crate::code::Code;
use crate::program::Program;
use crate::step_program::StageSums;
use catena_linear::Aligned;
use std::ops::Deref;

/// Longer steps are made stage by stage. They would be faster at once, too, by less and less as they outgrow the cache of
/// instructions, but compiling takes about as long as some thousand steps: few motions would earn it back.
const MAX_OPERATIONS: usize = 6_000;

/// A compiled step of [`Program::step`], for one motion ([`crate::Kernel`]) or in lanes ([`crate::LaneKernel`]).
#[derive(Clone, Debug)]
pub struct StepKernels<K> {
    prelude: K,
    rest: K,
}

impl<K: Deref<Target = Code>> StepKernels<K> {
    /// From the program of a rate, as [`Program::step`] takes it, by a way to compile fused programs. `None` where a step
    /// would be too long.
    pub fn new(
        rate: &Program,
        sums: &StageSums<'_>,
        compile: impl Fn(&Program) -> K,
    ) -> Option<StepKernels<K>> {
        if rate.operations.len() * sums.b.len() > MAX_OPERATIONS {
            return None;
        }
        let (prelude, rest) = rate.step(sums).hoisted("parameters");
        Some(StepKernels { prelude: compile(&prelude), rest: compile(&rest) })
    }

    /// Whether the code is native.
    pub fn are_native(&self) -> bool {
        self.rest.is_native()
    }
}

/// A thread's own workspace.
#[derive(Clone, Debug)]
pub struct WholeStep<K> {
    kernels: StepKernels<K>,
    tail: Aligned,
    scratch: Aligned,
}

impl<K: Deref<Target = Code>> WholeStep<K> {
    /// With room for the parameters of all lanes.
    pub fn new(kernels: StepKernels<K>) -> WholeStep<K> {
        let StepKernels { prelude, rest } = &kernels;
        WholeStep {
            tail: Aligned::zeros(prelude.input_len() + prelude.output_len()),
            scratch: Aligned::zeros(rest.scratch_len().max(prelude.scratch_len())),
            kernels,
        }
    }

    /// Gives a lane its parameters.
    pub fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        let prelude = &self.kernels.prelude;
        let (given, hoisted) = self.tail.split_at_mut(prelude.input_len());
        for (given, &value) in given.chunks_exact_mut(prelude.lanes()).zip(parameters) {
            given[lane] = value;
        }
        prelude.run(given, hoisted, &mut self.scratch);
    }

    /// The parameters, and what follows from them: the last inputs of a step.
    pub fn tail(&self) -> &[f64] {
        &self.tail
    }

    /// How many numbers the line has that a step reads.
    pub fn line_len(&self) -> usize {
        self.kernels.rest.input_len()
    }

    /// From one line of numbers to the beginning of another.
    pub fn run(&mut self, from: &[f64], to: &mut [f64]) {
        self.kernels.rest.run(from, to, &mut self.scratch);
    }
}
