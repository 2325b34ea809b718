//! What people and programs read: formulas in the order of textbooks, in documents that their
//! readers accept, equal in value to what is computed, and the same at every run.

use catena::symbolic::{Function, Graph, Notation, parse};
use catena::{CoordinateSet, Derivation, Equations, Format, Model};
use catena_compile::Values;
use catena_tests::{Compiled, Random, difference, ready, zoo};
use pulldown_latex::{Parser, Storage};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

struct Printed {
    name: String,
    model: Model,
    set: CoordinateSet,
    derivation: Derivation,
}

fn derive(name: &str, model: &Model, set: CoordinateSet) -> Derivation {
    catena::derive(model, set).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The whole zoo, derived once for all tests.
static ZOO: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let print = |(name, model, set): (String, Model, CoordinateSet)| {
        let derivation = derive(&name, &model, set);
        Printed { name, model, set, derivation }
    };
    zoo(5).into_iter().map(print).collect()
});

/// The parts of a notation, the whole first.
fn parts(notation: &Notation) -> Vec<&Notation> {
    use Notation::*;
    let mut found = vec![notation];
    let mut next = 0;
    while let Some(&part) = found.get(next) {
        match part {
            Negative(x) | Root(x) | Degrees(x) | TimeDerivative(x) | Transposed(x) => found.push(x),
            Fraction(x, y) | Power(x, y) | Partial(x, y) | Indexed(x, y) => {
                found.extend([x.as_ref(), y.as_ref()]);
            }
            Sum(list) | Product(list) | Equation(list) | Call(_, list) => found.extend(list),
            Matrix(rows) => found.extend(rows.iter().flatten()),
            _ => {}
        }
        next += 1;
    }
    found
}

/// All lines of mathematics, and the matrices entry by entry.
fn formulas(derivation: &Derivation) -> Vec<&Notation> {
    let steps = derivation.steps.iter().flat_map(|step| &step.statements);
    let mut all: Vec<&Notation> = steps.map(|statement| &statement.notation).collect();
    all.extend(derivation.mass_matrix.iter().flatten());
    all.extend(derivation.constraint_jacobian.iter().flatten());
    all.extend(&derivation.forces);
    all.extend(&derivation.constraints);
    all.extend(&derivation.constraint_rate);
    all.extend(&derivation.gamma);
    all.extend(derivation.states.iter().map(|(_, rate)| rate));
    all
}

/// The index behind `theta`.
fn angle_index(notation: &Notation) -> Option<usize> {
    match notation {
        Notation::Name(name) => name.strip_prefix("theta")?.parse().ok(),
        _ => None,
    }
}

/// The indices of a difference of two angles.
fn angle_difference(notation: &Notation) -> Option<(usize, usize)> {
    let Notation::Sum(terms) = notation else { return None };
    let [first, Notation::Negative(second)] = terms.as_slice() else { return None };
    Some((angle_index(first)?, angle_index(second)?))
}

/// Off the diagonal an entry of M is one product, with the cosine of one angle difference: the sums
/// of products of sines and cosines that differentiation leaves behind are gone.
#[test]
fn off_diagonal_masses_of_pendulums_are_one_product_with_one_cosine() {
    let models = [
        ("triple-pendulum", ready("triple-pendulum", &[])),
        ("bobs", ready("pendulum-chain", &[])),
        ("rods", ready("chain", &["links=6"])),
    ];
    for (name, model) in models {
        let derivation = derive(name, &model, CoordinateSet::Own);
        for (i, row) in derivation.mass_matrix.iter().enumerate() {
            for (j, entry) in row.iter().enumerate().filter(|(j, _)| i != *j) {
                let text = entry.to_text();
                let Notation::Product(factors) = entry else { panic!("{name}: {text}") };
                let calls = parts(entry).into_iter().filter(|p| matches!(p, Notation::Call(..)));
                assert_eq!(calls.count(), 1, "{name}: {text}");
                let cosine = factors.iter().find_map(|factor| match factor {
                    Notation::Call(Function::COS, argument) => argument.first(),
                    _ => None,
                });
                let indices = cosine.and_then(angle_difference);
                assert_eq!(indices, Some((i.min(j) + 1, i.max(j) + 1)), "{name}: {text}");
            }
        }
    }
}

