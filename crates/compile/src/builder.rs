//! Writes a program: each constant and each operation at most once.

use crate::program::{Operation, Program, ValueGroup};
use rustc_hash::FxHashMap;

/// Constants and results are numbered from here until their final places are known.
const FIRST_CONSTANT: u32 = 1 << 30;
const FIRST_RESULT: u32 = 1 << 31;

/// A program that is being written. The values of its inputs are numbered from 0 by who writes it.
#[derive(Default)]
pub(crate) struct Builder {
    constants: Vec<f64>,
    known_constants: FxHashMap<u64, u32>,
    operations: Vec<Operation>,
    known_operations: FxHashMap<Operation, u32>,
}

impl Builder {
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

    /// Gives constants and results their final numbers.
    pub(crate) fn finish(self, inputs: Vec<ValueGroup>, mut outputs: Vec<ValueGroup>) -> Program {
        let first = inputs.iter().map(|group| group.values.len() as u32).sum::<u32>();
        let constants = self.constants.len() as u32;
        let place = |value: u32| match value {
            FIRST_RESULT.. => value - FIRST_RESULT + first + constants,
            FIRST_CONSTANT.. => value - FIRST_CONSTANT + first,
            input => input,
        };
        let operations = self.operations.into_iter().map(|operation| operation.map(place));
        let operations = operations.collect();
        for value in outputs.iter_mut().flat_map(|group| &mut group.values) {
            *value = place(*value);
        }
        Program { inputs, constants: self.constants, operations, outputs }
    }
}
