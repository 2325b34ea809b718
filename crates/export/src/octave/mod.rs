//! Octave and MATLAB: one function file with local functions, which both read.

use crate::exported_model::ExportedModel;
use crate::functions_used::uses_sinc;
use crate::identifiers::identifier;
use crate::routine::{Group, Routine, Shape};
use crate::scope::Scope;
use crate::straight_line::StraightLine;
use crate::syntax::{PowerStyle, Syntax};
use crate::words::{broken, equation, heading, legend, one_line};
use crate::{ExportError, Language};

/// The row of the language.
pub(crate) static LANGUAGE: Language = Language {
    name: "octave",
    aliases: &["matlab", "m"],
    ending: "m",
    summary: "a function file for Octave and MATLAB that runs ode45",
    write,
};

static SYNTAX: Syntax = Syntax {
    reserved: include_str!("reserved.txt"),
    power: PowerStyle::Operator("^"),
    renamed: &[("sinc", "unnormalized_sinc")],
    not_a_number: "NaN",
    infinity: "Inf",
};

/// Rows of a constrained motion that are found before it goes on from projected positions and velocities.
const ROWS_AT_ONCE: usize = 20;

/// How groups are called where no name of the model is near.
const FRAME: [&str; 7] = ["t", "q", "v", "z", "a", "lambda", "p"];

/// Functions of the file besides those of the model, and those of Octave that it calls.
const FUNCTIONS: [&str; 13] = [
    "default_parameters",
    "start",
    "energy",
    "accelerations",
    "right_hand_side",
    "project",
    "simulate",
    "row",
    "row_times",
    "solve",
    "solve_of_rank",
    "ode45",
    "odeset",
];

fn write(exported: &ExportedModel<'_>) -> Result<String, ExportError> {
    let main = main_name(exported)?;
    let scope = Scope::new(exported, &SYNTAX);
    let mut out = main_function(exported, &main);
    out += &parameters(exported, &scope);
    if uses_sinc(exported) {
        out += include_str!("sinc.m");
        out.push('\n');
    }
    for routine in &exported.routines {
        out += &function(routine, &scope);
    }
    out += &driver(exported);
    Ok(out)
}

/// The main function, called as its file is: a file whose name is no name for a function cannot be called.
fn main_name(exported: &ExportedModel<'_>) -> Result<String, ExportError> {
    let own = exported.routines.iter().map(|routine| routine.kind.name).chain(FUNCTIONS);
    let taken: Vec<&str> = own.chain(SYNTAX.reserved.split_whitespace()).collect();
    let mut name = identifier(exported.name);
    if taken.contains(&name.as_str()) {
        name += "_model";
    }
    match name == exported.name || !exported.is_file {
        true => Ok(name),
        false => Err(ExportError::NoFunctionName { name: exported.name.to_owned(), legal: name }),
    }
}

fn main_function(exported: &ExportedModel<'_>, main: &str) -> String {
    let mut lines = heading(exported);
    lines.extend(legend(exported, |letter, at| format!("{letter}({})", at + 1)));
    lines.push(String::new());
    lines.push(format!("{main}                     moves the model and prints a table"));
    lines.push(format!("[t, y] = {main}            times, and states (q, v, z) in the rows of y"));
    lines.push(format!(
        "f = {main}('functions')    all functions, to be called: f.mass_matrix(t, q, f.parameters)"
    ));
    let mut out = format!("function varargout = {main}(what)\n");
    for line in lines {
        out += format!("% {line}").trim_end();
        out.push('\n');
    }
    out += "  p = default_parameters();\n  y = start();\n";
    out += "  if nargin > 0 && strcmp(what, 'functions')\n    f = struct();\n    f.parameters = p;\n    f.start = y;\n";
    let names = exported.routines.iter().map(|routine| routine.kind.name);
    let [n, m, _] = exported.sizes();
    let of_frame = [
        Some("energy"),
        (n > 0).then_some("accelerations"),
        Some("right_hand_side"),
        (m > 0).then_some("project"),
        Some("simulate"),
    ];
    for name in names.chain(of_frame.into_iter().flatten()) {
        out += &format!("    f.{name} = @{name};\n");
    }
    out += "    varargout = {f};\n    return\n  end\n";
    out += "  times = row_times();\n  states = simulate(p, y, times);\n";
    out += "  if nargout > 0\n    varargout = {times, states};\n    return\n  end\n";
    let columns: Vec<String> = exported
        .columns()
        .iter()
        .map(|name| format!("'{}'", one_line(name).replace('\'', "''")))
        .collect();
    let columns = crate::words::listed("    ", &columns, "").replace("\n", " ...\n");
    out += &format!("  columns = {{ ...\n{columns} ...\n  }};\n");
    out += "  fprintf('%s\\n', strjoin(columns, ','));\n  for k = 1:numel(times)\n";
    out += "    values = sprintf('%.17g,', row(times(k), states(k, :)', p));\n";
    out + "    fprintf('%s\\n', values(1:end - 1));\n  end\nend\n\n"
}

