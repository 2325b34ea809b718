//! Where a file is written, and what it must not replace.

use crate::WriteError;
use crate::file::unwritable;
use crate::format::find;
use std::io;
use std::path::{Path, PathBuf};

/// The sheet of events, which formats of one sheet write into a file of its own.
pub(crate) const EVENTS: &str = "events";

/// Symbolic links that are followed from one to the next; the systems we know stop after fewer.
const MAX_LINKS: usize = 64;

/// The formats of pictures and films that only the feature `raster` brings.
#[cfg(not(feature = "raster"))]
const RASTER_FORMATS: [&str; 3] = ["png", "pdf", "gif"];

/// Where a path leads once its symbolic links are followed: they stay, and their target is written. The target of the
/// last one need not exist yet.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = std::fs::read_link(&target) else { return Ok(target) };
        // a relative link begins in the folder it lies in
        target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    // links in a circle, for which the system has its own words
    std::fs::metadata(path).map(|_| target)
}

/// Refuses to write a file that is read, or that is written as something else, under whatever name: by links, by
/// another spelling of its path, or in the other case where the disk does not tell them apart.
pub fn check_replaces_nothing(
    path: &Path,
    inputs: &[PathBuf],
    outputs: &[PathBuf],
) -> Result<(), WriteError> {
    for written in std::iter::once(path.to_owned()).chain(events_path(path)) {
        let shown = || written.display().to_string();
        if let Some(input) = inputs.iter().find(|input| same_file(input, &written)) {
            return Err(WriteError::ReplacesInput {
                path: shown(),
                input: input.display().to_string(),
            });
        }
        if let Some(other) = outputs.iter().find(|other| same_file(other, &written)) {
            let other = other.display().to_string();
            return Err(WriteError::WrittenTwice { path: shown(), other });
        }
    }
    Ok(())
}

/// The file that the events of a run are written to, where the format of its table holds one sheet.
pub fn events_path(path: &Path) -> Option<PathBuf> {
    let format = find(path.extension()?.to_str()?).filter(|format| !format.holds_all_sheets)?;
    Some(sheet_path(path, EVENTS, format.ending))
}

/// The file of a further sheet: `NAME.SHEET.ENDING`.
pub(crate) fn sheet_path(path: &Path, sheet: &str, ending: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}.{sheet}.{ending}"))
}

/// Whether two names are one file, or will be once it is written.
fn same_file(a: &Path, b: &Path) -> bool {
    match (std::fs::metadata(a), std::fs::metadata(b)) {
        (Ok(one), Ok(other)) => is_same(a, b, &one, &other),
        (Err(_), Err(_)) => match (place(a), place(b)) {
            (Some(one), Some(other)) => one == other,
            _ => false,
        },
        _ => false,
    }
}

/// Hard links, and names in another case, have the number of their file in common.
#[cfg(unix)]
fn is_same(_: &Path, _: &Path, one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(a: &Path, b: &Path, _: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Where a file that does not exist yet will be: its folder and its name.
fn place(path: &Path) -> Option<PathBuf> {
    let target = target(path).ok()?;
    let folder = match target.parent()? {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    Some(folder.canonicalize().ok()?.join(target.file_name()?))
}

/// Whether a file of this name can be written with one of these endings: better asked before a long run than after it.
/// Tables take [`TABLE_FORMATS`](crate::TABLE_FORMATS).
pub fn check_destination(path: &Path, endings: &[&str]) -> Result<(), WriteError> {
    if !endings.contains(&ending(path)) {
        return Err(unknown_format(path, endings));
    }
    if path.is_dir() {
        return Err(unwritable(path, io::ErrorKind::IsADirectory.into()));
    }
    let tried = target(path).and_then(|target| match is_special(&target) {
        true => Ok(()),
        false => {
            let unfinished = unfinished(&target);
            std::fs::File::create(&unfinished).and_then(|_| std::fs::remove_file(&unfinished))
        }
    });
    tried.map_err(|error| unwritable(path, error))
}

/// Whether a path is a pipe or a device, which is written to and never replaced.
pub(crate) fn is_special(target: &Path) -> bool {
    target.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Where a file is written until it is complete.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// What the name of a file ends in, without the dot.
pub(crate) fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or("")
}

/// The refusal of a file whose name ends in none of these.
pub(crate) fn unknown_format(path: &Path, endings: &[&str]) -> WriteError {
    let shown = path.display().to_string();
    #[cfg(not(feature = "parquet"))]
    if ending(path) == "parquet" && crate::TABLE_FORMATS.iter().all(|known| endings.contains(known))
    {
        return WriteError::WithoutParquet { path: shown };
    }
    #[cfg(not(feature = "raster"))]
    if RASTER_FORMATS.contains(&ending(path)) && endings.contains(&"html") {
        return WriteError::WithoutRaster { path: shown, known: dotted(endings) };
    }
    WriteError::UnknownFormat { path: shown, known: dotted(endings) }
}

/// Endings as people read them.
pub(crate) fn dotted(endings: &[&str]) -> Vec<String> {
    endings.iter().map(|ending| format!(".{ending}")).collect()
}

#[cfg(all(test, not(feature = "raster")))]
mod tests {
    use super::*;

    #[test]
    fn pixels_and_pages_are_refused_by_a_program_that_cannot_draw_them() {
        for name in ["motion.png", "motion.pdf"] {
            let refused = check_destination(Path::new(name), crate::PICTURE_FORMATS).unwrap_err();
            assert_eq!(
                refused.to_string(),
                format!(
                    "`{name}` cannot be written: this program was built without PNG, PDF and GIF"
                )
            );
            let help = "build it with --features raster, or name a file that ends in .svg, .html";
            assert_eq!(refused.help().as_deref(), Some(help));
        }
        let refused = check_destination(Path::new("m.gif"), crate::ANIMATION_FORMATS).unwrap_err();
        assert!(matches!(refused, WriteError::WithoutRaster { .. }));
        // a table is no picture
        let refused = check_destination(Path::new("m.png"), crate::TABLE_FORMATS).unwrap_err();
        assert!(matches!(refused, WriteError::UnknownFormat { .. }));
    }
}
