//! One JSON object. NaN and infinities, which JSON does not have, become `null`.

use crate::{Document, Format, Output};
use catena_simulation::Table;
use serde_json::{Value, json};
use std::io;

pub(crate) static FORMAT: Format = Format {
    ending: "json",
    summary: "one JSON object with everything that was found",
    holds_all_sheets: true,
    write,
};

fn write(document: &Document<'_>, output: &mut dyn Output) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, &(document.object)()?)?;
    output.write_all(b"\n")
}

/// The units of a table by column, where they are known.
pub(crate) fn units_json(table: &Table) -> Value {
    let known = table.columns.iter().filter(|column| !column.unit.is_empty());
    Value::Object(known.map(|column| (column.name.clone(), json!(column.unit))).collect())
}
