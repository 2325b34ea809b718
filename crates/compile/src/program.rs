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
    SquareRoot(u32),
    Sine(u32),
    Cosine(u32),
    /// A function of one argument, called by the code.
    Call(Function, u32),
    /// A function of two arguments, called by the code.
    Call2(Function, u32, u32),
    /// a·b + c, rounded once (in WebAssembly twice, see [`catena_linear::MultiplyAdd`]); only after fusing.
    MultiplyAdd(u32, u32, u32),
    /// a·b − c, rounded likewise; only after fusing.
    MultiplySubtract(u32, u32, u32),
    /// c − a·b, rounded likewise; only after fusing.
    NegatedMultiplyAdd(u32, u32, u32),
    /// c where a > b, NaN elsewhere.
    Guard(u32, u32, u32),
}

impl Operation {
    /// The values it uses.
    pub fn operands(self) -> impl Iterator<Item = u32> + Clone {
        let (operands, count) = match self {
            Operation::Negate(a)
            | Operation::SquareRoot(a)
            | Operation::Sine(a)
            | Operation::Cosine(a)
            | Operation::Call(_, a) => ([a; 3], 1),
            Operation::Add(a, b)
            | Operation::Subtract(a, b)
            | Operation::Multiply(a, b)
            | Operation::Divide(a, b)
            | Operation::Power(a, b)
            | Operation::Call2(_, a, b) => ([a, b, b], 2),
            Operation::MultiplyAdd(a, b, c)
            | Operation::MultiplySubtract(a, b, c)
            | Operation::NegatedMultiplyAdd(a, b, c)
            | Operation::Guard(a, b, c) => ([a, b, c], 3),
        };
        operands.into_iter().take(count)
    }

    /// The same operation on other values.
    pub(crate) fn map(self, place: impl Fn(u32) -> u32) -> Operation {
        match self {
            Operation::Add(a, b) => Operation::Add(place(a), place(b)),
            Operation::Subtract(a, b) => Operation::Subtract(place(a), place(b)),
            Operation::Multiply(a, b) => Operation::Multiply(place(a), place(b)),
            Operation::Divide(a, b) => Operation::Divide(place(a), place(b)),
            Operation::Power(a, b) => Operation::Power(place(a), place(b)),
            Operation::Negate(a) => Operation::Negate(place(a)),
            Operation::SquareRoot(a) => Operation::SquareRoot(place(a)),
            Operation::Sine(a) => Operation::Sine(place(a)),
            Operation::Cosine(a) => Operation::Cosine(place(a)),
            Operation::Call(function, a) => Operation::Call(function, place(a)),
            Operation::Call2(function, a, b) => Operation::Call2(function, place(a), place(b)),
            Operation::MultiplyAdd(a, b, c) => Operation::MultiplyAdd(place(a), place(b), place(c)),
            Operation::MultiplySubtract(a, b, c) => {
                Operation::MultiplySubtract(place(a), place(b), place(c))
            }
            Operation::NegatedMultiplyAdd(a, b, c) => {
                Operation::NegatedMultiplyAdd(place(a), place(b), place(c))
            }
            Operation::Guard(a, b, c) => Operation::Guard(place(a), place(b), place(c)),
        }
    }
}

/// A named group of values that belong together, such as q or the entries of M.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueGroup {
    /// What the values are: `q`, `parameters`, `mass_matrix`.
    pub name: String,
    /// The number of each value.
    pub values: Vec<u32>,
}

/// A straight line of operations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Groups of inputs; together they are the first values.
    pub inputs: Vec<ValueGroup>,
    /// The values that follow the inputs.
    pub constants: Vec<f64>,
    /// The values that follow the constants.
    pub operations: Vec<Operation>,
    /// Groups of results.
    pub outputs: Vec<ValueGroup>,
}

impl Program {
    /// How many values the inputs take.
    pub fn input_len(&self) -> usize {
        self.inputs.iter().map(|group| group.values.len()).sum()
    }

    /// How many values there are in all.
    pub(crate) fn value_len(&self) -> usize {
        self.input_len() + self.constants.len() + self.operations.len()
    }

    /// The position of an output by name.
    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|group| group.name == name)
    }
}
