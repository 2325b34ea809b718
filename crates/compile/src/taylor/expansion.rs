//! The series of all values of a program: what each is made of, how far it is needed, and when its turn is.

use super::slopes::{slope_program, slope_programs};
use super::{COEFFICIENTS, TYPICAL_ORDER};
use crate::builder::Builder;
use crate::program::{Operation, Program, ValueGroup};
use catena_symbolic::Function;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a series is made of; operands are numbers of series.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// It is known from elsewhere.
    Given,
    Operation(Operation),
}

/// What a function's series is summed up from: a series of its slope by an argument.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    pub(super) argument: u32,
    pub(super) slope: u32,
    /// Whether its negative is meant.
    pub(super) negated: bool,
}

/// When the coefficients of an operation are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// That of order k along with the accelerations of order k.
    Along,
    /// One order ahead: it is differentiated, or leads to what is.
    Ahead,
    /// That of order 0 alone.
    Once,
    /// It finds accelerations, from residuals of each order.
    Solving,
}

/// The series of all values of a program and of the slopes of its functions.
pub(super) struct Expansion {
    pub(super) builder: Builder,
    pub(super) origins: Vec<Origin>,
    known: FxHashMap<Operation, u32>,
    /// Coefficients so far, the values of the new program; `None` is exactly zero.
    pub(super) series: Vec<Vec<Option<u32>>>,
    /// Whether nothing but the coefficient of order 0 is there.
    pub(super) constant: Vec<bool>,
    /// The highest order that anyone asks for.
    pub(super) needed: Vec<usize>,
    pub(super) slopes: Vec<Vec<Slope>>,
    pub(super) turns: Vec<Turn>,
    /// Whether the last coefficient holds accelerations of the order that is solved for.
    pub(super) waits: Vec<bool>,
    /// Components of y, each with the series of its rate.
    pub(super) components: Vec<(u32, u32)>,
    /// The same, to look up.
    pub(super) rates: FxHashMap<u32, u32>,
    /// Groups that belong together: the series that stands for something, and the one that it is found from.
    pub(super) accelerations: Vec<(u32, u32)>,
    pub(super) residuals: Vec<(u32, u32)>,
    pub(super) derivatives: Vec<(u32, u32)>,
}

impl Expansion {
    /// For coefficients of a solution up to an order.
    pub(super) fn of_solution(program: &Program, order: usize) -> Expansion {
        let (mut expansion, places) = Expansion::new(program, order);
        let paired = |input: &str, output: &str| -> Vec<(u32, u32)> {
            let output = program.output(output).map(|at| &program.outputs[at].values);
            let of = output.into_iter().flatten().map(|&value| places[value as usize]);
            inputs(program, input).iter().copied().zip(of).collect()
        };
        expansion.components = paired("y", "rate");
        expansion.rates = expansion.components.iter().copied().collect();
        expansion.accelerations = paired("accelerations", "accelerations");
        expansion.residuals = paired("residuals", "residuals");
        expansion.derivatives = paired("derivatives", "derivatives");
        let rates = expansion.components.iter().map(|(_, rate)| *rate).collect();
        expansion.take_turns(rates);
        expansion
    }

    /// For coefficients of integrals along a known solution; and the series that are integrated.
    pub(super) fn of_integrals(program: &Program, order: usize) -> (Expansion, Vec<u32>) {
        let (mut expansion, places) = Expansion::new(program, order);
        let components = inputs(program, "y");
        let count = components.len() * order.saturating_sub(1);
        let coefficients = expansion.builder.inputs(COEFFICIENTS, count);
        for of_order in coefficients.chunks_exact(components.len().max(1)) {
            for (&component, &coefficient) in components.iter().zip(of_order) {
                expansion.series[component as usize].push(Some(coefficient));
            }
        }
        let rates = program.output("rate").map(|at| &program.outputs[at].values);
        let rates: Vec<u32> =
            rates.into_iter().flatten().map(|&rate| places[rate as usize]).collect();
        expansion.take_turns(rates.clone());
        (expansion, rates)
    }

    /// Lists the series that are needed for coefficients up to an order, and says which are those of the program's values.
    fn new(program: &Program, order: usize) -> (Expansion, Vec<u32>) {
        let mut expansion = Expansion {
            builder: Builder::default(),
            origins: Vec::new(),
            known: FxHashMap::default(),
            series: Vec::new(),
            constant: Vec::new(),
            needed: Vec::new(),
            slopes: Vec::new(),
            turns: Vec::new(),
            waits: Vec::new(),
            components: Vec::new(),
            rates: FxHashMap::default(),
            accelerations: Vec::new(),
            residuals: Vec::new(),
            derivatives: Vec::new(),
        };
        // what is differentiated is found one order ahead
        let is_ahead = program.inputs.iter().any(|group| group.name == "derivatives");
        let needed = if is_ahead { order } else { order.saturating_sub(1) };
        for group in &program.inputs {
            let (varies, given) = match group.name.as_str() {
                "t" | "y" => (true, true),
                "accelerations" | "residuals" | "derivatives" => (true, false),
                _ => (false, true),
            };
            let values = given.then(|| expansion.builder.inputs(&group.name, group.values.len()));
            for at in 0..group.values.len() {
                let series = expansion.push(Origin::Given, !varies, needed);
                let value = values.as_ref().map(|values| Some(values[at]));
                expansion.series[series as usize].extend(value);
            }
        }
        for &time in inputs(program, "t") {
            let one = expansion.builder.constant(1.0);
            expansion.series[time as usize].push(Some(one));
        }
        let inputs: Vec<u32> = (0..program.input_len() as u32).collect();
        let places = expansion.splice(program, &inputs, needed);
        // series of slopes come behind: those of order k need the functions' of order k, which need only earlier slopes
        let mut at = 0;
        while at < expansion.origins.len() {
            expansion.find_slopes(at as u32);
            at += 1;
        }
        (expansion, places)
    }