fn parameters(exported: &ExportedModel<'_>, scope: &Scope) -> String {
    let names = &scope.names[Group::Parameters as usize];
    let mut out = "function p = default_parameters()\n\
                   % The values of the model. To change one that others follow from, change it here.\n  p = struct();\n"
        .to_owned();
    for (parameter, name) in exported.parameters.iter().zip(names) {
        let comment =
            parameter.comment(name).map_or_else(String::new, |text| format!("  % {text}"));
        let value = match &parameter.formula {
            Some(formula) => StraightLine::of_parameters(&formula.program, names, "p.", &SYNTAX),
            None => SYNTAX.number(parameter.value).text,
        };
        out += &format!("  p.{name} = {value};{comment}\n");
    }
    out + "end\n\n"
}

fn function(routine: &Routine, scope: &Scope) -> String {
    let code = StraightLine::new(routine, &scope.names, &scope.taken, &SYNTAX);
    let result = scope.result(routine);
    let arguments: Vec<&str> =
        routine.arguments.iter().map(|&group| scope.argument(group)).collect();
    let mut out = format!(
        "function {result} = {}({})\n% {}\n",
        routine.kind.name,
        arguments.join(", "),
        routine.kind.summary
    );
    for (group, place, name) in &code.inputs {
        let from = scope.argument(*group);
        out += &match group {
            Group::Time => continue,
            Group::Parameters => format!("  {name} = {from}.{name};\n"),
            _ => format!("  {name} = {from}({});\n", place + 1),
        };
    }
    let lines_of = |formula: &str| broken(formula, "      ", " ...");
    for (name, formula) in &code.locals {
        out += &format!("  {name} = {};\n", lines_of(formula));
    }
    if !(code.inputs.is_empty() && code.locals.is_empty()) {
        out.push('\n');
    }
    out += &match routine.shape {
        Shape::Number => String::new(),
        Shape::Vector(len) => format!("  {result} = zeros({len}, 1);\n"),
        Shape::Matrix(rows, columns) => format!("  {result} = zeros({rows}, {columns});\n"),
        Shape::Symmetric(n) => format!("  {result} = zeros({n}, {n});\n"),
    };
    for (entry, formula) in routine.entries.iter().zip(&code.results) {
        if formula == "0.0" && routine.shape != Shape::Number {
            continue;
        }
        let (i, j) = (entry.row + 1, entry.column + 1);
        let place = match routine.shape {
            Shape::Number => result.to_owned(),
            Shape::Vector(_) => format!("{result}({i})"),
            _ => format!("{result}({i}, {j})"),
        };
        if let Some(text) = equation(entry, &place) {
            out += &format!("  % {text}\n");
        }
        out += &format!("  {place} = {};\n", lines_of(formula));
        if matches!(routine.shape, Shape::Symmetric(_)) && i != j {
            out += &format!("  {result}({j}, {i}) = {place};\n");
        }
    }
    out + "end\n\n"
}

/// How the frame calls a function.
fn call(routine: &Routine) -> String {
    let arguments: Vec<&str> =
        routine.arguments.iter().map(|group| FRAME[*group as usize]).collect();
    format!("{}({})", routine.kind.name, arguments.join(", "))
}

