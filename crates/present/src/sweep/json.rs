//! A sweep as one JSON object.

use super::{Extreme, Findings, table};
use catena_analysis::columns_json;
use catena_ensemble::{Attempt, MeasureLoss, PrecisionLoss, SweepResult};
use serde_json::{Map, Value, json};

/// The values of larger sweeps are left out: a terminal is no place for them.
const MAX_CELLS: u64 = 10_000;

/// What is known of a sweep that was computed now.
#[derive(Clone, Debug)]
pub struct Computed {
    /// What it took.
    pub attempt: Attempt,
    /// What the device that was asked for is, or why the processor has computed.
    pub device: Option<String>,
    /// What single precision has cost.
    pub precision_loss: Option<PrecisionLoss>,
}

/// Settings, what was found, what it took if it was computed now, and the values where they are few.
pub fn sweep_json(
    result: &dyn SweepResult,
    findings: &Findings,
    computed: Option<&Computed>,
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
    let loss = computed.and_then(|computed| computed.precision_loss.as_ref());
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
        "attempt": computed.map(|computed| attempt_json(&computed.attempt)),
        "device": computed.and_then(|computed| computed.device.clone()),
        "precision_loss": loss.map(|loss| loss_json(loss, &description.measures)),
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

fn loss_json(loss: &PrecisionLoss, names: &[String]) -> Value {
    let measures = names.iter().zip(&loss.measures).map(|(name, loss)| {
        let MeasureLoss { median, largest, one_sided } = *loss;
        let found = json!({ "median": median, "largest": largest, "one_sided": one_sided });
        (name.clone(), found)
    });
    json!({ "cells": loss.cells, "measures": measures.collect::<Map<_, _>>() })
}

fn at(result: &dyn SweepResult, cell: u64) -> Value {
    let names = result.description().axes.iter().map(|axis| axis.name.clone());
    let values = result.description().cell(cell).into_iter().map(|value| json!(value));
    Value::Object(names.zip(values).collect())
}
