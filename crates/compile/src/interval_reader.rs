//! The reader of a program that proves things: what its outputs can be while the state moves along a short piece of a
//! motion.
//!
//! A piece is a cubic in time, given by its four control points: state and time stay in their hull. What is affine in
//! time and state is cubic too and stays in the hull of its own four values, so that the distance of two bodies that fly
//! side by side is known to be what it is, however far they fly. Everything else is computed with intervals.

use crate::functions::{Functions, Sizes};
use crate::program::{Operation, Program};
use crate::{Evaluator, Kernel};
use catena_symbolic::{Expr, Graph, Interval};

/// The Bernstein coefficients of a cubic, the first and the last of which are its ends.
pub type Cubic = [f64; 4];

/// What a motion may depart from its cubic, in parts of the width of the hull.
const DEPARTURE_FROM_CUBIC: f64 = 0.1;

/// On what a value depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    /// Parameters at most.
    Fixed,
    /// Time.
    Clock,
    /// The state.
    State,
    /// Accelerations or multipliers, which no piece gives.
    Reactions,
}

/// Computes ranges of expressions; a thread's own workspace.
#[derive(Clone, Debug)]
pub struct IntervalReader {
    kernel: Kernel,
    sizes: Sizes,
    operations: Vec<Operation>,
    /// The number of the first result.
    first: usize,
    outputs: Vec<u32>,
    dependence: Vec<Dependence>,
    affine: Vec<bool>,

    // Workspace.
    cubics: Vec<Cubic>,
    ranges: Vec<Interval>,
    output_ranges: Vec<Interval>,
    inputs: Vec<f64>,
    values: Vec<f64>,
    scratch: Vec<f64>,
}

impl IntervalReader {
    /// A reader of expressions of t, q, v, z and the parameters, in a graph that grew out of the equations' own.
    pub fn new(functions: &Functions, graph: &Graph, outputs: &[Expr]) -> IntervalReader {
        let program = functions.program(graph, &[("watched", outputs)]);
        let inputs = program.input_len();
        let first = inputs + program.constants.len();
        let (dependence, affine) = dependence(&program, &functions.sizes);
        let kernel = Kernel::new(&program);
        let mut ranges = vec![Interval::WHOLE; program.value_len()];
        for (range, &constant) in ranges[inputs..first].iter_mut().zip(&program.constants) {
            *range = Interval::point(constant);
        }
        IntervalReader {
            sizes: functions.sizes,
            first,
            outputs: program.outputs.iter().flat_map(|group| group.values.clone()).collect(),
            cubics: vec![[0.0; 4]; program.value_len()],
            inputs: vec![0.0; inputs],
            values: vec![0.0; kernel.output_len()],
            scratch: vec![0.0; kernel.scratch_len()],
            output_ranges: vec![Interval::WHOLE; outputs.len()],
            operations: program.operations,
            dependence,
            affine,
            ranges,
            kernel,
        }
    }

    /// Takes the parameters of a motion, and computes what depends on them alone.
    pub fn set_parameters(&mut self, parameters: &[f64]) {
        let [.., first_parameter, end] = self.sizes.offsets();
        self.inputs[first_parameter..end].copy_from_slice(parameters);
        for (range, &value) in self.ranges[first_parameter..end].iter_mut().zip(parameters) {
            *range = Interval::point(value);
        }
        for position in 0..self.operations.len() {
            let at = self.first + position;
            if self.dependence[at] == Dependence::Fixed {
                self.ranges[at] = self.range(self.operations[position]);
            }
        }
    }

    /// Whether an output depends on time and parameters alone.
    pub fn is_clock(&self, output: usize) -> bool {
        self.dependence[self.outputs[output] as usize] <= Dependence::Clock
    }

    /// Whether an output depends on accelerations or multipliers, so that nothing is known of its range.
    pub fn is_unknown(&self, output: usize) -> bool {
        self.dependence[self.outputs[output] as usize] == Dependence::Reactions
    }

    /// Whether an output is affine in time and state.
    pub fn is_affine(&self, output: usize) -> bool {
        self.affine[self.outputs[output] as usize]
    }

    /// The outputs at a time and a state (q, v, z).
    pub fn values(&mut self, t: f64, state: &[f64]) -> &[f64] {
        self.inputs[0] = t;
        self.inputs[1..=state.len()].copy_from_slice(state);
        self.kernel.run(&self.inputs, &mut self.values, &mut self.scratch);
        &self.values
    }

