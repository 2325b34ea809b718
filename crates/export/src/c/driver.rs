//! The frame around the functions: solvers, integrator and main.

use super::SYNTAX;
use super::function::argument;
use crate::exported_model::ExportedModel;
use crate::routine::{Group, Routine, Shape};
use crate::words::{listed, one_line};

/// How groups are called where no name of the model is near.
const FRAME: [&str; 7] = ["t", "q", "v", "z", "a", "lambda", "p"];

/// How the frame calls a function, with this in the place of its result.
fn call(routine: &Routine, result: &str) -> String {
    let mut arguments: Vec<&str> =
        routine.arguments.iter().map(|group| FRAME[*group as usize]).collect();
    if routine.shape != Shape::Number {
        arguments.push(result);
    }
    format!("{}({})", routine.kind.name, arguments.join(", "))
}

/// Solvers, integrator and main.
pub(super) fn driver(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let mut text = energy(exported);
    if n > 0 {
        text += match exported.redundant {
            0 => include_str!("solve.c"),
            _ => include_str!("solve_of_rank.c"),
        };
        text.push('\n');
        text += match m {
            0 => include_str!("accelerations_free.c"),
            _ => include_str!("accelerations_constrained.c"),
        };
        text.push('\n');
    }
    if m > 0 {
        text += include_str!("project.c");
        text.push('\n');
    }
    text += &right_hand_side(exported);
    text += include_str!("dormand_prince.c");
    text.push('\n');
    text += &start(exported);
    text += "#ifndef CATENA_NO_MAIN\n";
    text += &settings(exported);
    text += &print_row(exported);
    text += include_str!("main.c");
    text += "#endif\n";
    text = text.replace("@signature@", &accelerations_signature(m, k));
    text = text.replace("@project@", if m > 0 { " || project(next, y, p)" } else { "" });
    let rank = if exported.redundant > 0 { ", RANK" } else { "" };
    for system in ["K, d", "K, x"] {
        text =
            text.replace(&format!("@solve:{system}@"), &format!("solve(UNKNOWNS, {system}{rank})"));
    }
    for routine in &exported.routines {
        let name = routine.kind.name;
        text = text.replace(&format!("@call:{name}@"), &call(routine, routine.kind.result));
        text = text.replace(&format!("@call-into-a:{name}@"), &call(routine, "a"));
    }
    text
}

/// T + V
fn energy(exported: &ExportedModel<'_>) -> String {
    let [Some(kinetic), Some(potential)] =
        ["kinetic", "potential"].map(|name| exported.routine(name))
    else {
        return String::new();
    };
    let arguments: Vec<String> =
        kinetic.arguments.iter().map(|&group| argument(group, FRAME[group as usize])).collect();
    let begin = listed("double energy(", &arguments, ")");
    let sum = format!("{} + {}", call(kinetic, ""), call(potential, ""));
    format!("// T + V\n{begin}\n{{\n    return {sum};\n}}\n\n")
}

fn right_hand_side(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let mut out = "// The right-hand side dy/dt. Returns 1 where there is none.\n\
                   int right_hand_side(double t, const double y[DIMENSION], const Parameters *p, double dydt[DIMENSION])\n{\n"
        .to_owned();
    if n > 0 {
        out += "    const double *q = y, *v = y + COORDINATES;\n";
    }
    if k > 0 {
        let offset = if n > 0 { " + 2*COORDINATES" } else { "" };
        out += &format!("    const double *z = y{offset};\n");
        let rates =
            exported.routine("state_rates").map(|rates| call(rates, &format!("dydt{offset}")));
        out += &format!("    {};\n", rates.unwrap_or_default());
    }
    if n > 0 {
        if m > 0 {
            out += "    double lambda[CONSTRAINTS];\n";
        }
        out += "    memcpy(dydt, v, COORDINATES*sizeof *v);\n";
        out +=
            &format!("    if ({})\n        return 1;\n", accelerations("dydt + COORDINATES", m, k));
    }
    out += "    for (int i = 0; i < DIMENSION; i++)\n        if (!isfinite(dydt[i]))\n            return 1;\n    return 0;\n}\n\n";
    out
}

