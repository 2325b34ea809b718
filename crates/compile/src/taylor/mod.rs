//! Taylor coefficients of the solutions of ẏ = f(t, y), as a program of its own: automatic differentiation of the program
//! of f, written out.
//!
//! # Equations
//! Every value u of the program becomes a series $u(t+\tau)=\sum u_k\tau^k$, and the coefficients of a result follow from
//! those of its operands: $(uv)_k=\sum u_jv_{k-j}$, $(u/v)_k=(u_k-\sum_{j<k}(u/v)_jv_{k-j})/v_0$,
//! $(\sqrt u)_k=(u_k-\sum_{0<j<k}(\sqrt u)_j(\sqrt u)_{k-j})/(2\sqrt{u_0})$. A function follows from its slope g = f′(u),
//! which is a series too, $f_k=\frac1k\sum_{j=1}^kj\,u_j\,g_{k-j}$: the row of the function brings the slope, and nothing here
//! knows the functions one by one. The solution itself is $y_{k+1}=f_k/(k+1)$. Where a function is not smooth, its slope is
//! that of the branch at the point of expansion.
//!
//! # Reference
//! Jorba, Zou, *A software package for the numerical integration of ODEs by means of high-order Taylor methods*, 2005,
//! section 2.

#[cfg(test)]
mod tests;

use crate::builder::Builder;
use crate::program::{Operation, Program, ValueGroup};
use catena_symbolic::{Expr, Function, Graph};
use rustc_hash::FxHashMap;

impl Program {
    /// From t, y and the parameters: the Taylor coefficients of orders 1 to `order` of the solution through (t, y), all
    /// components of an order side by side. This program has inputs `t`, `y` and `parameters` and the output `rate`. `None`
    /// if more than `most` operations are needed.
    pub fn taylor(&self, order: usize, most: usize) -> Option<Program> {
        self.expand(order, most, false)
    }

    /// The same for quadratures: `rate` is what is integrated, and behind the parameters stand the coefficients of orders 1
    /// to `order` − 1 of y.
    pub fn quadrature(&self, order: usize, most: usize) -> Option<Program> {
        self.expand(order, most, true)
    }

    fn expand(&self, order: usize, most: usize, is_quadrature: bool) -> Option<Program> {
        let (mut expansion, places) = Expansion::new(self, order);
        let group = |name: &str| {
            let group = self.inputs.iter().find(|group| group.name == name);
            group.map_or(&[][..], |group| &group.values)
        };
        if is_quadrature {
            let count = group("y").len() * order.saturating_sub(1);
            let coefficients = expansion.builder.inputs(COEFFICIENTS, count);
            for of_order in coefficients.chunks_exact(group("y").len().max(1)) {
                for (&component, &coefficient) in group("y").iter().zip(of_order) {
                    expansion.series[component as usize].push(Some(coefficient));
                }
            }
        }
        for &time in group("t") {
            let one = expansion.builder.constant(1.0);
            expansion.series[time as usize].extend((order > 1).then_some(Some(one)));
        }
        let rates = &self.outputs[self.output("rate")?].values;
        let mut outputs = Vec::with_capacity(order * rates.len());
        for k in 0..order {
            expansion.advance(k);
            let share = expansion.builder.constant(1.0 / (k + 1) as f64);
            for (i, &rate) in rates.iter().enumerate() {
                let coefficient = expansion.coefficient(places[rate as usize], k);
                let coefficient = expansion.multiply(Some(share), coefficient);
                if let (false, Some(&component)) = (is_quadrature, group("y").get(i)) {
                    expansion.series[component as usize].push(coefficient);
                }
                let zero = || expansion.builder.constant(0.0);
                outputs.push(coefficient.unwrap_or_else(zero));
            }
            if expansion.builder.len() > most {
                return None;
            }
        }
        let outputs = vec![ValueGroup { name: COEFFICIENTS.to_owned(), values: outputs }];
        Some(expansion.builder.finish(outputs))
    }
}

const COEFFICIENTS: &str = "coefficients";

/// What a series is made of; operands are numbers of series.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// It is known from elsewhere.
    Given,
    Operation(Operation),
}

/// What a function's series is summed up from: a series of its slope by an argument.
#[derive(Clone, Copy, Debug)]
struct Slope {
    argument: u32,
    slope: u32,
    /// Whether its negative is meant.
    negated: bool,
}

/// The series of all values of a program and of the slopes of its functions.
struct Expansion {
    builder: Builder,
    origins: Vec<Origin>,
    known: FxHashMap<Operation, u32>,
    /// Coefficients so far, the values of the new program; `None` is exactly zero.
    series: Vec<Vec<Option<u32>>>,
    /// Whether nothing but the coefficient of order 0 is there.
    constant: Vec<bool>,
    /// The highest order that anyone asks for.
    needed: Vec<usize>,
    slopes: Vec<Vec<Slope>>,
}