/// Solver, integrator and start.
fn driver(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let number = |value: f64| SYNTAX.number(value).text;
    let mut parts: Vec<String> = Vec::from_iter(energy(exported));
    if m > 0 {
        parts.push(match exported.redundant {
            0 => include_str!("solve.m").to_owned(),
            _ => include_str!("solve_of_rank.m").to_owned(),
        });
    }
    if n > 0 {
        parts.push(match m {
            0 => include_str!("accelerations_free.m").to_owned(),
            _ => include_str!("accelerations_constrained.m").to_owned(),
        });
    }
    parts.push(right_hand_side(exported));
    parts.push(start(exported));
    parts.push(row(exported));
    parts.push(include_str!("simulate.m").to_owned());
    let mut text = parts.join("\n");
    // constraints drift between projections, and ode45 takes its time to begin
    let (last, row) = match m {
        0 => ("numel(times)".to_owned(), "steps(k - first + 1, :)"),
        _ => {
            let last = format!("min(first + {ROWS_AT_ONCE}, numel(times))");
            (last, "project(times(k), steps(k - first + 1, :)', p)'")
        }
    };
    let words = if m > 0 { " Constraints are kept at each of them." } else { "" };
    for (mark, replacement) in [
        ("@state@", if k > 0 { "t, q, v, z" } else { "t, q, v" }),
        ("@last@", &last),
        ("@row@", row),
        ("@projection-words@", words),
        ("@rank@", &(n + m - exported.redundant).to_string()),
        ("@coordinates@", &n.to_string()),
        ("@t_start@", &number(exported.start.t)),
        ("@t_end@", &number(exported.t_end)),
        ("@every@", &number(exported.every)),
    ] {
        text = text.replace(mark, replacement);
    }
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
    Some(format!("function E = {arguments}\n% T + V\n  E = {sum};\nend\n"))
}

/// Where q, v and z are in y.
fn unpacked(exported: &ExportedModel<'_>) -> String {
    match exported.sizes() {
        [0, _, _] => "  z = y;\n".to_owned(),
        [n, _, k] => {
            let mut out = format!("  q = y(1:{n});\n  v = y({}:{});\n", n + 1, 2 * n);
            if k > 0 {
                out += &format!("  z = y({}:end);\n", 2 * n + 1);
            }
            out
        }
    }
}

/// The call that finds accelerations, and multipliers where there are constraints.
fn accelerations(exported: &ExportedModel<'_>) -> String {
    let z = if exported.sizes()[2] > 0 { "z, " } else { "" };
    format!("accelerations(t, q, v, {z}p)")
}

fn right_hand_side(exported: &ExportedModel<'_>) -> String {
    let [n, _, k] = exported.sizes();
    let mut out = "function dydt = right_hand_side(t, y, p)\n% The right-hand side dy/dt; undefined where the formulas have no real value.\n".to_owned();
    out += &unpacked(exported);
    let mut parts = Vec::new();
    if n > 0 {
        parts.extend(["v".to_owned(), accelerations(exported)]);
    }
    if k > 0 {
        parts.extend(exported.routine("state_rates").map(call));
    }
    out += &format!("  dydt = [{}];\n", parts.join("; "));
    out + "  if ~isreal(dydt)\n    dydt = NaN(size(y));\n  end\nend\n"
}

/// The start of the model, which satisfies its constraints.
fn start(exported: &ExportedModel<'_>) -> String {
    let start = &exported.start;
    let columns = exported.columns();
    let values = start.q.iter().chain(&start.v).chain(&start.states);
    let mut out = "function y = start()\n% The start of the model: it satisfies the constraints.\n"
        .to_owned();
    out += &format!("  y = zeros({}, 1);\n", values.clone().count());
    for (at, value) in values.enumerate() {
        let number = SYNTAX.number(*value).text;
        out += &format!("  y({}) = {number};  % {}\n", at + 1, one_line(&columns[at + 1]));
    }
    out + "end\n"
}

/// A row of the table.
fn row(exported: &ExportedModel<'_>) -> String {
    let [n, m, _] = exported.sizes();
    let outputs = exported.routine("outputs");
    let mut out = "function values = row(t, y, p)\n% A row of the table.\n".to_owned();
    out += &unpacked(exported);
    let uses_accelerations =
        outputs.is_some_and(|outputs| outputs.arguments.contains(&Group::Accelerations));
    let mut parts = vec!["t", "y"];
    if n > 0 && (m > 0 || uses_accelerations) {
        let found = if m > 0 { "[a, lambda]" } else { "a" };
        out += &format!("  {found} = {};\n", accelerations(exported));
    }
    if m > 0 {
        parts.push("lambda");
    }
    let energy = |name: &str| exported.routine(name).map_or_else(|| "0".to_owned(), call);
    out += &format!("  T = {};\n  V = {};\n", energy("kinetic"), energy("potential"));
    parts.push("T; V; T + V");
    let outputs = outputs.map(call);
    parts.extend(outputs.as_deref());
    out + &format!("  values = [{}];\nend\n", parts.join("; "))
}
