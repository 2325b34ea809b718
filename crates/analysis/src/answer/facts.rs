//! Numbers with their names, as facts of an answer.

use catena_linear::Complex;
use catena_simulation::{ColumnValues, Table};
use serde_json::{Map, Value, json};

/// Values by their names.
pub(crate) fn by_name<'a>(names: impl Iterator<Item = &'a String>, values: &[f64]) -> Value {
    Value::Object(names.cloned().zip(values.iter().map(|value| json!(value))).collect())
}

/// Amplitudes and phases by name.
pub(crate) fn shape_json<'a>(names: impl Iterator<Item = &'a String>, shape: &[Complex]) -> Value {
    let entry = |x: &Complex| json!({ "amplitude": x.norm(), "phase": x.arg() });
    Value::Object(names.cloned().zip(shape.iter().map(entry)).collect::<Map<_, _>>())
}

/// The units of a table by column, where they are known.
pub fn units_json(table: &Table) -> Value {
    let known = table.columns.iter().filter(|column| !column.unit.is_empty());
    Value::Object(known.map(|column| (column.name.clone(), json!(column.unit))).collect())
}

/// The columns of a table as lists by name.
pub fn columns_json(table: &Table) -> Value {
    let list = |values: &ColumnValues| match values {
        ColumnValues::Numbers(numbers) => json!(numbers),
        ColumnValues::Words(words) => json!(words),
    };
    let columns = table.columns.iter();
    Value::Object(columns.map(|column| (column.name.clone(), list(&column.values))).collect())
}
