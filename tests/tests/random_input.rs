//! Random input: whatever is written, the program answers and does not fall over; and what is
//! written back, simplified or differentiated has the values of what was read.
//!
//! The seed is fixed, so that a run can be repeated. `PROPTEST_CASES` asks for more cases.

use catena::symbolic::{
    Expr, Formula, FormulaNode, Function, Graph, Node, Notation, Operator, Simplifier, parse,
};
use catena::{CoordinateSet, Format, Setting, Source};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, contextualize_config};

fn config() -> ProptestConfig {
    contextualize_config(ProptestConfig {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        // a formula or a model of a few lines is not worth hours of shrinking
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    })
}

/// A value and a bound of its rounding error. Different ways to write an expression round
/// differently; the bounds tell a wrong value from a point where every way is inexact.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    value: f64,
    /// Infinite where rounding may take another branch, or out of the domain.
    error: f64,
}

/// A little more than one rounding, for functions that are not rounded correctly.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Estimate {
    fn exact(value: f64) -> Estimate {
        Estimate { value, error: 0.0 }
    }

    /// A result with the error that its operands bring along.
    fn rounded(value: f64, inherited: f64) -> Estimate {
        let error = inherited + ROUNDING * value.abs();
        // what is not finite tells nothing, even where a later operation makes it finite again
        let known = value.is_finite() && error.is_finite();
        Estimate { value, error: if known { error } else { f64::INFINITY } }
    }

    fn number(value: f64) -> Estimate {
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        if whole { Estimate::exact(value) } else { Estimate::rounded(value, 0.0) }
    }

    /// Whether the sign of the value is beyond doubt; exactly zero is no doubt either.
    fn sign_is_certain(self) -> bool {
        self.value.abs() > self.error || self.error == 0.0
    }

    fn negated(self) -> Estimate {
        Estimate { value: -self.value, ..self }
    }

    fn plus(self, other: Estimate) -> Estimate {
        Estimate::rounded(self.value + other.value, self.error + other.error)
    }

    fn times(self, other: Estimate) -> Estimate {
        let inherited = self.value.abs() * other.error
            + other.value.abs() * self.error
            + self.error * other.error;
        Estimate::rounded(self.value * other.value, inherited)
    }

    fn over(self, other: Estimate) -> Estimate {
        let value = self.value / other.value;
        // twice the first order is more than the rest where the divisor is known to half
        let safe = other.error < 0.5 * other.value.abs();
        let inherited = 2.0 * (self.error + value.abs() * other.error) / other.value.abs();
        Estimate::rounded(value, if safe { inherited } else { f64::INFINITY })
    }

    fn power(self, exponent: Estimate) -> Estimate {
        let (base, y) = (self.value, exponent.value);
        let value =
            if y.fract() == 0.0 && y.abs() <= 64.0 { base.powi(y as i32) } else { base.powf(y) };
        let whole = y.fract() == 0.0 && exponent.error == 0.0;
        if whole && y >= 0.0 && base == 0.0 {
            return Estimate::rounded(value, self.error);
        }
        let safe = (whole || base > 0.0) && self.error * y.abs().max(1.0) < 0.5 * base.abs();
        let relative = y.abs() * self.error / base.abs() + base.abs().ln().abs() * exponent.error;
        let inherited = value.abs() * (2.0 * relative + (1.0 + y.abs()) * ROUNDING);
        Estimate::rounded(value, if safe { inherited } else { f64::INFINITY })
    }

    fn call(function: Function, x: Estimate, y: Estimate) -> Estimate {
        let value = function.evaluate(x.value, y.value);
        let certain = |certain: bool, slope: f64| if certain { slope } else { f64::INFINITY };
        // a bound of |f′| around x, or infinite where the error of x is too large for one
        let slope = match function.name() {
            "sin" | "cos" | "sinc" | "atan" | "tanh" | "abs" => 1.0,
            "tan" => certain(x.error * (1.0 + value.abs()) < 0.1, 2.0 + 2.0 * value * value),
            "asin" | "acos" => {
                let room = 1.0 - x.value.abs();
                certain(x.error < 0.5 * room, 2.0 / (room * (1.0 + x.value.abs())).sqrt())
            }
            "sinh" | "cosh" => certain(x.error < 0.1, 2.0 * x.value.cosh()),
            "exp" => certain(x.error < 0.1, 2.0 * value),
            "log" => certain(x.error < 0.5 * x.value, 2.0 / x.value),
            "sqrt" if x.value == 0.0 && x.error == 0.0 => 0.0,
            "sqrt" => certain(x.error < 0.5 * x.value, 1.0 / value),
            "sign" => certain(x.sign_is_certain(), 0.0),
            "atan2" => return Estimate::angle(x, y),
            "min" | "max" => {
                let chosen = if value == x.value { x } else { y };
                let known = (x.value - y.value).is_finite();
                return Estimate::rounded(value, if known { chosen.error } else { f64::INFINITY })
                    .no_better_than(x.value - y.value, x.error + y.error);
            }
            "dsinc" => {
                let order_is_known = x.error == 0.0;
                let inherited = y.error + ROUNDING * (1.0 + y.value.abs());
                return Estimate::rounded(value, certain(order_is_known, inherited));
            }
            other => panic!("how does `{other}` pass errors on?"),
        };
        // sine and cosine of large angles lose the digits that the angle does not have
        let reduction = if slope == 1.0 { ROUNDING * x.value.abs() } else { 0.0 };
        let inherited = if x.error == 0.0 && slope.is_finite() { 0.0 } else { slope * x.error };
        Estimate::rounded(value, inherited + reduction)
    }

    /// Where the operands of min or max are too near to tell apart, either may be chosen.
    fn no_better_than(self, difference: f64, doubt: f64) -> Estimate {
        if difference.abs() > doubt || doubt == 0.0 {
            return self;
        }
        Estimate { error: self.error + doubt, ..self }
    }

    fn angle(sine: Estimate, cosine: Estimate) -> Estimate {
        let (s, c) = (sine.value, cosine.value);
        let square = s * s + c * c;
        let on_the_cut = c < cosine.error && s.abs() <= sine.error;
        let safe = !on_the_cut && sine.error + cosine.error < 0.1 * square.sqrt();
        let inherited = 2.0 * (s.abs() * cosine.error + c.abs() * sine.error) / square;
        Estimate::rounded(s.atan2(c), if safe { inherited } else { f64::INFINITY })
    }

    /// Whether the value is known to 1e-10, relative to itself or to 1e-3.
    fn is_known(self) -> bool {
        self.value.is_finite() && self.error < 1e-10 * self.value.abs().max(1e-3)
    }

    /// Whether both are the same to 1e-9; also if one of them is not known well enough to say.
    fn agrees_with(self, other: Estimate) -> bool {
        if !self.is_known() || other.error >= 1e-10 * self.value.abs().max(1e-3) {
            return true;
        }
        (self.value - other.value).abs() <= 1e-9 * self.value.abs().max(1e-3)
    }
}

