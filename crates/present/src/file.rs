//! Files appear whole: they are written under another name in the same folder and renamed.

use crate::format::{TABLE_FORMATS, find};
use crate::{Document, Format};
use catena_simulation::Table;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The ending of the file names no format.
    #[error("`{path}` ends in no format that can be written")]
    UnknownFormat {
        /// The file that was asked for.
        path: String,
        /// What it may end in, with dots.
        known: Vec<String>,
    },
    /// The format is known, but this program was built without it.
    #[error("`{path}` cannot be written: this program was built without Parquet")]
    #[cfg(not(feature = "parquet"))]
    WithoutParquet {
        /// The file that was asked for.
        path: String,
    },
    /// The operating system refuses.
    #[error("cannot write `{path}`: {error}")]
    Unwritable {
        /// The file that was asked for.
        path: String,
        /// The error of the operating system.
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

/// Whether a file of this name can be written with one of these endings: better asked before a long run than after it.
/// Tables take [`TABLE_FORMATS`].
pub fn check_destination(path: &Path, endings: &[&str]) -> Result<(), WriteError> {
    if !endings.contains(&ending(path)) {
        return Err(unknown_format(path, endings));
    }
    if path.is_dir() {
        return Err(unwritable(path, std::io::ErrorKind::IsADirectory.into()));
    }
    let unfinished = unfinished(path);
    let tried = File::create(&unfinished).and_then(|_| std::fs::remove_file(&unfinished));
    tried.map_err(|error| unwritable(path, error))
}

/// Writes a document in the format that the ending names. Where a file holds one sheet, the others go into files of
/// their own, `NAME.SHEET.ENDING`, if they have rows.
pub fn write_document(document: &Document<'_>, path: &Path) -> Result<(), WriteError> {
    let format = find(ending(path)).ok_or_else(|| unknown_format(path, TABLE_FORMATS))?;
    write_in(format, document, path)?;
    if format.holds_all_sheets {
        return Ok(());
    }
    for sheet in document.sheets.iter().skip(1) {
        let table = sheet.rows.whole().map_err(|error| unwritable(path, error))?;
        if !table.is_empty() {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let path = path.with_file_name(format!("{stem}.{}.{}", sheet.name, format.ending));
            write_in(format, &Document::of_sheet(*sheet), &path)?;
        }
    }
    Ok(())
}

/// Writes a table in the format that the ending names.
pub fn write_table(table: &Table, path: &Path) -> Result<(), WriteError> {
    write_document(&Document::of_table("table", table), path)
}

fn write_in(format: &Format, document: &Document<'_>, path: &Path) -> Result<(), WriteError> {
    write_with(path, |file| {
        let mut output = BufWriter::new(file);
        (format.write)(document, &mut output)?;
        output.flush()
    })
}

/// Writes a file whole: a reader sees the old file or the new one.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(contents))
}

fn write_with(
    path: &Path,
    contents: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), WriteError> {
    let unfinished = unfinished(path);
    let written = File::create(&unfinished)
        .and_then(|mut file| {
            contents(&mut file)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&unfinished, path));
    written.map_err(|error| {
        // the unfinished file; the first error is the one that matters
        let _ = std::fs::remove_file(&unfinished);
        unwritable(path, error)
    })
}

/// Where a file is written until it is complete.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or("")
}

fn unknown_format(path: &Path, endings: &[&str]) -> WriteError {
    let shown = path.display().to_string();
    #[cfg(not(feature = "parquet"))]
    if ending(path) == "parquet" && TABLE_FORMATS.iter().all(|known| endings.contains(known)) {
        return WriteError::WithoutParquet { path: shown };
    }
    WriteError::UnknownFormat { path: shown, known: dotted(endings) }
}

fn unwritable(path: &Path, error: std::io::Error) -> WriteError {
    WriteError::Unwritable { path: path.display().to_string(), error }
}

fn dotted(endings: &[&str]) -> Vec<String> {
    endings.iter().map(|ending| format!(".{ending}")).collect()
}
