//! Comparisons and benches as documents.

use crate::{Document, Sheet, WriteError, write_document};
use catena_analysis::{Comparison, Outcome};
use catena_simulation::Table;
use serde_json::{Value, json};
use std::path::Path;

/// What a method did on a chain of this many links.
#[derive(Clone, Copy)]
pub struct BenchRow<'a> {
    /// Number of links.
    pub links: usize,
    /// What became of the method.
    pub outcome: &'a Outcome,
}

/// Writes a comparison in the format that the ending names.
pub fn write_comparison(comparison: &Comparison, path: &Path) -> Result<(), WriteError> {
    let table = comparison_table(comparison.outcomes.iter());
    let sheets = vec![Sheet { name: "comparison", rows: &table, shape: None }];
    let object = Box::new(|| Ok(comparison_json(comparison)));
    write_document(&Document { sheets, object }, path)
}

/// Writes the figures of a bench in the format that the ending names.
pub fn write_bench(rows: &[BenchRow<'_>], path: &Path) -> Result<(), WriteError> {
    let links = rows.iter().map(|row| row.links as f64).collect();
    let mut table = Table::default().with_numbers("links", "", links);
    table.columns.extend(comparison_table(rows.iter().map(|row| row.outcome)).columns);
    let sheets = vec![Sheet { name: "bench", rows: &table, shape: None }];
    write_document(&Document { sheets, object: Box::new(|| Ok(bench_json(rows))) }, path)
}

/// A column of numbers: its name, its unit, and where it comes from.
type NumberColumn = (&'static str, &'static str, fn(&Outcome) -> f64);

/// A row for each outcome; NaN where a figure means nothing, as the tolerance of a fixed step.
pub fn comparison_table<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Table {
    let words = |word: fn(&Outcome) -> &str| outcomes.clone().map(|o| word(o).to_owned()).collect();
    let figures: [NumberColumn; 13] = [
        ("tolerance", "", |o| if o.fixed_step { f64::NAN } else { o.tolerance }),
        ("step", "s", |o| if o.fixed_step { o.tolerance } else { f64::NAN }),
        ("every", "s", |o| o.every),
        ("seconds", "s", |o| o.seconds),
        ("steps", "", |o| o.statistics.steps as f64),
        ("rejected", "", |o| o.statistics.rejected as f64),
        ("evaluations", "", |o| o.statistics.evaluations as f64),
        ("error", "", |o| o.error.error),
        ("holds_until", "s", |o| o.error.valid_until),
        ("force_error", "", |o| o.force_error.unwrap_or(f64::NAN)),
        ("energy_residual", "J", |o| o.energy_residual),
        ("constraint_error", "", |o| o.constraint_error),
        ("constraint_rate_error", "", |o| o.constraint_rate_error),
    ];
    let named = Table::default()
        .with_words("formulation", words(|o| o.formulation))
        .with_words("integrator", words(|o| o.integrator));
    let measured = figures.into_iter().fold(named, |table, (name, unit, figure)| {
        table.with_numbers(name, unit, outcomes.clone().map(figure).collect())
    });
    measured.with_words("failure", words(|o| o.failure.as_deref().unwrap_or_default()))
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

/// The figures of a bench as a list of objects.
pub fn bench_json(rows: &[BenchRow<'_>]) -> Value {
    let object = |BenchRow { links, outcome }: &BenchRow<'_>| {
        let mut object = json!({ "links": links });
        if let (Some(object), Value::Object(rest)) = (object.as_object_mut(), outcome_json(outcome))
        {
            object.extend(rest);
        }
        object
    };
    Value::Array(rows.iter().map(object).collect())
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
        "holds_until": outcome.error.valid_until,
        "force_error": outcome.force_error,
        "energy_residual": outcome.energy_residual,
        "constraint_error": outcome.constraint_error,
        "constraint_rate_error": outcome.constraint_rate_error,
        "failure": outcome.failure,
    })
}