/// Names of every kind: Greek, indexed, dotted, foreign, and such as need care when written.
const NAMES: [&str; 16] = [
    "x", "y", "z", "theta1", "x'", "theta1'", "L2", "tip_x", "omega_0", "q''", "längs", "ω", "_",
    "a_", "b__c1", "w'''",
];

type Point = [f64; NAMES.len()];

fn value_of(name: &str, point: &Point) -> f64 {
    let position = NAMES.iter().position(|&known| known == name);
    point[position.unwrap_or_else(|| panic!("the name `{name}` was never written"))]
}

/// The value of a formula as it is written, operation by operation.
fn of_formula(formula: &Formula, point: &Point) -> Estimate {
    let mut values: Vec<Estimate> = Vec::new();
    for node in formula.nodes() {
        let value = match *node {
            FormulaNode::Number(number) => Estimate::number(number.to_f64()),
            FormulaNode::Pi => Estimate::rounded(std::f64::consts::PI, 0.0),
            FormulaNode::Name(ref name, primes) => {
                Estimate::exact(value_of(&catena::symbolic::primed(name, primes), point))
            }
            FormulaNode::Negate(x) => values[x].negated(),
            FormulaNode::Degrees(x) => {
                values[x].times(Estimate::rounded(std::f64::consts::PI / 180.0, 0.0))
            }
            FormulaNode::Binary(operator, x, y) => {
                let (x, y) = (values[x], values[y]);
                match operator {
                    Operator::Add => x.plus(y),
                    Operator::Subtract => x.plus(y.negated()),
                    Operator::Multiply => x.times(y),
                    Operator::Divide => x.over(y),
                    Operator::Power => x.power(y),
                }
            }
            FormulaNode::Call(function, x, y) => {
                Estimate::call(function, values[x], y.map_or(Estimate::exact(0.0), |y| values[y]))
            }
        };
        values.push(value);
    }
    // one unknown anywhere makes the whole unknown: min(NaN, 1) is 1, but says nothing
    let error = if values.iter().all(|value| value.error.is_finite()) {
        values[values.len() - 1].error
    } else {
        f64::INFINITY
    };
    Estimate { error, ..values[values.len() - 1] }
}

