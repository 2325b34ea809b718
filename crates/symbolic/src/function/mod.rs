//! The functions that a formula may call, each with everything that is known about it.
//!
//! A function is a row of [`FUNCTIONS`]: its name, its value in both precisions, its derivatives, how it is written and
//! how it is compiled. All stages read the row; none of them knows the functions one by one.

mod absolute_value;
mod exponential;
mod extremum;
mod hyperbolic;
mod inverse_trigonometric;
mod row;
mod sinc;
mod square_root;
mod trigonometric;

use crate::DoubleDouble;
use serde::{Deserialize, Serialize};
use std::fmt;

pub use row::{
    Binary, Feature, FunctionRow, Intrinsic, OperatorName, Rules, Style, Symmetry, Unary,
};

/// Every function, in the order of the documentation.
pub static FUNCTIONS: &[&FunctionRow] = &[
    &trigonometric::SIN,
    &trigonometric::COS,
    &trigonometric::TAN,
    &inverse_trigonometric::ASIN,
    &inverse_trigonometric::ACOS,
    &inverse_trigonometric::ATAN,
    &inverse_trigonometric::ATAN2,
    &hyperbolic::SINH,
    &hyperbolic::COSH,
    &hyperbolic::TANH,
    &exponential::EXP,
    &exponential::LOG,
    &square_root::SQRT,
    &sinc::SINC,
    &sinc::DSINC,
    &absolute_value::ABS,
    &absolute_value::SIGN,
    &extremum::MIN,
    &extremum::MAX,
];

/// A function of one or two arguments: its position in [`FUNCTIONS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Function(u8);

/// The functions that rules, identities and derivations build expressions of.
#[expect(missing_docs, reason = "each is the function of its name")]
impl Function {
    pub const SIN: Function = Function::named("sin");
    pub const COS: Function = Function::named("cos");
    pub(crate) const SINH: Function = Function::named("sinh");
    pub(crate) const COSH: Function = Function::named("cosh");
    pub(crate) const ABS: Function = Function::named("abs");
    pub(crate) const EXP: Function = Function::named("exp");
    pub(crate) const LOG: Function = Function::named("log");
    pub(crate) const SIGN: Function = Function::named("sign");
}

impl Function {
    /// The function of this name, for constants: a name that no row has does not compile there.
    ///
    /// # Panics
    /// If no row has the name.
    pub const fn named(name: &str) -> Function {
        let mut at = 0;
        while at < FUNCTIONS.len() {
            if is_same(FUNCTIONS[at].name, name) {
                return Function(at as u8);
            }
            at += 1;
        }
        panic!("no function has this name")
    }

    /// Every function, in the order of [`FUNCTIONS`].
    pub fn all() -> impl Iterator<Item = Function> {
        (0..FUNCTIONS.len()).map(|at| Function(at as u8))
    }

    /// The function of this name.
    pub fn from_name(name: &str) -> Option<Function> {
        Function::all().find(|function| function.name() == name)
    }

    /// Everything that is known about it.
    pub fn row(self) -> &'static FunctionRow {
        FUNCTIONS[usize::from(self.0)]
    }

    /// The name in formulas.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self.row().rules {
            Rules::One(_) => 1,
            Rules::Two(_) => 2,
        }
    }

    /// The value; functions of one argument ignore `y`.
    pub fn evaluate(self, x: f64, y: f64) -> f64 {
        match &self.row().rules {
            Rules::One(rules) => (rules.value)(x),
            Rules::Two(rules) => (rules.value)(x, y),
        }
    }

    /// The value in twice the usual precision; functions of one argument ignore `y`.
    pub fn evaluate_precisely(self, x: DoubleDouble, y: DoubleDouble) -> DoubleDouble {
        match &self.row().rules {
            Rules::One(rules) => (rules.precise_value)(x),
            Rules::Two(rules) => (rules.precise_value)(x, y),
        }
    }

    /// The rules of a function of one argument.
    ///
    /// # Panics
    /// If it takes two.
    pub fn unary(self) -> &'static Unary {
        match &self.row().rules {
            Rules::One(rules) => rules,
            Rules::Two(_) => panic!("`{}` takes two arguments", self.name()),
        }
    }

    /// The rules of a function of two arguments.
    ///
    /// # Panics
    /// If it takes one.
    pub fn binary(self) -> &'static Binary {
        match &self.row().rules {
            Rules::One(_) => panic!("`{}` takes one argument", self.name()),
            Rules::Two(rules) => rules,
        }
    }
}

/// Texts are not compared with `==` in constants.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut same = a.len() == b.len();
    let mut at = 0;
    while same && at < a.len() {
        same = a[at] == b[at];
        at += 1;
    }
    same
}

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl From<Function> for &'static str {
    fn from(function: Function) -> &'static str {
        function.name()
    }
}

impl TryFrom<String> for Function {
    type Error = String;

    fn try_from(name: String) -> Result<Function, String> {
        Function::from_name(&name).ok_or_else(|| format!("`{name}` is not a function"))
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Graph, Notation, parse};

