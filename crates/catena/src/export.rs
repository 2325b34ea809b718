//! Results as files and JSON.

use catena_simulation::{Certificate, Column, Freedom, Run, StopReason, Table, Values};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The ending of the file names no format.
    #[error("`{path}` ends in no format that can be written")]
    UnknownFormat {
        /// Which file.
        path: String,
        /// What it may end in.
        known: Vec<String>,
    },
    /// The format is known, but this program was built without it.
    #[error("`{path}` cannot be written: this program was built without Parquet")]
    #[cfg(not(feature = "parquet"))]
    WithoutParquet {
        /// Which file.
        path: String,
    },
    /// The operating system refuses.
    #[error("cannot write `{path}`: {error}")]
    Unwritable {
        /// Which file.
        path: String,
        /// What the operating system says.
        error: std::io::Error,
    },
}

impl WriteError {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            WriteError::UnknownFormat { known, .. } => {
                Some(format!("name a file that ends in {}", known.join(", ")))
            }
            #[cfg(not(feature = "parquet"))]
            WriteError::WithoutParquet { .. } => Some(format!(
                "build it with --features parquet, or name a file that ends in {}",
                dotted(TABLE_FORMATS).join(", ")
            )),
            WriteError::Unwritable { .. } => None,
        }
    }

    /// Whether the request is to blame, not the disk.
    pub fn is_usage(&self) -> bool {
        !matches!(self, WriteError::Unwritable { .. })
    }
}

/// Endings of the files that [`write_run`] writes.
#[cfg(not(feature = "parquet"))]
pub const TABLE_FORMATS: &[&str] = &["csv", "npz", "json"];
/// Endings of the files that [`write_run`] writes.
#[cfg(feature = "parquet")]
pub const TABLE_FORMATS: &[&str] = &["csv", "npz", "json", "parquet"];

/// Whether a file of this name can be written: better asked before a long run than after it.
pub fn check_destination(path: &Path, endings: &[&str]) -> Result<(), WriteError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    if !endings.contains(&ending) {
        let path = path.display().to_string();
        #[cfg(not(feature = "parquet"))]
        if ending == "parquet" && endings == TABLE_FORMATS {
            return Err(WriteError::WithoutParquet { path });
        }
        return Err(WriteError::UnknownFormat { path, known: dotted(endings) });
    }
    if path.is_dir() {
        return Err(unwritable(path, std::io::ErrorKind::IsADirectory.into()));
    }
    let beside = beside(path);
    let tried = File::create(&beside).and_then(|_| std::fs::remove_file(&beside));
    tried.map_err(|error| unwritable(path, error))
}

/// Writes the table of a run in the format that the ending names; events go into a file beside it.
pub fn write_run(run: &Run, path: &Path) -> Result<(), WriteError> {
    let contents = match path.extension().and_then(|ending| ending.to_str()) {
        Some("npz") => run.table.to_npz(),
        Some("json") => format!("{:#}\n", run_json(run)).into_bytes(),
        #[cfg(feature = "parquet")]
        Some("parquet") => crate::parquet::to_parquet(&run.table)
            .map_err(|error| unwritable(path, std::io::Error::other(error)))?,
        _ => run.table.to_csv().into_bytes(),
    };
    write(path, &contents)?;
    if !run.events.is_empty() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        write(&path.with_file_name(format!("{name}.events.csv")), run.events.to_csv().as_bytes())?;
    }
    Ok(())
}

/// Writes a table in the format that the ending names.
pub fn write_table(table: &Table, path: &Path) -> Result<(), WriteError> {
    let contents = match path.extension().and_then(|ending| ending.to_str()) {
        Some("npz") => table.to_npz(),
        Some("json") => format!("{:#}\n", table_json(table)).into_bytes(),
        _ => table.to_csv().into_bytes(),
    };
    write(path, &contents)
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
    let kept = |error: f64| c.linear_about.is_none().then_some(error);
    let linear_about = c.linear_about.as_ref().map(|rest| {
        Value::Object(rest.iter().map(|(name, value)| (name.clone(), json!(value))).collect())
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "model": format!("{:016x}", c.model_hash),
        "formulation": c.formulation,
        "integrator": c.integrator,
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
        "estimate_holds_until": c.estimate.map(|estimate| estimate.holds_until),
    })
}

/// Degrees of freedom along a run, and what is special about its constraints.
fn freedom_json(freedom: &Freedom) -> Value {
    json!({
        "degrees": freedom.degrees,
        "rows_examined": freedom.examined,
        "rows": freedom.rows,
        "raised": freedom.raised.as_ref().map(|raised| json!({
            "degrees": raised.degrees,
            "rows": raised.rows,
            "first": raised.first,
            "constraints": raised.constraints,
        })),
        "near_singular_poses": freedom.approach.as_ref().map(|approach| json!({
            "passages": approach.passages,
            "first": approach.first,
            "new_part": approach.new_part,
            "constraints": approach.constraints,
            "pose": approach.pose,
        })),
        "forces": freedom.shared.as_ref().map(|forces| json!({
            "shared": forces.shared,
            "determined": forces.determined,
        })),
    })
}

fn table_json(table: &Table) -> Value {
    let values = |column: &Column| match &column.values {
        Values::Numbers(numbers) => json!(numbers),
        Values::Words(words) => json!(words),
    };
    let columns = table.columns.iter();
    Value::Object(columns.map(|column| (column.name.clone(), values(column))).collect())
}

/// Writes a file beside its place and renames it: a reader sees the old file or the whole new one.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(contents))
}

/// The same for what is written piece by piece.
pub(crate) fn write_with<T>(
    path: &Path,
    contents: impl FnOnce(&mut File) -> std::io::Result<T>,
) -> Result<T, WriteError> {
    let beside = beside(path);
    let written = File::create(&beside)
        .and_then(|mut file| {
            let found = contents(&mut file)?;
            file.sync_all()?;
            Ok(found)
        })
        .and_then(|found| std::fs::rename(&beside, path).map(|()| found));
    written.map_err(|error| {
        // what is left of the attempt; the first error is the one that matters
        let _ = std::fs::remove_file(&beside);
        unwritable(path, error)
    })
}

/// Where a file is written until it is complete.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn dotted(endings: &[&str]) -> Vec<String> {
    endings.iter().map(|ending| format!(".{ending}")).collect()
}

pub(crate) fn unwritable(path: &Path, error: std::io::Error) -> WriteError {
    WriteError::Unwritable { path: path.display().to_string(), error }
}
