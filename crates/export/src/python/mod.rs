//! Python with NumPy; SciPy's integrator where it is there.

use crate::exported_model::ExportedModel;
use crate::functions_used::{uses, uses_sinc};
use crate::routine::{Group, Routine, Shape};
use crate::scope::Scope;
use crate::straight_line::StraightLine;
use crate::syntax::{PowerStyle, Syntax};
use crate::words::{broken, equation, heading, legend, listed, one_line};
use crate::{ExportError, Language};

/// The row of the language.
pub(crate) static LANGUAGE: Language = Language {
    name: "python",
    aliases: &["py", "numpy"],
    ending: "py",
    summary: "a Python module: functions with NumPy, and a driver (SciPy's where it is installed)",
    write,
};

static SYNTAX: Syntax = Syntax {
    reserved: include_str!("reserved.txt"),
    power: PowerStyle::Call("pow"),
    renamed: &[],
    not_a_number: "np.nan",
    infinity: "np.inf",
};

/// How groups are called where no name of the model is near.
const FRAME: [&str; 7] = ["t", "q", "v", "z", "a", "lam", "p"];

/// What is imported where it is called.
const OF_MATH: [&str; 14] = [
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "pow", "sin", "sinh", "sqrt",
    "tan", "tanh",
];

fn write(exported: &ExportedModel<'_>) -> Result<String, ExportError> {
    let scope = Scope::new(exported, &SYNTAX);
    let mut body = names(exported);
    body += &parameters(exported, &scope);
    body += &helpers(exported);
    for routine in &exported.routines {
        body += &function(routine, &scope);
    }
    body += &driver(exported);
    Ok(head(exported, &body) + &body)
}

fn head(exported: &ExportedModel<'_>, body: &str) -> String {
    let mut lines = heading(exported);
    lines.extend(legend(exported, |letter, at| format!("{letter}[{at}]")));
    lines.push(String::new());
    let name = exported.name;
    lines.push(format!(
        "Run:  python3 {name}.py > {name}.csv   (or import it, and call the functions)"
    ));
    let mut out = String::new();
    for line in lines {
        out += format!("# {line}").trim_end();
        out.push('\n');
    }
    out += "\nfrom dataclasses import dataclass\n";
    let calls = |name: &&str| {
        body.match_indices(&format!("{name}(")).any(|(at, _)| {
            !body[..at].ends_with(|before: char| before.is_alphanumeric() || "_.".contains(before))
        })
    };
    let called: Vec<&str> = OF_MATH.into_iter().filter(calls).collect();
    if !called.is_empty() {
        out += &format!("from math import {}\n", called.join(", "));
    }
    out += "\nimport numpy as np\n\ntry:\n    from scipy.integrate import solve_ivp\n\
            except ImportError:\n    solve_ivp = None\n\n";
    out
}

/// Names of everything, so that results can be told by name.
fn names(exported: &ExportedModel<'_>) -> String {
    let system = exported.system;
    let number = |value: f64| SYNTAX.number(value).text;
    let list = |name: &str, names: Vec<String>| match names.is_empty() {
        true => String::new(),
        false => {
            let quoted: Vec<String> =
                names.iter().map(|name| format!("\"{}\"", one_line(name))).collect();
            format!("{name} = (\n{},\n)\n", listed("    ", &quoted, ""))
        }
    };
    let of = |formulas: &[catena_model::NamedFormula]| -> Vec<String> {
        formulas.iter().map(|formula| formula.name.clone()).collect()
    };
    let mut out = list("COORDINATES", system.coordinates.iter().map(|c| c.name.clone()).collect());
    out += &list("CONSTRAINTS", of(&system.constraints));
    out += &list("STATES", of(&system.states));
    out += &list("DEFINITIONS", of(&system.definitions));
    out += &list("OUTPUTS", of(&system.outputs));
    out += &list("QUANTITIES", of(&system.quantities));
    out += &list("COLUMNS", exported.columns());
    if exported.redundant > 0 {
        let [n, m, _] = exported.sizes();
        out += &format!(
            "RANK = {}  # of the equations for accelerations and multipliers\n",
            n + m - exported.redundant
        );
    }
    out + &format!(
        "T_START, T_END, EVERY = {}, {}, {}  # of the rows that are printed, s\nRTOL, ATOL = 1e-9, 1e-12\n\n\n",
        number(exported.start.t),
        number(exported.t_end),
        number(exported.every)
    )
}