/// The value of an expression of the graph, node by node.
fn of_expr(graph: &Graph, expr: Expr, point: &Point) -> Estimate {
    let order = graph.reachable(&[expr]);
    let mut values: Vec<Estimate> = Vec::with_capacity(order.len());
    for &node in &order {
        let at = |operand: Expr| {
            values[order.binary_search(&operand).expect("operands stand before their users")]
        };
        values.push(match graph.node(node) {
            Node::Number(number) => Estimate::number(number.to_f64()),
            Node::Pi => Estimate::rounded(std::f64::consts::PI, 0.0),
            Node::Symbol(symbol) => Estimate::exact(value_of(graph.name(symbol), point)),
            Node::Add(a, b) => at(a).plus(at(b)),
            Node::Mul(a, b) => at(a).times(at(b)),
            Node::Power(a, b) => at(a).power(at(b)),
            Node::Call(function, x) => Estimate::call(function, at(x), Estimate::exact(0.0)),
            Node::Call2(function, x, y) => Estimate::call(function, at(x), at(y)),
        });
    }
    let error = if values.iter().any(|value| value.error.is_infinite()) {
        f64::INFINITY
    } else {
        values[values.len() - 1].error
    };
    Estimate { error, ..values[values.len() - 1] }
}

fn formats() -> impl Strategy<Value = Format> {
    let text = Format::Text { color: true };
    let others = [Format::Latex, Format::Markdown, Format::Html, Format::Json];
    proptest::sample::select([&[text][..], &others].concat())
}

/// Numbers as people write them.
fn numbers() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..20_u32).prop_map(|n| n.to_string()),
        (0..1000_u32, 0..4_u32).prop_map(|(n, digits)| format!("{n}e-{digits}")),
        proptest::sample::select(vec!["0.1", ".5", "2.", "1/3", "7/2", "9.81", "1e6", "60 deg"])
            .prop_map(str::to_owned),
    ]
}

/// Formulas that can be read, of every operation there is.
fn formulas() -> impl Strategy<Value = String> {
    let names = prop_oneof![
        6 => proptest::sample::select(&NAMES[..4]),
        1 => proptest::sample::select(&NAMES[..]),
    ];
    let leaves = prop_oneof![
        4 => names.prop_map(str::to_owned),
        2 => numbers(),
        1 => Just("pi".to_owned()),
    ];
    leaves.prop_recursive(6, 40, 2, |inner| {
        let (a, b) = (inner.clone(), inner.clone());
        let operators = proptest::sample::select(vec!["+", " - ", "*", "/", " + ", "−", "·"]);
        let exponents = vec!["2", "3", "-1", "-2", "(1/2)", "0.5", "(-3/2)", "1", "0", "(1/3)"];
        let one: Vec<_> = Function::all().filter(|f| f.arity() == 1).collect();
        let two: Vec<_> = Function::all().filter(|f| f.arity() == 2).collect();
        prop_oneof![
            // without parentheses, so that the precedence decides what belongs together
            4 => (a.clone(), operators.clone(), b.clone())
                .prop_map(|(a, operator, b)| format!("{a}{operator}{b}")),
            4 => (a.clone(), operators, b.clone())
                .prop_map(|(a, operator, b)| format!("({a}){operator}({b})")),
            2 => (a.clone(), proptest::sample::select(exponents))
                .prop_map(|(a, exponent)| format!("({a})^{exponent}")),
            1 => (a.clone(), b.clone()).prop_map(|(a, b)| format!("({a})^({b})")),
            1 => (a.clone(), b.clone()).prop_map(|(a, b)| format!("{a}^{b}")),
            1 => a.clone().prop_map(|a| format!("-{a}")),
            1 => a.clone().prop_map(|a| format!("({a}) deg")),
            3 => (proptest::sample::select(one), a.clone())
                .prop_map(|(function, a)| format!("{}({a})", function.name())),
            1 => (proptest::sample::select(two), a, b)
                .prop_map(|(function, a, b)| format!("{}({a}, {b})", function.name())),
        ]
    })
}

