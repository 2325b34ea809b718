//! A program: named inputs, a straight line of operations, named outputs.
//!
//! Values are numbered: inputs first, then constants, then one value for each operation. An
//! operation uses only values before its own, nothing branches, nothing is computed twice.

use catena_symbolic::Function;
use serde::{Deserialize, Serialize};

/// One operation on earlier values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the operation of its name")]
pub enum Operation {
    Add(u32, u32),
    Subtract(u32, u32),
    Multiply(u32, u32),
    Divide(u32, u32),
    Negate(u32),
    Power(u32, u32),
    Call(Function, u32),
    Call2(Function, u32, u32),
}

/// A named group of values that belong together, such as q or the entries of M.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its name.
    pub name: String,
    /// The number of each value.
    pub values: Vec<u32>,
}

/// A straight line of operations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Groups of inputs; together they are the first values.
    pub inputs: Vec<Block>,
    /// The values that follow the inputs.
    pub constants: Vec<f64>,
    /// The values that follow the constants.
    pub operations: Vec<Operation>,
    /// Groups of results.
    pub outputs: Vec<Block>,
}

impl Program {
    /// How many values the inputs take.
    pub fn input_len(&self) -> usize {
        self.inputs.iter().map(|block| block.values.len()).sum()
    }

    /// How many values there are in all.
    pub fn value_len(&self) -> usize {
        self.input_len() + self.constants.len() + self.operations.len()
    }

    /// The position of an output by name.
    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|block| block.name == name)
    }
}
