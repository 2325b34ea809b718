//! A whole attempt at a step over lanes, as one function.

use catena_compile::{Aligned, InstructionSet, LaneKernel, Program, StageSums};
use catena_integrator::ExplicitMethod;
use std::sync::Arc;

/// Longer steps are made stage by stage. They would be faster at once, too, by less and less as they outgrow the cache of
/// instructions, but compiling takes about as long as some thousand steps: a sweep of a few trajectories would not earn it back.
const MAX_OPERATIONS: usize = 6_000;

/// What all threads share.
#[derive(Clone)]
pub(crate) struct LaneStepKernels {
    prelude: Arc<LaneKernel>,
    rest: Arc<LaneKernel>,
    pub(crate) method: &'static ExplicitMethod,
}

impl LaneStepKernels {
    /// From the program of a rate, fused and guarded; none where a step would be too long, and where it is interpreted, which
    /// gains nothing.
    pub(crate) fn new(
        rate: &Program,
        method: &'static ExplicitMethod,
        set: InstructionSet,
    ) -> Option<LaneStepKernels> {
        let (c, a, b) = method.stages();
        let interpreted = set == InstructionSet::Portable;
        if interpreted || rate.operations.len() * b.len() > MAX_OPERATIONS {
            return None;
        }
        let estimates = method.estimates();
        let step = rate.step(&StageSums { c, a, b, estimates: &estimates });
        let (prelude, rest) = step.hoisted("parameters");
        let [prelude, rest] =
            [prelude, rest].map(|program| Arc::new(LaneKernel::of_fused(&program, set)));
        Some(LaneStepKernels { prelude, rest, method })
    }
}

/// A thread's own workspace.
pub(crate) struct LaneStep {
    pub(crate) kernels: LaneStepKernels,
    /// The parameters, and what follows from them: the last inputs of a step.
    pub(crate) tail: Aligned,
    scratch: Aligned,
}

impl LaneStep {
    pub(crate) fn new(kernels: LaneStepKernels) -> LaneStep {
        let LaneStepKernels { prelude, rest, .. } = &kernels;
        LaneStep {
            tail: Aligned::zeros(prelude.input_len() + prelude.output_len()),
            scratch: Aligned::zeros(rest.scratch_len().max(prelude.scratch_len())),
            kernels,
        }
    }

    /// Gives a lane its parameters.
    pub(crate) fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        let prelude = &self.kernels.prelude;
        let (given, hoisted) = self.tail.split_at_mut(prelude.input_len());
        for (given, &value) in given.chunks_exact_mut(prelude.lanes()).zip(parameters) {
            given[lane] = value;
        }
        prelude.run(given, hoisted, &mut self.scratch);
    }

    /// From one line of numbers to the beginning of another.
    pub(crate) fn run(&mut self, from: &[f64], to: &mut [f64]) {
        self.kernels.rest.run(from, to, &mut self.scratch);
    }
}