fn parameters(exported: &ExportedModel<'_>, scope: &Scope) -> String {
    let names = &scope.names[Group::Parameters as usize];
    let mut fields = String::new();
    let mut formulas = String::new();
    for (parameter, name) in exported.parameters.iter().zip(names) {
        let comment =
            parameter.comment(name).map_or_else(String::new, |text| format!("  # {text}"));
        let value = match &parameter.formula {
            Some(formula) => {
                let text = StraightLine::of_parameters(&formula.program, names, "self.", &SYNTAX);
                formulas +=
                    &format!("        if self.{name} is None:\n            self.{name} = {text}\n");
                "None".to_owned()
            }
            None => SYNTAX.number(parameter.value).text,
        };
        fields += &format!("    {name}: float = {value}{comment}\n");
    }
    if names.is_empty() {
        fields = "    pass  # the model has none\n".to_owned();
    }
    if !formulas.is_empty() {
        formulas = format!("\n    def __post_init__(self):\n{formulas}");
    }
    let words = match formulas.is_empty() {
        true => "The parameters of the model.",
        false => "The parameters of the model. Those that are None follow from the others.",
    };
    format!("@dataclass\nclass Parameters:\n    \"\"\"{words}\"\"\"\n\n{fields}{formulas}\n\n")
}

/// Functions of formulas that the language lacks, where they are called.
fn helpers(exported: &ExportedModel<'_>) -> String {
    let mut out = String::new();
    if uses(exported, "sign") {
        out += "def sign(x):\n    \"\"\"-1, 0 or 1\"\"\"\n    return 1.0 if x > 0 else -1.0 if x < 0 else x\n\n\n";
    }
    if uses_sinc(exported) {
        out += include_str!("sinc.py");
        out += "\n\n";
    }
    out
}

/// A formula that may take several lines.
fn lines_of(formula: &str, indentation: &str) -> String {
    let text = broken(formula, &format!("{indentation}    "), "");
    if text.contains('\n') { format!("({text})") } else { text }
}

fn function(routine: &Routine, scope: &Scope) -> String {
    let code = StraightLine::new(routine, &scope.names, &scope.taken, &SYNTAX);
    let result = scope.result(routine);
    let arguments: Vec<&str> =
        routine.arguments.iter().map(|&group| scope.argument(group)).collect();
    let mut out = format!(
        "def {}({}):\n    \"\"\"{}\"\"\"\n",
        routine.kind.name,
        arguments.join(", "),
        routine.kind.summary
    );
    for (group, place, name) in &code.inputs {
        let from = scope.argument(*group);
        out += &match group {
            Group::Time => continue,
            Group::Parameters => format!("    {name} = {from}.{name}\n"),
            _ => format!("    {name} = float({from}[{place}])\n"),
        };
    }
    for (name, formula) in &code.locals {
        out += &format!("    {name} = {}\n", lines_of(formula, "    "));
    }
    if !(code.inputs.is_empty() && code.locals.is_empty()) {
        out.push('\n');
    }
    out += &match routine.shape {
        Shape::Number => String::new(),
        Shape::Vector(len) => format!("    {result} = np.zeros({len})\n"),
        Shape::Matrix(rows, columns) => format!("    {result} = np.zeros(({rows}, {columns}))\n"),
        Shape::Symmetric(n) => format!("    {result} = np.zeros(({n}, {n}))\n"),
    };
    for (entry, formula) in routine.entries.iter().zip(&code.results) {
        if formula == "0.0" && routine.shape != Shape::Number {
            continue;
        }
        let (i, j) = (entry.row, entry.column);
        let place = match routine.shape {
            Shape::Number => routine.kind.letter.to_owned(),
            Shape::Vector(_) => format!("{result}[{i}]"),
            _ => format!("{result}[{i}, {j}]"),
        };
        if let Some(text) = equation(entry, &place) {
            out += &format!("    # {text}\n");
        }
        let formula = lines_of(formula, "    ");
        out += &match routine.shape {
            Shape::Number => format!("    return {formula}\n"),
            Shape::Symmetric(_) if i != j => {
                format!("    {place} = {result}[{j}, {i}] = {formula}\n")
            }
            _ => format!("    {place} = {formula}\n"),
        };
    }
    if routine.shape != Shape::Number {
        out += &format!("    return {result}\n");
    }
    out + "\n\n"
}

/// How the frame calls a function.
fn call(routine: &Routine) -> String {
    let arguments: Vec<&str> =
        routine.arguments.iter().map(|group| FRAME[*group as usize]).collect();
    format!("{}({})", routine.kind.name, arguments.join(", "))
}