    /// Arguments at one of which at least every function is defined and smooth, also when an argument moves a little.
    const POINTS: [[f64; 2]; 4] = [[0.7, 1.3], [-0.4, 0.6], [2.0, 0.9], [3.1, -1.7]];

    fn call_text(function: Function) -> String {
        let arguments = ["x", "y"][..function.arity()].join(", ");
        format!("{}({arguments})", function.name())
    }

    /// ∂f by differences of its value in twice the usual precision.
    fn quotient(function: Function, point: [f64; 2], slot: usize) -> f64 {
        let step = 1.0 / f64::from(1 << 20);
        let at = |steps: f64| {
            let mut point = point.map(DoubleDouble::from);
            point[slot] = point[slot] + DoubleDouble::from(steps * step);
            function.evaluate_precisely(point[0], point[1])
        };
        let (near, far) = (at(1.0) - at(-1.0), at(2.0) - at(-2.0));
        ((near * 8.0.into() - far) / (12.0 * step).into()).to_f64()
    }

    #[test]
    fn every_function_is_found_by_a_name_of_its_own() {
        for function in Function::all() {
            assert_eq!(Function::from_name(function.name()), Some(function));
            assert_eq!(Function::named(function.name()), function);
            assert_eq!(Function::try_from(function.name().to_owned()), Ok(function));
        }
        assert_eq!(Function::from_name("sine"), None);
        assert!(FUNCTIONS.len() <= usize::from(u8::MAX), "a function is a byte");
    }

    #[test]
    fn every_function_has_the_same_value_in_both_precisions() {
        for function in Function::all() {
            let mut compared = 0;
            for [x, y] in POINTS {
                let plain = function.evaluate(x, y);
                let precise = function.evaluate_precisely(x.into(), y.into()).to_f64();
                let same = (plain - precise).abs() <= 4.0 * f64::EPSILON * precise.abs();
                assert!(same || (plain.is_nan() && precise.is_nan()), "{function:?} at {x}, {y}");
                compared += usize::from(same);
            }
            assert!(compared > 0, "{function:?} is defined at one of the points");
        }
    }

    #[test]
    fn every_slope_is_what_differences_of_the_precise_value_say() {
        for function in Function::all() {
            let mut graph = Graph::new();
            let symbols = [graph.symbol("x"), graph.symbol("y")];
            let call = parse(&call_text(function)).unwrap().build_plain(&mut graph);
            for slot in 0..function.arity() {
                let slope = graph.derivative(call, symbols[slot]);
                for point in POINTS {
                    let expected = quotient(function, point, slot);
                    let found = graph.evaluate(&[slope], |name| point[usize::from(name == "y")])[0];
                    let same = (found - expected).abs() <= 1e-13 * expected.abs().max(1.0);
                    assert!(same || expected.is_nan(), "{function:?} at {point:?}, slope {slot}");
                }
            }
        }
    }

    #[test]
    fn every_symmetry_is_that_of_the_value() {
        for function in Function::all() {
            let Rules::One(rules) = &function.row().rules else { continue };
            for [x, _] in POINTS.into_iter().filter(|[x, _]| (rules.value)(-x).is_finite()) {
                let (here, opposite) = ((rules.value)(x), (rules.value)(-x));
                match rules.symmetry {
                    Symmetry::Even => assert_eq!(opposite, here, "{function:?}"),
                    Symmetry::Odd => assert_eq!(opposite, -here, "{function:?}"),
                    Symmetry::None => {}
                }
            }
        }
    }

    /// 0 and multiples of π are where graphs know values without computing them.
    #[test]
    fn what_the_graph_knows_of_a_function_is_its_value() {
        for function in Function::all().filter(|function| function.arity() == 1) {
            for argument in ["0", "1", "-2", "1/2", "pi", "-3/2*pi", "5/2*pi"] {
                let formula = parse(&format!("{}({argument})", function.name())).unwrap();
                let mut graph = Graph::new();
                let expr = formula.build_plain(&mut graph);
                let known = graph.evaluate(&[expr], |_| f64::NAN)[0];
                let value = formula.evaluate(|_, _| f64::NAN);
                let same = (known - value).abs() <= 1e-15;
                assert!(same || known == value || value.is_nan(), "{function:?}({argument})");
            }
        }
    }

    #[test]
    fn every_function_is_written_so_that_it_reads_as_itself() {
        for function in Function::all() {
            let text = call_text(function);
            let notation = Notation::of_formula(&parse(&text).unwrap());
            assert_eq!(notation.to_formula(), text);
            match function.row().style {
                Style::Operator(OperatorName { latex, mathml }) => {
                    assert!(notation.to_latex().starts_with(latex), "{}", notation.to_latex());
                    assert!(!latex.contains(['_', '^']), "{latex} may get an exponent");
                    assert!(notation.to_mathml().contains(&format!("<mi>{mathml}</mi>")));
                }
                Style::Bars => assert_eq!(notation.to_latex(), r"\left|x\right|"),
                Style::Root => assert_eq!(notation.to_latex(), r"\sqrt{x}"),
            }
        }
    }
}
