//! The closed list of functions a formula may call.

use serde::{Deserialize, Serialize};

/// A function of one or two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the function of its name")]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Sqrt,
    Abs,
    Sign,
    Min,
    Max,
}

impl Function {
    /// Every function, in the order of the documentation.
    pub const ALL: [Function; 17] = [
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Atan2,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Exp,
        Function::Log,
        Function::Sqrt,
        Function::Abs,
        Function::Sign,
        Function::Min,
        Function::Max,
    ];

    /// The name in formulas.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tan => "tan",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Atan2 => "atan2",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::Exp => "exp",
            Function::Log => "log",
            Function::Sqrt => "sqrt",
            Function::Abs => "abs",
            Function::Sign => "sign",
            Function::Min => "min",
            Function::Max => "max",
        }
    }

    /// The function of this name.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.name() == name)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Function::Atan2 | Function::Min | Function::Max => 2,
            _ => 1,
        }
    }

    /// f(−x) = −f(x)
    pub(crate) fn is_odd(self) -> bool {
        use Function::*;
        matches!(self, Sin | Tan | Asin | Atan | Sinh | Tanh | Sign)
    }

    /// f(−x) = f(x)
    pub(crate) fn is_even(self) -> bool {
        matches!(self, Function::Cos | Function::Cosh | Function::Abs)
    }

    /// The value; functions of one argument ignore `y`.
    pub fn evaluate(self, x: f64, y: f64) -> f64 {
        match self {
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::Atan2 => x.atan2(y),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Exp => x.exp(),
            Function::Log => x.ln(),
            Function::Sqrt => x.sqrt(),
            Function::Abs => x.abs(),
            // f64::signum(0) is 1; the sign of nothing is 0
            Function::Sign => {
                if x == 0.0 {
                    0.0
                } else {
                    x.signum()
                }
            }
            Function::Min => x.min(y),
            Function::Max => x.max(y),
        }
    }
}
