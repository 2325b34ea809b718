//! A run as a document.

use crate::destination::EVENTS;
use crate::{Document, Sheet, WriteError, write_document};
use catena_analysis::{columns_json, units_json};
use catena_simulation::{Certificate, Freedom, Run, StopReason};
use serde_json::{Value, json};
use std::path::Path;

/// Writes a run in the format that the ending names: its table and its events; in JSON everything else too.
pub fn write_run(run: &Run, path: &Path) -> Result<(), WriteError> {
    write_document(&run_document(run), path)
}

/// A run as a document: its table and its events; in JSON everything else too.
pub fn run_document(run: &Run) -> Document<'_> {
    let mut sheets = vec![Sheet { name: "run", rows: &run.table, shape: None }];
    if !run.events.is_empty() {
        sheets.push(Sheet { name: EVENTS, rows: &run.events, shape: None });
    }
    Document { sheets, object: Box::new(|| Ok(run_json(run))) }
}

/// Everything a run found, as one JSON object.
pub fn run_json(run: &Run) -> Value {
    json!({
        "certificate": certificate_json(&run.certificate),
        "start": { "solved": run.start.solved },
        "units": units_json(&run.table),
        "columns": columns_json(&run.table),
        "events": columns_json(&run.events),
    })
}

/// A certificate as JSON.
pub fn certificate_json(c: &Certificate) -> Value {
    let (stop, reason) = match &c.stop {
        StopReason::Finished => ("finished", None),
        StopReason::Event { name } => ("event", Some(name)),
        StopReason::Cancelled => ("cancelled", None),
        StopReason::Failed { message } => ("failed", Some(message)),
        _ => ("other", None),
    };
    let s = &c.statistics;
    let kept = |error: f64| c.linear_about.is_none().then_some(error);
    let linear_about = c.linear_about.as_ref().map(|rest| {
        Value::Object(rest.iter().map(|(name, value)| (name.clone(), json!(value))).collect())
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "model": format!("{:016x}", c.model_hash),
        "formulation": c.formulation,
        "integrator": c.integrator,
        "chosen": c.chosen,
        "stop": stop,
        "reason": reason,
        "time": c.time,
        "linear_about": linear_about,
        "energy": c.energy,
        "energy_residual": kept(c.energy_residual),
        "constraint_error": kept(c.constraint_error),
        "constraint_rate_error": kept(c.constraint_rate_error),
        "degrees_of_freedom": c.freedom.as_ref().map(freedom_json),
        "steps": s.steps,
        "stiff_steps": s.stiff_steps,
        "rejected": s.rejected,
        "evaluations": s.evaluations,
        "jacobians": s.jacobians,
        "factorisations": s.factorisations,
        "newton_iterations": s.newton_iterations,
        "preparation_seconds": c.preparation_seconds,
        "seconds": c.seconds,
        "remarks": c.notes(),
        "error_estimate": c.estimate.map(|estimate| estimate.error),
        "estimate_holds_until": c.estimate.map(|estimate| estimate.valid_until),
        "part_of_motion": c.estimate.map(|estimate| estimate.part_of_motion),
        "chaotic": c.estimate.map(|estimate| estimate.chaotic),
        "finite_time_exponent": c.predictability.map(|found| found.exponent),
        "predictability_horizon": c.predictability.map(|found| found.horizon),
        "event_time_error": c.estimate.and_then(|estimate| estimate.event_time),
        "verdict": c.verdict.grade.name(),
        "verdict_reason": c.verdict.reason,
        "verdict_advice": c.verdict.advice,
    })
}

/// Degrees of freedom along a run, and what is special about its constraints.
fn freedom_json(freedom: &Freedom) -> Value {
    json!({
        "degrees": freedom.degrees,
        "rows_examined": freedom.examined,
        "rows": freedom.rows,
        "raised": freedom.rank_deficiency.as_ref().map(|deficiency| json!({
            "degrees": deficiency.degrees,
            "rows": deficiency.rows,
            "first": deficiency.first,
            "constraints": deficiency.constraints,
        })),
        "near_singular_poses": freedom.approach.as_ref().map(|approach| json!({
            "passages": approach.near_singular_passages,
            "first": approach.first,
            "new_part": approach.independence,
            "constraints": approach.constraints,
            "pose": approach.pose,
        })),
        "forces": freedom.shared.as_ref().map(|forces| json!({
            "shared": forces.shared,
            "determined": forces.determined,
        })),
    })
}
