//! Files appear whole: they are written under another name in the same folder and renamed.

use crate::destination::{ending, is_special, sheet_path, target, unfinished, unknown_format};
use crate::format::{TABLE_FORMATS, find};
use crate::{Document, Format};
use catena_simulation::Table;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;

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
    /// The format is known, but this program was built without what draws it.
    #[error("`{path}` cannot be written: this program was built without PNG, PDF and GIF")]
    #[cfg(not(feature = "raster"))]
    WithoutRaster {
        /// The file that was asked for.
        path: String,
        /// The endings that it can write.
        known: Vec<String>,
    },
    /// It is a file that the command reads.
    #[error("writing `{path}` would replace `{input}`, which is read here")]
    ReplacesInput {
        /// The file that was asked for.
        path: String,
        /// The file that is read, by the name it was given.
        input: String,
    },
    /// Two results would be written into one file.
    #[error("`{path}` and `{other}` are one file, and only one of them could be kept")]
    WrittenTwice {
        /// The file that was asked for.
        path: String,
        /// The name under which it was asked for before.
        other: String,
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
                crate::destination::dotted(TABLE_FORMATS).join(", ")
            )),
            #[cfg(not(feature = "raster"))]
            WriteError::WithoutRaster { known, .. } => Some(format!(
                "build it with --features raster, or name a file that ends in {}",
                known.join(", ")
            )),
            _ => None,
        }
    }

    /// Whether the request is to blame, not the disk.
    pub fn is_usage(&self) -> bool {
        !matches!(self, WriteError::Unwritable { .. })
    }
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
            let path = sheet_path(path, sheet.name, format.ending);
            write_in(format, &Document::of_sheet(*sheet), &path)?;
        }
    }
    Ok(())
}

/// A document as the contents of a file of this name; of several sheets the first, where a file holds one.
pub fn document_bytes(document: &Document<'_>, path: &Path) -> Result<Vec<u8>, WriteError> {
    let format = find(ending(path)).ok_or_else(|| unknown_format(path, TABLE_FORMATS))?;
    let mut output = std::io::Cursor::new(Vec::new());
    (format.write)(document, &mut output).map_err(|error| unwritable(path, error))?;
    Ok(output.into_inner())
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

/// Writes a file whole: a reader sees the old file or the new one. Symbolic links stay, and what they lead to is written.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    write_with(path, |file| file.write_all(contents))
}

fn write_with(
    path: &Path,
    contents: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), WriteError> {
    let target = target(path).map_err(|error| unwritable(path, error))?;
    if is_special(&target) {
        let opened = OpenOptions::new().write(true).open(&target);
        return opened
            .and_then(|mut file| contents(&mut file))
            .map_err(|error| unwritable(path, error));
    }
    let unfinished = unfinished(&target);
    let written = File::create(&unfinished)
        .and_then(|mut file| {
            contents(&mut file)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&unfinished, &target));
    written.map_err(|error| {
        // the unfinished file; the first error is the one that matters
        let _ = std::fs::remove_file(&unfinished);
        unwritable(path, error)
    })
}

pub(crate) fn unwritable(path: &Path, error: std::io::Error) -> WriteError {
    WriteError::Unwritable { path: path.display().to_string(), error }
}
