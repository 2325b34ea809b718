//! Numbers on the way: little-endian floats in base64, which are exact, short and quick to read. NaN stays NaN.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use catena::simulation::{Column, ColumnValues, Table};
use serde_json::{Value, json};

/// Bytes in base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Numbers of 64 bits each.
pub(crate) fn floats(numbers: &[f64]) -> Value {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Value::String(base64(&bytes))
}

/// Numbers of 32 bits each, which are enough to draw with.
pub(crate) fn short_floats(numbers: &[f64]) -> Value {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect();
    Value::String(base64(&bytes))
}

/// The columns of a table.
pub(crate) fn columns(table: &Table) -> Value {
    let column = |column: &Column| match &column.values {
        ColumnValues::Numbers(numbers) => {
            json!({ "name": column.name, "unit": column.unit, "values": floats(numbers) })
        }
        ColumnValues::Words(words) => {
            json!({ "name": column.name, "unit": column.unit, "texts": words })
        }
    };
    Value::Array(table.columns.iter().map(column).collect())
}