impl Expansion {
    /// Lists the series that are needed for coefficients up to an order.
    /// And says which series are those of the program's own values.
    fn new(program: &Program, order: usize) -> (Expansion, Vec<u32>) {
        let mut expansion = Expansion {
            builder: Builder::default(),
            origins: Vec::new(),
            known: FxHashMap::default(),
            series: Vec::new(),
            constant: Vec::new(),
            needed: Vec::new(),
            slopes: Vec::new(),
        };
        let needed = order.saturating_sub(1);
        for group in &program.inputs {
            expansion.builder.inputs(&group.name, group.values.len());
            for &value in &group.values {
                let varies = group.name == "t" || group.name == "y";
                expansion.push(Origin::Given, !varies, needed);
                expansion.series[value as usize].push(Some(value));
            }
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

    fn coefficient(&self, series: u32, k: usize) -> Option<u32> {
        self.series[series as usize].get(k).copied().flatten()
    }

    /// Adds the coefficients of order k to all series that need it.
    fn advance(&mut self, k: usize) {
        for series in 0..self.origins.len() as u32 {
            let Origin::Operation(operation) = self.origins[series as usize] else { continue };
            if self.needed[series as usize] < k || (self.constant[series as usize] && k > 0) {
                continue;
            }
            let coefficient = match k {
                0 => self.value(operation),
                _ => self.next(series, operation, k),
            };
            self.series[series as usize].push(coefficient);
        }
    }

    /// The coefficient of order 0: the value itself, by the same operation.
    fn value(&mut self, operation: Operation) -> Option<u32> {
        let zero = self.builder.constant(0.0);
        let first = |operand: u32| self.series[operand as usize][0].unwrap_or(zero);
        let operation = operation.map(first);
        Some(self.builder.emit(operation))
    }

    /// The coefficient of order k ≥ 1 of a series that is not constant.
    fn next(&mut self, series: u32, operation: Operation, k: usize) -> Option<u32> {
        match operation {
            Operation::Add(a, b) => {
                let (a, b) = (self.coefficient(a, k), self.coefficient(b, k));
                self.sum(a, b)
            }
            Operation::Subtract(a, b) => {
                let (a, b) = (self.coefficient(a, k), self.coefficient(b, k));
                self.difference(a, b)
            }
            Operation::Negate(a) => {
                let a = self.coefficient(a, k)?;
                Some(self.builder.emit(Operation::Negate(a)))
            }
            Operation::Multiply(a, b) => self.product(a, b, k),
            Operation::Divide(a, b) => self.quotient(series, a, b, k),
            Operation::SquareRoot(a) => self.square_root(series, a, k),
            Operation::Power(x, y) if self.constant[y as usize] => self.power(series, x, y, k),
            Operation::MultiplyAdd(..)
            | Operation::MultiplySubtract(..)
            | Operation::NegatedMultiplyAdd(..)
            | Operation::Guard(..) => unreachable!("programs are read before fusing"),
            _ => self.function(series, k),
        }
    }

    /// $\sum u_jv_{k-j}$
    fn product(&mut self, u: u32, v: u32, k: usize) -> Option<u32> {
        if u != v {
            let terms = (0..=k).map(|j| (self.coefficient(u, j), self.coefficient(v, k - j)));
            let terms: Vec<_> = terms.collect();
            return self.products(&terms);
        }
        // a square has every product but one twice
        let terms =
            (0..k.div_ceil(2)).map(|j| (self.coefficient(u, j), self.coefficient(u, k - j)));
        let terms: Vec<_> = terms.collect();
        let half = self.products(&terms);
        let twice = self.sum(half, half);
        let middle = match k.is_multiple_of(2) {
            true => self.coefficient(u, k / 2),
            false => None,
        };
        let square = self.multiply(middle, middle);
        self.sum(twice, square)
    }

    /// $(u_k-\sum_{j<k}q_jv_{k-j})/v_0$
    fn quotient(&mut self, q: u32, u: u32, v: u32, k: usize) -> Option<u32> {
        let terms: Vec<_> =
            (0..k).map(|j| (self.coefficient(q, j), self.coefficient(v, k - j))).collect();
        let rest = self.coefficient(u, k);
        let rest = self.minus_products(rest, &terms);
        let divisor = self.coefficient(v, 0);
        let reciprocal = self.reciprocal(divisor);
        self.multiply(rest, reciprocal)
    }

    /// $(u_k-\sum_{0<j<k}r_jr_{k-j})/(2r_0)$
    fn square_root(&mut self, r: u32, u: u32, k: usize) -> Option<u32> {
        let terms: Vec<_> =
            (1..k).map(|j| (self.coefficient(r, j), self.coefficient(r, k - j))).collect();
        let rest = self.coefficient(u, k);
        let rest = self.minus_products(rest, &terms);
        let root = self.coefficient(r, 0);
        let divisor = self.sum(root, root);
        let reciprocal = self.reciprocal(divisor);
        self.multiply(rest, reciprocal)
    }

    /// $\frac1{k\,x_0}\sum_{j=1}^k(jy-(k-j))\,x_jp_{k-j}$ for $p=x^y$ with a constant y.
    fn power(&mut self, p: u32, x: u32, y: u32, k: usize) -> Option<u32> {
        let exponent = self.coefficient(y, 0);
        let mut terms = Vec::with_capacity(k);
        for j in 1..=k {
            let (factor, less) = (self.builder.constant(j as f64), (k - j) as f64);
            let factor = self.multiply(Some(factor), exponent);
            let less = (less > 0.0).then(|| self.builder.constant(less));
            let factor = self.difference(factor, less);
            let weighted = self.multiply(factor, self.coefficient(x, j));
            terms.push((weighted, self.coefficient(p, k - j)));
        }
        let sum = self.products(&terms);
        let (base, count) = (self.coefficient(x, 0), self.builder.constant(k as f64));
        let divisor = self.multiply(base, Some(count));
        let reciprocal = self.reciprocal(divisor);
        self.multiply(sum, reciprocal)
    }

    /// $\frac1k\sum_{j=1}^kj\,u_j\,g_{k-j}$, for every argument u with its slope g.
    fn function(&mut self, series: u32, k: usize) -> Option<u32> {
        let slopes = self.slopes[series as usize].clone();
        let mut parts = Vec::new();
        for Slope { argument, slope, negated } in slopes {
            let pairs =
                (1..=k).map(|j| (j, self.coefficient(argument, j), self.coefficient(slope, k - j)));
            let pairs = pairs.filter(|(_, u, g)| u.is_some() && g.is_some());
            let pairs: Vec<_> = pairs.collect();
            // a single term needs one weight, and of the highest order none
            let (weights, share): (Vec<f64>, f64) = match pairs[..] {
                [(j, ..)] => (vec![1.0], j as f64 / k as f64),
                _ => (pairs.iter().map(|(j, ..)| *j as f64).collect(), 1.0 / k as f64),
            };
            let mut terms = Vec::with_capacity(pairs.len());
            for ((_, u, g), weight) in pairs.into_iter().zip(weights) {
                let weight = self.builder.constant(weight);
                terms.push((self.multiply(Some(weight), u), g));
            }
            let sum = self.products(&terms);
            let share = self.builder.constant(if negated { -share } else { share });
            parts.push(self.multiply(Some(share), sum));
        }
        let whole = parts.into_iter().reduce(|a, b| self.sum(a, b));
        whole.flatten()
    }

    /// The sum of products, one after the other.
    fn products(&mut self, terms: &[(Option<u32>, Option<u32>)]) -> Option<u32> {
        let mut sum = None;
        for &(a, b) in terms {
            let product = self.multiply(a, b);
            sum = self.sum(sum, product);
        }
        sum
    }

    /// A value less the sum of products, one after the other.
    fn minus_products(
        &mut self,
        value: Option<u32>,
        terms: &[(Option<u32>, Option<u32>)],
    ) -> Option<u32> {
        let mut rest = value;
        for &(a, b) in terms {
            let product = self.multiply(a, b);
            rest = self.difference(rest, product);
        }
        rest
    }

    fn multiply(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        let one = self.builder.constant(1.0);
        let (a, b) = (a?, b?);
        Some(match () {
            () if a == one => b,
            () if b == one => a,
            () => self.builder.emit(Operation::Multiply(a.min(b), a.max(b))),
        })
    }

    fn reciprocal(&mut self, value: Option<u32>) -> Option<u32> {
        let one = self.builder.constant(1.0);
        let value = value.unwrap_or_else(|| self.builder.constant(0.0));
        Some(self.builder.emit(Operation::Divide(one, value)))
    }

    fn sum(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.emit(Operation::Add(a, b))),
            (a, b) => a.or(b),
        }
    }

    fn difference(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.emit(Operation::Subtract(a, b))),
            (None, Some(b)) => Some(self.builder.emit(Operation::Negate(b))),
            (a, None) => a,
        }
    }
}

/// f′(x) from x and f(x).
fn slope_program(function: Function) -> Program {
    let mut graph = Graph::new();
    let inputs = [graph.symbol("x"), graph.symbol("f")];
    let slope = (function.unary().slope)(&mut graph, inputs[0], inputs[1]);
    lowered(&graph, &inputs, slope)
}

/// ∂f/∂x and ∂f/∂y from x and y.
fn slope_programs(function: Function) -> [Program; 2] {
    function.binary().slopes.map(|slope| {
        let mut graph = Graph::new();
        let inputs = [graph.symbol("x"), graph.symbol("y")];
        let slope = slope(&mut graph, inputs[0], inputs[1]);
        lowered(&graph, &inputs, slope)
    })
}

fn lowered(graph: &Graph, inputs: &[Expr], slope: Expr) -> Program {
    Program::lower(graph, &[("arguments", inputs)], &[("slope", &[slope])])
}
