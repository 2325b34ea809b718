//! Comparisons as files and JSON.

use crate::BenchOutcome;
use crate::export::{WriteError, write};
use catena_analysis::{Comparison, Outcome};
use serde_json::{Value, json};
use std::path::Path;

/// Endings of the files that [`write_comparison`] and [`write_bench`] write.
pub const COMPARISON_FORMATS: &[&str] = &["csv", "json"];

/// Writes a comparison in the format that the ending names.
pub fn write_comparison(comparison: &Comparison, path: &Path) -> Result<(), WriteError> {
    let rows: Vec<Value> = comparison.outcomes.iter().map(outcome_json).collect();
    write_rows(path, &rows, || comparison_json(comparison))
}

/// Writes the figures of a bench in the format that the ending names.
pub fn write_bench(outcomes: &[BenchOutcome], path: &Path) -> Result<(), WriteError> {
    let rows: Vec<Value> = outcomes
        .iter()
        .map(|BenchOutcome { links, outcome }| {
            let mut row = json!({ "links": links });
            if let (Some(row), Value::Object(rest)) = (row.as_object_mut(), outcome_json(outcome)) {
                row.extend(rest);
            }
            row
        })
        .collect();
    write_rows(path, &rows, || Value::Array(rows.clone()))
}

/// Everything that a comparison found, as one JSON object.
pub fn comparison_json(comparison: &Comparison) -> Value {
    let (formulation, integrator, tolerance) = comparison.reference;
    let refused = comparison.refused.iter();
    json!({
        "outcomes": comparison.outcomes.iter().map(outcome_json).collect::<Vec<_>>(),
        "left_out": refused
            .map(|(name, reason)| json!({ "formulation": name, "reason": reason }))
            .collect::<Vec<_>>(),
        "reference": {
            "formulation": formulation,
            "integrator": integrator,
            "tolerance": tolerance,
        },
        "recommendation": comparison.recommendation,
    })
}

fn outcome_json(outcome: &Outcome) -> Value {
    let s = &outcome.statistics;
    json!({
        "formulation": outcome.formulation,
        "integrator": outcome.integrator,
        "tolerance": (!outcome.fixed_step).then_some(outcome.tolerance),
        "step": outcome.fixed_step.then_some(outcome.tolerance),
        "every": outcome.every,
        "seconds": outcome.seconds,
        "steps": s.steps,
        "rejected": s.rejected,
        "evaluations": s.evaluations,
        "error": outcome.error.error,
        "holds_until": outcome.error.holds_until,
        "force_error": outcome.force_error,
        "energy_residual": outcome.energy_residual,
        "constraint_error": outcome.constraint_error,
        "constraint_rate_error": outcome.constraint_rate_error,
        "failure": outcome.failure,
    })
}

fn write_rows(path: &Path, rows: &[Value], all: impl Fn() -> Value) -> Result<(), WriteError> {
    if path.extension().is_some_and(|ending| ending == "json") {
        return write(path, format!("{:#}\n", all()).as_bytes());
    }
    let keys: Vec<&String> =
        rows.first().and_then(Value::as_object).map_or(Vec::new(), |row| row.keys().collect());
    let mut text = keys.iter().map(|key| key.as_str()).collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        let cell = |key: &&String| match &row[key.as_str()] {
            Value::Null => String::new(),
            Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
            value => value.to_string(),
        };
        text += &(keys.iter().map(cell).collect::<Vec<_>>().join(",") + "\n");
    }
    write(path, text.as_bytes())
}