    /// The ranges of the outputs along a piece from one time to another; `state` is q, v and z, empty where no output
    /// depends on them.
    pub fn ranges(&mut self, [from, to]: [f64; 2], state: &[Cubic]) -> &[Interval] {
        let third = (to - from) / 3.0;
        self.cubics[0] = [from, from + third, to - third, to];
        self.ranges[0] = Interval::between(from, to);
        for (at, cubic) in (1..).zip(state) {
            self.cubics[at] = *cubic;
            self.ranges[at] = hull(cubic, true);
        }
        for position in 0..self.operations.len() {
            let (at, operation) = (self.first + position, self.operations[position]);
            if self.dependence[at] == Dependence::Fixed {
                continue;
            }
            self.ranges[at] = match self.affine[at] {
                true => {
                    let cubic = self.cubic(operation);
                    self.cubics[at] = cubic;
                    hull(&cubic, self.dependence[at] != Dependence::Clock)
                }
                false => self.range(operation),
            };
        }
        for (range, &value) in self.output_ranges.iter_mut().zip(&self.outputs) {
            *range = self.ranges[value as usize];
        }
        &self.output_ranges
    }

    /// The control points of an affine operation.
    fn cubic(&self, operation: Operation) -> Cubic {
        let at = |value: u32| self.cubics[value as usize];
        // a fixed value is known to rounding: its middle serves
        let fixed = |value: u32| {
            let Interval { lower, upper } = self.ranges[value as usize];
            if lower == upper { lower } else { 0.5 * (lower + upper) }
        };
        let is_fixed = |value: u32| self.dependence[value as usize] == Dependence::Fixed;
        let or_fixed = |value: u32| if is_fixed(value) { [fixed(value); 4] } else { at(value) };
        let both = |a: Cubic, b: Cubic, f: fn(f64, f64) -> f64| {
            std::array::from_fn(|point| f(a[point], b[point]))
        };
        match operation {
            Operation::Add(a, b) => both(or_fixed(a), or_fixed(b), |a, b| a + b),
            Operation::Subtract(a, b) => both(or_fixed(a), or_fixed(b), |a, b| a - b),
            Operation::Multiply(a, b) => both(or_fixed(a), or_fixed(b), |a, b| a * b),
            Operation::Divide(a, b) => both(or_fixed(a), or_fixed(b), |a, b| a / b),
            Operation::Negate(a) => at(a).map(|a| -a),
            operation => unreachable!("{operation:?} is never affine"),
        }
    }

    /// The range of an operation on earlier ranges.
    fn range(&self, operation: Operation) -> Interval {
        let at = |value: u32| self.ranges[value as usize];
        let product = |a: u32, b: u32| if a == b { at(a).square() } else { at(a) * at(b) };
        match operation {
            Operation::Add(a, b) => at(a) + at(b),
            Operation::Subtract(a, b) => at(a) - at(b),
            Operation::Multiply(a, b) => product(a, b),
            Operation::Divide(a, b) => at(a) / at(b),
            Operation::Negate(a) => -at(a),
            Operation::Power(a, b) => at(a).power(at(b)),
            Operation::SquareRoot(a) => at(a).sqrt(),
            Operation::Sine(a) => at(a).sin(),
            Operation::Cosine(a) => at(a).cos(),
            Operation::Call(function, a) => (function.unary().range)(at(a)),
            Operation::Call2(function, a, b) => (function.binary().range)(at(a), at(b)),
            Operation::MultiplyAdd(a, b, c) => product(a, b) + at(c),
            Operation::MultiplySubtract(a, b, c) => product(a, b) - at(c),
            Operation::NegatedMultiplyAdd(a, b, c) => at(c) - product(a, b),
            // what is undefined has no place in an interval
            Operation::Guard(_, _, c) => at(c),
        }
    }
}

impl Evaluator {
    /// A reader of expressions with the parameters of this motion.
    pub fn interval_reader(&self, graph: &Graph, outputs: &[Expr]) -> IntervalReader {
        let mut reader = IntervalReader::new(self.functions(), graph, outputs);
        reader.set_parameters(self.parameters());
        reader
    }
}