#[test]
fn masses_of_the_triple_pendulum_read_as_in_the_textbook() {
    let model = ready("triple-pendulum", &[]);
    let derivation = derive("triple-pendulum", &model, CoordinateSet::Own);
    let text = |i: usize, j: usize| derivation.mass_matrix[i][j].to_text();
    assert_eq!(text(0, 0), "L₁² (m₁ + m₂ + m₃)");
    assert_eq!(text(0, 1), "L₁ L₂ (m₂ + m₃) cos(θ₁ − θ₂)");
    assert_eq!(text(1, 0), text(0, 1));
    assert_eq!(text(2, 0), "m₃ L₁ L₃ cos(θ₁ − θ₃)");
    assert_eq!(text(2, 1), "m₃ L₂ L₃ cos(θ₂ − θ₃)");
    let page = derivation.write(Format::Text { color: false });
    for line in page.lines().filter(|line| line.contains("M = ")) {
        assert_eq!(line.matches("cos(").count(), 2, "two cosines in the middle row: {line}");
    }
    for reversed in ["θ₂ − θ₁", "θ₃ − θ₁", "θ₃ − θ₂"] {
        assert!(!page.contains(reversed), "{reversed}");
    }
}

#[test]
fn angle_differences_have_the_lower_index_first_everywhere() {
    let mut seen = 0;
    for printed in ZOO.iter() {
        for formula in formulas(&printed.derivation) {
            for (first, second) in parts(formula).into_iter().filter_map(angle_difference) {
                assert!(first < second, "{}: {}", printed.name, formula.to_text());
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "chains are full of them: {seen}");
}

/// The entries of `letter = [...]` among the statements.
fn stated(derivation: &Derivation, letter: &str) -> Vec<Vec<Notation>> {
    let statements = derivation.steps.iter().flat_map(|step| &step.statements);
    let mut found = statements.filter_map(|statement| match &statement.notation {
        Notation::Equation(sides) => match sides.as_slice() {
            [Notation::Name(name), Notation::Matrix(rows)] if name == letter => Some(rows.clone()),
            _ => None,
        },
        _ => None,
    });
    found.next_back().unwrap_or_else(|| panic!("{letter} is stated"))
}

/// M q̈ + N q̇² + R q̇ + P + f = 0: sorted by kind, each part as the study of the triple pendulum
/// writes it, and nothing lost: together they are −Q.
#[test]
fn the_triple_pendulum_is_also_stated_sorted_by_kind() {
    let model = ready("triple-pendulum", &[]);
    let derivation = derive("triple-pendulum", &model, CoordinateSet::Own);
    let [n, r, p, f] = ["N", "R", "P", "f"].map(|letter| stated(&derivation, letter));
    let text = |matrix: &[Vec<Notation>]| -> Vec<Vec<String>> {
        matrix.iter().map(|row| row.iter().map(Notation::to_text).collect()).collect()
    };
    assert_eq!(text(&r), [["2 R", "−R", "0"], ["−R", "2 R", "−R"], ["0", "−R", "R"]]);
    assert_eq!(text(&n)[0][1], "L₁ L₂ (m₂ + m₃) sin(θ₁ − θ₂)");
    assert_eq!(text(&n)[1][0], "−L₁ L₂ (m₂ + m₃) sin(θ₁ − θ₂)");
    assert_eq!(text(&n)[2][2], "0");
    assert_eq!(text(&p)[0], ["g L₁ (m₁ + m₂ + m₃) sin(θ₁)"]);
    assert_eq!(text(&f)[2], ["−4 π² m₃ L₃ η₀ f² cos(2 π f t) cos(θ₃)"]);

    let mut random = Random::new(1);
    let state = State::random(&model, CoordinateSet::Own, &mut random);
    let value = |notation: &Notation| state.value(&notation.to_formula());
    let (rates, expected) = (&state.v, &state.compute(&model, CoordinateSet::Own).forces);
    let row = |i: usize| -> f64 {
        let squares: f64 = (0..3).map(|j| value(&n[i][j]) * rates[j] * rates[j]).sum();
        let linear: f64 = (0..3).map(|j| value(&r[i][j]) * rates[j]).sum();
        -(squares + linear + value(&p[i][0]) + value(&f[i][0]))
    };
    let sorted: Vec<f64> = (0..3).map(row).collect();
    assert!(difference(&sorted, expected) <= 1e-12, "{sorted:?} and {expected:?}");
}

/// Where a definition makes a formula shorter it is used, as the user would write it.
#[test]
fn definitions_appear_by_name_where_they_make_a_formula_shorter() {
    let model = ready("elastic-pendulum", &[]);
    let derivation = derive("elastic-pendulum", &model, CoordinateSet::Own);
    for force in &derivation.forces {
        let names = parts(force).into_iter().filter(|part| **part == Notation::name("r"));
        assert!(names.count() >= 1, "{}", force.to_text());
        let roots = parts(force).into_iter().filter(|part| matches!(part, Notation::Root(_)));
        assert_eq!(roots.count(), 0, "the length is never written out: {}", force.to_text());
    }
    // where it does not, it is not: m l² has no use for the definition x = l sin θ
    let pendulum = derive("driven", &ready("driven-pendulum", &[]), CoordinateSet::Own);
    assert_eq!(pendulum.mass_matrix[0][0].to_text(), "m l²");
}

/// The first complaint of an independent reader of LaTeX.
fn latex_complaint(formula: &str) -> Option<String> {
    let storage = Storage::new();
    let complaint = Parser::new(formula, &storage).find_map(Result::err);
    complaint.map(|error| error.to_string())
}

fn assert_latex(name: &str, formula: &str) {
    if let Some(complaint) = latex_complaint(formula) {
        panic!("{name}: {formula}\n{complaint}");
    }
}

#[test]
fn the_reader_of_latex_complains_about_broken_formulas() {
    for broken in
        [r"\frac{a}{b", r"x^2^3", r"\nosuchcommand{x}", r"\left( x", r"\begin{array}{c} x"]
    {
        assert!(latex_complaint(broken).is_some(), "{broken}");
    }
}

#[test]
fn every_formula_of_the_zoo_is_sound_latex() {
    for printed in ZOO.iter() {
        for formula in formulas(&printed.derivation) {
            assert_latex(&printed.name, &formula.to_latex());
        }
    }
}

/// What stands between two marks.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let after_open = text.split(open).skip(1);
    after_open.map(|rest| rest.split(close).next().unwrap_or(rest)).collect()
}

#[test]
fn the_formulas_of_markdown_documents_are_sound_latex() {
    for Printed { name, derivation, .. } in ZOO.iter() {
        let document = derivation.write(Format::Markdown);
        assert!(document.starts_with("# "), "{name}");
        let pieces: Vec<&str> = document.split("$$").collect();
        assert_eq!(pieces.len() % 2, 1, "{name}: every formula is closed");
        let formulas: Vec<&str> = pieces.iter().skip(1).step_by(2).copied().collect();
        let statements: usize = derivation.steps.iter().map(|step| step.statements.len()).sum();
        assert_eq!(formulas.len(), statements, "{name}");
        for formula in formulas {
            assert!(!formula.trim().contains('\n'), "{name}: no empty line inside: {formula}");
            assert_latex(name, formula);
        }
    }
}

/// Fails unless braces and environments are closed in the order in which they were opened.
fn assert_balanced_latex(name: &str, document: &str) {
    let mut open: Vec<String> = Vec::new();
    let mut characters = document.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                // the next character is part of the command: \{ is no brace
                characters.next();
                for (command, opens) in [(r"\begin{", true), (r"\end{", false)] {
                    let Some(rest) = document[at..].strip_prefix(command) else { continue };
                    let environment = rest.split('}').next().unwrap_or(rest).to_owned();
                    if opens {
                        open.push(environment);
                    } else {
                        assert_eq!(open.pop(), Some(environment), "{name}");
                    }
                }
            }
            '{' => open.push("{".into()),
            '}' => assert_eq!(open.pop().as_deref(), Some("{"), "{name}: {}", &document[..=at]),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} is never closed");
}

