//! Results as tables: a row for each cell, its axes first, then its measures; NaN where a trajectory failed.

use super::space::gigabytes;
use super::{Findings, Store};
use crate::export::{WriteError, unwritable, write, write_with};
use catena_simulation::Table;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Endings of the files that [`export`] writes.
pub const SWEEP_FORMATS: &[&str] = &["csv", "npz"];

/// What an archive may hold: its format counts bytes with 32 bits, and it is made in memory.
const LARGEST_ARCHIVE: u64 = 1 << 31;

/// Writes what is there and sound, in the format that the ending names. Cells that are not there have no row.
pub fn export(store: &Store, path: &Path) -> Result<Findings, WriteError> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("npz") => archive(store, path),
        _ => csv(store, path),
    }
}

fn names(store: &Store) -> Vec<String> {
    let axes = store.description.axes.iter().map(|axis| axis.name.clone());
    axes.chain(store.description.measures.iter().cloned()).collect()
}

/// Row by row: a file may be larger than the memory.
fn csv(store: &Store, path: &Path) -> Result<Findings, WriteError> {
    let measures = store.description.measures.len();
    write_with(path, |file| {
        let mut file = BufWriter::new(file);
        writeln!(file, "{}", names(store).join(","))?;
        let mut written = Ok(());
        let mut line = String::new();
        let findings = Findings::while_reading(store, &mut |block| {
            for (cell, values) in block.cells.clone().zip(block.values.chunks_exact(measures)) {
                line.clear();
                for value in store.description.cell(cell).iter().chain(values) {
                    line += if line.is_empty() { "" } else { "," };
                    line += &format!("{value:.16e}");
                }
                line.push('\n');
                if written.is_ok() {
                    written = file.write_all(line.as_bytes());
                }
            }
        });
        written?;
        file.flush()?;
        Ok(findings)
    })
}

fn archive(store: &Store, path: &Path) -> Result<Findings, WriteError> {
    let names = names(store);
    let need = store.description.blocks.cells.saturating_mul(8 * names.len() as u64);
    if need > LARGEST_ARCHIVE {
        let reason = format!(
            "an archive of {} is more than the {} that it may hold; a .csv file has no bound",
            gigabytes(need),
            gigabytes(LARGEST_ARCHIVE)
        );
        return Err(unwritable(path, std::io::Error::other(reason)));
    }
    let table = table(store);
    write(path, &table.0.to_npz())?;
    Ok(table.1)
}

/// Everything by column.
pub(super) fn table(store: &Store) -> (Table, Findings) {
    let mut table = Table::new(names(store), 0);
    let measures = store.description.measures.len();
    let findings = Findings::while_reading(store, &mut |block| {
        for (cell, values) in block.cells.clone().zip(block.values.chunks_exact(measures)) {
            let axes = store.description.cell(cell);
            table.push(axes.iter().chain(values).copied());
        }
    });
    (table, findings)
}