    fn push(&mut self, origin: Origin, constant: bool, needed: usize) -> u32 {
        self.origins.push(origin);
        self.series.push(Vec::new());
        self.constant.push(constant);
        self.needed.push(needed);
        self.slopes.push(Vec::new());
        self.turns.push(Turn::Once);
        self.waits.push(false);
        (self.origins.len() - 1) as u32
    }

    fn number(&mut self, number: f64, needed: usize) -> u32 {
        let value = (number != 0.0).then(|| self.builder.constant(number));
        let series = self.push(Origin::Given, true, needed);
        self.series[series as usize].push(value);
        series
    }

    /// The series of an operation on others; one that is there already serves again.
    fn add(&mut self, operation: Operation, needed: usize) -> u32 {
        let operation = self.gathered(operation, needed);
        if let Some(&series) = self.known.get(&operation) {
            return series;
        }
        let constant = operation.operands().all(|operand| self.constant[operand as usize]);
        if let Operation::Power(x, y) = operation {
            // its series follows from that of the exponent, which therefore comes before
            self.exponent(x, y, needed);
        }
        let series = self.push(Origin::Operation(operation), constant, needed);
        self.known.insert(operation, series);
        series
    }

    /// c (d x) as (c d) x, where c and d never change: their product has no series.
    fn gathered(&mut self, operation: Operation, needed: usize) -> Operation {
        let taken_apart = |operation: Operation| match operation {
            Operation::Multiply(a, b) if self.constant[a as usize] => Some((a, b)),
            Operation::Multiply(a, b) if self.constant[b as usize] => Some((b, a)),
            _ => None,
        };
        let Some((c, rest)) = taken_apart(operation) else { return operation };
        let Origin::Operation(inner) = self.origins[rest as usize] else { return operation };
        match taken_apart(inner) {
            Some((d, x)) if !self.constant[x as usize] => {
                Operation::Multiply(self.add(Operation::Multiply(c, d), needed), x)
            }
            _ => operation,
        }
    }

    /// y log x, if xʸ is to be read as its exponential: where y is not constant.
    fn exponent(&mut self, x: u32, y: u32, needed: usize) -> Option<u32> {
        (!self.constant[y as usize]).then(|| {
            let logarithm = self.add(Operation::Call(Function::named("log"), x), needed);
            self.add(Operation::Multiply(y, logarithm), needed)
        })
    }

    /// Lists what a function's series is summed up from.
    fn find_slopes(&mut self, series: u32) {
        let Origin::Operation(operation) = self.origins[series as usize] else { return };
        let Some(needed) = self.needed[series as usize].checked_sub(1) else { return };
        if self.constant[series as usize] {
            return;
        }
        let by = |argument, slope, negated| Slope { argument, slope, negated };
        let slopes = match operation {
            Operation::Sine(u) => {
                let slope = self.add(Operation::Cosine(u), needed);
                vec![by(u, slope, false)]
            }
            Operation::Cosine(u) => {
                let slope = self.add(Operation::Sine(u), needed);
                vec![by(u, slope, true)]
            }
            Operation::Call(function, u) => {
                let slope = self.splice_slope(&slope_program(function), &[u, series], needed);
                vec![by(u, slope, false)]
            }
            Operation::Call2(function, u, v) => {
                let programs = slope_programs(function);
                let slopes = programs.map(|program| self.splice_slope(&program, &[u, v], needed));
                vec![by(u, slopes[0], false), by(v, slopes[1], false)]
            }
            Operation::Power(x, y) => {
                let exponent = self.exponent(x, y, needed + 1);
                exponent.map(|exponent| by(exponent, series, false)).into_iter().collect()
            }
            _ => return,
        };
        self.slopes[series as usize] = slopes;
    }

    /// The series of the one output of a program whose inputs are these series.
    fn splice_slope(&mut self, program: &Program, inputs: &[u32], needed: usize) -> u32 {
        let places = self.splice(program, inputs, needed);
        places[program.outputs[0].values[0] as usize]
    }