#[test]
fn latex_documents_are_balanced_and_their_formulas_sound() {
    for Printed { name, derivation, .. } in ZOO.iter() {
        let document = derivation.write(Format::Latex);
        assert_balanced_latex(name, &document);
        assert_eq!(document.matches(r"\left").count(), document.matches(r"\right").count());
        assert_eq!(document.matches(r"\[").count(), document.matches(r"\]").count());
        assert!(document.trim_end().ends_with(r"\end{document}"), "{name}");
        for formula in between(&document, r"\[", r"\]") {
            assert_latex(name, formula);
        }
        // words between the formulas: every dollar sign has a partner, and what they enclose is sound
        let inline: Vec<&str> = document.split('$').collect();
        assert_eq!(inline.len() % 2, 1, "{name}");
        for formula in inline.iter().skip(1).step_by(2) {
            assert_latex(name, formula);
        }
        // outside mathematics pdflatex has letters, not symbols
        for words in inline.iter().step_by(2) {
            let words: String = words.split(r"\[").filter_map(|s| s.rsplit(r"\]").next()).collect();
            let strange: Vec<char> =
                words.chars().filter(|c| !c.is_ascii() && !"é–’“”".contains(*c)).collect();
            assert!(strange.is_empty(), "{name}: {strange:?}");
        }
    }
}

