//! A program as lines of source: what is used more than once becomes a local with a name that says what it is, everything
//! else stands where it is used.

use crate::identifiers::Identifiers;
use crate::routine::{Group, Routine};
use crate::syntax::{Fragment, Syntax};
use catena_compile::{Operation, Program};
use catena_symbolic::Function;
use rustc_hash::FxHashMap;

/// More operations than this are not written in one line.
const MAX_LINE_OPERATIONS: usize = 14;
/// Names made of what they stand for are no longer than this; longer ones are numbers.
const MAX_LABEL_LENGTH: usize = 28;

/// A function as lines of source.
#[derive(Debug)]
pub(crate) struct StraightLine {
    /// What is read: group, place in it, identifier. In the order of the inputs.
    pub(crate) inputs: Vec<(Group, usize, String)>,
    /// Name and formula of each local, operands first.
    pub(crate) locals: Vec<(String, String)>,
    /// A formula for each entry of the result.
    pub(crate) results: Vec<String>,
}

/// Identifiers of all inputs, by group and place.
pub(crate) type InputNames = [Vec<String>; 7];

impl StraightLine {
    /// Writes a function; its locals are called differently from everything in the scope.
    pub(crate) fn new(
        routine: &Routine,
        names: &InputNames,
        scope: &Identifiers,
        syntax: &Syntax,
    ) -> StraightLine {
        let named = &routine.named_values;
        Writer::new(&routine.program, named, names, scope.clone(), syntax).write()
    }

    /// The formula of a program that reads parameters alone and has one result, in one line. The prefix leads to the
    /// parameters.
    pub(crate) fn of_parameters(
        program: &Program,
        names: &[String],
        prefix: &str,
        syntax: &Syntax,
    ) -> String {
        let mut paths = InputNames::default();
        paths[Group::Parameters as usize] =
            names.iter().map(|name| format!("{prefix}{name}")).collect();
        let nothing = FxHashMap::default();
        let mut writer = Writer::new(program, &nothing, &paths, Identifiers::default(), syntax);
        writer.users.fill(1);
        writer.max_operations = usize::MAX;
        writer.write().results.pop().unwrap_or_default()
    }
}

struct Writer<'a> {
    program: &'a Program,
    names: &'a InputNames,
    scope: Identifiers,
    syntax: &'a Syntax,
    named_values: &'a FxHashMap<u32, String>,
    /// How many operations and results use each value.
    users: Vec<usize>,
    max_operations: usize,
    /// The text of each value, as it stands where it is used.
    fragments: Vec<Fragment>,
    /// What a value is, in a word, where that is short.
    labels: Vec<Option<String>>,
    inputs: Vec<(Group, usize, String)>,
    locals: Vec<(String, String)>,
    numbered: usize,
}

impl<'a> Writer<'a> {
    fn new(
        program: &'a Program,
        named_values: &'a FxHashMap<u32, String>,
        names: &'a InputNames,
        scope: Identifiers,
        syntax: &'a Syntax,
    ) -> Writer<'a> {
        Writer {
            program,
            names,
            scope,
            syntax,
            named_values,
            users: users(program),
            max_operations: MAX_LINE_OPERATIONS,
            fragments: Vec::new(),
            labels: Vec::new(),
            inputs: Vec::new(),
            locals: Vec::new(),
            numbered: 0,
        }
    }

    fn write(mut self) -> StraightLine {
        self.read_inputs();
        for &constant in &self.program.constants {
            self.fragments.push(self.syntax.number(constant));
            self.labels.push(number_label(constant).map(str::to_owned));
        }
        for &operation in &self.program.operations {
            self.write_operation(operation);
        }
        let results = self.program.outputs.iter().flat_map(|group| &group.values);
        let results = results.map(|&value| self.fragments[value as usize].text.clone()).collect();
        StraightLine { inputs: self.inputs, locals: self.locals, results }
    }

    fn read_inputs(&mut self) {
        for (group, names) in Group::ALL.into_iter().zip(self.names) {
            for (place, name) in names.iter().enumerate() {
                if self.users[self.fragments.len()] > 0 {
                    self.inputs.push((group, place, name.clone()));
                }
                self.fragments.push(Fragment::atom(name));
                self.labels.push(Some(name.clone()));
            }
        }
    }

    fn write_operation(&mut self, operation: Operation) {
        let value = self.fragments.len();
        let fragment = self.fragment(operation);
        let given = self.named_values.get(&(value as u32)).cloned();
        let label = given.or_else(|| self.label(operation));
        let is_sign = matches!(operation, Operation::Negate(_)) && fragment.weight == 1;
        let shared = self.users[value] > 1 && !is_sign;
        let is_long = fragment.weight > self.max_operations;
        if self.users[value] == 0 || !(shared || is_long) {
            self.fragments.push(fragment);
            self.labels.push(label);
            return;
        }
        let name = match &label {
            Some(label) => self.scope.take(label),
            None => {
                self.numbered += 1;
                self.scope.take(&format!("s{}", self.numbered))
            }
        };
        self.locals.push((name.clone(), fragment.text));
        self.fragments.push(Fragment::atom(name));
        self.labels.push(label);
    }

    fn fragment(&self, operation: Operation) -> Fragment {
        let s = self.syntax;
        let at = |value: u32| &self.fragments[value as usize];
        match operation {
            Operation::Add(a, b) => s.sum(at(a), at(b)),
            Operation::Subtract(a, b) => s.difference(at(a), at(b)),
            Operation::Multiply(a, b) => s.product(at(a), at(b)),
            Operation::Divide(a, b) => s.quotient(at(a), at(b)),
            Operation::Negate(a) => s.negative(at(a)),
            Operation::Power(a, b) => s.power(at(a), at(b)),
            Operation::SquareRoot(a) => s.call(Function::named("sqrt"), &[at(a)]),
            Operation::Sine(a) => s.call(Function::SIN, &[at(a)]),
            Operation::Cosine(a) => s.call(Function::COS, &[at(a)]),
            Operation::Call(function, a) => s.call(function, &[at(a)]),
            Operation::Call2(function, a, b) => s.call(function, &[at(a), at(b)]),
            // programs are fused for readers that run them
            Operation::MultiplyAdd(a, b, c) => s.sum(&s.product(at(a), at(b)), at(c)),
            Operation::MultiplySubtract(a, b, c) => s.difference(&s.product(at(a), at(b)), at(c)),
            Operation::NegatedMultiplyAdd(a, b, c) => s.difference(at(c), &s.product(at(a), at(b))),
            // only the rates of sweeps are guarded
            Operation::Guard(_, _, c) => at(c).clone(),
        }
    }

    /// What the result of an operation is, in a word that an identifier can be made of.
    fn label(&self, operation: Operation) -> Option<String> {
        let of = |value: u32| self.labels[value as usize].as_deref();
        let text = match operation {
            Operation::Add(a, b) => format!("{}_plus_{}", of(a)?, of(b)?),
            Operation::Subtract(a, b) => format!("{}_minus_{}", of(a)?, of(b)?),
            Operation::Multiply(a, b) if a == b => format!("{}_squared", of(a)?),
            Operation::Multiply(a, b) => format!("{}_{}", of(a)?, of(b)?),
            Operation::Divide(a, b) => format!("{}_over_{}", of(a)?, of(b)?),
            Operation::Negate(a) => format!("minus_{}", of(a)?),
            Operation::SquareRoot(a) => format!("sqrt_{}", of(a)?),
            Operation::Sine(a) => format!("sin_{}", of(a)?),
            Operation::Cosine(a) => format!("cos_{}", of(a)?),
            Operation::Call(function, a) => format!("{}_{}", function.name(), of(a)?),
            Operation::Call2(function, a, b) => {
                format!("{}_{}_{}", function.name(), of(a)?, of(b)?)
            }
            _ => return None,
        };
        (text.len() <= MAX_LABEL_LENGTH).then_some(text)
    }
}

