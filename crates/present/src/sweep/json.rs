//! A sweep as one JSON object.

use super::{Extreme, Findings, table};
use catena_analysis::columns_json;
use catena_ensemble::{Attempt, SweepResult};
use serde_json::{Map, Value, json};

/// The values of larger sweeps are left out: a terminal is no place for them.
const MAX_CELLS: u64 = 10_000;

/// Settings, what was found, what it took if it was computed now, and the values where they are few.
pub fn sweep_json(
    result: &dyn SweepResult,
    findings: &Findings,
    attempt: Option<&Attempt>,
) -> Value {
    let description = result.description();
    let extreme = |found: Option<Extreme>| {
        found.map(|Extreme { value, cell }| {
            json!({ "value": value, "cell": cell, "at": at(result, cell) })
        })
    };
    let measures = findings.measures.iter().map(|measure| {
        let mut found = json!({ "min": extreme(measure.least), "max": extreme(measure.greatest) });
        if measure.never > 0 {
            found["never"] = json!(measure.never);
        }
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
        .map(|(cell, reason)| json!({ "cell": cell, "at": at(result, *cell), "reason": reason }));
    let settings = description.settings.iter().map(|(name, value)| (name.clone(), json!(value)));
    let values = (findings.cells_done <= MAX_CELLS).then(|| columns_json(&table(result)));
    json!({
        "title": description.title,
        "settings": settings.collect::<Map<_, _>>(),
        "axes": axes.collect::<Vec<_>>(),
        "chunk": result.chunk().name(),
        "cells": findings.cells,
        "cells_done": findings.cells_done,
        "blocks": findings.blocks,
        "missing_blocks": findings.missing,
        "unsound_blocks": findings.unsound,
        "processors": findings.processors,
        "measures": measures.collect::<Map<_, _>>(),
        "failed": findings.failed,
        "failures": reasons.collect::<Vec<_>>(),
        "attempt": attempt.map(attempt_json),
        "values": values,
    })
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "interrupted": attempt.interrupted,
        "computed": attempt.computed,
        "mended_blocks": attempt.mended,
        "seconds": attempt.seconds,
        "threads": attempt.threads,
    })
}

fn at(result: &dyn SweepResult, cell: u64) -> Value {
    let names = result.description().axes.iter().map(|axis| axis.name.clone());
    let values = result.description().cell(cell).into_iter().map(|value| json!(value));
    Value::Object(names.zip(values).collect())
}