/// A tag of a document with the number of elements directly inside it.
struct Open<'a> {
    tag: &'a str,
    children: usize,
}

/// A small reader of XML: tags closed in order, attributes in quotes, entities known; the elements
/// of MathML that have exactly two parts have them.
fn xml_complaint(document: &str) -> Option<String> {
    let mut open: Vec<Open> = vec![Open { tag: "", children: 0 }];
    let mut rest = document;
    while let Some(at) = rest.find('<') {
        if let Some(complaint) = entity_complaint(&rest[..at]) {
            return Some(complaint);
        }
        let Some(end) = rest.find('>') else { return Some("a tag is never closed".into()) };
        let (inside, after) = (&rest[at + 1..end], &rest[end + 1..]);
        rest = after;
        if let Some(closing) = inside.strip_prefix('/') {
            // the outermost has no name, so that a closing tag too many never fits
            let last = open.pop().unwrap_or(Open { tag: "", children: 0 });
            if last.tag != closing {
                return Some(format!("<{}> is closed by </{closing}>", last.tag));
            }
            let pair = ["mfrac", "msup", "msub", "mover"].contains(&closing);
            if pair && last.children != 2 {
                return Some(format!("<{closing}> has {} parts", last.children));
            }
            continue;
        }
        let (inside, closed) =
            inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let tag = inside.split_whitespace().next().unwrap_or("");
        if tag.is_empty() || !tag.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Some(format!("<{inside}> is no tag"));
        }
        let quotes = inside.matches('"').count();
        if quotes % 2 != 0 || inside.matches("=\"").count() * 2 != quotes {
            return Some(format!("<{inside}>: attributes"));
        }
        if let Some(outer) = open.last_mut() {
            outer.children += 1;
        }
        if !closed {
            open.push(Open { tag, children: 0 });
        }
    }
    let unclosed: Vec<&str> = open.iter().skip(1).map(|open| open.tag).collect();
    entity_complaint(rest)
        .or_else(|| (!unclosed.is_empty()).then(|| format!("{unclosed:?} never closed")))
}

fn entity_complaint(text: &str) -> Option<String> {
    if text.contains('>') {
        return Some(format!("`>` in the text {text}"));
    }
    let entities = text.split('&').skip(1).map(|rest| rest.split(';').next().unwrap_or(rest));
    let known = |entity: &str| {
        let code = entity.strip_prefix("#x");
        ["amp", "lt", "gt", "quot"].contains(&entity)
            || code.is_some_and(|code| u32::from_str_radix(code, 16).is_ok())
    };
    entities.into_iter().find(|entity| !known(entity)).map(|entity| format!("&{entity};"))
}

#[test]
fn the_reader_of_xml_complains_about_broken_documents() {
    for broken in [
        "<a>",
        "<a></b>",
        "<a><b></a></b>",
        "a & b",
        "<a x=1\">",
        "<msup><mi>x</mi></msup>",
        "</a>",
    ] {
        assert!(xml_complaint(broken).is_some(), "{broken}");
    }
    assert_eq!(xml_complaint("<a x=\"1\"><b>&lt;&#x2062;</b><c y=\"2\"/></a>"), None);
}