/// The head of the function that finds accelerations and multipliers.
fn accelerations_signature(constraints: usize, states: usize) -> String {
    let mut groups = vec![Group::Time, Group::Coordinates, Group::Velocities];
    groups.extend((states > 0).then_some(Group::States));
    groups.push(Group::Parameters);
    let mut arguments: Vec<String> =
        groups.into_iter().map(|group| argument(group, FRAME[group as usize])).collect();
    arguments.push("double a[COORDINATES]".to_owned());
    arguments.extend((constraints > 0).then(|| "double lambda[CONSTRAINTS]".to_owned()));
    listed("int accelerations(", &arguments, ")")
}

/// The call that finds accelerations and multipliers.
fn accelerations(into: &str, constraints: usize, states: usize) -> String {
    let z = if states > 0 { "z, " } else { "" };
    let lambda = if constraints > 0 { ", lambda" } else { "" };
    format!("accelerations(t, q, v, {z}p, {into}{lambda})")
}

/// What main() needs to know.
fn settings(exported: &ExportedModel<'_>) -> String {
    let number = |value: f64| SYNTAX.number(value).text;
    let columns = exported.columns();
    let quoted: Vec<String> =
        columns.iter().map(|name| format!("\"{}\"", one_line(name))).collect();
    let columns = listed("    ", &quoted, "\n};");
    format!(
        "static const double T_START = {}, T_END = {}, EVERY = {};  // of the rows, s\n\
         static const char *const COLUMNS[] = {{\n{columns}\n\n",
        number(exported.start.t),
        number(exported.t_end),
        number(exported.every),
    )
}

/// The start of the model, which satisfies its constraints.
fn start(exported: &ExportedModel<'_>) -> String {
    let start = &exported.start;
    let values = start.q.iter().chain(&start.v).chain(&start.states);
    let columns = exported.columns();
    let mut out = "// The start of the model: positions, velocities and states that satisfy the constraints.\n\
                   void start(double y[DIMENSION])\n{\n"
        .to_owned();
    for (at, value) in values.enumerate() {
        let number = SYNTAX.number(*value).text;
        out += &format!("    y[{at}] = {number};  // {}\n", one_line(&columns[at + 1]));
    }
    out + "}\n\n"
}

fn print_row(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let outputs = exported.routine("outputs");
    let mut out = "// One line of the table.\nvoid print_row(double t, const double y[DIMENSION], const Parameters *p)\n{\n".to_owned();
    if n > 0 {
        out += "    const double *q = y, *v = y + COORDINATES;\n";
    }
    let used = |group: Group| outputs.is_some_and(|outputs| outputs.arguments.contains(&group));
    let needs_accelerations = n > 0 && (m > 0 || used(Group::Accelerations));
    if k > 0 && (needs_accelerations || used(Group::States)) {
        let offset = if n > 0 { " + 2*COORDINATES" } else { "" };
        out += &format!("    const double *z = y{offset};\n");
    }
    if needs_accelerations {
        out += "    double a[COORDINATES];\n";
        if m > 0 {
            out += "    double lambda[CONSTRAINTS];\n";
        }
        let undefined = if m > 0 {
            "    if (@)\n        for (int i = 0; i < CONSTRAINTS; i++)\n            lambda[i] = NAN;\n"
        } else {
            "    if (@)\n        a[0] = NAN;\n"
        };
        out += &undefined.replace('@', &accelerations("a", m, k));
    }
    out += "    printf(\"%.17g\", t);\n    for (int i = 0; i < DIMENSION; i++)\n        printf(\",%.17g\", y[i]);\n";
    if m > 0 {
        out +=
            "    for (int i = 0; i < CONSTRAINTS; i++)\n        printf(\",%.17g\", lambda[i]);\n";
    }
    let energy =
        |name: &str| exported.routine(name).map_or_else(|| "0.0".to_owned(), |r| call(r, ""));
    out += &format!(
        "    const double T = {}, V = {};\n    printf(\",%.17g,%.17g,%.17g\", T, V, T + V);\n",
        energy("kinetic"),
        energy("potential")
    );
    if let Some(outputs) = outputs {
        out += &format!(
            "    double out[OUTPUTS];\n    {};\n    for (int i = 0; i < OUTPUTS; i++)\n        printf(\",%.17g\", out[i]);\n",
            call(outputs, "out")
        );
    }
    out + "    putchar('\\n');\n}\n\n"
}