/// How many results and operations that lead to one use each value.
fn users(program: &Program) -> Vec<usize> {
    let first = program.input_len() + program.constants.len();
    let mut users = vec![0; first + program.operations.len()];
    let results = program.outputs.iter().flat_map(|group| &group.values);
    results.for_each(|&value| users[value as usize] += 1);
    for (position, operation) in program.operations.iter().enumerate().rev() {
        if users[first + position] > 0 {
            operation.operands().for_each(|value| users[value as usize] += 1);
        }
    }
    users
}

/// The word for a number that names are made of.
fn number_label(value: f64) -> Option<&'static str> {
    const WORDS: [(f64, &str); 8] = [
        (0.5, "half"),
        (-0.5, "minus_half"),
        (1.0, "one"),
        (2.0, "two"),
        (-2.0, "minus_two"),
        (3.0, "three"),
        (4.0, "four"),
        (5.0, "five"),
    ];
    WORDS.iter().find(|(number, _)| *number == value).map(|(_, word)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::tests::PLAIN;
    use catena_symbolic::{Graph, parse};

    /// The lines of formulas of two coordinates, the last of which is called `tip`.
    fn lines(formulas: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut graph = Graph::new();
        let symbols = ["theta1", "theta2"].map(|name| graph.symbol(name));
        let roots: Vec<_> =
            formulas.iter().map(|text| parse(text).unwrap().build_plain(&mut graph)).collect();
        let inputs = Group::ALL.map(|group| match group {
            Group::Coordinates => (group.name(), symbols.as_slice()),
            _ => (group.name(), &[][..]),
        });
        let program = Program::lower(&graph, &inputs, &[("f", &roots)]);
        let tip = *program.outputs[0].values.last().unwrap();
        let mut names = InputNames::default();
        names[Group::Coordinates as usize] = vec!["theta1".to_owned(), "theta2".to_owned()];
        let named = FxHashMap::from_iter([(tip, "tip".to_owned())]);
        let taken = Identifiers::reserving(["theta1", "theta2"]);
        let code = Writer::new(&program, &named, &names, taken, &PLAIN).write();
        let locals = code.locals.into_iter().map(|(name, text)| format!("{name} = {text}"));
        (locals.collect(), code.results)
    }

    #[test]
    fn what_is_used_twice_gets_a_name_that_says_what_it_is() {
        let (locals, results) = lines(&[
            "2*cos(theta1 - theta2)",
            "3*cos(theta1 - theta2)*sin(theta1)",
            "sin(theta1)*theta2 + exp(theta2)",
            "sin(theta1)*theta2 + exp(theta2)",
        ]);
        let expected = [
            "cos_theta1_minus_theta2 = cos(theta1 - theta2)",
            "sin_theta1 = sin(theta1)",
            "tip = theta2*sin_theta1 + exp(theta2)",
        ];
        let mut sorted = locals.clone();
        sorted.sort();
        assert_eq!(sorted, expected);
        assert_eq!(results[2..], ["tip", "tip"]);
        assert_eq!(results[0], "2.0*cos_theta1_minus_theta2");
    }

    #[test]
    fn long_sums_are_cut_into_lines() {
        let terms: Vec<String> = (2..60).map(|power| format!("{power}.5*theta1^{power}")).collect();
        let (locals, results) = lines(&[&terms.join(" + "), "theta1"]);
        let longest = locals.iter().chain(&results).map(|line| line.matches(" + ").count()).max();
        assert!(longest.unwrap() <= MAX_LINE_OPERATIONS, "{locals:?}");
    }
}