/// Sums in which the trigonometric identities find their partners: sines and cosines of few angles,
/// in pairs that belong together, among other terms.
fn trigonometric_sums() -> impl Strategy<Value = String> {
    let angles = || {
        proptest::sample::select(vec!["x", "theta1", "(x - theta1)", "(theta1 + y)", "2*x", "-y"])
    };
    let signs = || proptest::sample::select(vec!["+", "-"]);
    let factor = (proptest::sample::select(vec!["sin", "cos"]), angles(), 1..5)
        .prop_map(|(function, angle, exponent)| format!("{function}({angle})^{exponent}"));
    let coefficients = vec!["1", "2", "L2", "L2*y", "(L2 + y)", "x'", "x'*theta1'", "y/3", "x'^2"];
    let common = (proptest::sample::select(coefficients), proptest::collection::vec(factor, 0..3))
        .prop_map(|(coefficient, factors)| {
            factors.iter().fold(coefficient.to_owned(), |all, factor| format!("{all}*{factor}"))
        });
    let pairs = proptest::sample::select(vec![
        ["cos(A)*cos(B)", "sin(A)*sin(B)"],
        ["sin(A)*cos(B)", "cos(A)*sin(B)"],
        ["cos(A)^2", "sin(A)^2"],
        ["1", "sin(A)^2"],
        ["1", "cos(A)^2"],
        ["3*cos(A)^2", "2*sin(A)^2"],
    ]);
    let pair = (common, pairs, [signs(), signs()], angles(), angles()).prop_map(
        |(common, pair, signs, a, b)| {
            let term = |k: usize| {
                let product = pair[k].replace('A', a).replace('B', b);
                format!("{} {common}*{product}", signs[k])
            };
            [term(0), term(1)]
        },
    );
    proptest::collection::vec(pair, 1..4)
        .prop_flat_map(|pairs| Just(pairs.concat()).prop_shuffle())
        .prop_map(|terms| terms.join(" "))
}

/// Points away from the origin and from each other, on both sides of zero.
fn points() -> impl Strategy<Value = Point> {
    proptest::array::uniform16(prop_oneof![3 => 0.1..2.5_f64, 1 => -2.5..-0.1_f64])
}

fn read(text: &str) -> Result<Formula, TestCaseError> {
    parse(text).map_err(|error| TestCaseError::fail(format!("`{text}` is not read: {error}")))
}

/// Fails if two values differ by more than rounding.
fn same(what: &str, found: Estimate, expected: Estimate) -> Result<(), TestCaseError> {
    // what was written may be undefined where its simpler form is not: √x·√x is x
    prop_assert!(
        !expected.is_known() || expected.agrees_with(found),
        "{what}: {found:?} instead of {expected:?}"
    );
    Ok(())
}

/// Writes a notation in every way; LaTeX must be what a reader of LaTeX accepts.
fn written_everywhere(notation: &Notation) -> Result<(), TestCaseError> {
    for text in [notation.to_text(), notation.to_mathml()] {
        prop_assert!(!text.is_empty());
    }
    let latex = notation.to_latex();
    let storage = pulldown_latex::Storage::new();
    let events: Result<Vec<_>, _> = pulldown_latex::Parser::new(&latex, &storage).collect();
    let events = events.map_err(|error| TestCaseError::fail(format!("{latex}: {error}")))?;
    let mut mathml = String::new();
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    pulldown_latex::push_mathml(&mut mathml, events, pulldown_latex::RenderConfig::default())
        .map_err(|error| TestCaseError::fail(format!("{latex}: {error}")))?;
    Ok(())
}

/// Reads again what was written in the syntax of model files.
fn read_again(
    what: &str,
    notation: &Notation,
    point: &Point,
    expected: Estimate,
) -> Result<(), TestCaseError> {
    // what is too long to be shown is not written out
    if notation.to_formula().contains("...") {
        return Ok(());
    }
    let text = notation.to_formula();
    same(&format!("{what}, {text}"), of_formula(&read(&text)?, point), expected)
}

/// A place must lie inside its text, between whole characters: it will be shown there.
fn inside(text: &str, place: &std::ops::Range<usize>) -> Result<(), TestCaseError> {
    prop_assert!(place.start <= place.end, "{place:?} is turned around");
    prop_assert!(text.get(place.clone()).is_some(), "{place:?} is not a place in {text:?}");
    Ok(())
}

