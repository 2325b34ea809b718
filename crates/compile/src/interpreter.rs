//! The portable reader of a program: one operation after the other, for one state or several side by side.

use crate::program::{Operation, Program};
use crate::sine_cosine::sines_and_cosines;
use catena_linear::MultiplyAdd;

/// A fused program with the numbers of its outputs, ready to be run for L states at once.
#[derive(Clone, Debug)]
pub(crate) struct Interpreter<const L: usize> {
    operations: Vec<Operation>,
    constants: Vec<f64>,
    outputs: Vec<u32>,
    inputs: usize,
}

impl<const L: usize> Interpreter<L> {
    pub(crate) fn new(program: &Program) -> Self {
        Interpreter {
            operations: program.operations.clone(),
            constants: program.constants.clone(),
            outputs: program.outputs.iter().flat_map(|group| group.values.clone()).collect(),
            inputs: program.input_len(),
        }
    }

    /// How many numbers of scratch memory a run needs.
    pub(crate) fn scratch_len(&self) -> usize {
        (self.inputs + self.constants.len() + self.operations.len()) * L
    }

    /// Computes the outputs; all lanes of a value stand side by side.
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
    fn run_portable(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
        let (values, _) = scratch.as_chunks_mut::<L>();
        let first = self.inputs + self.constants.len();
        values[..self.inputs].as_flattened_mut().copy_from_slice(inputs);
        for (value, &constant) in values[self.inputs..first].iter_mut().zip(&self.constants) {
            *value = [constant; L];
        }
        for (position, &operation) in self.operations.iter().enumerate() {
            let at = |number: u32| values[number as usize];
            values[first + position] = match operation {
                Operation::Add(a, b) => pair(at(a), at(b), |a, b| a + b),
                Operation::Subtract(a, b) => pair(at(a), at(b), |a, b| a - b),
                Operation::Multiply(a, b) => pair(at(a), at(b), |a, b| a * b),
                Operation::Divide(a, b) => pair(at(a), at(b), |a, b| a / b),
                Operation::Negate(a) => at(a).map(|a| -a),
                Operation::MultiplyAdd(a, b, c) => triple(at(a), at(b), at(c)),
                Operation::MultiplySubtract(a, b, c) => triple(at(a), at(b), at(c).map(|c| -c)),
                Operation::NegatedMultiplyAdd(a, b, c) => triple(at(a).map(|a| -a), at(b), at(c)),
                Operation::Guard(a, b, c) => {
                    let sound = pair(at(a), at(b), |a, b| if a > b { 0.0 } else { f64::NAN });
                    pair(sound, at(c), |sound, c| if sound == 0.0 { c } else { sound })
                }
                Operation::Power(a, b) => pair(at(a), at(b), f64::powf),
                Operation::SquareRoot(a) => at(a).map(f64::sqrt),
                Operation::Sine(a) => sine_and_cosine(at(a)).0,
                Operation::Cosine(a) => sine_and_cosine(at(a)).1,
                Operation::Call(function, a) => at(a).map(function.unary().value),
                Operation::Call2(function, a, b) => pair(at(a), at(b), function.binary().value),
            };
        }
        let (outputs, _) = outputs.as_chunks_mut::<L>();
        for (output, &number) in outputs.iter_mut().zip(&self.outputs) {
            *output = values[number as usize];
        }
    }
}

#[inline(always)]
fn pair<const L: usize>(a: [f64; L], b: [f64; L], f: impl Fn(f64, f64) -> f64) -> [f64; L] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// a·b + c
#[inline(always)]
fn triple<const L: usize>(a: [f64; L], b: [f64; L], c: [f64; L]) -> [f64; L] {
    std::array::from_fn(|lane| a[lane].multiply_add(b[lane], c[lane]))
}

fn sine_and_cosine<const L: usize>(angles: [f64; L]) -> ([f64; L], [f64; L]) {
    let (mut sines, mut cosines) = ([0.0; L], [0.0; L]);
    sines_and_cosines(&angles, &mut sines, &mut cosines);
    (sines, cosines)
}
