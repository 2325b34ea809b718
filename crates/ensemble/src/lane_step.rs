//! A whole attempt at a step over lanes, as one function.

use catena_compile::{InstructionSet, LaneKernel, Program, StageSums, StepKernels, WholeStep};
use catena_integrator::ExplicitMethod;

/// What all threads share.
#[derive(Clone)]
pub(crate) struct LaneStepKernels {
    kernels: StepKernels<LaneKernel>,
    method: &'static ExplicitMethod,
}

impl LaneStepKernels {
    /// From the program of a rate, fused and guarded; none where a step would be too long, and where it is interpreted, which
    /// gains nothing.
    pub(crate) fn new(
        rate: &Program,
        method: &'static ExplicitMethod,
        set: InstructionSet,
    ) -> Option<LaneStepKernels> {
        if set == InstructionSet::Portable {
            return None;
        }
        let (c, a, b) = method.stages();
        let estimates = method.estimates();
        let sums = StageSums { c, a, b, estimates: &estimates };
        let compile = |program: &Program| LaneKernel::of_fused(program, set);
        let kernels = StepKernels::new(rate, &sums, compile)?;
        Some(LaneStepKernels { kernels, method })
    }
}

/// A thread's own workspace.
pub(crate) struct LaneStep {
    pub(crate) whole: WholeStep<LaneKernel>,
    pub(crate) method: &'static ExplicitMethod,
}

impl LaneStep {
    pub(crate) fn new(LaneStepKernels { kernels, method }: LaneStepKernels) -> LaneStep {
        LaneStep { whole: WholeStep::new(kernels), method }
    }
}