fn read_or_refused(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(formula) => {
            for node in 0..formula.nodes().len() {
                inside(text, &formula.span(node))?;
            }
        }
        Err(error) => {
            prop_assert!(!error.to_string().is_empty() && !error.kind.help().is_empty());
            inside(text, &error.span)?;
        }
    }
    Ok(())
}

/// One careless change to a text.
#[derive(Clone, Debug)]
enum Slip {
    /// So many characters are lost.
    Delete(usize),
    /// Something is typed in between.
    Insert(String),
    /// A line is lost.
    DeleteLine,
    /// A line is there twice.
    RepeatLine,
    /// A line is moved up by so many.
    MoveLine(usize),
    /// A word becomes another one of the text.
    ReplaceWord(proptest::sample::Index),
    /// Something is put in place of a word.
    WriteOver(String),
}

/// Pieces of model files, and what does not belong into one.
const PIECES: [&str; 58] = [
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    "'",
    "''",
    ",",
    ".",
    "=",
    "\"",
    "\"\"\"",
    "[",
    "]",
    "{",
    "}",
    "#",
    "\n",
    "\t",
    " ",
    "\\",
    "\u{0}",
    "é",
    "θ",
    "𝄞",
    "\u{feff}",
    "0",
    "-1",
    "2.5",
    "1e308",
    "1e-308",
    "1e999",
    "nan",
    "inf",
    "true",
    "0x1F",
    "2024-02-29",
    "sin(",
    "sqrt(",
    "log(",
    "atan2(t, t)",
    "abs(",
    "sign(",
    "min(t, 1)",
    "^0.5",
    "^-3",
    "/0",
    "*0",
    "pi",
    "deg",
    "t",
    "lambda_phi1",
    "[chain]\n",
    "[states]\nz = \"-z\"\n",
    "[constraints]\nc = \"t\"\n",
    "links = 2\n",
];

fn slips() -> impl Strategy<Value = (Slip, proptest::sample::Index)> {
    let pieces = || proptest::sample::select(&PIECES[..]).prop_map(str::to_owned);
    let slip = prop_oneof![
        3 => (1..8_usize).prop_map(Slip::Delete),
        4 => pieces().prop_map(Slip::Insert),
        1 => any::<char>().prop_map(|c| Slip::Insert(c.into())),
        1 => Just(Slip::DeleteLine),
        1 => Just(Slip::RepeatLine),
        1 => (1..40_usize).prop_map(Slip::MoveLine),
        5 => any::<proptest::sample::Index>().prop_map(Slip::ReplaceWord),
        4 => pieces().prop_map(Slip::WriteOver),
    ];
    (slip, any::<proptest::sample::Index>())
}

/// The places of words: names and numbers.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric() || *c == '_') {
        match words.last_mut() {
            Some(word) if word.end == at => word.end += c.len_utf8(),
            _ => words.push(at..at + c.len_utf8()),
        }
    }
    words
}

fn slipped(text: &str, slip: &Slip, place: &proptest::sample::Index) -> String {
    let character = |place: &proptest::sample::Index| {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if starts.is_empty() { 0 } else { starts[place.index(starts.len())] }
    };
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line = if lines.is_empty() { 0 } else { place.index(lines.len()) };
    let words = words(text);
    let word = if words.is_empty() { 0..0 } else { words[place.index(words.len())].clone() };
    match slip {
        Slip::Delete(count) => {
            let at = character(place);
            let lost: usize = text[at..].chars().take(*count).map(char::len_utf8).sum();
            format!("{}{}", &text[..at], &text[at + lost..])
        }
        Slip::Insert(piece) => {
            let at = character(place);
            format!("{}{piece}{}", &text[..at], &text[at..])
        }
        Slip::ReplaceWord(_) | Slip::DeleteLine | Slip::RepeatLine | Slip::MoveLine(_)
            if words.is_empty() =>
        {
            text.to_owned()
        }
        Slip::DeleteLine => {
            lines.remove(line);
            lines.concat()
        }
        Slip::RepeatLine => {
            lines.insert(line, lines[line]);
            lines.concat()
        }
        Slip::MoveLine(count) => {
            let moved = lines.remove(line);
            lines.insert(line.saturating_sub(*count), moved);
            lines.concat()
        }
        Slip::ReplaceWord(other) => {
            let other = &text[words[other.index(words.len())].clone()];
            format!("{}{other}{}", &text[..word.start], &text[word.end..])
        }
        Slip::WriteOver(piece) => format!("{}{piece}{}", &text[..word.start], &text[word.end..]),
    }
}

