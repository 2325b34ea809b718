//! Results as files and JSON.

use catena_simulation::{Certificate, Run, StopReason, Table};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The ending of the file names no format.
    #[error("`{0}` ends in no format that can be written")]
    UnknownFormat(String),
    /// The operating system refuses.
    #[error("cannot write `{path}`: {error}")]
    Unwritable {
        /// Which file.
        path: String,
        /// What the operating system says.
        error: std::io::Error,
    },
}

/// Endings of the files that [`write_run`] writes.
const FORMATS: [&str; 3] = ["csv", "npz", "json"];

/// Whether a file of this name can be written.
pub fn check_format(path: &Path) -> Result<(), WriteError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    match FORMATS.contains(&ending) {
        true => Ok(()),
        false => Err(WriteError::UnknownFormat(path.display().to_string())),
    }
}

/// Writes the table of a run in the format that the ending names; events go into a file beside it.
pub fn write_run(run: &Run, path: &Path) -> Result<(), WriteError> {
    check_format(path)?;
    let contents = match path.extension().and_then(|ending| ending.to_str()) {
        Some("npz") => run.table.to_npz(),
        Some("json") => format!("{:#}\n", run_json(run)).into_bytes(),
        _ => run.table.to_csv().into_bytes(),
    };
    write(path, &contents)?;
    if !run.events.is_empty() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        write(&path.with_file_name(format!("{name}.events.csv")), run.events.to_csv().as_bytes())?;
    }
    Ok(())
}

/// Everything a run found, as one JSON object.
pub fn run_json(run: &Run) -> Value {
    json!({
        "certificate": certificate_json(&run.certificate),
        "start": { "solved": run.start.solved },
        "columns": table_json(&run.table),
        "events": table_json(&run.events),
    })
}

/// A certificate as JSON.
fn certificate_json(c: &Certificate) -> Value {
    let (stop, reason) = match &c.stop {
        StopReason::Finished => ("finished", None),
        StopReason::Event { name } => ("event", Some(name)),
        StopReason::Cancelled => ("cancelled", None),
        StopReason::Failed { message } => ("failed", Some(message)),
        _ => ("other", None),
    };
    let s = &c.statistics;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "formulation": c.formulation,
        "integrator": c.integrator,
        "stop": stop,
        "reason": reason,
        "time": c.time,
        "energy": c.energy,
        "energy_residual": c.energy_residual,
        "constraint_error": c.constraint_error,
        "constraint_rate_error": c.constraint_rate_error,
        "steps": s.steps,
        "rejected": s.rejected,
        "evaluations": s.evaluations,
        "jacobians": s.jacobians,
        "factorisations": s.factorisations,
    })
}

fn table_json(table: &Table) -> Value {
    let columns = table.names.iter().zip(&table.columns);
    Value::Object(
        columns.map(|(name, column)| (name.clone(), json!(column))).collect::<Map<_, _>>(),
    )
}

/// Writes a file beside its place and renames it: a reader sees the old file or the whole new one.
fn write(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let written = std::fs::File::create(&beside)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // what is left of the attempt; the first error is the one that matters
        let _ = std::fs::remove_file(&beside);
        WriteError::Unwritable { path: path.display().to_string(), error }
    })
}
