//! A function of t, y and parameters over lanes: kernels for all threads, memory of its own for each. What depends on
//! the parameters alone is computed when they are set.

use catena_compile::{Aligned, InstructionSet, LaneKernel, Program};
use std::sync::Arc;

/// What all threads share.
#[derive(Clone)]
pub(crate) struct LaneKernels {
    prelude: Arc<LaneKernel>,
    rest: Arc<LaneKernel>,
    pub(crate) set: InstructionSet,
    /// The length of y.
    pub(crate) len: usize,
}

impl LaneKernels {
    /// From a program whose inputs are t, y and the parameters.
    pub(crate) fn new(program: &Program, set: InstructionSet, len: usize) -> LaneKernels {
        LaneKernels::of_fused(&program.fused(), set, len)
    }

    /// The same for a program that is fused already.
    pub(crate) fn of_fused(program: &Program, set: InstructionSet, len: usize) -> LaneKernels {
        let (prelude, rest) = program.hoisted("parameters");
        let [prelude, rest] =
            [prelude, rest].map(|program| Arc::new(LaneKernel::of_fused(&program, set)));
        LaneKernels { prelude, rest, set, len }
    }
}

/// A thread's own workspace.
pub(crate) struct LaneFunction {
    kernels: LaneKernels,
    /// t, y, the parameters, and what follows from them.
    inputs: Aligned,
    pub(crate) outputs: Aligned,
    scratch: Aligned,
}

impl LaneFunction {
    pub(crate) fn new(kernels: LaneKernels) -> LaneFunction {
        let LaneKernels { prelude, rest, .. } = &kernels;
        LaneFunction {
            inputs: Aligned::zeros(rest.input_len()),
            outputs: Aligned::zeros(rest.output_len()),
            scratch: Aligned::zeros(rest.scratch_len().max(prelude.scratch_len())),
            kernels,
        }
    }

    pub(crate) fn kernels(&self) -> &LaneKernels {
        &self.kernels
    }

    pub(crate) fn width(&self) -> usize {
        self.kernels.set.lanes()
    }

    /// Gives a lane its parameters.
    pub(crate) fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        let width = self.width();
        let first = (1 + self.kernels.len) * width;
        for (i, &value) in parameters.iter().enumerate() {
            self.inputs[first + i * width + lane] = value;
        }
        let prelude = &self.kernels.prelude;
        let (given, hoisted) = self.inputs[first..].split_at_mut(prelude.input_len());
        prelude.run(given, hoisted, &mut self.scratch);
    }

    /// Where the times and the states of all lanes are to be written.
    pub(crate) fn inputs(&mut self) -> (&mut [f64], &mut [f64]) {
        let width = self.width();
        let (times, rest) = self.inputs.split_at_mut(width);
        (times, &mut rest[..self.kernels.len * width])
    }

    /// Computes the outputs of all lanes into a place of the caller's.
    pub(crate) fn evaluate_into(&mut self, outputs: &mut [f64]) {
        self.kernels.rest.run(&self.inputs, outputs, &mut self.scratch);
    }

    /// Computes the outputs of all lanes.
    pub(crate) fn evaluate(&mut self) {
        self.kernels.rest.run(&self.inputs, &mut self.outputs, &mut self.scratch);
    }
}