/// Where a cubic can be, and a motion near it if it departs from one.
fn hull(cubic: &Cubic, departs: bool) -> Interval {
    let [a, b, c, d] = *cubic;
    let hull = Interval::between(a, b).hull(Interval::between(c, d));
    let margin = if departs { DEPARTURE_FROM_CUBIC * hull.width() } else { 0.0 };
    hull.widened(margin + f64::EPSILON * hull.lower.abs().max(hull.upper.abs()))
}

/// On what every value depends, and whether it is affine in time and state.
fn dependence(program: &Program, sizes: &Sizes) -> (Vec<Dependence>, Vec<bool>) {
    let [_, _, _, first_reaction, _, first_parameter, _] = sizes.offsets();
    let mut dependence = vec![Dependence::Fixed; program.value_len()];
    let mut affine = vec![false; program.value_len()];
    dependence[0] = Dependence::Clock;
    dependence[1..first_reaction].fill(Dependence::State);
    dependence[first_reaction..first_parameter].fill(Dependence::Reactions);
    affine[..first_reaction].fill(true);
    let first = program.input_len() + program.constants.len();
    for (at, &operation) in (first..).zip(&program.operations) {
        let of = |value: u32| dependence[value as usize];
        let straight = |value: u32| affine[value as usize] || of(value) == Dependence::Fixed;
        affine[at] = match operation {
            Operation::Add(a, b) | Operation::Subtract(a, b) => straight(a) && straight(b),
            Operation::Negate(a) => straight(a),
            Operation::Multiply(a, b) => {
                let one_fixed = of(a) == Dependence::Fixed || of(b) == Dependence::Fixed;
                one_fixed && straight(a) && straight(b)
            }
            Operation::Divide(a, b) => straight(a) && of(b) == Dependence::Fixed,
            _ => false,
        };
        let depends = operation.operands().map(of).max();
        dependence[at] = depends.unwrap_or(Dependence::Fixed);
    }
    (dependence, affine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_derivation::Equations;
    use catena_model::{CoordinateSet, Model, Source};
    use catena_symbolic::parse;

    const MODEL: &str = r#"
        title = "Two points on a line"
        coordinates = { x = "first", y = "second" }
        parameters = { width = 0.01, late = 5 }
        [energy]
        kinetic = "1/2*x'^2 + 1/2*y'^2"
    "#;

    /// A reader of formulas of the two points.
    fn reader(formulas: &[&str]) -> IntervalReader {
        let source = Source { name: "two-points.toml".into(), text: MODEL.into() };
        let model = Model::read(source, &[]).expect("a model");
        let functions = Functions::new(Equations::derive(&model, model.system(CoordinateSet::Own)));
        let mut graph = functions.equations.graph.clone();
        let outputs: Vec<Expr> = formulas
            .iter()
            .map(|text| parse(text).expect("a formula").build_plain(&mut graph))
            .collect();
        let mut reader = IntervalReader::new(&functions, &graph, &outputs);
        reader.set_parameters(&model.parameter_values());
        reader
    }

    #[test]
    fn the_distance_of_points_that_fly_together_is_known() {
        let mut reader = reader(&["x - y", "1/(x - y)", "(x - y)^2"]);
        let moving = [[0.0, 10.0, 20.0, 30.0], [1.0, 11.0, 21.0, 31.0], [10.0; 4], [10.0; 4]];
        let ranges = reader.ranges([0.0, 3.0], &moving).to_vec();
        for (range, expected) in ranges.into_iter().zip([-1.0, -1.0, 1.0]) {
            assert!(range.contains(expected) && range.width() < 1e-10, "{range:?}");
        }
        assert!(reader.is_affine(0) && !reader.is_affine(1) && !reader.is_clock(0));
    }

    #[test]
    fn a_short_pulse_is_seen_where_it_is_and_nowhere_else() {
        let mut reader = reader(&["exp(-((t - late)/width)^2)", "x*exp(-((t - late)/width)^2)"]);
        assert!(reader.is_clock(0) && !reader.is_clock(1));
        assert!(reader.ranges([4.0, 6.0], &[[1.0; 4]; 4])[0].upper >= 1.0);
        assert!(reader.ranges([0.0, 4.0], &[[1.0; 4]; 4])[0].upper < 1e-100);
        assert_eq!(reader.values(5.0, &[2.0, 0.0, 0.0, 0.0]), [1.0, 2.0]);
    }
}
