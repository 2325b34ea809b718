//! The portable reader of a program: one operation after the other.

use crate::program::{Operation, Program};

/// Runs a program; owns the values, so that a run allocates nothing.
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Program,
    values: Vec<f64>,
    first_result: usize,
}

impl Interpreter {
    /// Prepares a program.
    pub fn new(program: Program) -> Self {
        let mut values = vec![0.0; program.value_len()];
        let inputs = program.input_len();
        let first_result = inputs + program.constants.len();
        values[inputs..first_result].copy_from_slice(&program.constants);
        Interpreter { program, values, first_result }
    }

    /// The program that is run.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Computes all values from the groups of inputs, given in the order of the program.
    ///
    /// # Panics
    /// If a group has another length than the program expects.
    pub fn run(&mut self, inputs: &[&[f64]]) {
        assert_eq!(inputs.len(), self.program.inputs.len(), "one slice for each group of inputs");
        let mut rest = &mut self.values[..];
        for (block, input) in self.program.inputs.iter().zip(inputs) {
            let (place, behind) = rest.split_at_mut(block.values.len());
            place.copy_from_slice(input);
            rest = behind;
        }
        for (position, &operation) in self.program.operations.iter().enumerate() {
            let v = &self.values;
            let at = |number: u32| v[number as usize];
            let result = match operation {
                Operation::Add(a, b) => at(a) + at(b),
                Operation::Subtract(a, b) => at(a) - at(b),
                Operation::Multiply(a, b) => at(a) * at(b),
                Operation::Divide(a, b) => at(a) / at(b),
                Operation::Negate(a) => -at(a),
                Operation::Power(a, b) => at(a).powf(at(b)),
                Operation::Call(function, a) => function.evaluate(at(a), 0.0),
                Operation::Call2(function, a, b) => function.evaluate(at(a), at(b)),
            };
            self.values[self.first_result + position] = result;
        }
    }

    /// The values of an output group after a run.
    pub fn output(&self, group: usize) -> impl Iterator<Item = f64> {
        self.program.outputs[group].values.iter().map(|&number| self.values[number as usize])
    }
}

#[cfg(test)]
mod tests {
    use crate::{Interpreter, Program};
    use catena_symbolic::{Graph, parse};

    /// The program and the plain reading of the graph agree on every kind of node.
    #[test]
    fn the_program_computes_what_the_graph_says() {
        let formulas = [
            "x - y*z",
            "-(x + y)/z",
            "x^2 + x^3 - x^-2 + x^7",
            "sqrt(x) + x^1.5 + 1/sqrt(y) + x^-2.5",
            "x^y + 2^z + x^0.3",
            "sin(x)*cos(y) - tan(z)/(1 + atan2(x, y))",
            "min(x, y) + max(y, z) - abs(x - z)*sign(y - x)",
            "exp(-x) + log(1 + y) + sinh(z)*cosh(x)/tanh(y)",
            "1/x + 2/x - z/x",
            "3",
            "pi*x",
        ];
        let mut graph = Graph::new();
        let symbols = [graph.symbol("x"), graph.symbol("y"), graph.symbol("z")];
        let roots: Vec<_> =
            formulas.iter().map(|text| parse(text).unwrap().build_plain(&mut graph)).collect();
        let program = Program::lower(&graph, &[("q", &symbols)], &[("f", &roots)]);
        let mut interpreter = Interpreter::new(program);
        for point in [[0.3, 1.2, 0.7], [2.1, 0.4, 1.9]] {
            interpreter.run(&[&point]);
            let expected = graph.evaluate(&roots, |name| match name {
                "x" => point[0],
                "y" => point[1],
                _ => point[2],
            });
            for ((value, expected), text) in interpreter.output(0).zip(expected).zip(formulas) {
                let difference = (value - expected).abs() / expected.abs().max(1.0);
                assert!(difference < 1e-14, "{text}: {value} and {expected}");
            }
        }
    }

    #[test]
    fn differences_and_quotients_are_single_operations() {
        let mut graph = Graph::new();
        let symbols = [graph.symbol("x"), graph.symbol("y")];
        for (text, count) in
            [("x - y", 1), ("x/y", 1), ("-x", 1), ("x^2", 1), ("x^4", 2), ("1/x - y", 2)]
        {
            let root = parse(text).unwrap().build_plain(&mut graph);
            let program = Program::lower(&graph, &[("q", &symbols)], &[("f", &[root])]);
            assert_eq!(program.operations.len(), count, "{text}: {:?}", program.operations);
        }
    }
}