/// Reads a model, and examines and derives it if it is one.
fn used(text: &str, settings: &[Setting], format: Format) -> Result<(), TestCaseError> {
    let model = match catena::read(Source::new("random.toml", text), settings) {
        Ok(model) => model,
        Err(refusal) => {
            prop_assert!(!refusal.problems.is_empty(), "refused without a reason");
            for problem in &refusal.problems {
                inside(&refusal.sources[problem.place.source].text, &problem.place.span)?;
                prop_assert!(!problem.kind.to_string().is_empty());
                prop_assert!(problem.kind.help().is_some());
            }
            return Ok(());
        }
    };
    for warning in &model.warnings {
        inside(&model.sources[warning.place.source].text, &warning.place.span)?;
    }
    // large systems take their time, and are made of the same parts
    if model.own.coordinates.len() > 12 || model.chain.as_ref().is_some_and(|c| c.links > 6) {
        return Ok(());
    }
    for finding in catena::diagnose(&model).findings {
        prop_assert!(!finding.kind.message().is_empty() && !finding.kind.help().is_empty());
    }
    for set in [CoordinateSet::Own, CoordinateSet::Absolute] {
        // a slip may well make formulas that are finite nowhere: an answer, not a failure
        let Ok(derivation) = catena::derive(&model, set) else { continue };
        let written = derivation.write(format);
        prop_assert!(!written.is_empty());
        if format == Format::Json {
            let json: Result<serde_json::Value, _> = serde_json::from_str(&written);
            prop_assert!(json.is_ok(), "{json:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_is_read_as_a_formula_or_refused_with_a_place(text in any::<String>()) {
        read_or_refused(&text)?;
    }

    #[test]
    fn letters_of_formulas_are_read_or_refused_with_a_place(
        text in r"[ 0-9a-fxyz_.eE+*/^(),'·−θ²-]{0,40}",
    ) {
        read_or_refused(&text)?;
    }

    #[test]
    fn words_of_formulas_are_read_or_refused_with_a_place(
        words in proptest::collection::vec(
            prop_oneof![
                proptest::sample::select(&PIECES[..]),
                proptest::sample::select(&NAMES[..]),
                proptest::sample::select(vec!["sin", "min", "atan2(", "sqrt (", "2e", "3.", "..4"]),
            ],
            0..24,
        ),
    ) {
        read_or_refused(&words.concat())?;
        read_or_refused(&words.join(" "))?;
    }

    #[test]
    fn formulas_with_slips_are_read_or_refused_with_a_place(
        text in formulas(),
        slips in proptest::collection::vec(slips(), 1..3),
    ) {
        let text = slips.iter().fold(text, |text, (slip, at)| slipped(&text, slip, at));
        read_or_refused(&text)?;
    }

    #[test]
    fn formulas_have_the_same_value_in_the_graph_and_when_written_back(
        text in formulas(),
        point in points(),
    ) {
        let formula = read(&text)?;
        let expected = of_formula(&formula, &point);
        let mut graph = Graph::new();
        let expr = formula.build_plain(&mut graph);
        same("in the graph", of_expr(&graph, expr, &point), expected)?;
        let derived = Notation::of(&graph, expr);
        read_again("written back from the graph", &derived, &point, expected)?;
        let kept = Notation::of_formula(&formula);
        read_again("written back as it was", &kept, &point, expected)?;
        written_everywhere(&derived)?;
        written_everywhere(&kept)?;
    }

    #[test]
    fn simplified_formulas_keep_their_value(
        point in points(),
        text in prop_oneof![formulas(), trigonometric_sums()],
    ) {
        let formula = read(&text)?;
        let expected = of_formula(&formula, &point);
        let mut graph = Graph::new();
        let expr = formula.build_plain(&mut graph);
        // with half of the names as constants: what moves is collected, what does not is factored
        let constants = graph.reachable(&[expr]).into_iter().filter_map(|e| graph.as_symbol(e));
        let constants = constants.filter(|&s| matches!(graph.name(s), "y" | "z" | "L2")).collect();
        for mut simplifier in [Simplifier::default(), Simplifier::new(constants)] {
            let simple = simplifier.simplify(&mut graph, expr);
            let notation = Notation::of(&graph, simple);
            let what = format!("simplified to {}", notation.to_formula());
            same(&what, of_expr(&graph, simple, &point), expected)?;
            read_again("written back simplified", &notation, &point, expected)?;
            written_everywhere(&notation)?;
        }
    }

    #[test]
    fn derivatives_agree_with_difference_quotients(text in formulas(), point in points()) {
        let formula = read(&text)?;
        let mut graph = Graph::new();
        let expr = formula.build_plain(&mut graph);
        let symbols = [graph.symbol("x"), graph.symbol("y"), graph.symbol("theta1")];
        let reverse = graph.gradient(expr, &symbols);
        for (position, &symbol) in symbols.iter().enumerate() {
            let forward = graph.derivative(expr, symbol);
            let name = graph.name(graph.as_symbol(symbol).expect("a symbol")).to_owned();
            let at = NAMES.iter().position(|&known| known == name).expect("a known name");
            let Some([quotient, doubt]) = difference_quotient(&formula, &point, at) else { continue };
            for (how, derivative) in [("forward", forward), ("reverse", reverse[position])] {
                let found = of_expr(&graph, derivative, &point);
                // the derivative may be undefined where the value is not: x^1.5 at 0
                if !found.is_known() {
                    continue;
                }
                let written = Notation::of(&graph, derivative).to_formula();
                prop_assert!(
                    (found.value - quotient).abs() <= doubt,
                    "{how} by {name}: {} instead of {quotient} ± {doubt:e}, {written}",
                    found.value,
                );
            }
        }
    }

    #[test]
    fn models_with_slips_are_refused_with_a_place_or_used(
        system in proptest::sample::select(catena::systems::SYSTEMS),
        slips in proptest::collection::vec(slips(), 0..5),
        format in formats(),
    ) {
        let text = system.text.to_owned();
        let text = slips.iter().fold(text, |text, (slip, at)| slipped(&text, slip, at));
        let small = Setting("links=3".to_owned());
        let settings = if text.contains("[chain]") { vec![small] } else { Vec::new() };
        used(&text, &settings, format)?;
    }

    #[test]
    fn settings_with_slips_are_refused_with_a_place_or_used(
        system in proptest::sample::select(catena::systems::SYSTEMS),
        word in any::<proptest::sample::Index>(),
        value in prop_oneof![numbers(), formulas()],
        slips in proptest::collection::vec(slips(), 0..2),
        format in formats(),
    ) {
        let words = words(system.text);
        let setting = format!("{}={value}", &system.text[words[word.index(words.len())].clone()]);
        let setting = slips.iter().fold(setting, |text, (slip, at)| slipped(&text, slip, at));
        let mut settings = vec![Setting(setting)];
        if system.text.contains("[chain]") {
            settings.push(Setting("links=3".to_owned()));
        }
        used(system.text, &settings, format)?;
    }
}

/// The derivative by a name from values alone: central differences of two steps, extrapolated, with
/// a bound of their error. `None` near a kink, a pole or the end of the domain.
fn difference_quotient(formula: &Formula, point: &Point, at: usize) -> Option<[f64; 2]> {
    let value = |step: f64| {
        let mut moved = *point;
        moved[at] += step;
        Some((of_formula(formula, &moved), moved[at])).filter(|(estimate, _)| estimate.is_known())
    };
    let quotient = |step: f64| {
        let ((above, x_above), (below, x_below)) = (value(step)?, value(-step)?);
        let slope = (above.value - below.value) / (x_above - x_below);
        Some([slope, (above.error + below.error) / (x_above - x_below)])
    };
    const STEP: f64 = 1e-3;
    let [[coarse, _], [middle, _], [fine, noise]] =
        [quotient(STEP)?, quotient(STEP / 2.0)?, quotient(STEP / 4.0)?];
    let (first, second) = ((4.0 * middle - coarse) / 3.0, (4.0 * fine - middle) / 3.0);
    let size = second.abs().max(1e-2 * value(0.0)?.0.value.abs()).max(1e-3);
    // smooth functions lose the error of second order: a kink does not
    let smooth = (first - second).abs() <= 1e-7 * size && noise <= 1e-8 * size;
    let straight = (coarse - fine).abs() <= 1e-2 * size;
    (smooth && straight).then_some([second, 1e-5 * size])
}
