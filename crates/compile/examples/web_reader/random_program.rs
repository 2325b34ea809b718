//! Programs that nobody wrote.

use catena_compile::{Operation, Program, ValueGroup};
use catena_symbolic::Function;
use std::collections::HashSet;

/// Operations on values chosen by a linear congruential generator, some of them close by and some far back.
pub(crate) fn random_program(seed: u64, count: usize) -> Program {
    let mut state = seed;
    let mut below = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let functions: Vec<Function> = Function::all().collect();
    let (inputs, constants) = (5, vec![0.5, -2.0, 1e-3]);
    let first = inputs + constants.len();
    let (mut operations, mut known) = (Vec::new(), HashSet::new());
    for position in 0..count {
        let values = first + position;
        let mut value = || {
            let back = if below(4) == 0 { values } else { values.min(9) };
            (values - 1 - below(back)) as u32
        };
        let (a, b) = (value(), value());
        let operation = match below(12) {
            0 => Operation::Sine(a),
            1 => Operation::Cosine(a),
            2 => Operation::Power(a, b),
            3 => Operation::SquareRoot(a),
            4 => Operation::Negate(a),
            5 => Operation::Divide(a, b),
            6 => {
                let function = functions[below(functions.len())];
                if function.arity() == 1 {
                    Operation::Call(function, a)
                } else {
                    Operation::Call2(function, a, b)
                }
            }
            7 | 8 => Operation::Multiply(a, b),
            9 => Operation::Subtract(a, b),
            _ => Operation::Add(a, b),
        };
        // nothing is computed twice: what is there already is added to the newest value
        let fresh = known.insert(operation);
        operations.push(if fresh { operation } else { Operation::Add(a, values as u32 - 1) });
    }
    let group = |name: &str, values: Vec<u32>| ValueGroup { name: name.to_owned(), values };
    let all = first + count;
    let found = (0..20).map(|_| below(all) as u32).chain([0, inputs as u32, all as u32 - 1]);
    let outputs = vec![group("f", found.collect())];
    let inputs = vec![group("q", (0..inputs as u32).collect())];
    Program { inputs, constants, operations, outputs }
}
