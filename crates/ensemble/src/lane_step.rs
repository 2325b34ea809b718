//! A whole attempt at a step over lanes, as one function.

use catena_compile::{Aligned, InstructionSet, LaneKernel, Program, StageSums};
use catena_integrator::{Attempt, ExplicitMethod};
use std::sync::Arc;

/// Longer steps are made stage by stage: code that does not stay in the cache of instructions is slower than states that go
/// through memory.
const MAX_OPERATIONS: usize = 12_000;

/// What all threads share.
#[derive(Clone)]
pub(crate) struct LaneStepKernels {
    prelude: Arc<LaneKernel>,
    rest: Arc<LaneKernel>,
    pub(crate) method: &'static ExplicitMethod,
}

impl LaneStepKernels {
    /// From the program of a rate, fused and guarded; none where a step would be too long.
    pub(crate) fn new(
        rate: &Program,
        method: &'static ExplicitMethod,
        set: InstructionSet,
    ) -> Option<LaneStepKernels> {
        let (c, a, b) = method.stages();
        if rate.operations.len() * b.len() > MAX_OPERATIONS {
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
    /// Times, y, ẏ, the parameters, and what follows from them.
    inputs: Aligned,
    scratch: Aligned,
    /// Where the parameters begin.
    first_parameter: usize,
}

impl LaneStep {
    pub(crate) fn new(kernels: LaneStepKernels, len: usize) -> LaneStep {
        let LaneStepKernels { prelude, rest, .. } = &kernels;
        LaneStep {
            inputs: Aligned::zeros(rest.input_len()),
            scratch: Aligned::zeros(rest.scratch_len().max(prelude.scratch_len())),
            first_parameter: (3 + 2 * len) * rest.lanes(),
            kernels,
        }
    }

    /// Gives a lane its parameters.
    pub(crate) fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        let LaneStepKernels { prelude, rest, .. } = &self.kernels;
        let lanes = rest.lanes();
        for (i, &value) in parameters.iter().enumerate() {
            self.inputs[self.first_parameter + i * lanes + lane] = value;
        }
        let given = &mut self.inputs[self.first_parameter..];
        let (given, hoisted) = given.split_at_mut(prelude.input_len());
        prelude.run(given, hoisted, &mut self.scratch);
    }

    pub(crate) fn run(&mut self, attempt: Attempt<'_>, found: &mut [f64]) {
        let Attempt { times: [t, h, t_new], y, rate } = attempt;
        let mut rest = &mut self.inputs[..];
        for part in [t, h, t_new, y, rate] {
            let (to, behind) = rest.split_at_mut(part.len());
            to.copy_from_slice(part);
            rest = behind;
        }
        self.kernels.rest.run(&self.inputs, found, &mut self.scratch);
    }
}
