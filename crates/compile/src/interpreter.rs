//! The portable reader of a program: one operation after the other.

use crate::program::{Operation, Program};
use crate::sine_cosine::sine_and_cosine;
use catena_symbolic::Function;

/// A fused program with the numbers of its outputs, ready to be run.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter {
    operations: Vec<Operation>,
    constants: Vec<f64>,
    outputs: Vec<u32>,
    inputs: usize,
}

impl Interpreter {
    pub(crate) fn new(program: &Program) -> Self {
        Interpreter {
            operations: program.operations.clone(),
            constants: program.constants.clone(),
            outputs: program.outputs.iter().flat_map(|block| block.values.clone()).collect(),
            inputs: program.input_len(),
        }
    }

    /// How many numbers of scratch memory a run needs.
    pub(crate) fn scratch_len(&self) -> usize {
        self.inputs + self.constants.len() + self.operations.len()
    }

    /// Computes the outputs.
    pub(crate) fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("fma") {
            // SAFETY: the processor has the feature
            return unsafe { self.run_with_fma(inputs, outputs, scratch) };
        }
        self.run_portable(inputs, outputs, scratch);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "fma")]
    fn run_with_fma(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        self.run_portable(inputs, outputs, scratch);
    }

    #[inline(always)]
    fn run_portable(&self, inputs: &[f64], outputs: &mut [f64], values: &mut [f64]) {
        let first = self.inputs + self.constants.len();
        values[..self.inputs].copy_from_slice(inputs);
        values[self.inputs..first].copy_from_slice(&self.constants);
        for (position, &operation) in self.operations.iter().enumerate() {
            let at = |number: u32| values[number as usize];
            values[first + position] = match operation {
                Operation::Add(a, b) => at(a) + at(b),
                Operation::Subtract(a, b) => at(a) - at(b),
                Operation::Multiply(a, b) => at(a) * at(b),
                Operation::Divide(a, b) => at(a) / at(b),
                Operation::Negate(a) => -at(a),
                Operation::MultiplyAdd(a, b, c) => at(a).mul_add(at(b), at(c)),
                Operation::MultiplySubtract(a, b, c) => at(a).mul_add(at(b), -at(c)),
                Operation::NegatedMultiplyAdd(a, b, c) => (-at(a)).mul_add(at(b), at(c)),
                Operation::Power(a, b) => at(a).powf(at(b)),
                Operation::Call(Function::Sin, a) => sine_and_cosine(at(a)).0,
                Operation::Call(Function::Cos, a) => sine_and_cosine(at(a)).1,
                Operation::Call(function, a) => function.evaluate(at(a), 0.0),
                Operation::Call2(function, a, b) => function.evaluate(at(a), at(b)),
            };
        }
        for (output, &number) in outputs.iter_mut().zip(&self.outputs) {
            *output = values[number as usize];
        }
    }
}