/// Solver, integrator and what runs when the file is run.
fn driver(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let mut parts: Vec<String> = Vec::from_iter(energy(exported));
    if m > 0 {
        parts.push(match exported.redundant {
            0 => include_str!("solve.py").to_owned(),
            _ => include_str!("solve_of_rank.py").to_owned(),
        });
    }
    if n > 0 {
        parts.push(match m {
            0 => include_str!("accelerations_free.py").to_owned(),
            _ => include_str!("accelerations_constrained.py").to_owned(),
        });
    }
    parts.push(right_hand_side(exported));
    parts.push(start(exported));
    parts.push(row(exported));
    parts.push(include_str!("dormand_prince.py").to_owned());
    parts.push(include_str!("main.py").to_owned());
    let mut text = parts.join("\n\n");
    let state = if k > 0 { "t, q, v, z" } else { "t, q, v" };
    text = text.replace("@state@", state);
    let project = if m > 0 { "        y = project(t_next, y, p)\n" } else { "" };
    text = text.replace("@project@", project);
    let words = if m > 0 { " Constraints are kept at each of them." } else { "" };
    text = text.replace("@projection-words@", words);
    for routine in &exported.routines {
        text = text.replace(&format!("@call:{}@", routine.kind.name), &call(routine));
    }
    text
}

/// T + V
fn energy(exported: &ExportedModel<'_>) -> Option<String> {
    let [kinetic, potential] = [exported.routine("kinetic")?, exported.routine("potential")?];
    let arguments = call(kinetic).replace("kinetic", "energy");
    let sum = format!("{} + {}", call(kinetic), call(potential));
    Some(format!("def {arguments}:\n    \"\"\"T + V\"\"\"\n    return {sum}\n"))
}

/// Where q, v and z are in y.
fn unpacked(exported: &ExportedModel<'_>) -> String {
    match exported.sizes() {
        [0, _, _] => "    z = y\n".to_owned(),
        [n, _, 0] => format!("    q, v = y[:{n}], y[{n}:]\n"),
        [n, _, _] => format!("    q, v, z = y[:{n}], y[{n}:{}], y[{}:]\n", 2 * n, 2 * n),
    }
}

/// The call that finds accelerations, and multipliers where there are constraints.
fn accelerations(exported: &ExportedModel<'_>) -> String {
    let z = if exported.sizes()[2] > 0 { "z, " } else { "" };
    format!("accelerations(t, q, v, {z}p)")
}

fn right_hand_side(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let mut out = "def right_hand_side(t, y, p):\n    \"\"\"dy/dt; undefined where the formulas have no value.\"\"\"\n".to_owned();
    out += &unpacked(exported);
    let mut parts = Vec::new();
    out += "    try:\n";
    if n > 0 {
        let found = if m > 0 { "a, _" } else { "a" };
        out += &format!("        {found} = {}\n", accelerations(exported));
        parts.extend(["v".to_owned(), "a".to_owned()]);
    }
    if k > 0 {
        parts.extend(exported.routine("state_rates").map(call));
    }
    out += &format!("        return np.concatenate([{}])\n", parts.join(", "));
    out + "    except (ArithmeticError, ValueError, np.linalg.LinAlgError):\n        return np.full(len(y), np.nan)\n"
}

/// The start of the model, which satisfies its constraints.
fn start(exported: &ExportedModel<'_>) -> String {
    let start = &exported.start;
    let columns = exported.columns();
    let values = start.q.iter().chain(&start.v).chain(&start.states);
    let mut out = "def start():\n    \"\"\"The start of the model: it satisfies the constraints.\"\"\"\n    return np.array([\n".to_owned();
    for (at, value) in values.enumerate() {
        let number = SYNTAX.number(*value).text;
        out += &format!("        {number},  # {}\n", one_line(&columns[at + 1]));
    }
    out + "    ])\n"
}

/// A row of the table.
fn row(exported: &ExportedModel<'_>) -> String {
    let [n, m, _] = exported.sizes();
    let outputs = exported.routine("outputs");
    let mut out = "def row(t, y, p):\n    \"\"\"The values of COLUMNS.\"\"\"\n".to_owned();
    out += &unpacked(exported);
    let uses_accelerations =
        outputs.is_some_and(|outputs| outputs.arguments.contains(&Group::Accelerations));
    let mut parts = vec!["[t]", "y"];
    if n > 0 && (m > 0 || uses_accelerations) {
        let found = if m > 0 { "a, lam" } else { "a" };
        out += &format!("    {found} = {}\n", accelerations(exported));
    }
    if m > 0 {
        parts.push("lam");
    }
    let energy = |name: &str| exported.routine(name).map_or_else(|| "0.0".to_owned(), call);
    out += &format!("    T, V = {}, {}\n", energy("kinetic"), energy("potential"));
    parts.push("[T, V, T + V]");
    let outputs = outputs.map(call);
    parts.extend(outputs.as_deref());
    out + &format!("    return np.concatenate([{}])\n", parts.join(", "))
}