#[test]
fn mathml_of_the_zoo_is_well_formed() {
    for printed in ZOO.iter() {
        for formula in formulas(&printed.derivation) {
            let mathml = formula.to_mathml();
            assert!(mathml.starts_with("<math") && mathml.ends_with("</math>"));
            if let Some(complaint) = xml_complaint(&mathml) {
                panic!("{}: {complaint}\n{mathml}", printed.name);
            }
        }
    }
}

#[test]
fn pages_stand_alone_and_are_well_formed() {
    for Printed { name, derivation, .. } in ZOO.iter() {
        let page = derivation.write(Format::Html);
        for foreign in ["http://", "https://", "<script", "<link", "src=", "@import", "url("] {
            assert!(!page.contains(foreign), "{name}: {foreign}");
        }
        // HTML asks for these two without a closing tag
        let body = page.strip_prefix("<!doctype html>").expect("HTML");
        let lines = body.lines().filter(|line| !line.starts_with("<meta "));
        let body: String = lines.collect::<Vec<_>>().join("\n");
        if let Some(complaint) = xml_complaint(&body) {
            panic!("{name}: {complaint}");
        }
        let statements: usize = derivation.steps.iter().map(|step| step.statements.len()).sum();
        assert_eq!(page.matches("<math ").count(), statements, "{name}");
    }
}

/// A random state of a model: values of all its names, definitions included.
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    z: Vec<f64>,
    names: HashMap<String, f64>,
}

impl State {
    /// Not far from the start of the model, where roots and logarithms exist.
    fn random(model: &Model, set: CoordinateSet, random: &mut Random) -> State {
        let system = model.system(set);
        let equations = Equations::derive(model, system);
        let start = catena::simulation::Start::new(model, set);
        let near = |values: &[f64], random: &mut Random| -> Vec<f64> {
            values.iter().map(|value| value + random.between(-1.0, 1.0)).collect()
        };
        let t = random.between(0.0, 3.0);
        let (q, v) = (near(&start.q, random), near(&start.v, random));
        let z = near(&start.states, random);
        let mut names = HashMap::from([("t".to_owned(), t)]);
        names.extend(model.parameters.iter().map(|p| (p.entry.name.clone(), p.value)));
        for (i, coordinate) in system.coordinates.iter().enumerate() {
            names.insert(coordinate.name.clone(), q[i]);
            names.insert(format!("{}'", coordinate.name), v[i]);
        }
        names.extend(system.states.iter().zip(&z).map(|(s, z)| (s.name.clone(), *z)));
        let bodies = equations.graph.evaluate(&equations.definitions, |name| names[name]);
        let definitions = system.definitions.iter().map(|definition| definition.name.clone());
        names.extend(definitions.zip(bodies));
        State { t, q, v, z, names }
    }

    /// The value of a formula in the syntax of model files.
    fn value(&self, formula: &str) -> f64 {
        let parsed = parse(formula).unwrap_or_else(|error| panic!("{formula}: {error}"));
        let mut graph = Graph::new();
        let expr = parsed.build_plain(&mut graph);
        graph.evaluate(&[expr], |name| {
            *self.names.get(name).unwrap_or_else(|| panic!("{name} in {formula}"))
        })[0]
    }

    fn values(&self, formulas: &Value) -> Vec<f64> {
        match formulas {
            Value::String(formula) => vec![self.value(formula)],
            Value::Array(entries) => entries.iter().flat_map(|e| self.values(e)).collect(),
            Value::Object(entries) => entries.values().flat_map(|e| self.values(e)).collect(),
            other => panic!("{other} is no formula"),
        }
    }

    /// What the compiled functions say.
    fn compute(&self, model: &Model, set: CoordinateSet) -> Values {
        Compiled::new(model, set).with_states(self.t, &self.q, &self.v, &self.z)
    }
}

