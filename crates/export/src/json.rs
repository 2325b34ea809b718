//! JSON, for programs: names, numbers and every function as a straight line of operations.

use crate::exported_model::ExportedModel;
use crate::routine::{Routine, Shape};
use crate::{ExportError, Language};
use catena_model::NamedFormula;
use catena_symbolic::{Function, Notation, Rules};
use serde_json::{Map, Value, json};

/// The row of the language.
pub(crate) static LANGUAGE: Language = Language {
    name: "json",
    aliases: &[],
    ending: "json",
    summary: "everything as one JSON object, functions as lists of operations, for programs",
    write,
};

/// The form of the object; it grows when something in it gets another meaning.
const FORM: u32 = 1;

/// What operations compute from the values that they name.
const OPERATIONS: [(&str, &str); 9] = [
    ("add", "[a, b]: a + b"),
    ("subtract", "[a, b]: a - b"),
    ("multiply", "[a, b]: a*b"),
    ("divide", "[a, b]: a/b"),
    ("negate", "a: -a"),
    ("power", "[a, b]: a to the power b"),
    ("squareroot", "a: the square root of a"),
    ("sine", "a: sin(a)"),
    ("cosine", "a: cos(a)"),
];

/// All operations, with the functions that they may call.
fn operations() -> Map<String, Value> {
    let called = |arity: usize| {
        let functions = Function::all().filter(|function| match &function.row().rules {
            Rules::One(rules) => arity == 1 && rules.intrinsic.is_none(),
            Rules::Two(_) => arity == 2,
        });
        functions.map(Function::name).collect::<Vec<_>>().join(", ")
    };
    let known = OPERATIONS.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text)));
    let call = format!(
        "[f, a]: f(a) with f one of {}; sign is -1, 0 or 1, sinc(a) is sin(a)/a",
        called(1)
    );
    let call2 = format!(
        "[f, a, b]: f(a, b) with f one of {}; dsinc is the a-th derivative of sinc at b",
        called(2)
    );
    known.chain([("call".to_owned(), call.into()), ("call2".to_owned(), call2.into())]).collect()
}

fn write(exported: &ExportedModel<'_>) -> Result<String, ExportError> {
    let model = exported.model;
    let start = &exported.start;
    let document = json!({
        "form": FORM,
        "catena": env!("CARGO_PKG_VERSION"),
        "hash": format!("{:016x}", model.hash()),
        "title": model.title,
        "description": model.description,
        "conventions": {
            "equations": "M a + Phi_q^T lambda = Q, Phi_q a = gamma, dq/dt = v, dv/dt = a, dz/dt = state_rates",
            "units": "SI, angles in radians",
            "programs": "values are numbered from 0: inputs in the order of their groups, then constants, then one for each \
                         operation; an operation names values before its own; outputs name values",
            "operations": operations(),
            "matrices": "entries that are not listed are 0; of a symmetric matrix the upper triangle is listed",
        },
        "coordinates": coordinates(exported),
        "states": exported.system.states.iter().map(|state| state.name.as_str()).collect::<Vec<_>>(),
        "constraints": formulas(&exported.system.constraints),
        "redundant_constraints": exported.redundant,
        "parameters": parameters(exported),
        "start": { "t": start.t, "q": start.q, "v": start.v, "states": start.states },
        "run": { "t_end": exported.t_end, "every": exported.every },
        "columns": exported.columns(),
        "remarks": exported.remarks(),
        "functions": exported.routines.iter().map(function).collect::<Vec<_>>(),
    });
    Ok(format!("{}\n", indented(&document)))
}

fn coordinates(exported: &ExportedModel<'_>) -> Vec<Value> {
    let legend = &exported.derivation.coordinate_legend;
    let coordinates = exported.system.coordinates.iter().enumerate();
    let row = |(at, coordinate): (usize, &catena_model::Coordinate)| {
        let unit = legend.get(at).map_or("", |row| row.unit);
        json!({ "name": coordinate.name, "meaning": coordinate.text, "unit": unit })
    };
    coordinates.map(row).collect()
}

fn formulas(formulas: &[NamedFormula]) -> Vec<Value> {
    let formula = |formula: &NamedFormula| {
        let text = Notation::of_formula(&formula.formula).to_formula();
        json!({ "name": formula.name, "formula": text })
    };
    formulas.iter().map(formula).collect()
}

fn parameters(exported: &ExportedModel<'_>) -> Vec<Value> {
    let rows = exported.parameters.iter().zip(&exported.derivation.parameter_legend);
    let row = |(parameter, legend): (
        &crate::exported_model::ExportedParameter,
        &catena_derivation::LegendRow,
    )| {
        let formula = parameter.formula.as_ref().and(legend.formula.as_ref());
        json!({
            "name": parameter.name,
            "value": parameter.value,
            "meaning": legend.meaning,
            "unit": legend.unit,
            "formula": formula.map(Notation::to_formula),
        })
    };
    rows.map(row).collect()
}

fn function(routine: &Routine) -> Value {
    let (shape, is_symmetric) = match routine.shape {
        Shape::Number => (vec![], false),
        Shape::Vector(len) => (vec![len], false),
        Shape::Matrix(rows, columns) => (vec![rows, columns], false),
        Shape::Symmetric(n) => (vec![n, n], true),
    };
    let entries = routine.entries.iter().map(|entry| {
        let place = match routine.shape {
            Shape::Number => vec![],
            Shape::Vector(_) => vec![entry.row],
            _ => vec![entry.row, entry.column],
        };
        let equation = match &entry.equation {
            Notation::Elided => Value::Null,
            equation => Value::from(equation.to_formula()),
        };
        json!({ "place": place, "equation": equation })
    });
    json!({
        "name": routine.kind.name,
        "letter": routine.kind.letter,
        "summary": routine.kind.summary,
        "arguments": routine.arguments.iter().map(|group| group.name()).collect::<Vec<_>>(),
        "shape": shape,
        "symmetric": is_symmetric,
        "entries": entries.collect::<Vec<_>>(),
        "program": routine.program,
    })
}

/// Objects on lines of their own, lists of numbers and of operations in one line each.
fn indented(document: &Value) -> String {
    let mut out = String::new();
    write_value(document, 0, &mut out);
    out
}

fn write_value(value: &Value, depth: usize, out: &mut String) {
    let inner = "  ".repeat(depth + 1);
    let outer = "  ".repeat(depth);
    let is_flat = |value: &Value| match value {
        Value::Array(items) => items.iter().all(|item| !item.is_object() && !item.is_array()),
        Value::Object(fields) => fields.len() == 1 && !fields.values().any(Value::is_object),
        _ => true,
    };
    match value {
        Value::Object(fields) if !is_flat(value) => {
            *out += "{\n";
            for (at, (key, field)) in fields.iter().enumerate() {
                *out += &format!("{inner}{}: ", Value::from(key.as_str()));
                write_value(field, depth + 1, out);
                *out += if at + 1 < fields.len() { ",\n" } else { "\n" };
            }
            *out += &format!("{outer}}}");
        }
        Value::Array(items) if !is_flat(value) => {
            *out += "[\n";
            for (at, item) in items.iter().enumerate() {
                *out += &inner;
                write_value(item, depth + 1, out);
                *out += if at + 1 < items.len() { ",\n" } else { "\n" };
            }
            *out += &format!("{outer}]");
        }
        flat => *out += &flat.to_string(),
    }
}