    /// The series of all values of a program whose inputs are these series.
    fn splice(&mut self, program: &Program, inputs: &[u32], needed: usize) -> Vec<u32> {
        let mut places = inputs.to_vec();
        for &constant in &program.constants {
            places.push(self.number(constant, needed));
        }
        for operation in &program.operations {
            let operation = operation.map(|value| places[value as usize]);
            places.push(self.add(operation, needed));
        }
        places
    }

    /// The operands of all operations that lead to these series, and the series themselves.
    fn leading_to(&self, series: Vec<u32>) -> FxHashSet<u32> {
        let (mut found, mut left) = (FxHashSet::default(), series);
        while let Some(series) = left.pop() {
            if !found.insert(series) {
                continue;
            }
            if let Origin::Operation(operation) = self.origins[series as usize] {
                left.extend(operation.operands());
            }
            let slopes = &self.slopes[series as usize];
            left.extend(slopes.iter().flat_map(|slope| [slope.argument, slope.slope]));
        }
        found
    }

    /// Says of all operations when their turn is, where these series are wanted.
    fn take_turns(&mut self, mut wanted: Vec<u32>) {
        let of = |pairs: &[(u32, u32)]| pairs.iter().map(|(_, of)| *of).collect::<Vec<_>>();
        let ahead = of(&self.derivatives);
        wanted.extend(of(&self.residuals));
        wanted.extend(&ahead);
        for series in self.leading_to(wanted) {
            self.turns[series as usize] = Turn::Along;
        }
        for series in self.leading_to(ahead) {
            self.turns[series as usize] = Turn::Ahead;
        }
        let solving =
            |expansion: &Expansion, series: u32| expansion.turns[series as usize] == Turn::Solving;
        for &(residual, _) in &self.residuals {
            self.turns[residual as usize] = Turn::Solving;
        }
        for series in 0..self.origins.len() as u32 {
            if let Origin::Operation(operation) = self.origins[series as usize]
                && operation.operands().any(|operand| solving(self, operand))
            {
                self.turns[series as usize] = Turn::Solving;
            }
        }
        self.find_waiting();
    }

    fn find_waiting(&mut self) {
        let unknown: FxHashSet<u32> =
            self.accelerations.iter().map(|(unknown, _)| *unknown).collect();
        for &(component, rate) in &self.components {
            self.waits[component as usize] = unknown.contains(&rate);
        }
        self.spread_waiting(Turn::Ahead);
        unknown.iter().for_each(|&series| self.waits[series as usize] = true);
        for &(series, of) in &self.derivatives {
            self.waits[series as usize] = self.waits[of as usize];
        }
        self.spread_waiting(Turn::Along);
    }

    fn spread_waiting(&mut self, turn: Turn) {
        for series in 0..self.origins.len() {
            let Origin::Operation(operation) = self.origins[series] else { continue };
            if self.turns[series] == turn {
                // what was found ahead is known to those that go along
                let known = |operand: u32| {
                    let ahead = self.turns[operand as usize] == Turn::Ahead;
                    turn == Turn::Along && (ahead || self.rates.contains_key(&operand))
                };
                let waits = |operand: u32| self.waits[operand as usize] && !known(operand);
                self.waits[series] = operation.operands().any(waits);
            }
        }
    }

    /// About how many operations an order takes.
    pub(super) fn length(&self) -> usize {
        let mut products = FxHashSet::default();
        let varies = |series: u32| !self.constant[series as usize];
        let mut sums = 0;
        for (series, origin) in self.origins.iter().enumerate() {
            let Origin::Operation(operation) = *origin else { continue };
            if self.constant[series] || self.turns[series] == Turn::Once {
                continue;
            }
            sums += 1 + usize::from(self.waits[series]);
            if self.turns[series] == Turn::Solving {
                continue;
            }
            match operation {
                Operation::Multiply(u, v) if varies(u) && varies(v) => {
                    products.insert((u.min(v), u.max(v)));
                }
                Operation::Divide(_, v) if varies(v) => {
                    products.insert((v, series as u32));
                }
                Operation::SquareRoot(_) | Operation::Power(..) => {
                    products.insert((series as u32, series as u32));
                }
                _ => {}
            }
            products.extend(self.slopes[series].iter().map(|slope| {
                let rate = self.rates.get(&slope.argument).copied().unwrap_or(slope.argument);
                (rate.min(slope.slope), rate.max(slope.slope))
            }));
        }
        let terms = |&(u, v): &(u32, u32)| if u == v { TYPICAL_ORDER / 2 } else { TYPICAL_ORDER };
        sums + products.iter().map(terms).sum::<usize>()
    }

    /// The program of all that the outputs need.
    pub(super) fn finish(self, outputs: Vec<u32>) -> Program {
        let outputs = vec![ValueGroup { name: COEFFICIENTS.to_owned(), values: outputs }];
        self.builder.finish(outputs).pruned()
    }
}

/// The values of a group of inputs.
fn inputs<'a>(program: &'a Program, name: &str) -> &'a [u32] {
    let group = program.inputs.iter().find(|group| group.name == name);
    group.map_or(&[], |group| &group.values)
}
