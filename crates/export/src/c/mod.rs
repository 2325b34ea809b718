//! C99, with no library but its own.

mod driver;
mod function;

use driver::driver;
use function::function;

use crate::exported_model::ExportedModel;
use crate::functions_used::{uses, uses_sinc};
use crate::routine::Group;
use crate::scope::Scope;
use crate::straight_line::StraightLine;
use crate::syntax::{PowerStyle, Syntax};
use crate::words::{heading, legend};
use crate::{ExportError, Language};

/// The row of the language.
pub(crate) static LANGUAGE: Language = Language {
    name: "c",
    aliases: &["c99"],
    ending: "c",
    summary: "C99 without libraries: functions, and a driver that prints a table",
    write,
};

static SYNTAX: Syntax = Syntax {
    reserved: include_str!("reserved.txt"),
    power: PowerStyle::Call("pow"),
    renamed: &[("abs", "fabs"), ("min", "fmin"), ("max", "fmax")],
    not_a_number: "NAN",
    infinity: "INFINITY",
};

fn write(exported: &ExportedModel<'_>) -> Result<String, ExportError> {
    let scope = Scope::new(exported, &SYNTAX);
    let mut out = head(exported);
    out += &sizes(exported);
    out += &parameters(exported, &scope);
    out += &helpers(exported);
    for routine in &exported.routines {
        out += &function(routine, &scope);
    }
    out += &driver(exported);
    Ok(out)
}

fn head(exported: &ExportedModel<'_>) -> String {
    let mut lines = heading(exported);
    lines.extend(legend(exported, |letter, at| format!("{letter}[{at}]")));
    lines.push(String::new());
    let name = exported.name;
    lines.push(format!("Compile and run:  cc -std=c99 -O2 {name}.c -lm && ./a.out > {name}.csv"));
    lines.push(
        "With -DCATENA_NO_MAIN there is no main(), and the functions are yours to call.".to_owned(),
    );
    let mut out = String::new();
    for line in lines {
        out += format!("// {line}").trim_end();
        out.push('\n');
    }
    out + "\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\n"
}

fn sizes(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let mut rows: Vec<(&str, String, &str)> = Vec::new();
    let mut add = |name: &'static str, size: usize, meaning: &'static str| {
        if size > 0 {
            rows.push((name, size.to_string(), meaning));
        }
    };
    add("COORDINATES", n, "q, v and a");
    add("CONSTRAINTS", m, "Phi and lambda");
    add("STATES", k, "z");
    add("DEFINITIONS", exported.system.definitions.len(), "");
    add("OUTPUTS", exported.system.outputs.len(), "");
    add("QUANTITIES", exported.system.quantities.len(), "");
    let state = match (n, k) {
        (_, 0) => "y = (q, v)",
        (0, _) => "y = z",
        _ => "y = (q, v, z)",
    };
    add("DIMENSION", 2 * n + k, state);
    if m > 0 {
        add("UNKNOWNS", n + m, "(a, lambda)");
    }
    if exported.redundant > 0 {
        add("RANK", n + m - exported.redundant, "of the equations for a and lambda");
    }
    let mut out = "enum {\n".to_owned();
    for (name, size, meaning) in rows {
        let comment = if meaning.is_empty() { String::new() } else { format!("  // {meaning}") };
        out += &format!("    {name} = {size},{comment}\n");
    }
    out + "};\n\n"
}

fn parameters(exported: &ExportedModel<'_>, scope: &Scope) -> String {
    let names = &scope.names[Group::Parameters as usize];
    let mut members = String::new();
    let mut values = String::new();
    for (parameter, name) in exported.parameters.iter().zip(names) {
        let comment =
            parameter.comment(name).map_or_else(String::new, |text| format!("  // {text}"));
        members += &format!("    double {name};{comment}\n");
        let value = match &parameter.formula {
            Some(formula) => StraightLine::of_parameters(&formula.program, names, "p.", &SYNTAX),
            None => SYNTAX.number(parameter.value).text,
        };
        values += &format!("    p.{name} = {value};\n");
    }
    if names.is_empty() {
        members = "    char none;  // the model has no parameters\n".to_owned();
        values = "    p.none = 0;\n".to_owned();
    }
    format!(
        "typedef struct {{\n{members}}} Parameters;\n\n\
         // The values of the model. To change one that others follow from, change it here.\n\
         Parameters default_parameters(void)\n{{\n    Parameters p;\n{values}    return p;\n}}\n\n"
    )
}

/// Functions of formulas that the language lacks, where they are called.
fn helpers(exported: &ExportedModel<'_>) -> String {
    let mut out = String::new();
    if uses(exported, "sign") {
        out += "// -1, 0 or 1\ndouble sign(double x)\n{\n    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n}\n\n";
    }
    if uses_sinc(exported) {
        out += include_str!("sinc.c");
        out.push('\n');
    }
    out
}
