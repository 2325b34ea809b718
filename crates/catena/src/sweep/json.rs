//! A sweep as one JSON object.

use super::export::table;
use super::{Extreme, Filled, Findings, Store};
use catena_simulation::Column;
use serde_json::{Map, Value, json};

/// More cells than this are not written out.
const MOST_CELLS: u64 = 10_000;

/// Settings, what was found, what it took if it was computed now, and the values where they are few.
pub fn sweep_json(store: &Store, findings: &Findings, filled: Option<&Filled>) -> Value {
    let description = &store.description;
    let extreme = |found: Option<Extreme>| {
        found.map(|Extreme { value, cell }| {
            json!({ "value": value, "cell": cell, "at": at(store, cell) })
        })
    };
    let measures = findings.measures.iter().map(|measure| {
        let found = json!({ "min": extreme(measure.least), "max": extreme(measure.greatest) });
        (measure.name.clone(), found)
    });
    let axes = description.axes.iter().map(|axis| {
        json!({
            "name": axis.name,
            "count": axis.values.len(),
            "first": axis.values.first(),
            "last": axis.values.last(),
        })
    });
    let reasons = findings
        .reasons
        .iter()
        .map(|(cell, reason)| json!({ "cell": cell, "at": at(store, *cell), "reason": reason }));
    let settings = description.settings.iter().map(|(name, value)| (name.clone(), json!(value)));
    let values = (findings.cells_done <= MOST_CELLS).then(|| {
        let table = table(store).0;
        let columns = table.columns.iter();
        let pair = |column: &Column| (column.name.clone(), json!(column.numbers()));
        Value::Object(columns.map(pair).collect())
    });
    json!({
        "title": description.title,
        "settings": settings.collect::<Map<_, _>>(),
        "axes": axes.collect::<Vec<_>>(),
        "chunk": store.chunk.name(),
        "cells": findings.cells,
        "cells_done": findings.cells_done,
        "blocks": findings.blocks,
        "missing_blocks": findings.missing,
        "unsound_blocks": findings.unsound,
        "measures": measures.collect::<Map<_, _>>(),
        "failed": findings.failed,
        "failures": reasons.collect::<Vec<_>>(),
        "attempt": filled.map(attempt),
        "values": values,
    })
}

fn attempt(filled: &Filled) -> Value {
    json!({
        "interrupted": filled.interrupted,
        "computed": filled.computed,
        "mended_blocks": filled.mended,
        "seconds": filled.seconds,
        "threads": filled.threads,
    })
}

fn at(store: &Store, cell: u64) -> Value {
    let names = store.description.axes.iter().map(|axis| axis.name.clone());
    let values = store.description.cell(cell).into_iter().map(|value| json!(value));
    Value::Object(names.zip(values).collect())
}
