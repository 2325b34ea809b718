//! LaTeX: a document with all functions, entry by entry.

use crate::exported_model::ExportedModel;
use crate::routine::{Routine, Shape};
use crate::words::one_line;
use crate::{ExportError, Language};
use catena_derivation::{LegendRow, latex_words};
use catena_model::plain;
use catena_symbolic::Notation;

/// The row of the language.
pub(crate) static LANGUAGE: Language = Language {
    name: "latex",
    aliases: &["tex"],
    ending: "tex",
    summary: "a LaTeX document with every entry of every function",
    write,
};

fn write(exported: &ExportedModel<'_>) -> Result<String, ExportError> {
    let model = exported.model;
    let mut out = String::from(
        "\\documentclass[a4paper]{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[margin=2cm,landscape]{geometry}\n\
         \\usepackage{amsmath}\n\\usepackage{longtable}\n\\allowdisplaybreaks\n\\setlength{\\parindent}{0pt}\n\
         \\begin{document}\n",
    );
    out += &format!("\\section*{{{}}}\n", words(&model.title));
    out += &format!("{}\n\n", words(&model.description));
    out += &format!(
        "Written by Catena {} from the model with the hash \\texttt{{{:016x}}}. {}\n\n",
        env!("CARGO_PKG_VERSION"),
        model.hash(),
        words(&exported.remarks().join(" "))
    );
    out += &equations(exported);
    out += &coordinates(exported);
    out += &parameters(exported);
    for routine in &exported.routines {
        out += &function(routine);
    }
    Ok(out + "\\end{document}\n")
}

fn words(text: &str) -> String {
    latex_words(&one_line(text))
}

/// What the functions are for.
fn equations(exported: &ExportedModel<'_>) -> String {
    let [n, m, k] = exported.sizes();
    let mut lines = Vec::new();
    if n > 0 && m > 0 {
        lines.push(r"M\,\dot v + \Phi_q^{\mathsf T}\lambda = Q, \qquad \Phi_q\,\dot v = \gamma, \qquad \dot q = v, \qquad \Phi(t, q) = 0");
    } else if n > 0 {
        lines.push(r"M\,\dot v = Q, \qquad \dot q = v");
    }
    if k > 0 {
        lines.push(r"\dot z = f(t, q, v, z)");
    }
    let lines: String = lines.into_iter().map(|line| format!("\\[ {line} \\]\n")).collect();
    format!("\\subsection*{{Equations of motion}}\n{lines}")
}

/// A table of three columns; nothing where there is no row.
fn table(title: &str, rows: &[[String; 3]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let rows: String = rows.iter().map(|row| format!("{} \\\\\n", row.join(" & "))).collect();
    format!(
        "\\subsection*{{{title}}}\n\\begin{{longtable}}[l]{{@{{}}l@{{\\quad}}l@{{\\quad}}l@{{}}}}\n{rows}\\end{{longtable}}\n"
    )
}

fn coordinates(exported: &ExportedModel<'_>) -> String {
    let start = &exported.start;
    let values = start.q.iter().chain(&start.states);
    let rows = exported.derivation.coordinate_legend.iter().zip(values);
    let row = |(legend, value): (&LegendRow, &f64)| {
        let unit =
            if legend.unit.is_empty() { String::new() } else { format!(", {}", legend.unit) };
        let meaning = words(&format!("{}{unit}", legend.meaning));
        let start = format!("${}$ at the start", latex_number(*value));
        [format!("${}$", Notation::name(&legend.name).to_latex()), meaning, start]
    };
    table("Coordinates and states", &rows.map(row).collect::<Vec<_>>())
}

fn parameters(exported: &ExportedModel<'_>) -> String {
    let rows = exported.parameters.iter().zip(&exported.derivation.parameter_legend);
    let row = |(parameter, legend): (&crate::exported_model::ExportedParameter, &LegendRow)| {
        let formula = match (&parameter.formula, &legend.formula) {
            (Some(_), Some(formula)) => format!(" = {}", formula.to_latex()),
            _ => String::new(),
        };
        let name = Notation::name(&parameter.name).to_latex();
        let value = latex_number(parameter.value);
        [format!("${name}{formula}$"), format!("${value}$"), words(&parameter.meaning)]
    };
    table("Parameters", &rows.map(row).collect::<Vec<_>>())
}

/// A number as people write it, with a power of ten where it is very large or very small.
fn latex_number(value: f64) -> String {
    let text = plain(value).replace('−', "-");
    match text.split_once('e') {
        Some((digits, exponent)) => format!(r"{digits}\cdot 10^{{{exponent}}}"),
        None => text,
    }
}

/// How a function is introduced.
fn title_and_summary(name: &str) -> (&'static str, &'static str) {
    match name {
        "definitions" => ("Definitions", "Named formulas of the model."),
        "mass_matrix" => ("Mass matrix", "$M$, of the accelerations $\\dot v$."),
        "forces" => {
            ("Forces", "$Q$, everything on the right side that is neither $M\\,\\dot v$ nor a constraint.")
        }
        "constraints" => ("Constraints", "$\\Phi$, which stays 0."),
        "constraint_jacobian" => {
            ("Constraint Jacobian", "$\\Phi_q = \\partial\\Phi/\\partial q$.")
        }
        "constraint_rate" => (
            "Rates of the constraints",
            "$\\Phi_t = \\partial\\Phi/\\partial t$, so that $\\dot\\Phi = \\Phi_q\\,v + \\Phi_t$.",
        ),
        "constraint_gamma" => (
            "Right side of the constraints",
            "$\\gamma = -(\\Phi_q v)_q v - 2\\,\\Phi_{qt}\\,v - \\Phi_{tt}$, so that $\\Phi_q\\,\\dot v = \\gamma$.",
        ),
        "state_rates" => ("First-order states", "Their rates $\\dot z$."),
        "kinetic" => ("Kinetic energy", "$T$"),
        "potential" => ("Potential energy", "$V$"),
        "outputs" => ("Outputs", "Columns that the model names."),
        _ => ("Quantities", "Resultants of forces, and powers of what drives and brakes."),
    }
}

fn function(routine: &Routine) -> String {
    let (title, summary) = title_and_summary(routine.kind.name);
    let mut out = format!("\\subsection*{{{title}}}\n{summary}");
    let zeros = match routine.shape {
        Shape::Symmetric(_) => " It is symmetric; entries that are not listed are 0.",
        Shape::Matrix(..) => " Entries that are not listed are 0.",
        _ => "",
    };
    out += &format!("{zeros}\n");
    for entry in &routine.entries {
        let equation = match &entry.equation {
            Notation::Elided => format!("{} = \\cdots", entry.name.to_latex()),
            equation => entry.name.clone().equals(equation.clone()).to_latex(),
        };
        out += &format!("\\[ {equation} \\]\n");
    }
    out
}
