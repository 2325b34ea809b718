//! Writes a program: each constant and each operation at most once.

use crate::program::{Operation, Program, ValueGroup};
use rustc_hash::FxHashMap;

/// Constants and results are numbered from here until their final places are known.
const FIRST_CONSTANT: u32 = 1 << 30;
const FIRST_RESULT: u32 = 1 << 31;

/// A program under construction.
#[derive(Default)]
pub(crate) struct Builder {
    inputs: Vec<ValueGroup>,
    input_len: u32,
    constants: Vec<f64>,
    known_constants: FxHashMap<u64, u32>,
    operations: Vec<Operation>,
    known_operations: FxHashMap<Operation, u32>,
}

impl Builder {
    /// An empty program that will have about as many operations.
    pub(crate) fn for_operations(count: usize) -> Builder {
        let mut builder = Builder::default();
        builder.operations.reserve(count);
        builder.known_operations.reserve(count);
        builder
    }

    /// Another group of inputs; the numbers of its values.
    pub(crate) fn inputs(&mut self, name: &str, len: usize) -> Vec<u32> {
        let values: Vec<u32> = (self.input_len..).take(len).collect();
        self.input_len += len as u32;
        self.inputs.push(ValueGroup { name: name.to_owned(), values: values.clone() });
        values
    }

    /// The value of a number.
    pub(crate) fn constant(&mut self, value: f64) -> u32 {
        let next = FIRST_CONSTANT + self.constants.len() as u32;
        *self.known_constants.entry(value.to_bits()).or_insert_with(|| {
            self.constants.push(value);
            next
        })
    }

    /// The value of an operation on earlier values.
    pub(crate) fn emit(&mut self, operation: Operation) -> u32 {
        let next = FIRST_RESULT + self.operations.len() as u32;
        *self.known_operations.entry(operation).or_insert_with(|| {
            self.operations.push(operation);
            next
        })
    }

    /// How many operations were written.
    pub(crate) fn len(&self) -> usize {
        self.operations.len()
    }

    /// Writes the operations of a program down, with these values as its inputs; the numbers of all its values.
    pub(crate) fn append(&mut self, program: &Program, inputs: &[u32]) -> Vec<u32> {
        let mut values = inputs.to_vec();
        values.extend(program.constants.iter().map(|&constant| self.constant(constant)));
        for operation in &program.operations {
            let value = self.emit(operation.map(|value| values[value as usize]));
            values.push(value);
        }
        values
    }

    /// Gives constants and results their final numbers.
    pub(crate) fn finish(self, mut outputs: Vec<ValueGroup>) -> Program {
        let (inputs, constants) = (self.input_len, self.constants.len() as u32);
        let place = |value: u32| match value {
            FIRST_RESULT.. => value - FIRST_RESULT + inputs + constants,
            FIRST_CONSTANT.. => value - FIRST_CONSTANT + inputs,
            input => input,
        };
        let operations = self.operations.into_iter().map(|operation| operation.map(place));
        let operations = operations.collect();
        for value in outputs.iter_mut().flat_map(|group| &mut group.values) {
            *value = place(*value);
        }
        Program { inputs: self.inputs, constants: self.constants, operations, outputs }
    }
}