/// Simplified for people, written as text, read again, evaluated: on this long way nothing may
/// change but the last digits. Compared with the program that a simulation runs.
#[test]
fn formulas_for_programs_have_the_values_of_the_compiled_functions() {
    let mut random = Random::new(2);
    let mut worst = 0.0_f64;
    for Printed { name, model, set, derivation } in ZOO.iter() {
        let document: Value = serde_json::from_str(&derivation.write(Format::Json)).expect("JSON");
        assert_eq!(document["title"], model.title.as_str());
        let state = State::random(model, *set, &mut random);
        let computed = state.compute(model, *set);
        let objects = [
            ("mass_matrix", &computed.mass_matrix),
            ("forces", &computed.forces),
            ("constraints", &computed.constraints),
            ("constraint_jacobian", &computed.constraint_jacobian),
            ("constraint_rate", &computed.constraint_rate),
            ("gamma", &computed.gamma),
            ("states", &computed.state_rates),
        ];
        for (object, expected) in objects {
            let found = state.values(&document[object]);
            let gap = difference(&found, expected);
            assert!(gap <= 1e-9, "{name}: {object} differs by {gap:e}");
            worst = worst.max(gap);
        }
    }
    println!("formulas for programs: {worst:.1e}");
}

/// Every kind of formula that a model file may contain, in every way of writing. What is written in
/// the syntax of model files must read back as the same value.
#[test]
fn every_function_and_operator_can_be_written_in_every_way() {
    let formulas = [
        "x + y - 2*z",
        "-(x - y)*z",
        "x/(y*z)",
        "x/y/z",
        "(x/y)^2",
        "(x*y)^3 - (x + y)^-2",
        "x^y^0.5",
        "(x^y)^z",
        "(-x)^2",
        "-x^2",
        "2^-x",
        "x^(1/2) + sqrt(y + 1)",
        "sqrt(x)^3",
        "sin(x)^2 + cos(x + y)^2 - tan(2*x)",
        "asin(x/2) + acos(y/2) - atan(z)",
        "atan2(x, y)^2",
        "sinh(x)*cosh(y)*tanh(z)",
        "exp(-x)*log(1 + y)",
        "abs(x - y)^3*sign(z)",
        "min(x, y) + max(y, z)",
        "60 deg + (x + y) deg",
        "2*pi*x",
        "1e-7*x + 2.5e12*y + 0.1",
        "x*(1/3)*y + 7/3",
        "x' + 2*x''",
        "omega_max*theta12*tip_x",
    ];
    let value = |text: &str| {
        let mut graph = Graph::new();
        let expr = parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).build_plain(&mut graph);
        graph.evaluate(&[expr], |name| match name {
            "x" => 0.7,
            "y" => 1.3,
            "z" => -0.4,
            _ => 0.9,
        })[0]
    };
    for text in formulas {
        let formula = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut graph = Graph::new();
        let expr = formula.build_plain(&mut graph);
        for notation in [Notation::of_formula(&formula), Notation::of(&graph, expr)] {
            let (again, expected) = (notation.to_formula(), value(text));
            let same = (value(&again) - expected).abs() <= 1e-14 * expected.abs()
                || value(&again).is_nan() && expected.is_nan();
            assert!(same, "{text} became {again}: {} and {expected}", value(&again));
            assert_latex(text, &notation.to_latex());
            assert_eq!(xml_complaint(&notation.to_mathml()), None, "{text}");
            assert!(!notation.to_text().is_empty());
        }
    }
}

/// Without parentheses the exponent would seem to belong to the denominator, and the factor to the
/// argument of the sine.
#[test]
fn latex_leaves_no_doubt_about_what_belongs_together() {
    let latex = |text: &str| Notation::of_formula(&parse(text).expect("sound")).to_latex();
    assert_eq!(latex("(x/y)^2"), r"\left(\frac{x}{y}\right)^{2}");
    assert!(!latex("(1/2)^x").starts_with(r"\tfrac"), "{}", latex("(1/2)^x"));
    assert_eq!(latex("sin(x)*y"), r"\sin(x)\,y");
}

/// Whoever compares two versions of a document wants to see what changed, and nothing else.
#[test]
fn documents_are_the_same_to_the_last_bit_at_every_run() {
    let formats = [
        Format::Text { color: false },
        Format::Latex,
        Format::Markdown,
        Format::Html,
        Format::Json,
    ];
    for Printed { name, model, set, derivation } in ZOO.iter() {
        let again = derive(name, model, *set);
        for format in formats {
            assert!(derivation.write(format) == again.write(format), "{name} as {format:?}");
        }
    }
}
